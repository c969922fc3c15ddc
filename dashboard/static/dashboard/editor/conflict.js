/** Somebody else, or the author elsewhere, was faster: both contents side by side, and the author chooses. */

import { differences } from "./compare.js";
import { footButton, openDialog } from "./dialog.js";
import { h, moment } from "./dom.js";

/** @typedef {"mine"|"theirs"|null} Choice null: neither yet, back to the editor */

/**
 * Tell what happened and ask what the template becomes.
 * @param {{base: import("./kept.js").Base, current: any, mine: import("./store.js").Doc, theirs: import("./store.js").Doc, makesVersion: boolean, data: any}} about
 *   `current` is what the service has now; `makesVersion`: keeping mine makes a version of it
 * @returns {Promise<Choice>}
 */
export async function askConflict(about) {
  const { title, text, leave, other } = wordsOf(about.base, about.current);
  const found = differences(about.mine, about.theirs, about.data);
  const both = sideBySide(found, other);
  const keep = about.makesVersion ? `Keep mine as version ${about.current.template.version + 1}` : "Keep mine";
  let choice = /** @type {Choice} */ (null);
  await openDialog(title, (close) => {
    const chosen = (/** @type {Choice} */ which) => () => {
      choice = which;
      close();
    };
    const see = footButton(
      `See both (${found.length} ${found.length === 1 ? "difference" : "differences"})`,
      () => {
        both.hidden = !both.hidden;
        see.setAttribute("aria-expanded", String(!both.hidden));
      },
      { "aria-expanded": "false" },
    );
    return {
      body: [h("p", {}, text), both],
      foot: [
        see,
        footButton(leave, chosen("theirs")),
        footButton(keep, chosen("mine"), { class: "button primary" }),
      ],
    };
  });
  return choice;
}

/** Tell whether the content is the same version that the author began with. @param {import("./kept.js").Base} base @param {any} current */
export const isSameContent = (base, current) => base.version === current.template.version;

/** @param {import("./kept.js").Base} base @param {any} current */
function wordsOf(base, current) {
  const { version, status } = current.template;
  if (!isSameContent(base, current) && current.isOwn)
    return {
      title: "You have saved elsewhere meanwhile",
      text: [
        `You saved version ${version} (`,
        moment(current.savedAt),
        `) in another tab or browser, while this one worked on version ${base.version}. Nothing is lost: choose what the template becomes. Version ${version} stays in its history, and what is here is kept in this browser.`,
      ],
      leave: `Load version ${version}`,
      other: `Version ${version}`,
    };
  if (!isSameContent(base, current)) {
    return {
      title: "Somebody else has saved meanwhile",
      text: [
        h("strong", {}, current.author),
        ` saved version ${version} (`,
        moment(current.savedAt),
        `) while you worked on version ${base.version}. Nothing is lost: choose what the template becomes. Theirs stays in its history, and yours is kept in this browser.`,
      ],
      leave: "Load theirs",
    };
  }
  if (base.status !== status)
    return {
      title: "Somebody else has published it meanwhile",
      text: `Version ${version} is live since you opened it. Every new document uses what you save immediately: it is tried out first.`,
      leave: "Discard mine",
    };
  return {
    title: "Somebody else has changed the samples meanwhile",
    text: "The named samples are others than those you opened. Saving yours takes their place; loading theirs keeps yours in this browser.",
    leave: "Load theirs",
  };
}

/** @param {import("./compare.js").Difference[]} found @param {string} [other] whose is not the author's */
function sideBySide(found, other) {
  const head = ["Where", other ? "Here" : "Yours", other ?? "Theirs"].map((title) => h("th", { scope: "col" }, title));
  const rows = found.map((each) =>
    h("tr", {}, h("th", { scope: "row" }, each.what), h("td", {}, each.mine), h("td", {}, each.theirs)),
  );
  return h(
    "div",
    { class: "ed-both", hidden: true },
    h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows)),
  );
}
