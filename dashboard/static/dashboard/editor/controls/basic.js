/** Controls of single values: numbers, choices, switches, colours, words out of a list. */

import { complete } from "../complete.js";
import { debounceTyping, h, icon, uid } from "../dom.js";
import { parse, stringify } from "../exactjson.js";
import { valueOf, write } from "../form.js";
import { wordSource } from "../offers.js";
import { set } from "../paths.js";

/** @typedef {import("../form.js").Control} Control */

/** @type {Control} */
function number(field, path, context) {
  const input = h("input", {
    type: "number",
    class: "ed-input",
    step: field.whole ? 1 : "any",
    min: field.min ?? (field.above === undefined ? undefined : 0),
    max: field.max,
    value: valueOf(field, path, context) ?? "",
    placeholder: field.default === undefined ? "Auto" : "",
    readonly: context.readOnly,
    inputmode: "decimal",
    on: {
      input: () => write(field, path, context, input.value === "" ? undefined : Number(input.value), input),
    },
  });
  const element = field.unit
    ? h(
        "div",
        { class: "ed-with-unit" },
        input,
        h("span", { class: "ed-unit", "aria-hidden": "true" }, field.unit),
      )
    : input;
  return { element, input };
}

/** @type {Control} */
function switched(field, path, context) {
  const input = h("input", {
    type: "checkbox",
    class: "ed-switch",
    role: "switch",
    checked: Boolean(valueOf(field, path, context)),
    disabled: context.readOnly,
    on: { change: () => write(field, path, context, input.checked, input) },
  });
  return { element: input, input, inline: true };
}

// So many options stand beside each other, or more whose words take no more room than this many letters.
const SHORT = 4;
const LETTERS = 25;

/** @type {Control} */
function choice(field, path, context, ids) {
  const options = field.options ?? [];
  const letters = options.reduce((sum, option) => sum + option.label.length, 0);
  if ((options.length > SHORT && letters > LETTERS) || field.nullable) return select(field, path, context, ids);
  const name = uid("choice");
  const value = valueOf(field, path, context);
  const choose = (/** @type {any} */ chosen) => {
    const other = field.turnsOn ? [...path.slice(0, -1), field.turnsOn] : null;
    if (!other || context.store.at(other)) return write(field, path, context, chosen, element);
    // Without the other field the choice would change nothing: both are one step.
    const doc = set(set(context.store.doc, path, chosen), other, true);
    return context.store.change(doc, { path, kind: "reset" });
  };
  const element = h(
    "div",
    { class: "ed-segments", role: "radiogroup", "aria-labelledby": ids.label },
    options.map((option) => {
      const input = h("input", {
        type: "radio",
        name,
        value: String(option.value),
        checked: option.value === value,
        disabled: context.readOnly,
        id: uid("radio"),
        on: { change: () => choose(option.value) },
      });
      return [input, h("label", { for: input.id }, option.label)];
    }),
  );
  return { element };
}

/** @type {Control} */
function select(field, path, context) {
  const options = field.options ?? [];
  const value = valueOf(field, path, context);
  const input = h(
    "select",
    {
      class: "ed-input ed-select",
      disabled: context.readOnly,
      on: {
        change: () =>
          write(
            field,
            path,
            context,
            input.value === "" ? undefined : options[Number(input.value)].value,
            input,
          ),
      },
    },
    field.nullable || value === undefined ? h("option", { value: "" }, "–") : null,
    options.map((option, index) =>
      h("option", { value: String(index), selected: option.value === value }, option.label),
    ),
  );
  return { element: input, input };
}

