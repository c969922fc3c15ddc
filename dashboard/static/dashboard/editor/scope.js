/** Which names of the data a text may use, at its place in the template. Pure. */

import { stringify } from "./exactjson.js";
import { LETTER } from "./names.js";

/** @typedef {import("./paths.js").Path} Path */
/** @typedef {{name: string, type: string, label?: string|null, fields?: Variable[], inferred?: boolean, value?: string|null}} Variable */
/** `inferred`: nobody has declared it, so that its type is a guess. @typedef {{path: string, type: string, note: string, inferred?: boolean}} Offer */

const MOST = 400;

/**
 * Offers for the texts of a field: every variable with its fields, those of entries by the name that stands for one.
 * @param {{variables: Variable[], doc: any}} state @param {Path} path of the field @param {boolean} [row] whether
 *   `item` stands for a row there
 * @returns {Offer[]}
 */
export function offersAt(state, path, row = false) {
  const names = entriesAt(state, path, row);
  /** @type {Offer[]} */ const offers = [];
  for (const [name, variable] of [...names].reverse()) {
    if (!variable.fields?.length) offers.push({ path: name, type: "string", note: "the entry", inferred: true });
    walk(variable.fields ?? [], `${name}.`, offers);
  }
  walk(state.variables, "", offers);
  const known = new Set(offers.map((offer) => offer.path));
  for (const name of namesIn(state.doc))
    if (!known.has(name) && !names.has(name.split(".")[0]))
      offers.push({ path: name, type: "string", note: "used elsewhere", inferred: true });
  if (path[0] === "page" && /header|footer/i.test(String(path[1]))) {
    offers.push({ path: "page.number", type: "number", note: "number of the page" });
    offers.push({ path: "page.count", type: "number", note: "number of pages" });
  }
  return offers.slice(0, MOST);
}

/** @type {{doc: any, names: Set<string>}} */ let written = { doc: null, names: new Set() };

const EXPRESSIONS = new RegExp(`\\{\\{([${LETTER}-]+(?:\\.[${LETTER}-]+)*)(?=[|}])`, "gu");

/** Names that texts use already, also those that the service has not told of yet. @param {any} doc @returns {Set<string>} */
function namesIn(doc) {
  if (written.doc !== doc) {
    const names = new Set(
      [...stringify([doc.sections, doc.page]).matchAll(EXPRESSIONS)].map(
        (found) => found[1],
      ),
    );
    for (const name of names) if (/^(item|page|group)(\.|$)/.test(name)) names.delete(name);
    written = { doc, names };
  }
  return written.names;
}

/**
 * Lists that a section may repeat over, those inside the entries around it first.
 * @param {{variables: Variable[], doc: any}} state @param {Path} path @returns {Offer[]}
 */
export function listsAt(state, path) {
  /** @type {Offer[]} */ const found = [];
  const collect = (/** @type {Variable[]} */ variables, /** @type {string} */ prefix) => {
    for (const variable of variables) {
      const name = prefix + variable.name;
      if (variable.type === "list") found.push({ path: name, type: "list", note: noteOf(variable) });
      else if (variable.type === "object") collect(variable.fields ?? [], `${name}.`);
    }
  };
  for (const [name, variable] of [...entriesAt(state, path, false)].reverse())
    collect(variable.fields ?? [], `${name}.`);
  collect(state.variables, "");
  return found;
}

/**
 * Fields of the rows of the section that a field belongs to: by their own names, as formulas and keys say them.
 * @param {{variables: Variable[], doc: any}} state @param {Path} path @returns {Offer[]}
 */
export function rowFieldsAt(state, path) {
  const section = sectionAt(state.doc, path);
  if (!section?.source) return [];
  /** @type {Offer[]} */ const offers = [];
  walk(listAt(state, path, section.source)?.fields ?? [], "", offers);
  for (const column of section.columns ?? []) {
    if (column?.value && column.key && !offers.some((offer) => offer.path === column.key)) {
      offers.push({ path: column.key, type: "number", note: "computed column", inferred: true });
    }
  }
  return offers;
}

