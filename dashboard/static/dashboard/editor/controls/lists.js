/** Controls of lists: entries as cards, entries as rows of a grid, and the nested items of a list. */

import { announce, fill, h, iconButton } from "../dom.js";
import { buildField, buildForm, summaryOf, unfold } from "../form.js";
import { formatPath, insert, move, remove, set } from "../paths.js";
import { fit, markKeys } from "./text.js";
import { complete } from "../complete.js";
import { expressionSource } from "../offers.js";
import { rowFieldsAt, sampleAt } from "../scope.js";

/** @typedef {import("../form.js").Control} Control */
/** @typedef {import("../form.js").Field} Field */
/** @typedef {import("../paths.js").Path} Path */

const FIELDS = "textarea, input, select";
const STOPS = `${FIELDS}, summary, button`;

/**
 * What lists share: drawing anew when entries come, go or move, and the buttons that do it.
 * @param {Field} field @param {Path} path @param {any} context
 * @param {(entry: any, index: number, tools: (index: number) => HTMLElement,
 *   does: {change: (doc: any, said: string, focus: () => HTMLElement|null) => void,
 *     remove: (index: number, focus?: number) => void, at: (index: number) => Element|undefined}) => HTMLElement} draw
 */
function entries(field, path, context, draw) {
  const noun = field.noun ?? "entry";
  /** What an entry is called: item 1.2. @param {number} index */
  const called = (index) => `${noun} ${field.above ?? ""}${index + 1}`;
  const body = h("div", { class: "ed-entries" });
  const held = () => context.store.at(path) ?? [];
  const at = (/** @type {number} */ index) => body.children[Math.min(index, held().length - 1)];
  const change = (/** @type {any} */ doc, /** @type {string} */ said, /** @type {() => HTMLElement|null} */ focus) => {
    if (context.readOnly) return;
    context.store.change(doc, { path, origin: body, kind: "set" });
    redraw();
    announce(said);
    (focus() ?? add).focus();
  };
  /** Where one goes on in an entry: at its first field, not at the buttons above it. @param {number} index @returns {HTMLElement|null} */
  const begin = (index) => at(index)?.querySelector(FIELDS) ?? at(index)?.querySelector("summary, button:enabled");
  const moved = (/** @type {number} */ from, /** @type {number} */ to) => {
    if (to < 0 || to >= held().length) return;
    // What has the focus goes along; at the end of the way it is the button of the way back.
    const active = /** @type {any} */ (document.activeElement);
    const place = [...(at(from)?.querySelectorAll(STOPS) ?? [])].indexOf(active);
    const caret = active?.selectionStart;
    change(move(context.store.doc, [...path, from], path, to).root, `${noun} moved to place ${to + 1}`, () => {
      const stop = /** @type {any} */ (at(to)?.querySelectorAll(STOPS)[place]);
      const target = stop?.disabled ? stop.parentElement.querySelector("button[data-way]:enabled") : stop;
      if (typeof caret === "number") target?.setSelectionRange?.(caret, caret);
      return target ?? begin(to);
    });
  };
  const most = field.most ?? Infinity;
  const least = field.required ? (field.least ?? 0) : 0;
  const addAt = (/** @type {number} */ index) => {
    if (held().length >= most) return;
    const made = insert(context.store.doc, path, index, started(field, path, context));
    change(made, `${noun} added`, () => begin(index));
  };
  const removeAt = (/** @type {number} */ index, focus = index) => {
    if (held().length <= least) return;
    const rest = remove(context.store.doc, [...path, index]);
    const isLast = held().length === 1 && !field.required;
    change(isLast ? set(rest, path, undefined) : rest, `${noun} removed`, () => begin(focus));
  };
  const tools = (/** @type {number} */ index) =>
    h(
      "div",
      { class: "ed-tools" },
      iconButton("arrow-up", `Move ${called(index)} up`, () => moved(index, index - 1), {
        class: "ed-icon-button ed-small",
        disabled: index === 0,
        data: { way: "up" },
      }),
      iconButton("arrow-down", `Move ${called(index)} down`, () => moved(index, index + 1), {
        class: "ed-icon-button ed-small",
        disabled: index === held().length - 1,
        data: { way: "down" },
      }),
      iconButton("trash-2", `Remove ${called(index)}`, () => removeAt(index), {
        class: "ed-icon-button ed-small",
        disabled: held().length <= least,
      }),
    );
  const add = h(
    "button",
    { type: "button", class: "ed-add", on: { click: () => addAt(held().length) } },
    field.above
      ? [`+ Add sub-${noun}`, h("span", { class: "hidden-text" }, ` to ${noun} ${field.above.slice(0, -1)}`)]
      : `+ Add ${noun}`,
  );
  const redraw = () => {
    fill(
      body,
      held().map((/** @type {any} */ entry, /** @type {number} */ index) => {
        const drawn = draw(entry, index, tools, { change, remove: removeAt, at });
        drawn.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
          if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
          event.preventDefault();
          event.stopPropagation();
          moved(index, index + (event.key === "ArrowUp" ? -1 : 1));
        });
        return drawn;
      }),
    );
    add.hidden = context.readOnly || held().length >= most;
    for (const area of body.querySelectorAll("textarea")) fit(area);
  };
  redraw();
  return h("div", {}, body, add);
}

