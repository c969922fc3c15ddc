/** Sections to the clipboard and from it, as the JSON that the API takes: also to another template. */

import { announce, toast } from "./dom.js";
import { parse, stringify } from "./exactjson.js";
import { parsePath } from "./paths.js";

// In words of its own: the outline names this file, and names of files with hashes can go round in no circle.
/**
 * @typedef {{store: import("./store.js").Store, context: {readOnly?: boolean, data: any}, kinds: Map<string, any>,
 *   labelOf: (section: any) => string, focusSelected: () => void,
 *   delete: (path: import("./paths.js").Path) => void,
 *   insert: (sections: any[], path: import("./paths.js").Path) => void}} Outline
 */

/**
 * Copy, cut and paste what has the focus in the outline. Where text is selected, the browser's own copying goes first.
 * @param {Outline} outline
 */
export function useClipboard(outline) {
  /** @param {ClipboardEvent} event @returns {import("./paths.js").Path|null} */
  const placeOf = (event) => {
    const button = /** @type {HTMLElement|null} */ (
      document.activeElement?.closest(".ed-outline [data-section]") ?? null
    );
    return button && event.clipboardData ? parsePath(String(button.dataset.section)) : null;
  };
  const copy = (/** @type {ClipboardEvent} */ event) => {
    const path = placeOf(event);
    if (!path || !document.getSelection()?.isCollapsed) return;
    event.preventDefault();
    const section = outline.store.at(path);
    event.clipboardData?.setData("text/plain", stringify(section));
    keepCopied(outline, section);
    if (event.type === "cut") outline.delete(path);
    else announce(`${outline.labelOf(section)} copied`);
    outline.focusSelected();
  };
  document.addEventListener("copy", copy);
  document.addEventListener("cut", copy);
  document.addEventListener("paste", (event) => {
    const path = placeOf(event);
    if (!path || outline.context.readOnly) return;
    event.preventDefault();
    const sections = sectionsIn(event.clipboardData?.getData("text/plain") ?? "", outline);
    if (sections.length) outline.insert(sections, path);
    else toast("Nothing was pasted: what was copied is no section.");
  });
}

/**
 * Copy a section by a button. Browsers give a page the clipboard over https alone, and ask before it is read: what was
 * copied is kept beside it, for the button that pastes.
 * @param {Outline} outline @param {any} section
 */
export function copySection(outline, section) {
  keepCopied(outline, section);
  navigator.clipboard?.writeText(stringify(section)).catch(() => {});
  toast(`${outline.labelOf(section)} copied. Paste it at a section of this or another template.`);
}

/** The sections that this person copied last in this browser. @param {Outline} outline @returns {any[]} */
export function copiedSections(outline) {
  try {
    return sectionsIn(localStorage.getItem(placeOfCopied(outline)) ?? "", outline);
  } catch {
    return []; // Where nothing can be stored, nothing is.
  }
}

/** @param {Outline} outline @param {any} section */
function keepCopied(outline, section) {
  try {
    localStorage.setItem(placeOfCopied(outline), stringify(section));
  } catch {
    // No room: the clipboard itself has it.
  }
}

/** @param {Outline} outline */
const placeOfCopied = (outline) => `copied:${outline.context.data.person}`;

/** Read the section, or the list of them, that a text holds; none where it holds anything else. @param {string} text @param {Outline} outline @returns {any[]} */
function sectionsIn(text, outline) {
  let found;
  try {
    found = parse(text);
  } catch {
    return [];
  }
  const sections = Array.isArray(found) ? found : [found];
  return sections.every((each) => outline.kinds.has(each?.type)) ? sections : [];
}
