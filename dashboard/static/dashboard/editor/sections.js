/** Sections of a document: which lists hold them, how they are called, what can be done to them. Pure. */

import { get, insert, isBelow, move, remove, samePath, shifted } from "./paths.js";

/** @typedef {import("./paths.js").Path} Path */
/** @typedef {{label: string, path: Path}} Part a list of sections */

const BANDS = [
  ["header", "Header"],
  ["firstHeader", "Header of the first page"],
  ["footer", "Footer"],
  ["firstFooter", "Footer of the first page"],
];

/** Tell whether a place is that of a whole band, with the sections it may hold. @param {Path} path */
export const isBand = (path) =>
  path.length === 2 && path[0] === "page" && BANDS.some(([name]) => name === path[1]);

/** What a band is called. @param {unknown} name */
export const bandLabel = (name) => BANDS.find(([each]) => each === name)?.[1] ?? String(name);

/** The outermost lists of a document. @param {any} doc @returns {Part[]} */
export function roots(doc) {
  const bands = BANDS.filter(([name]) => Array.isArray(doc.page?.[name]?.sections)).map(([name, label]) => ({
    label,
    path: ["page", name, "sections"],
  }));
  const isHeader = (/** @type {Part} */ part) => /header/i.test(String(part.path[1]));
  return [
    ...bands.filter(isHeader),
    { label: "", path: ["sections"] },
    ...bands.filter((part) => !isHeader(part)),
  ];
}

/** The lists inside a section. @param {any} section @param {Path} path @returns {Part[]} */
export function partsOf(section, path) {
  if (Array.isArray(section?.sections)) return [{ label: "", path: [...path, "sections"] }];
  if (section?.type === "columns" && Array.isArray(section.columns)) {
    return section.columns.map((/** @type {any} */ _, /** @type {number} */ index) => ({
      label: `Column ${index + 1}`,
      path: [...path, "columns", index, "sections"],
    }));
  }
  return [];
}

/** Every section with its place, in document order. @param {any} doc @returns {Path[]} */
export function allSections(doc) {
  /** @type {Path[]} */ const found = [];
  const walk = (/** @type {Path} */ list) => {
    (get(doc, list) ?? []).forEach((/** @type {any} */ section, /** @type {number} */ index) => {
      found.push([...list, index]);
      for (const part of partsOf(section, [...list, index])) walk(part.path);
    });
  };
  for (const root of roots(doc)) walk(root.path);
  return found;
}

/** The section that a place lies in, or is. @param {any} doc @param {Path} path @returns {Path|null} */
export function sectionOf(doc, path) {
  const around = allSections(doc).filter((section) => isBelow(section, path));
  return around.at(-1) ?? null;
}

/**
 * A few words that tell a section from others: its title, else those of its entries.
 * @param {any} section @param {string[]} titles the fields that a title may be in, the best first @returns {string}
 */
export function wordsOf(section, titles) {
  const written = textsOf(section, titles);
  const own = written.find((text) => !isEmbedded(text)) ?? "";
  const text = written.length ? own || section.alt || "An embedded image" : entriesOf(section, titles);
  return text
    .replace(/\*\*|__|~~/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 60);
}

/** @param {any} entry @param {string[]} titles @returns {string[]} */
const textsOf = (entry, titles) =>
  titles.map((name) => entry?.[name]).filter((text) => typeof text === "string" && text.trim());

/** @param {string} text */
const isEmbedded = (text) => /^\s*data:/.test(text);

/** The titles in its first list, but for sections. @param {any} section @param {string[]} titles */
function entriesOf(section, titles) {
  /** @type {any[]} */ const entries = Object.values(section).find(Array.isArray) ?? [];
  return entries
    .map((entry) => (typeof entry === "string" ? entry : entry?.type ? "" : textsOf(entry, titles)[0]))
    .filter(Boolean)
    .join(", ");
}

/**
 * Add a section behind the selected one, else at the end.
 * @param {any} doc @param {any} section @param {{list: Path, index?: number}} where
 */
