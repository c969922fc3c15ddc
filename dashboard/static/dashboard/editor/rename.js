/** Another name for a variable, everywhere a template says it: expressions, sources, formulas, conditions, samples. Pure. */

import { stringify } from "./exactjson.js";

const PATHS = new Set(["source", "key", "field", "valueField"]);
const FORMULAS = new Set(["value"]);

/**
 * @param {any} doc @param {string} from @param {string} to @returns {any} the document with the variable renamed
 */
export function renamed(doc, from, to) {
  const sample = (/** @type {any} */ data) => withKey(data, from, to);
  return {
    ...doc,
    sections: changed(doc.sections, from, to, new Set()),
    page: changed(doc.page, from, to, new Set()),
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
  const after = stringify([
    changed(doc.sections, name, `${name}\u0001`, new Set()),
    changed(doc.page, name, `${name}\u0001`, new Set()),
  ]);
  return (after.length - before.length) / stringify("\u0001").slice(1, -1).length;
}

/**
 * @param {any} value @param {string} from @param {string} to @param {Set<string>} shadows names that stand for an entry here
 * @returns {any}
 */
function changed(value, from, to, shadows) {
  if (typeof value === "string") return shadows.has(from) ? value : inText(value, from, to);
  if (Array.isArray(value)) return value.map((each) => changed(each, from, to, shadows));
  if (value === null || typeof value !== "object") return value;
  const hidden = value.type === "group" ? new Set([...shadows, value.as || "item"]) : shadows;
  // Below a table or a chart, keys, conditions and formulas are about fields of its rows.
  const rows = value.type === "table" || value.type === "chart";
  /** @type {Record<string, any>} */ const made = {};
  for (const [name, child] of Object.entries(value)) {
    if (name === "type" || name === "as") made[name] = child;
    else if (name === "source" && typeof child === "string" && !child.includes("{{"))
      made[name] = shadows.has(from) ? child : inPath(child, from, to);
    else if (rows && name !== "showIf" && child && typeof child === "object")
      made[name] = inRows(child, from, to, hidden);
    else if (PATHS.has(name) && typeof child === "string")
      made[name] = hidden.has(from) ? child : inPath(child, from, to);
    else made[name] = changed(child, from, to, hidden);
  }
  return made;
}

/** @param {any} value @param {string} from @param {string} to @param {Set<string>} shadows @returns {any} */
function inRows(value, from, to, shadows) {
  if (typeof value === "string")
    return shadows.has(from) || from === "item" ? value : inText(value, from, to);
  if (Array.isArray(value)) return value.map((each) => inRows(each, from, to, shadows));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => {
      const text = typeof child === "string";
      return [
        name,
        text && (PATHS.has(name) || FORMULAS.has(name)) ? child : inRows(child, from, to, shadows),
      ];
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
