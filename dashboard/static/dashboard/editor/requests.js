/** Talking with the service: JSON there, JSON or a form back; refusals as errors with their status. */

export class Refusal extends Error {
  /** @param {number} status @param {string} message @param {any} body */
  constructor(status, message, body) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

/**
 * Post JSON; raises Refusal for every answer that is none of success, TypeError without a connection.
 * @param {string} url @param {any} body @param {AbortSignal} [signal] @returns {Promise<Response>}
 */
export async function post(url, body, signal) {
  const response = await fetch(url, {
    method: "POST",
    signal,
    credentials: "same-origin",
    redirect: "manual",
    headers: { "Content-Type": "application/json", "X-CSRFToken": token() },
    body: JSON.stringify(body),
  });
  if (response.ok) return response;
  const told = (response.headers.get("Content-Type") ?? "").includes("json") ? await response.json() : {};
  throw new Refusal(response.status, told.message ?? sentence(response), {
    ...told,
    wait: Number(response.headers.get("Retry-After")) || 0,
  });
}

/** @returns {string} the page's own token against forged requests */
function token() {
  return (
    /** @type {HTMLInputElement|null} */ (document.querySelector("input[name=csrfmiddlewaretoken]"))?.value ??
    ""
  );
}

/** @param {Response} response */
function sentence(response) {
  if (response.type === "opaqueredirect" || response.status === 401)
    return "You have been logged out. Log in in another tab, then go on here.";
  if (response.status === 403) return "You may not do this: your role or your log-in has changed.";
  if (response.status === 404) return "This template is no longer there.";
  if (response.status === 413) return "The template is too large.";
  return "The service could not answer. Your work is kept; it will be tried again.";
}
