/** The dialog that offers the kinds of sections. */

import { openDialog } from "./dialog.js";
import { fill, h, icon } from "./dom.js";

const ORDER = ["Text", "Data", "Media", "Layout", "More"];

/**
 * Ask for a kind; null when nothing was chosen.
 * @param {any[]} kinds @param {(kind: any) => boolean} fits @returns {Promise<string|null>}
 */
export async function pickKind(kinds, fits) {
  const results = h("div", { class: "ed-kinds" });
  const told = h("p", { class: "ed-help", role: "status" });
  const search = h("input", {
    type: "search",
    class: "ed-input",
    placeholder: "Search sections",
    "aria-label": "Search sections",
    on: { input: () => draw() },
  });
  let chosen = /** @type {string|null} */ (null);
  let finish = () => {};
  const draw = () => {
    const sought = search.value.trim().toLowerCase();
    const said = (/** @type {any} */ kind) => `${kind.label} ${kind.help} ${kind.type} ${kind.words}`.toLowerCase();
    const found = kinds.filter(
      (kind) => fits(kind) && sought.split(/\s+/).every((/** @type {string} */ word) => said(kind).includes(word)),
    );
    // The first one is what Enter takes: with "table" the table, not the table of contents.
    if (sought) found.sort((one, other) => distance(one, sought) - distance(other, sought));
    const groups = new Set([...(sought ? [] : ORDER), ...found.map((kind) => kind.group)]);
    fill(
      results,
      [...groups].map((group) => {
        const members = found.filter((kind) => kind.group === group);
        return members.length
          ? h(
              "section",
              {},
              h("h3", { class: "ed-band" }, group),
              h(
                "div",
                { class: "ed-kind-grid" },
                members.map((kind) =>
                  h(
                    "button",
                    {
                      type: "button",
                      class: "ed-kind",
                      on: {
                        click: () => {
                          chosen = kind.type;
                          finish();
                        },
                      },
                    },
                    h("span", { class: "ed-kind-icon" }, icon(kind.icon)),
                    h(
                      "span",
                      {},
                      h("strong", {}, kind.label),
                      h("span", { class: "ed-kind-help" }, kind.help),
                    ),
                  ),
                ),
              ),
            )
          : null;
      }),
    );
    // How many there are is seen by those who see.
    told.className = found.length ? "hidden-text" : "ed-help";
    told.textContent = !found.length ? "Nothing of that name." : sought ? `${found.length} found` : "";
  };
  search.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      /** @type {HTMLElement|null} */ (results.querySelector(".ed-kind"))?.click();
    }
  });
  const closed = openDialog("Add a section", (close) => {
    finish = close;
    return { light: true, body: [search, told, results] };
  });
  draw();
  search.focus();
  await closed;
  return chosen;
}

/**
 * How far a kind is from what is sought: its very label, the shortest that begins so, one that has it, its help.
 * @param {any} kind @param {string} sought @returns {number}
 */
function distance(kind, sought) {
  const label = kind.label.toLowerCase();
  if (label.startsWith(sought)) return label.length - sought.length;
  return label.includes(sought) ? 1000 : 2000;
}
