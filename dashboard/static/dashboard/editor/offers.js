/** What the lists under carets offer: variables and helpers in texts, names in formulas, formats. */

import { LETTER, bracketed } from "./names.js";
import { listsAt, offersAt, rowFieldsAt } from "./scope.js";

/** @typedef {import("./complete.js").Source} Source */
/** @typedef {import("./paths.js").Path} Path */
/** @typedef {{store: import("./store.js").Store, data: any}} Context */

const FUNCTIONS = [
  ["sum(", "of a list's field"],
  ["average(", ""],
  ["count(", ""],
  ["min(", ""],
  ["max(", ""],
  ["round(", "round(x, 2)"],
  ["if(", "if(condition, then, else)"],
  ["abs(", ""],
  ["floor(", ""],
  ["ceil(", ""],
];

/** Names first that begin with what was typed, then those that hold it. @param {any[]} offers @param {string} typed @param {(offer: any) => string} name */
function matching(offers, typed, name) {
  const sought = typed.toLowerCase();
  if (!sought) return offers;
  const begins = offers.filter((offer) => name(offer).toLowerCase().startsWith(sought));
  return begins.concat(offers.filter((offer) => name(offer).toLowerCase().indexOf(sought) > 0));
}

// What stands before the caret: a helper, a variable that is not closed yet, a name in a formula.
const HELPER = new RegExp(`(?:^|[^\\\\])\\{\\{[${LETTER}.-]+\\|(\\w*)$`, "u");
const VARIABLE = new RegExp(`(?:^|[^\\\\])\\{\\{([${LETTER}.-]*)$`, "u");
const IN_FORMULA = new RegExp(`[${LETTER}.]*$`, "u");

/** `{{name|helper}}` in a text. @param {Context} context @param {() => Path} path @param {boolean} row @returns {Source} */
export function expressionSource(context, path, row) {
  return (text, caret, forced) => {
    const before = text.slice(0, caret);
    const closed = text.startsWith("}}", caret) ? 2 : 0;
    const helper = HELPER.exec(before);
    if (helper) {
      const found = matching(context.data.helpers, helper[1], (offer) => offer.name);
      return {
        from: caret - helper[1].length,
        to: caret + closed,
        options: found.map((offer) => ({ label: offer.name, help: offer.help, insert: `${offer.name}}}` })),
      };
    }
    const variable = VARIABLE.exec(before);
    if (!variable && !forced) return null;
    const typed = variable ? variable[1] : "";
    const found = matching(
      offersAt({ variables: context.store.variables, doc: context.store.doc }, path(), row),
      typed,
      (offer) => offer.path,
    );
    return {
      from: caret - typed.length,
      to: caret + (variable ? closed : 0),
      options: found.map((offer) => ({
        label: offer.path,
        note: offer.note,
        insert: variable ? `${offer.path}}}` : `{{${offer.path}}}`,
      })),
    };
  };
}

/** The name of a list or of a row's field. @param {Context} context @param {() => Path} path @param {string|undefined} of @returns {Source} */
export function pathSource(context, path, of) {
  return (text, _caret, forced) => {
    const state = { variables: context.store.variables, doc: context.store.doc };
    const offers =
      of === "list"
        ? listsAt(state, path())
        : of === "row"
          ? rowFieldsAt(state, path())
          : offersAt(state, path());
    const found = forced ? offers : matching(offers, text, (offer) => offer.path);
    if (found.length === 1 && found[0].path === text) return null;
    return {
      from: 0,
      to: text.length,
      options: found.map((offer) => ({ label: offer.path, note: offer.note, insert: offer.path })),
    };
  };
}

/** Names and functions of a formula. @param {Context} context @param {() => Path} path @returns {Source} */
export function formulaSource(context, path) {
  return (text, caret, forced) => {
    const typed = IN_FORMULA.exec(text.slice(0, caret))?.[0] ?? "";
    if (!typed && !forced) return null;
    const state = { variables: context.store.variables, doc: context.store.doc };
    const own = rowFieldsAt(state, path());
    const seen = new Set(own.map((offer) => offer.path));
    /** @type {{name: string, note: string, insert?: string}[]} */ const offers = [
      ...own.map((offer) => ({ name: offer.path, note: offer.note })),
      ...state.variables
        .filter((variable) => !seen.has(variable.name))
        .flatMap((variable) =>
          variable.type === "list"
            ? (variable.fields ?? []).map((/** @type {any} */ field) => ({
                name: `${variable.name}.${field.name}`,
                note: "in sum(...)",
              }))
            : [{ name: variable.name, note: variable.type }],
        ),
      ...FUNCTIONS.map(([name, note]) => ({ name, note: note || "function", insert: name })),
    ];
    // A whole name is done: Tab goes on to the next control then, and puts no longer name in its place.
    if (!forced && offers.some((offer) => offer.name === typed)) return null;
    const found = matching(offers, typed, (offer) => offer.name).filter((offer) => offer.name !== typed);
    return {
      from: caret - typed.length,
      to: caret,
      options: found.map((offer) => ({ label: offer.name, note: offer.note, insert: offer.insert ?? bracketed(offer.name) })),
    };
  };
}

/** `currency:EUR`: a helper with its argument. @param {Context} context @returns {Source} */
export function formatSource(context) {
  return (text, _caret, forced) => {
    if (text.includes(":")) return null;
    const found = matching(context.data.helpers, forced ? "" : text, (offer) => offer.name);
    return {
      from: 0,
      to: text.length,
      options: found.map((offer) => ({ label: offer.name, help: offer.help, insert: offer.name })),
    };
  };
}

/** Fixed suggestions. @param {string[]} values @returns {Source} */
export function wordSource(values) {
  return (text, _caret, forced) => {
    const found = matching(values, forced && values.includes(text) ? "" : text, (value) => value);
    if (found.length === 1 && found[0] === text) return null;
    return { from: 0, to: text.length, options: found.map((value) => ({ label: value, insert: value })) };
  };
}
