/** What two contents of a template differ in, in words. Pure. */

import { equal } from "./paths.js";
import { wordsOf } from "./sections.js";

/** @typedef {{what: string, mine: string, theirs: string}} Difference */

/** @param {any} mine @param {any} theirs @param {{kinds: any[], titles: string[]}} data @returns {Difference[]} */
export function differences(mine, theirs, { kinds, titles }) {
  const label = (/** @type {any} */ section) =>
    kinds.find((kind) => kind.type === section?.type)?.label ?? section?.type ?? "";
  const shown = (/** @type {any} */ section) =>
    section === undefined ? "–" : [label(section), wordsOf(section, titles)].filter(Boolean).join(": ");
  /** @type {Difference[]} */ const found = [];
  for (const [name, title] of [
    ["name", "Name"],
    ["description", "Description"],
    ["formats", "Formats"],
  ]) {
    if (!equal(mine[name], theirs[name]))
      found.push({ what: title, mine: String(mine[name] ?? ""), theirs: String(theirs[name] ?? "") });
  }
  const count = Math.max(mine.sections.length, theirs.sections.length);
  for (let index = 0; index < count; index += 1) {
    const [a, b] = [mine.sections[index], theirs.sections[index]];
    if (!equal(a, b)) {
      const fields = a && b && a.type === b.type ? changedFields(a, b) : "";
      found.push({
        what: `Section ${index + 1}${fields ? ` (${fields})` : ""}`,
        mine: shown(a),
        theirs: shown(b),
      });
    }
  }
  const declared = (/** @type {any} */ content) =>
    content.variables.filter((/** @type {any} */ variable) => !variable.inferred);
  const names = (/** @type {any} */ content) =>
    declared(content)
      .map((/** @type {any} */ variable) => `${variable.name} (${variable.type})`)
      .join(", ") || "none";
  if (!equal(declared(mine), declared(theirs)))
    found.push({ what: "Variables", mine: names(mine), theirs: names(theirs) });
  if (!equal(mine.page, theirs.page))
    found.push({ what: `Page (${changedFields(mine.page, theirs.page)})`, mine: "", theirs: "" });
  if (!equal(mine.sampleData, theirs.sampleData)) found.push({ what: "Sample data", mine: "", theirs: "" });
  const samples = (/** @type {any} */ content) =>
    content.samples.map((/** @type {any} */ sample) => sample.name).join(", ") || "none";
  if (!equal(mine.samples, theirs.samples))
    found.push({ what: "Named samples", mine: samples(mine), theirs: samples(theirs) });
  return found;
}

/** @param {any} a @param {any} b */
function changedFields(a, b) {
  return [...new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])]
    .filter((name) => !equal(a?.[name], b?.[name]))
    .join(", ");
}
