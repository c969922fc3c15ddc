/** Data against variables, as the service checks it, for marks while one types. Pure. */

/** @typedef {{path: (string|number)[], message: string}} Flaw */

const MOST_ROWS = 500; // that are asked for what no row has
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.]\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
/** @type {Record<string, [(value: any) => boolean, string]>} */
const FITS = {
  string: [(value) => typeof value === "string", "must be a string"],
  number: [isNumber, "must be a number"],
  currency: [isNumber, "must be a number"],
  boolean: [(value) => typeof value === "boolean", "must be true or false"],
  date: [isDate, "must be a date (YYYY-MM-DD)"],
  datetime: [
    (value) => typeof value === "string" && MOMENT.test(value),
    "must be a date and time (ISO 8601)",
  ],
  image: [
    (value) => typeof value === "string" && /^\s*(data:[^]*|ast_[0-9a-z]{26}\s*)?$/.test(value),
    "must be an asset id or a data URI",
  ],
};

/** @param {any} value */
export function isNumber(value) {
  return typeof value === "number" || typeof value === "bigint";
}

/** A day or a moment. @param {any} value */
export function isDate(value) {
  return typeof value === "string" && (DAY.test(value) || MOMENT.test(value));
}

/** @param {any[]} variables @param {any} data @returns {Flaw[]} */
export function checkData(variables, data) {
  /** @type {Flaw[]} */ const flaws = [];
  if (typeof data !== "object" || data === null || Array.isArray(data))
    return [{ path: [], message: "must be an object" }];
  fields(variables, data, [], flaws);
  return flaws;
}

/** @param {any[]} variables @param {any} data @param {(string|number)[]} path @param {Flaw[]} flaws */
function fields(variables, data, path, flaws) {
  for (const variable of variables) {
    if (variable.value) continue;
    const value = data[variable.name];
    if (value === undefined || value === null) {
      if (variable.required) flaws.push({ path, message: `${variable.name}: required` });
    } else {
      one(variable, value, [...path, variable.name], flaws);
    }
  }
}

/** @param {any} variable @param {any} value @param {(string|number)[]} path @param {Flaw[]} flaws */
function one(variable, value, path, flaws) {
  if (variable.type === "object") {
    if (typeof value !== "object" || Array.isArray(value)) flaws.push({ path, message: "must be an object" });
    else fields(variable.fields ?? [], value, path, flaws);
  } else if (variable.type === "list") {
    if (!Array.isArray(value)) flaws.push({ path, message: "must be a list" });
    else if (variable.fields?.length)
      value.forEach((row, index) => {
        if (typeof row !== "object" || row === null || Array.isArray(row))
          flaws.push({ path: [...path, index], message: "must be an object" });
        else fields(variable.fields, row, [...path, index], flaws);
      });
  } else if (variable.inferred) {
    if (typeof value === "object" && !Array.isArray(value))
      flaws.push({ path, message: "must be a single value, not an object" });
  } else if (FITS[variable.type] && !FITS[variable.type][0](value)) {
    flaws.push({ path, message: FITS[variable.type][1] });
  }
}

/**
 * Names that a template reads and data has no value for, where that is no matter of choice: undeclared and required
 * ones.
 * @param {any[]} variables @param {any} data @param {string} [before] @returns {string[]}
 */
export function missingIn(variables, data, before = "") {
  return (variables ?? []).flatMap((variable) => {
    const name = `${before}${variable.name}`;
    const value = data?.[variable.name];
    if (variable.value || (variable.default !== undefined && variable.default !== null)) return [];
    if (value === undefined || value === null) return variable.inferred || variable.required ? [name] : [];
    if (variable.type === "object") return missingIn(variable.fields, value, `${name}.`);
    if (variable.type === "list" && Array.isArray(value)) return missingInAll(variable.fields, value, `${name}.`);
    return [];
  });
}

/** Names that no row has a value for: one that some lack is a matter of the row. @param {any[]} variables @param {any[]} rows @param {string} before @returns {string[]} */
function missingInAll(variables, rows, before) {
  const [first, ...others] = rows.slice(0, MOST_ROWS);
  if (first === undefined) return [];
  return others.reduce((names, row) => {
    if (!names.length) return names;
    const lacking = new Set(missingIn(variables, row, before));
    return names.filter((name) => lacking.has(name));
  }, missingIn(variables, first, before));
}
