/** Another name for a variable, everywhere a template says it: expressions, sources, formulas, conditions, samples. Pure. */

import { stringify } from "./exactjson.js";
import { LETTER, bracketed } from "./names.js";
import { entryName, resolve } from "./scope.js";

/** What the page knows of the fields of sections and pages. @typedef {{kinds: any[], pageForm: Field[]}} Forms */
/** @typedef {import("./form.js").Field} Field */
/** What is renamed, and the variables and forms before that. @typedef {{from: string, to: string, variables: any[], forms: Forms}} Names */
/**
 * What other names mean at a place: those that stand for an entry, with its variable where there is one; and the
 * fields of the rows that formulas and conditions are about, where there are rows.
 * @typedef {{entries: Map<string, any>, row?: Set<string>}} Around
 */

/**
 * @param {any} doc @param {string} from @param {string} to @param {Forms} forms
 * @returns {any} the document with the variable renamed
 */
export function renamed(doc, from, to, forms) {
  const sample = (/** @type {any} */ data) => withKey(data, from, to);
  return {
    ...doc,
    ...content(doc, { from, to, variables: doc.variables, forms }),
    variables: doc.variables.map((/** @type {any} */ variable) => ({
      ...inFormulas(variable, from, to),
      ...(variable.name === from ? { name: to } : {}),
    })),
    sampleData: sample(doc.sampleData),
    samples: doc.samples.map((/** @type {any} */ each) => ({ ...each, data: sample(each.data) })),
  };
}

/** How often a template says a name. @param {any} doc @param {string} name @param {Forms} forms */
export function countOf(doc, name, forms) {
  const names = { from: name, to: `${name}\u0001`, variables: doc.variables, forms };
  const mark = stringify("\u0001").slice(1, -1);
  const marks = (/** @type {any} */ value) => stringify(value).split(mark).length;
  return marks(content(doc, names)) - marks({ sections: doc.sections, page: doc.page });
}

/**
 * Tell whether a name would mean something else where the template says it: rows or entries have it themselves.
 * Those places are lost on the way back.
 * @param {any} doc @param {string} from @param {string} to @param {Forms} forms
 */
export const isShadowed = (doc, from, to, forms) =>
  countOf(renamed(renamed(doc, from, to, forms), to, from, forms), from, forms) < countOf(doc, from, forms);

/** @param {any} doc @param {Names} names */
function content(doc, names) {
  const outside = { entries: new Map() };
  return {
    sections: changed(doc.sections, { control: "sections" }, names, outside),
    page: changed(doc.page, { control: "object", fields: names.forms.pageForm }, names, outside),
  };
}

/**
 * The value of a field: its control says what its texts are.
 * @param {any} value @param {Partial<Field>} field @param {Names} names @param {Around} around @returns {any}
 */
function changed(value, field, names, around) {
  if (typeof value === "string") return inString(value, field, names, around);
  if (Array.isArray(value)) return value.map((each) => changed(each, field, names, around));
  if (value === null || typeof value !== "object") return value;
  if (field.control === "condition") return inCondition(value, names, around);
  if (field.control === "sections") return inSection(value, names, around);
  return inFields(value, field.fields, names, () => around);
}

/** @param {any} section @param {Names} names @param {Around} around */
function inSection(section, names, around) {
  const fields = names.forms.kinds.find((kind) => kind.type === section.type)?.fields;
  const source = fields?.find((/** @type {Field} */ field) => field.name === "source");
  if (source?.control !== "path" || typeof section.source !== "string")
    return inFields(section, fields, names, () => around);
  const { entries } = around;
  const list = resolve(names.variables, entries, section.source);
  const name = entryName(section);
  const inside = name
    ? { entries: new Map([...entries, [name, list]]) }
    : { entries, row: rowNames(section, list) };
  // Whether a section shows is not asked of its rows, and only sections inside know its entries by name.
  const knows = (/** @type {string} */ field) => (name ? field === "sections" : field !== "showIf");
  return inFields(section, fields, names, (field) => (knows(field) ? inside : around));
}

/** @param {any} value @param {Field[]|undefined} fields @param {Names} names @param {(name: string) => Around} around */
function inFields(value, fields, names, around) {
  const known = new Map((fields ?? []).map((field) => [field.name, field]));
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [
      name,
      changed(child, known.get(name) ?? {}, names, around(name)),
    ]),
  );
}

/** Names that the service takes from the row: those its columns show, and those its list declares. @param {any} section @param {any} list */
function rowNames(section, list) {
  const keys = (section.columns ?? []).map(
    (/** @type {any} */ column) => String(column?.key ?? "").split(".")[0],
  );
  const declared = (list?.fields ?? []).filter((/** @type {any} */ field) => !field.inferred);
  return new Set(["item", ...keys, ...declared.map((/** @type {any} */ field) => field.name)]);
}

/** @param {string} text @param {Partial<Field>} field @param {Names} names @param {Around} around */
function inString(text, field, { from, to }, { entries, row }) {
  const isEntry = entries.has(from);
  if (field.control === "formula") return isEntry || row?.has(from) ? text : inFormula(text, from, to);
  if (field.control === "path")
    return isEntry || field.of === "row" || (field.of !== "list" && row?.has(from))
      ? text
      : inPath(text, from, to);
  return isEntry || (field.row && from === "item") ? text : inText(text, from, to);
}

/** @param {any} condition @param {Names} names @param {Around} around @returns {any} */
function inCondition(condition, names, around) {
  if (Array.isArray(condition)) return condition.map((each) => inCondition(each, names, around));
  if (condition === null || typeof condition !== "object") return condition;
  return Object.fromEntries(
    Object.entries(condition).map(([name, child]) => {
      if (name === "field" || name === "valueField")
        return [name, changed(child, { control: "path" }, names, around)];
      return [name, inCondition(child, names, around)]; // what it is compared with is no object
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

const FORMULA_PARTS = new RegExp(
  `("[^"]*"|'[^']*')|(\\.?)\\[([^\\]]*)\\]|(?<![${LETTER}.])([\\p{L}_][${LETTER}]*)(?![${LETTER}(])`,
  "gu",
);

/** Names in a formula, but for those in quotes and those behind a dot. @param {string} formula @param {string} from @param {string} to */
const inFormula = (formula, from, to) =>
  formula.replace(FORMULA_PARTS, (found, _quoted, dot, inBrackets, name) => {
    if (inBrackets !== undefined) return dot ? found : `[${inPath(inBrackets, from, to)}]`;
    return name === from ? bracketed(to) : found;
  });

/** @param {any} data @param {string} from @param {string} to */
function withKey(data, from, to) {
  if (!data || !(from in data)) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name === from ? to : name, value]));
}

/** @param {string} name */
const escaped = (name) => name.replace(/[.*+?^${}()|[\]\\-]/g, "\\$&");
