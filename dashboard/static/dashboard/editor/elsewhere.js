/** The dialog that takes a section elsewhere: by touch or keyboard, to any place of this template or to another one. */

import { openDialog } from "./dialog.js";
import { fill, h, uid } from "./dom.js";
import { placesFor } from "./sections.js";

/** @typedef {import("./paths.js").Path} Path */
/** @typedef {{list: Path, index: number, copy: boolean}} Place where to, and whether the section also stays */

/**
 * Ask where a section is to go; null when nothing was chosen.
 * @param {any} doc @param {Path} path
 * @param {{name: string, called: (section: any) => string, titles: string[], actions: {label: string, run: () => void}[]}} words
 *   `called`: the label of a section; `titles`: see `wordsOf`; `actions`: what can be done to it besides
 * @returns {Promise<Place|null>}
 */
export async function askPlace(doc, path, { name, called, titles, actions }) {
  let chosen = /** @type {Place|null} */ (null);
  let copy = false;
  const results = h("ol", { class: "ed-places" });
  await openDialog(`Move or copy: ${name}`, (close) => {
    const draw = () => {
      const places = placesFor(doc, path, { called, titles, copy });
      const none = h("li", { class: "ed-help" }, "There is no other place yet.");
      const offered = places.some(({ list }) => list) ? places : [];
      fill(
        results,
        offered.length ? null : none,
        offered.map(({ list, index, level, label }) => {
          const click = () => {
            chosen = list && { list, index, copy };
            close();
          };
          const item = h(
            "li",
            {},
            list
              ? h("button", { type: "button", class: "ed-place", on: { click } }, label)
              : h("span", { class: "ed-part-label" }, label),
          );
          item.style.setProperty("--level", level);
          return item;
        }),
      );
    };
    const how = [
      { value: false, label: "Move" },
      { value: true, label: "Copy" },
    ].map(({ value, label }) => {
      const id = uid("how");
      const change = () => {
        copy = value;
        draw();
      };
      return [
        h("input", { type: "radio", name: "ed-how", id, checked: value === copy, autofocus: !value, on: { change } }),
        h("label", { for: id }, label),
      ];
    });
    const foot = actions.map(({ label, run }) => {
      const click = () => {
        close();
        run();
      };
      return h("button", { type: "button", class: "button", on: { click } }, label);
    });
    draw();
    const segments = h("div", { class: "ed-segments", role: "radiogroup", "aria-label": "Move or copy" }, how);
    return { light: true, body: [segments, results], foot };
  });
  return chosen;
}
