/** The dialog that offers the kinds of sections. */

import { fill, h, icon } from "./dom.js";

const ORDER = ["Text", "Data", "Media", "Layout", "More"];

/**
 * Ask for a kind; null when nothing was chosen.
 * @param {any[]} kinds @param {(kind: any) => boolean} fits @returns {Promise<string|null>}
 */
export function pickKind(kinds, fits) {
  return new Promise((resolve) => {
    const results = h("div", { class: "ed-kinds" });
    const search = h("input", {
      type: "search",
      class: "ed-input",
      placeholder: "Search sections",
      "aria-label": "Search sections",
      on: { input: () => draw() },
    });
    const dialog = h(
      "dialog",
      { class: "ed-dialog ed-picker", "aria-labelledby": "ed-picker-title" },
      h(
        "div",
        { class: "ed-dialog-head" },
        h("h2", { id: "ed-picker-title" }, "Add a section"),
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
      search,
      results,
    );
    let chosen = /** @type {string|null} */ (null);
    const draw = () => {
      const sought = search.value.trim().toLowerCase();
      const found = kinds.filter(
        (kind) => fits(kind) && `${kind.label} ${kind.help} ${kind.type}`.toLowerCase().includes(sought),
      );
      const groups = [
        ...ORDER,
        ...new Set(found.map((kind) => kind.group).filter((group) => !ORDER.includes(group))),
      ];
      fill(
        results,
        groups.map((group) => {
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
                            dialog.close();
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
        found.length ? null : h("p", { class: "ed-help" }, "Nothing of that name."),
      );
    };
    search.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        /** @type {HTMLElement|null} */ (results.querySelector(".ed-kind"))?.click();
      }
    });
    dialog.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      if (event.target === dialog) dialog.close();
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(chosen);
    });
    draw();
    document.body.append(dialog);
    dialog.showModal();
    search.focus();
  });
}
