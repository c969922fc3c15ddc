/** Declaring what a template uses: from what the service found to variables as an author would write them. Pure. */

/**
 * Variables with more of them declared; what was only found and is not meant stays out.
 * @param {any[]} variables the template's @param {any[]} found those to declare @returns {any[]}
 */
export function withDeclared(variables, found) {
  const declared = variables.filter((variable) => !variable.inferred).map(bare);
  return mergedFields(declared, found); // a list that is declared may have fields that are not
}

/** Inferred variables at the top, or within declared lists and objects. @param {any[]} variables @returns {any[]} */
export function undeclared(variables) {
  return (variables ?? []).filter((variable) => variable.inferred || undeclared(variable.fields).length > 0);
}

/** A variable as if it were declared. @param {any} variable @returns {any} */
function plain(variable) {
  const { inferred, fields, required, default: otherwise, label, format, locale, value, ...rest } = variable;
  const given = Object.fromEntries(
    Object.entries({
      required: required || undefined,
      default: otherwise,
      label,
      format,
      locale,
      value,
    }).filter(([, each]) => each !== undefined && each !== null),
  );
  return { ...rest, ...given, ...(fields?.length ? { fields: fields.map(plain) } : {}) };
}

/** A declared variable without what was only found. @param {any} variable @returns {any} */
function bare(variable) {
  if (!variable.fields) return variable;
  const fields = variable.fields.filter((/** @type {any} */ field) => !field.inferred).map(bare);
  const { fields: _, ...rest } = variable;
  return fields.length ? { ...rest, fields } : rest;
}

/** Declared fields with what was found among them, at any depth. @param {any[]|undefined} own @param {any[]} found @returns {any[]} */
function mergedFields(own, found) {
  const declared = own ?? [];
  const names = new Set(declared.map((field) => field.name));
  const merged = declared.map((field) => {
    const more = found.find((each) => each.name === field.name)?.fields;
    return more?.length ? { ...field, fields: mergedFields(field.fields, more) } : field;
  });
  return [...merged, ...found.filter((field) => !names.has(field.name)).map(plain)];
}