/** A new entry; what it says of rows is of the rows that are there. @param {Field} field @param {Path} path @param {any} context */
function started(field, path, context) {
  const made = structuredClone(field.starter ?? {});
  for (const { name, begins } of field.fields ?? [])
    if (begins === "row") made[name] = nextRowField(path, name, context);
  return made;
}

/** The first field of the rows that no entry of a list has yet, texts before others. @param {Path} path @param {string} name @param {any} context @returns {string} */
function nextRowField(path, name, { store }) {
  const { doc, variables } = store;
  const taken = new Set((store.at(path) ?? []).map((/** @type {any} */ entry) => entry[name]));
  const free = rowFieldsAt({ doc, variables }, path).filter((offer) => !taken.has(offer.path));
  const isText = (/** @type {any} */ offer) =>
    offer.inferred
      ? typeof sampleAt({ doc, data: store.data() }, path, offer.path, true) === "string"
      : offer.type === "string";
  return (free.find(isText) ?? free[0])?.path ?? "";
}

/** Cards, one below the other. @type {Control} */
function list(field, path, context) {
  const fields = field.fields ?? [];
  const element = entries(field, path, context, (entry, index, tools) => {
    const shown = summaryOf(entry, fields);
    return h(
      "section",
      { class: "ed-card", "aria-label": `${field.noun ?? field.label} ${index + 1}` },
      h(
        "header",
        { class: "ed-card-head" },
        h(
          "span",
          { class: "ed-card-title" },
          `${capital(field.noun ?? "entry")} ${index + 1}`,
          shown ? h("em", {}, shown) : null,
        ),
        context.readOnly ? null : tools(index),
      ),
      buildForm(fields, [...path, index], context),
    );
  });
  return { element };
}

/** Rows with the usual fields side by side; the rest unfolds below a row. @type {Control} */
function grid(field, path, context) {
  const fields = field.fields ?? [];
  const names = field.shown ?? [];
  const shown = names
    .map((name) => /** @type {Field} */ (fields.find((each) => each.name === name)))
    .filter(Boolean);
  const rest = fields.filter((each) => !names.includes(each.name)).map((each) => ({ ...each, more: false }));
  const element = entries(field, path, context, (_entry, index, tools) => {
    const place = [...path, index];
    const row = h(
      "div",
      { class: "ed-grid-row", role: "group", "aria-label": `${field.noun ?? field.label} ${index + 1}` },
      shown.map((each) => {
        const made = buildField({ ...each, multiline: false }, place, context, { plain: true });
        made.classList.add(`ed-cell-${each.control}`);
        made.dataset.label = each.label; // shown where there is no room for a head above the rows
        return made;
      }),
    );
    const more = rest.length
      ? unfold(`More of ${field.noun ?? "entry"} ${index + 1}`, rest, place, context)
      : null;
    const own = context.readOnly ? h("div", { class: "ed-tools" }) : tools(index);
    if (more) own.prepend(more.button);
    row.append(own);
    if (more) row.append(more.body);
    return row;
  });
  element.classList.add("ed-grid", `ed-grid-${shown.length}`);
  element.prepend(
    h(
      "div",
      { class: "ed-grid-head", "aria-hidden": "true" },
      shown.map((each) => h("span", { class: `ed-cell-${each.control}` }, each.label)),
    ),
  );
  return { element };
}

/** So deep may items stand below each other (`MAX_LEVELS` of the kind). */
const MOST_LEVELS = 6;

/** What a word processor puts in front of an item that is copied: its sign or number, and a tab. */
const MARKER = /^\s*(?:[•·◦▪‣○●■–*\uf0a7\uf0b7\uf0d8-]|o|\d{1,2}(?:\.\d{1,2})*[.)]?|\(?[a-z]{1,4}[.)])\t\s*/i;