/** The innermost section that a path lies in. @param {any} doc @param {Path} path */
function sectionAt(doc, path) {
  let found;
  let value = doc;
  for (const part of path) {
    value = value?.[part];
    if (value && typeof value === "object" && typeof value.type === "string") found = value;
  }
  return found;
}

/** By which name the sections inside a section know an entry of its list, where they stand inside of the entries. @param {any} section @returns {string|null} */
export const entryName = (section) =>
  section?.type === "group" && section.source ? section.as || "item" : null;

/**
 * Names that stand for an entry at a place, from the outside in.
 * @param {{variables: Variable[], doc: any}} state @param {Path} path @param {boolean} row @returns {Map<string, Variable>}
 */
function entriesAt(state, path, row) {
  /** @type {Map<string, Variable>} */ const names = new Map();
  let value = state.doc;
  path.forEach((part, index) => {
    value = value?.[part];
    const name = path[index + 1] === "sections" ? entryName(value) : null;
    const list = name && resolve(state.variables, names, value.source);
    if (list) names.set(name, list);
  });
  const section = row ? sectionAt(state.doc, path) : undefined;
  const list = section?.source ? resolve(state.variables, names, section.source) : undefined;
  if (list) names.set("item", list);
  return names;
}

/**
 * What sample data has at a name, where a text or a row at a place would read it.
 * @param {{doc: any, data: any}} state @param {Path} path @param {string} name @param {boolean} ofRow whether it is a
 *   field of the rows of the section there
 * @returns {any} the first value that is there, `undefined` without one
 */
export function sampleAt({ doc, data }, path, name, ofRow) {
  /** @type {Map<string, any[]>} */ const entries = new Map();
  const valuesOf = (/** @type {string} */ dotted) => {
    const [first, ...rest] = dotted.split(".");
    return rest.reduce(
      (values, each) => values.map((value) => value?.[each]),
      entries.get(first) ?? [data?.[first]],
    );
  };
  let value = doc;
  path.forEach((part, index) => {
    value = value?.[part];
    const entry = path[index + 1] === "sections" ? entryName(value) : null;
    if (entry) entries.set(entry, valuesOf(value.source).flat());
  });
  const source = ofRow ? sectionAt(doc, path)?.source : undefined;
  const rows = source ? valuesOf(source).flat() : [];
  const found = ofRow
    ? rows.map((row) => name.split(".").reduce((inner, each) => inner?.[each], row))
    : valuesOf(name);
  return found.find((each) => each !== undefined && each !== null);
}

/** @param {{variables: Variable[], doc: any}} state @param {Path} path @param {string} source */
function listAt(state, path, source) {
  return resolve(state.variables, entriesAt(state, path, false), source);
}

/**
 * The variable that a dotted name means; `names` stand for entries.
 * @param {Variable[]} variables @param {Map<string, any>} names @param {string} source @returns {Variable|undefined}
 */
export function resolve(variables, names, source) {
  const [first, ...rest] = source.split(".");
  /** @type {Variable|undefined} */ let found =
    names.get(first) ?? variables.find((variable) => variable.name === first);
  for (const name of rest) found = found?.fields?.find((field) => field.name === name);
  return found;
}

/** @param {Variable[]} variables @param {string} prefix @param {Offer[]} offers */
function walk(variables, prefix, offers) {
  for (const variable of variables) {
    const path = prefix + variable.name;
    if (variable.type === "object") walk(variable.fields ?? [], `${path}.`, offers);
    else offers.push({ path, type: variable.type, note: noteOf(variable), inferred: variable.inferred });
  }
}

/** @param {Variable} variable */
function noteOf(variable) {
  return variable.label || (variable.inferred ? "not declared" : variable.type);
}
