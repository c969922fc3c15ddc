/** Another name for a variable, everywhere a template says it: expressions, sources, formulas, conditions, samples. Pure. */

import { stringify } from "./exactjson.js";
import { resolve } from "./scope.js";

const CONDITIONS = new Set(["field", "valueField"]);
const PATHS = new Set(["source", "key", ...CONDITIONS]);
const FORMULAS = new Set(["value"]);

/** What is renamed, and the variables before that. @typedef {{from: string, to: string, variables: any[]}} Names */
/** What stands for an entry at a place, by its name; its variable, where there is one. @typedef {Map<string, any>} Entries */

/**
 * @param {any} doc @param {string} from @param {string} to @returns {any} the document with the variable renamed
 */
export function renamed(doc, from, to) {
  const sample = (/** @type {any} */ data) => withKey(data, from, to);
  const names = { from, to, variables: doc.variables };
  return {
    ...doc,
    sections: changed(doc.sections, names, new Map()),
    page: changed(doc.page, names, new Map()),
    variables: doc.variables.map((/** @type {any} */ variable) => ({
      ...inFormulas(variable, from, to),
      ...(variable.name === from ? { name: to } : {}),
    })),
    sampleData: sample(doc.sampleData),
    samples: doc.samples.map((/** @type {any} */ each) => ({ ...each, data: sample(each.data) })),
  };
}

/** How often a template says a name. @param {any} doc @param {string} name */
export function countOf(doc, name) {
  const before = stringify([doc.sections, doc.page]);
  const names = { from: name, to: `${name}\u0001`, variables: doc.variables };
  const after = stringify([changed(doc.sections, names, new Map()), changed(doc.page, names, new Map())]);
  return (after.length - before.length) / stringify("\u0001").slice(1, -1).length;
}

/**
 * Tell whether a name would mean something else where the template says it: rows or entries have it themselves.
 * Those places are lost on the way back.
 * @param {any} doc @param {string} from @param {string} to
 */
export const isShadowed = (doc, from, to) =>
  countOf(renamed(renamed(doc, from, to), to, from), from) < countOf(doc, from);

/** @param {any} value @param {Names} names @param {Entries} entries @returns {any} */
function changed(value, names, entries) {
  const { from, to, variables } = names;
  if (typeof value === "string") return entries.has(from) ? value : inText(value, from, to);
  if (Array.isArray(value)) return value.map((each) => changed(each, names, entries));
  if (value === null || typeof value !== "object") return value;
  const list = typeof value.source === "string" ? resolve(variables, entries, value.source) : undefined;
  const inside = value.type === "group" ? new Map([...entries, [value.as || "item", list]]) : entries;
  // Below a table or a chart, keys, conditions and formulas are about fields of its rows.
  const rows = value.type === "table" || value.type === "chart";
  const own = rows ? rowNames(value, list) : new Set();
  const field = (/** @type {string} */ name, /** @type {any} */ child) => {
    if (name === "type" || name === "as") return child;
    if (name === "source" && typeof child === "string" && !child.includes("{{"))
      return entries.has(from) ? child : inPath(child, from, to);
    if (rows && name !== "showIf" && child && typeof child === "object")
      return inRows(child, names, inside, own);
    if (PATHS.has(name) && typeof child === "string")
      return inside.has(from) ? child : inPath(child, from, to);
    return changed(child, names, inside);
  };
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, field(name, child)]));
}

/** Names that the service takes from the row: those its columns show, and those its list declares. @param {any} section @param {any} list */
function rowNames(section, list) {
  const keys = (section.columns ?? []).map(
    (/** @type {any} */ column) => String(column?.key ?? "").split(".")[0],
  );
  const declared = (list?.fields ?? []).filter((/** @type {any} */ field) => !field.inferred);
  return new Set([...keys, ...declared.map((/** @type {any} */ field) => field.name)]);
}

/**
 * Formulas and conditions of rows: what is no field of theirs is the document's.
 * @param {any} value @param {Names} names @param {Entries} entries @param {Set<string>} own names of the row
 * @returns {any}
 */
function inRows(value, names, entries, own) {
  const { from, to } = names;
  if (typeof value === "string")
    return entries.has(from) || from === "item" ? value : inText(value, from, to);
  if (Array.isArray(value)) return value.map((each) => inRows(each, names, entries, own));
  if (value === null || typeof value !== "object") return value;
  const isOwn = own.has(from) || entries.has(from) || from === "item";
  const isCondition = "field" in value; // its value is one to compare with, not a formula
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => {
      if (typeof child !== "string") return [name, inRows(child, names, entries, own)];
      if (CONDITIONS.has(name)) return [name, isOwn ? child : inPath(child, from, to)];
      if (PATHS.has(name) || (isCondition && FORMULAS.has(name))) return [name, child];
      if (FORMULAS.has(name)) return [name, isOwn ? child : inFormula(child, from, to)];
      return [name, inRows(child, names, entries, own)];
    }),
  );
}

/** @param {any} variable @param {string} from @param {string} to @returns {any} */
function inFormulas(variable, from, to) {
  return {
    ...variable,
    ...(variable.value ? { value: inFormula(variable.value, from, to) } : {}),
    ...(variable.fields
      ? { fields: variable.fields.map((/** @type {any} */ field) => inFormulas(field, from, to)) }
      : {}),
  };
}

/** @param {string} text @param {string} from @param {string} to */
const inText = (text, from, to) =>
  text.replace(new RegExp(`((?:^|[^\\\\])\\{\\{)${escaped(from)}(?=[.|}])`, "g"), `$1${to}`);

/** @param {string} path @param {string} from @param {string} to */
const inPath = (path, from, to) =>
  path === from ? to : path.startsWith(`${from}.`) ? to + path.slice(from.length) : path;

/** Names in a formula, but for those in quotes and those behind a dot. @param {string} formula @param {string} from @param {string} to */
const inFormula = (formula, from, to) =>
  formula.replace(
    new RegExp(`("[^"]*"|'[^']*')|(?<![\\w.])${escaped(from)}(?![\\w(])`, "g"),
    (found, quoted) => quoted ?? to,
  );

/** @param {any} data @param {string} from @param {string} to */
function withKey(data, from, to) {
  if (!data || !(from in data)) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name === from ? to : name, value]));
}

/** @param {string} name */
const escaped = (name) => name.replace(/[.*+?^${}()|[\]\\-]/g, "\\$&");
