/** Talking with the service: JSON there, JSON or a form back; refusals as errors with their status. */

import { parse, stringify } from "./exactjson.js";

const LOGGED_OUT = 401;

export class Refusal extends Error {
  /** @param {number} status @param {string} message @param {any} body */
  constructor(status, message, body) {
    super(message);
    this.status = status;
    this.body = body;
    this.isLoggedOut = status === LOGGED_OUT;
  }
}

/**
 * Post JSON; raises Refusal for every answer that is none of success, TypeError without a connection (`isLost`).
 * @param {string} url @param {any} body @param {AbortSignal} [signal] @returns {Promise<Response>}
 */
export async function post(url, body, signal) {
  const sent = stringify(body);
  let response = await send(url, sent, signal);
  // Logging in again has made the page's token one of the past.
  if (response.status === 403) {
    const page = await fetch(location.pathname, { signal, credentials: "same-origin", redirect: "manual" });
    if (isLogin(page)) response = page;
    else if (await renewToken(page)) response = await send(url, sent, signal);
  }
  if (response.ok) return response;
  if (isLogin(response))
    throw new Refusal(LOGGED_OUT, "You have been logged out. Log in in another tab, then go on here.", {});
  const told = (response.headers.get("Content-Type") ?? "").includes("json") ? parse(await response.text()) : {};
  throw new Refusal(response.status, told.message ?? sentence(response), {
    ...told,
    wait: Number(response.headers.get("Retry-After")) || 0,
  });
}

/** Tell whether an error says that there was no answer, or none in time. @param {any} error */
export const isLost = (error) => error instanceof TypeError || error?.name === "TimeoutError";

/** @param {string} url @param {string} body @param {AbortSignal} [signal] */
function send(url, body, signal) {
  return fetch(url, {
    method: "POST",
    signal,
    credentials: "same-origin",
    redirect: "manual",
    headers: { "Content-Type": "application/json", "X-CSRFToken": tokenOf(document)?.value ?? "" },
    body,
  });
}

/** The token against forged requests that a page holds. @param {Document} page @returns {HTMLInputElement|null} */
const tokenOf = (page) => page.querySelector("input[name=csrfmiddlewaretoken]");

/**
 * Take the token out of the page as it is served now; the cookie it belongs to is not for scripts.
 * @param {Response} response @returns {Promise<boolean>} whether there is one
 */
async function renewToken(response) {
  const held = tokenOf(document);
  const given = response.ok
    ? tokenOf(new DOMParser().parseFromString(await response.text(), "text/html"))
    : null;
  if (!held || !given) return false;
  held.value = given.value;
  return true;
}

/** Tell whether an answer leads to the login. @param {Response} response */
const isLogin = (response) => response.type === "opaqueredirect" || response.status === LOGGED_OUT;

/** @param {Response} response */
function sentence(response) {
  if (response.status === 403) return "You may not do this: your role or your log-in has changed.";
  if (response.status === 404) return "This template is no longer there.";
  if (response.status === 413) return "The template is too large.";
  return "The service could not answer. Your work is kept; try again.";
}
