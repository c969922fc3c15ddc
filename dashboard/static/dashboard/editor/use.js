/** What comes after publishing: where to try the template, and the request that renders it. */

import { footButton, openDialog } from "./dialog.js";
import { h, icon } from "./dom.js";

/** @typedef {{playground: string, keys: string, page: string, curl: string, keyVariable: string}} Use */

/** @param {any} template @param {Use} use */
export function showUse(template, use) {
  const code = h(
    "pre",
    { tabindex: "0", "aria-label": "Request with curl" },
    h("code", { id: "ed-use-code" }, use.curl),
  );
  const copy = h(
    "button",
    { type: "button", class: "button small", data: { copy: "#ed-use-code" } },
    icon("copy"),
    h("span", { data: { label: "" } }, "Copy"),
  );
  const help = h(
    "p",
    { class: "ed-help" },
    "The answer is JSON; its downloadUrl is the document. ",
    h("code", {}, `$${use.keyVariable}`),
    " is your secret key: ",
    h("a", { href: use.keys }, "API keys"),
    ".",
  );
  return openDialog(`${template.name} is published`, (close) => ({
    class: "ed-use",
    body: [
      h("p", {}, "Every server with your secret key can render it from now on."),
      h(
        "div",
        { class: "ed-use-part" },
        h("h3", {}, "Try it with your own data"),
        h("a", { class: "button small primary", href: use.playground }, icon("play"), "Open the playground"),
      ),
      // With a sample too long for a command only the playground has the request.
      ...(use.curl
        ? [h("div", { class: "ed-use-part" }, h("h3", {}, "Render it from a program"), copy), code, help]
        : []),
    ],
    foot: [
      h("a", { class: "button", href: use.page }, "To the template's page"),
      footButton("Go on editing", close, { class: "button primary" }),
    ],
  }));
}