export function added(doc, section, where) {
  const index = where.index ?? (get(doc, where.list) ?? []).length;
  return { doc: insert(doc, where.list, index, section), path: [...where.list, index] };
}

/** @param {any} doc @param {Path} path */
export function duplicated(doc, path) {
  const next = [...path.slice(0, -1), Number(path.at(-1)) + 1];
  return {
    doc: insert(doc, path.slice(0, -1), Number(path.at(-1)) + 1, structuredClone(get(doc, path))),
    path: next,
  };
}

/** @param {any} doc @param {Path} path @param {Path|null} selected */
export function removed(doc, path, selected) {
  const left = remove(doc, path);
  if (!selected) return { doc: left, selected: null };
  if (!isBelow(path, selected)) return { doc: left, selected: shifted(selected, path) };
  const list = path.slice(0, -1);
  const count = get(left, list).length;
  return {
    doc: left,
    selected: count
      ? [...list, Math.min(Number(path.at(-1)), count - 1)]
      : list.length > 2
        ? sectionOf(left, list)
        : null,
  };
}

/**
 * One step up or down: within the list, or out of a part into the list around it.
 * @param {any} doc @param {Path} path @param {number} by @returns {{doc: any, path: Path}|null}
 */
export function stepped(doc, path, by) {
  const list = path.slice(0, -1);
  const index = Number(path.at(-1)) + by;
  const count = get(doc, list).length;
  if (index >= 0 && index < count) {
    const made = move(doc, path, list, index);
    return { doc: made.root, path: made.path };
  }
  // A section's own list would not be valid without one: it keeps its last. That of one of its columns may be empty.
  const outer = sectionOf(doc, list);
  if (!outer || (count === 1 && list.length === outer.length + 1)) return null;
  const made = move(doc, path, outer.slice(0, -1), Number(outer.at(-1)) + (by > 0 ? 1 : 0));
  return { doc: made.root, path: made.path };
}

/** @param {any} doc @param {Path} from @param {Path} list @param {number} index */
export function dropped(doc, from, list, index) {
  if (samePath(from, [...list, index]) || isBelow(from, list)) return null;
  const made = move(doc, from, list, index);
  return { doc: made.root, path: made.path };
}

/**
 * Every place that a section may go to, in document order, each after the label of its list where that has one.
 * `list` is null for a label. Bands and the document keep to themselves, as when sections are dragged.
 * @param {any} doc @param {Path} path
 * @param {{called: (section: any) => string, titles: string[], copy: boolean}} how `titles`: see `wordsOf`
 * @returns {{list: Path|null, index: number, level: number, label: string}[]}
 */
export function placesFor(doc, path, { called, titles, copy }) {
  /** @type {ReturnType<typeof placesFor>} */ const found = [];
  const own = path.slice(0, -1);
  const walk = (/** @type {Part} */ { label, path: list }, /** @type {number} */ level) => {
    if (label) found.push({ list: null, index: 0, level: level - 1, label });
    const offer = (/** @type {number} */ index, /** @type {string} */ words) => {
      const isHere = !copy && samePath(list, own) && (index === path.at(-1) || index === Number(path.at(-1)) + 1);
      if (!isHere) found.push({ list, index, level, label: words });
    };
    offer(0, "At the beginning");
    (get(doc, list) ?? []).forEach((/** @type {any} */ section, /** @type {number} */ index) => {
      const place = [...list, index];
      if (!samePath(place, path))
        for (const part of partsOf(section, place))
          walk({ ...part, label: `In ${[called(section), part.label.toLowerCase()].filter(Boolean).join(", ")}` }, level + 1);
      const words = wordsOf(section, titles);
      const number = place.length === 2 ? `${index + 1} ` : "";
      offer(index + 1, `After ${number}${called(section)}${words ? `: ${words}` : ""}`);
    });
  };
  const isBandList = path[0] === "page";
  for (const root of roots(doc)) if ((root.path[0] === "page") === isBandList) walk(root, root.label ? 1 : 0);
  return found;
}
