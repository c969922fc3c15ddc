/** What the service would warn of before content goes live: errors stop, warnings ask. */

import { h, icon } from "./dom.js";

/** @typedef {{level: string, message: string, field: string, sample: string, format: string}} Finding */
/** @typedef {{findings: Finding[], token: string, stops: boolean}} Gate */

const SHOWN = 30;

/** Which render showed it. @param {Finding} finding */
function where(finding) {
  return [finding.sample && `Sample “${finding.sample}”`, finding.format.toUpperCase()]
    .filter(Boolean)
    .join(", ");
}

/**
 * Show findings in a dialog.
 * @param {Gate} gate
 * @param {{title: string, stopped: string, anyway: string, go: (finding: Finding) => void}} words
 * @returns {Promise<string|null>} the token of what was accepted, null when the author goes back
 */
export function askGate(gate, words) {
  return new Promise((resolve) => {
    let accepted = false;
    const line = (/** @type {Finding} */ finding) =>
      h(
        "li",
        { class: `ed-finding ${finding.level}` },
        icon("circle-alert"),
        h(
          "div",
          {},
          h(
            "p",
            {},
            h("span", { class: "hidden-text" }, finding.level === "error" ? "Error: " : "Warning: "),
            `${finding.message}.`,
          ),
          where(finding) ? h("p", { class: "ed-help" }, where(finding)) : null,
        ),
        finding.field
          ? h(
              "button",
              {
                type: "button",
                class: "button quiet small",
                on: {
                  click: () => {
                    dialog.close();
                    words.go(finding);
                  },
                },
              },
              "Show",
              h("span", { class: "hidden-text" }, ` ${finding.field}`),
            )
          : null,
      );
    const dialog = h(
      "dialog",
      { class: "ed-dialog", "aria-labelledby": "ed-gate-title" },
      h(
        "div",
        { class: "ed-dialog-head" },
        h("h2", { id: "ed-gate-title" }, gate.stops ? words.stopped : words.title),
        h(
          "button",
          {
            type: "button",
            class: "ed-icon-button",
            "aria-label": "Close",
            on: { click: () => dialog.close() },
          },
          icon("x"),
        ),
      ),
      h(
        "p",
        {},
        gate.stops
          ? "Every sample was tried in every format. Correct what is marked as an error first."
          : "Every sample was tried in every format. These are warnings: go on, if it is meant so.",
      ),
      gate.findings.some((finding) => finding.message.includes("not declared"))
        ? h("p", { class: "ed-help" }, "“Declare all” in the tab Variables takes care of what is not declared.")
        : null,
      h("ul", { class: "ed-findings" }, gate.findings.slice(0, SHOWN).map(line)),
      gate.findings.length > SHOWN
        ? h("p", { class: "ed-help" }, `and ${gate.findings.length - SHOWN} more`)
        : null,
      h(
        "div",
        { class: "ed-dialog-foot" },
        h(
          "button",
          { type: "button", class: "button", on: { click: () => dialog.close() } },
          "Back to the editor",
        ),
        gate.stops
          ? null
          : h(
              "button",
              {
                type: "button",
                class: "button primary",
                on: {
                  click: () => {
                    accepted = true;
                    dialog.close();
                  },
                },
              },
              words.anyway,
            ),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(accepted ? gate.token : null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
