/**
 * What an author types beside a condition, as the value that it means. Values of different types never compare, so
 * the type is that of the name: what is declared, else what the sample data has there. Pure.
 */

import { isDate, isNumber } from "./datacheck.js";
import { parse } from "./exactjson.js";
import { offersAt, rowFieldsAt, sampleAt } from "./scope.js";

const SEVERAL = new Set(["in", "notIn"]);
const NUMERIC = new Set(["number", "currency"]);
const DATES = new Set(["date", "datetime"]);
const WRITTEN_NUMBER = /^-?\d+([.]\d+)?$/;
const JSON_NUMBER = /^-?(0|[1-9]\d*)([.]\d+)?$/; // what is written like 007 may as well be a code

/**
 * The type of a name at a place of the template; undefined where nobody can know it.
 * @param {{variables: any[], doc: any, data: any}} state @param {import("./paths.js").Path} path @param {string} name
 * @param {boolean} ofRow @returns {string|undefined}
 */
export function typeAt(state, path, name, ofRow) {
  const offers = ofRow ? rowFieldsAt(state, path) : offersAt(state, path);
  const declared = offers.find((offer) => offer.path === name && !offer.inferred)?.type;
  if (declared && declared !== "list") return declared;
  const found = sampleAt(state, path, name, ofRow);
  const value = Array.isArray(found) ? found[0] : found; // a list is asked for what it contains
  if (isNumber(value)) return "number";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "string") return isDate(value) ? "date" : "string";
  return undefined;
}

/**
 * A text as the value of a comparison; a list where the operator takes several.
 * @param {string} text @param {string} operator @param {string|undefined} type @returns {any}
 */
export function literalOf(text, operator, type) {
  if (SEVERAL.has(operator))
    return text
      .split(",")
      .map((part) => literalOf(part.trim(), "equals", type))
      .filter((part) => part !== "");
  const trimmed = text.trim();
  if (type === undefined || type === "boolean") {
    if (trimmed === "true") return true;
    if (trimmed === "false") return false;
  }
  if (JSON_NUMBER.test(trimmed) && (type === undefined || NUMERIC.has(type))) return parse(trimmed);
  if (NUMERIC.has(type ?? "") && WRITTEN_NUMBER.test(trimmed)) return Number(trimmed);
  return text;
}

/**
 * Why a comparison never holds as it is meant, for one that is of another type than its name; empty where it does.
 * @param {string} name @param {any} literal @param {string|undefined} type @returns {string}
 */
export function doubtAbout(name, literal, type) {
  const texts = [literal].flat().filter((each) => typeof each === "string" && each.trim() !== "");
  const said = (/** @type {(text: string) => boolean} */ fits, /** @type {string} */ words) => {
    const odd = texts.find((text) => !fits(text));
    return odd === undefined ? "" : words.replace("%", odd);
  };
  const never = () => false;
  if (NUMERIC.has(type ?? ""))
    return said(never, `${name} is a number, and \u201c%\u201d is none. Write it like 1234.5.`);
  if (type === "boolean") return said(never, `${name} is true or false, and \u201c%\u201d is neither.`);
  if (DATES.has(type ?? "")) return said(isDate, `${name} is a date. Write \u201c%\u201d like 2026-12-31.`);
  return "";
}