/** The items that a copied text holds, one a line. @param {string} text @returns {string[]} */
const itemsOf = (text) =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(MARKER, "").replaceAll("\v", "\n").trim())
    .filter(Boolean);

/**
 * Items of a list, texts or texts with items below them. As in a word processor Enter begins the next item, with
 * what stands behind the caret, Backspace takes an empty one away, and each line of a text that is pasted is an item.
 * @type {Control}
 */
function nested(field, path, context) {
  const element = entries({ ...field, noun: "item", starter: "" }, path, context, (entry, index, tools, does) => {
    const place = [...path, index];
    const number = `${field.above ?? ""}${index + 1}`;
    const plain = typeof entry === "string";
    const text = plain ? place : [...place, "content"];
    const input = h("textarea", {
      class: "ed-input ed-text",
      dir: "auto",
      rows: 1,
      "aria-label": `Item ${number}`,
      value: (plain ? entry : entry?.content) ?? "",
      readonly: context.readOnly,
      on: {
        input: () => {
          fit(input);
          context.store.set(text, input.value, input);
        },
      },
    });
    complete(
      input,
      expressionSource(context, () => text, false),
    );
    /** Make items of texts, the first of them this one; the caret goes into the last. @param {string[]} texts @param {number} caret */
    const part = ([first, ...rest], caret) => {
      if ((context.store.at(path) ?? []).length + rest.length > (field.most ?? Infinity)) return;
      let doc = set(context.store.doc, text, first);
      rest.forEach((each, order) => {
        doc = insert(doc, path, index + 1 + order, each);
      });
      does.change(doc, rest.length === 1 ? "item added" : `${rest.length} items added`, () => {
        const last = /** @type {HTMLTextAreaElement|null} */ (
          does.at(index + rest.length)?.querySelector("textarea") ?? null
        );
        last?.setSelectionRange(caret, caret);
        return last;
      });
    };
    if (!context.readOnly) markKeys(input);
    input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      // What is being composed, or chosen from the suggestions, is not finished yet.
      if (event.defaultPrevented || event.isComposing || event.shiftKey || event.ctrlKey || event.metaKey) return;
      const isEmpty = plain && !input.value && index > 0;
      if (event.key !== "Enter" && !(event.key === "Backspace" && isEmpty)) return;
      event.preventDefault();
      const { value, selectionStart, selectionEnd } = input;
      if (event.key === "Enter") part([value.slice(0, selectionStart), value.slice(selectionEnd)], 0);
      else does.remove(index, index - 1);
    });
    input.addEventListener("paste", (/** @type {ClipboardEvent} */ event) => {
      const pasted = itemsOf(event.clipboardData?.getData("text/plain") ?? "");
      if (pasted.length < 2 || context.readOnly) return;
      event.preventDefault();
      const { value, selectionStart, selectionEnd } = input;
      const caret = /** @type {string} */ (pasted.at(-1)).length;
      pasted[0] = value.slice(0, selectionStart) + pasted[0];
      pasted[pasted.length - 1] += value.slice(selectionEnd);
      part(pasted, caret);
    });
    const below = h("div", { class: "ed-below" });
    if (!plain) {
      const inner = { ...field, required: false, least: 0, above: `${number}.` };
      below.append(nested(inner, [...place, "items"], context, { label: "", help: "" }).element);
    }
    const level = number.split(".").length;
    const deepen =
      plain && !context.readOnly && level < MOST_LEVELS
        ? h(
            "button",
            {
              type: "button",
              class: "ed-add ed-deepen",
              on: {
                click: () => {
                  const made = { content: context.store.at(place), items: [""] };
                  const first = () => does.at(index)?.querySelector(":scope > .ed-below textarea") ?? null;
                  does.change(set(context.store.doc, place, made), "sub-item added", first);
                },
              },
            },
            "+ Sub-item",
            h("span", { class: "hidden-text" }, ` of item ${number}`),
          )
        : null;
    return h(
      "div",
      { class: "ed-item", data: { path: formatPath(place) } },
      h("div", { class: "ed-item-row" }, input, deepen, context.readOnly ? null : tools(index)),
      below,
    );
  });
  return { element };
}

/** @param {string} word */
const capital = (word) => word.slice(0, 1).toUpperCase() + word.slice(1);

export const lists = { list, grid, entries: nested };
