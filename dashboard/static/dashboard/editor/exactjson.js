/**
 * JSON in and out without a changed digit: whole numbers that a double does not hold are BigInts, as the service reads
 * them. A browser that cannot tell how a number was written (before Chrome 114, Firefox 135, Safari 18.4) rounds them.
 */

const LONG = /\d{16}/; // fewer digits are always exact, and asking for each value takes time

/** @param {string} text @returns {any} */
export function parse(text) {
  return LONG.test(text) ? JSON.parse(text, exact) : JSON.parse(text);
}

/** @param {string} _name @param {any} value @param {{source?: string}} [written] @returns {any} */
function exact(_name, value, written) {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const digits = written?.source ?? "";
  return /^-?\d+$/.test(digits) ? BigInt(digits) : value;
}

/** @param {any} value @param {number} [indent] @returns {string} */
export function stringify(value, indent) {
  try {
    return JSON.stringify(value, null, indent);
  } catch {
    return JSON.stringify(value, raw, indent);
  }
}

/** @param {string} _name @param {any} value @returns {any} */
function raw(_name, value) {
  return typeof value === "bigint" ? /** @type {any} */ (JSON).rawJSON(String(value)) : value;
}