/** @type {Control} */
function color(field, path, context) {
  const house = context.data.colors[field.name];
  const value = () => valueOf(field, path, context) ?? "";
  const later = debounceTyping(
    (/** @type {string} */ found) => write(field, path, context, found, input),
    60,
  );
  const well = h("input", {
    type: "color",
    class: "ed-color-well",
    value: value() || house || "#1b2430",
    disabled: context.readOnly,
    "aria-label": `${field.label}: choose`,
    tabindex: -1,
    on: {
      input: () => {
        input.value = well.value;
        clear.hidden = false;
        later(well.value);
      },
    },
  });
  const input = h("input", {
    type: "text",
    class: "ed-input ed-color-text",
    value: value(),
    placeholder: house ?? "Theme",
    maxlength: 7,
    spellcheck: "false",
    readonly: context.readOnly,
    on: {
      input: () => {
        if (/^#[0-9a-f]{6}$/i.test(input.value)) well.value = input.value;
        clear.hidden = !input.value || field.required;
        write(field, path, context, input.value, input);
      },
    },
  });
  const clear = h(
    "button",
    {
      type: "button",
      class: "ed-icon-button ed-small",
      "aria-label": `${field.label}: as the theme`,
      title: "As the theme",
      hidden: !value() || context.readOnly,
      on: {
        click: () => {
          input.value = "";
          clear.hidden = true;
          write(field, path, context, undefined, input);
          input.focus();
        },
      },
    },
    icon("x"),
  );
  return { element: h("div", { class: "ed-color" }, well, input, clear), input };
}

/** A word on a line; `source` offers some. @param {import("../complete.js").Source|null} source @returns {Control} */
function word(source) {
  return (field, path, context) => {
    const input = h("input", {
      type: "text",
      class: "ed-input",
      value: valueOf(field, path, context) ?? "",
      maxlength: field.most,
      spellcheck: "false",
      readonly: context.readOnly,
      placeholder: typeof field.example === "string" ? field.example : "",
      on: { input: () => write(field, path, context, input.value, input) },
    });
    const offered =
      source ?? (field.suggestions ? wordSource(context.data.suggestions[field.suggestions]) : null);
    if (offered) complete(input, offered, { always: true });
    return { element: input, input };
  };
}

/** A width as people write it (`50 mm`, `"25 %"`, `2,5`) as templates do. @param {string} text */
const plainWidth = (text) => text.replace(/["'“”„\s]/g, "").replace(/mm$/i, "").replace(",", ".");

/** Millimetres, or a share such as `25%` or `2*`. @type {Control} */
function width(field, path, context) {
  const shown = valueOf(field, path, context);
  const input = h("input", {
    type: "text",
    class: "ed-input",
    value: shown === undefined || shown === null ? "" : String(shown),
    placeholder: "Auto",
    readonly: context.readOnly,
    spellcheck: "false",
    on: {
      input: () => {
        const text = plainWidth(input.value);
        write(field, path, context, /^\d+([.]\d+)?$/.test(text) ? Number(text) : text, input);
      },
    },
  });
  return { element: input, input };
}

/** Any JSON value, for what no other control knows. @type {Control} */
function json(field, path, context) {
  const value = context.store.at(path);
  const input = h("textarea", {
    class: "ed-input ed-code",
    rows: 3,
    spellcheck: "false",
    value: value === undefined ? "" : stringify(value, 2),
    readonly: context.readOnly,
    on: {
      input: () => {
        try {
          write(field, path, context, input.value.trim() ? parse(input.value) : undefined, input);
          input.removeAttribute("aria-invalid");
        } catch {
          input.setAttribute("aria-invalid", "true");
        }
      },
    },
  });
  return { element: input, input };
}

/** @type {Control} */
function locale(field, path, context, ids) {
  return word(wordSource(context.data.suggestions.locales))(field, path, context, ids);
}

/** The default of a variable: a value of its type. @type {Control} */
function otherwise(field, path, context) {
  const type = () => context.store.at([...path.slice(0, -1), "type"]);
  const value = context.store.at(path);
  const input = h("input", {
    type: "text",
    class: "ed-input",
    value:
      value === undefined || value === null
        ? ""
        : typeof value === "object"
          ? stringify(value)
          : String(value),
    readonly: context.readOnly,
    on: { input: () => write(field, path, context, ofType(input.value, type()), input) },
  });
  return { element: input, input };
}

/** A number as it was written; text that is none. @param {string} text @returns {any} */
function numberOf(text) {
  try {
    return Number.isNaN(Number(text)) ? text : parse(text);
  } catch {
    return Number(text); // such as 0x10 or 1.
  }
}

/** @param {string} text @param {string} type @returns {any} */
function ofType(text, type) {
  if (text === "") return undefined;
  if (type === "number" || type === "currency") return numberOf(text);
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (type === "list" || type === "object")
    try {
      return parse(text);
    } catch {
      return text;
    }
  return text;
}

export const basic = {
  default: otherwise,
  number,
  switch: switched,
  choice,
  color,
  name: word(null),
  suggest: word(null),
  locale,
  width,
  json,
};
