/** Names of the data, of letters of any script, as the service reads them (`\w` of Python, not of browsers). Pure. */

/** A letter of a name, for a regular expression with the flag `u`. */
export const LETTER = "\\p{L}\\p{N}_";
/** What a variable may be called. */
export const NAME = new RegExp(`^[${LETTER}-]{1,100}$`, "u");
const BARE = new RegExp(`^[\\p{L}_][${LETTER}]*$`, "u");

/** A path as a formula takes it: what is no plain name stands in square brackets. @param {string} path */
export const bracketed = (path) =>
  path
    .split(".")
    .map((name) => (BARE.test(name) ? name : `[${name}]`))
    .join(".");
