/** Controls of texts: with marks and expressions, formulas, names of the data, formats. */

import { complete } from "../complete.js";
import { h, iconButton, typeInto } from "../dom.js";
import { valueOf, write } from "../form.js";
import { LETTER } from "../names.js";
import { expressionSource, formatSource, formulaSource, pathSource } from "../offers.js";

/** @typedef {import("../form.js").Control} Control */

/** Fields whose words are printed plain: marks would show. */
const PLAIN = new Set(["alt", "link", "author", "subject", "title", "userPassword", "ownerPassword", "name"]);

const BEGUN = new RegExp(`\\{\\{[${LETTER}.-]*$`, "u");

/** @type {Control} */
function text(field, path, context) {
  const input = h("textarea", {
    class: "ed-input ed-text",
    dir: "auto", // a text from right to left is written as it prints
    rows: 1,
    value: valueOf(field, path, context) ?? "",
    readonly: context.readOnly,
    placeholder: typeof field.example === "string" ? field.example : "",
    on: {
      input: () => {
        fit(input);
        write(field, path, context, input.value, input);
      },
    },
  });
  if (!field.multiline) {
    input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter" && !event.defaultPrevented) event.preventDefault();
    });
  }
  complete(
    input,
    expressionSource(context, () => path, Boolean(field.row)),
  );
  requestAnimationFrame(() => fit(input));
  if (context.readOnly) return { element: input, input };
  const isMarked = !PLAIN.has(field.name);
  if (isMarked) markKeys(input);
  const marks = field.multiline && isMarked ? toolbar(input) : null;
  const insert = iconButton("braces", `Insert a variable into ${field.label}`, () => begin(input), {
    class: "ed-icon-button ed-small ed-insert",
  });
  return {
    element: h("div", { class: `ed-text-box${marks ? " ed-marked" : ""}` }, marks, input, insert),
    input,
  };
}

/** Grow with the text. @param {HTMLTextAreaElement} input */
export function fit(input) {
  input.style.height = "auto";
  if (input.scrollHeight) input.style.height = `${Math.min(input.scrollHeight + 2, 420)}px`;
}

/** Write `{{` at the caret, which opens the list of variables. @param {HTMLTextAreaElement|HTMLInputElement} input */
function begin(input) {
  input.focus();
  const caret = input.selectionEnd ?? input.value.length;
  const before = input.value.slice(0, caret);
  if (!BEGUN.test(before)) typeInto(input, "{{", caret, caret);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Let keys put marks around what is selected, as in a word processor. @param {HTMLTextAreaElement} input */
export function markKeys(input) {
  input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const made = { b: ["**", "**", "bold"], i: ["*", "*", "italic"], k: ["[", "](https://)", "link"] }[
      event.key.toLowerCase()
    ];
    if (!made) return;
    event.preventDefault();
    event.stopPropagation();
    around(input, made[0], made[1], made[2]);
  });
}

/** @param {HTMLTextAreaElement} input */
function toolbar(input) {
  const wrap =
    (/** @type {string} */ before, /** @type {string} */ after, /** @type {string} */ words) => () =>
      around(input, before, after, words);
  return h(
    "div",
    { class: "ed-marks", role: "group", "aria-label": "Marks" },
    iconButton("bold", "Bold (Ctrl+B)", wrap("**", "**", "bold"), { class: "ed-icon-button ed-small" }),
    iconButton("italic", "Italic (Ctrl+I)", wrap("*", "*", "italic"), { class: "ed-icon-button ed-small" }),
    iconButton("link", "Link (Ctrl+K)", wrap("[", "](https://)", "link"), {
      class: "ed-icon-button ed-small",
    }),
  );
}

/** Put marks around the selection, or take them away. @param {HTMLTextAreaElement} input @param {string} before @param {string} after @param {string} words */
function around(input, before, after, words) {
  const { selectionStart: start, selectionEnd: end, value } = input;
  const inside = value.slice(start, end) || words;
  // A star beside the words is one of two where they are bold: that is no slant.
  const stars = /\**$/.exec(value.slice(0, start))?.[0].length ?? 0;
  const isMarked = value.slice(0, start).endsWith(before) && value.slice(end).startsWith(after);
  const isTaken = isMarked && (before !== "*" || stars !== 2);
  const first = isTaken ? start - before.length : start + before.length;
  if (isTaken) typeInto(input, value.slice(start, end), first, end + after.length);
  else typeInto(input, before + inside + after, start, end);
  input.setSelectionRange(first, first + (isTaken ? end - start : inside.length));
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * A single line with offers of its own.
 * @param {(context: any, path: any, field: any) => import("../complete.js").Source} source @param {{always?: boolean, code?: boolean}} how @returns {Control}
 */
function line(source, how) {
  return (field, path, context) => {
    const input = h("input", {
      type: "text",
      class: `ed-input${how.code ? " ed-code" : ""}`,
      value: valueOf(field, path, context) ?? "",
      spellcheck: "false",
      readonly: context.readOnly,
      placeholder: typeof field.example === "string" ? field.example : "",
      on: { input: () => write(field, path, context, input.value, input) },
    });
    complete(input, source(context, path, field), how);
    return { element: input, input };
  };
}

export const texts = {
  text,
  formula: line((context, path) => formulaSource(context, () => path), { code: true }),
  path: line((context, path, field) => pathSource(context, () => path, field.of), { always: true }),
  format: line((context) => formatSource(context), { always: true }),
};
