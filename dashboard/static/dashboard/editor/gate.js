/** What the service would warn of before content goes live: errors stop, warnings ask. */

import { footButton, openDialog } from "./dialog.js";
import { h, icon } from "./dom.js";

/** @typedef {{level: string, place: string, message: string, field: string, sample: string, format: string, code: string}} Finding */
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
export async function askGate(gate, words) {
  let accepted = false;
  await openDialog(gate.stops ? words.stopped : words.title, (close) => ({
    body: [
      h(
        "p",
        {},
        gate.stops
          ? "Every sample was tried in every format. Correct what is marked as an error first."
          : "Every sample was tried in every format. These are warnings: go on if this is intended.",
      ),
      gate.findings.some((finding) => finding.code === "undeclared")
        ? h("p", { class: "ed-help" }, "“Declare all” in the tab Variables takes care of what is not declared.")
        : null,
      h(
        "ul",
        { class: "ed-findings" },
        gate.findings.slice(0, SHOWN).map((finding) =>
          line(finding, () => {
            close();
            words.go(finding);
          }),
        ),
      ),
      gate.findings.length > SHOWN
        ? h("p", { class: "ed-help" }, `and ${gate.findings.length - SHOWN} more`)
        : null,
    ],
    foot: [
      footButton("Back to the editor", close),
      gate.stops
        ? null
        : footButton(
            words.anyway,
            () => {
              accepted = true;
              close();
            },
            { class: "button primary" },
          ),
    ],
  }));
  return accepted ? gate.token : null;
}

/** @param {Finding} finding @param {() => void} go leads to its place */
function line(finding, go) {
  return h(
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
        finding.place ? h("strong", {}, `${finding.place}: `) : null,
        `${finding.message}.`,
      ),
      where(finding) ? h("p", { class: "ed-help" }, where(finding)) : null,
    ),
    finding.field
      ? h(
          "button",
          { type: "button", class: "button quiet small", on: { click: go } },
          "Show",
          h("span", { class: "hidden-text" }, ` ${finding.field}`),
        )
      : null,
  );
}
