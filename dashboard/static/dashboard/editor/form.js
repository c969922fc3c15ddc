/**
 * Forms from descriptions (`dashboard/editor/forms.py`): labels, help, errors, and a control per field.
 *
 * A control is made by `controls[field.control]`. It gets the place of its value, reads and writes it in the store, and
 * returns its element and what takes the focus. Every field has `data-path`, by which errors find it.
 */

import { fill, h, iconButton, uid } from "./dom.js";
import { equal, formatPath, get, set } from "./paths.js";

/** @typedef {import("./paths.js").Path} Path */
/**
 * @typedef {{name: string, label: string, help: string, control: string, required: boolean, more: boolean, default?: any,
 *   nullable?: boolean, options?: {value: any, label: string}[], min?: number, max?: number, above?: number, unit?: string,
 *   whole?: boolean, multiline?: boolean, fields?: Field[], example?: any, least?: number, most?: number, starter?: any,
 *   shown?: string[], noun?: string, of?: string, row?: boolean, suggestions?: string, tri?: boolean, begins?: string, above?: string,
 *   turnsOn?: string}} Field
 * @typedef {{store: import("./store.js").Store, data: any, readOnly: boolean}} Context
 * @typedef {{element: Element, input?: HTMLElement, inline?: boolean, bare?: boolean}} Made
 * @typedef {(field: Field, path: Path, context: Context, ids: {label: string, help: string}) => Made} Control
 */

/** @type {Record<string, Control>} */ export const controls = {};

/** Enter controls into the table. @param {Record<string, Control>} more */
export function register(more) {
  Object.assign(controls, more);
}

/**
 * A field that no kind describes and that may be left empty.
 * @param {Partial<Field> & {name: string, label: string, control: string}} field @returns {Field}
 */
export function optional(field) {
  return { help: "", required: false, more: false, nullable: true, ...field };
}

/**
 * A form for an object at a place; what is asked for rarely is folded away.
 * @param {Field[]} fields @param {Path} path @param {Context} context @returns {HTMLElement}
 */
export function buildForm(fields, path, context) {
  const shown = fields.filter((field) => field.control !== "sections");
  const first = shown.filter((field) => !field.more && field.control !== "condition");
  const folded = shown.filter((field) => field.more);
  const conditions = shown.filter((field) => field.control === "condition" && !field.more);
  const form = h(
    "div",
    { class: "ed-form" },
    first.map((field) => buildField(field, path, context)),
  );
  if (folded.length) form.append(foldedFields("More options", folded, path, context));
  for (const field of conditions) form.append(buildField(field, path, context));
  return form;
}

/**
 * Fields that a button unfolds: made when they are first asked for.
 * @param {string} label of the button @param {Field[]} fields @param {Path} path @param {Context} context
 * @returns {{button: HTMLButtonElement, body: HTMLElement}}
 */
export function unfold(label, fields, path, context) {
  const used = fields.filter((field) => context.store.at([...path, field.name]) !== undefined).length;
  const body = h("div", {
    class: "ed-form ed-unfolded",
    id: uid("more"),
    hidden: true,
    data: { holds: fields.map((field) => formatPath([...path, field.name])).join(" ") },
  });
  const button = iconButton("ellipsis", label, () => show(body.hidden), {
    class: `ed-icon-button ed-small${used ? " ed-used" : ""}`,
    "aria-expanded": "false",
    "aria-controls": body.id,
  });
  const show = (/** @type {boolean} */ open) => {
    if (open && !body.children.length)
      fill(
        body,
        fields.map((field) => buildField(field, path, context)),
      );
    body.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
  };
  body.addEventListener("ed-open", () => show(true));
  return { button, body };
}

/** @param {string} title @param {Field[]} fields @param {Path} path @param {Context} context */
function foldedFields(title, fields, path, context) {
  const value = context.store.at(path) ?? {};
  const used = fields.filter((field) => value[field.name] !== undefined).length;
  const body = h("div", { class: "ed-form" });
  const details = h(
    "details",
    { class: "ed-more" },
    h("summary", {}, title, used ? h("span", { class: "ed-count" }, String(used)) : null),
    body,
  );
  // Made when it is first opened: most sections never need it.
  const open = () => {
    if (details.open && !body.children.length)
      fill(
        body,
        fields.map((field) => buildField(field, path, context)),
      );
  };
  details.addEventListener("toggle", open);
  details.addEventListener("ed-open", () => {
    details.open = true;
    open();
  });
  details.dataset.holds = fields.map((field) => formatPath([...path, field.name])).join(" ");
  return details;
}

/**
 * One field: label, control, help and the place of its error.
 * @param {Field} field @param {Path} parent @param {Context} context @param {{plain?: boolean}} [how] `plain` hides the label
 */
export function buildField(field, parent, context, how = {}) {
  const path = [...parent, field.name];
  const ids = { label: uid("label"), help: uid("help") };
  const make = controls[field.control] ?? controls.json;
  const made = make(field, path, context, ids);
  const error = h("p", { class: "ed-error", id: uid("error"), hidden: true });
  const input = made.input ?? null;
  if (input) {
    input.id ||= uid("input");
    if (how.plain) {
      input.setAttribute("aria-label", field.label);
      input.setAttribute("placeholder", field.label); // for narrow screens, which have no room for a head
    }
    input.setAttribute(
      "aria-describedby",
      [field.help && !how.plain ? ids.help : "", error.id].filter(Boolean).join(" "),
    );
    if (field.required) input.setAttribute("aria-required", "true");
  }
  const wrapper = h("div", {
    class: `ed-field ed-field-${field.control}${made.inline ? " ed-inline" : ""}`,
    data: { path: formatPath(path) },
  });
  if (made.bare) {
    wrapper.append(made.element, error);
    return wrapper;
  }
  const label = how.plain
    ? null
    : h(input ? "label" : "span", { class: "ed-label", id: ids.label, for: input?.id }, field.label);
  const help = field.help && !how.plain ? h("p", { class: "ed-help", id: ids.help }, field.help) : null;
  if (made.inline) fill(wrapper, h("div", { class: "ed-inline-row" }, made.element, label), help, error);
  else fill(wrapper, label, made.element, help, error);
  return wrapper;
}

/** The value of a field as it counts: the default where nothing is given. @param {Field} field @param {Path} path @param {Context} context */
export function valueOf(field, path, context) {
  const value = context.store.at(path);
  return value === undefined ? field.default : value;
}

/**
 * Store a value; what equals the default, or is an empty text that nobody asked for, is not stored at all.
 * @param {Field} field @param {Path} path @param {Context} context @param {any} value @param {any} origin
 */
export function write(field, path, context, value, origin) {
  if (context.readOnly) return;
  const empty =
    value === undefined ||
    value === null ||
    (value === "" && !field.required) ||
    (Array.isArray(value) && !value.length && !field.required);
  const needless = !field.required && field.default !== undefined && equal(value, field.default);
  context.store.set(
    path,
    (empty && field.default !== value) || needless || value === undefined ? undefined : value,
    origin,
  );
}

/**
 * Let a whole come or go, such as a part with what lies in it, as a step of its own.
 * @param {any} context @param {any} path @param {any} value @param {any} origin
 */
export function put(context, path, value, origin) {
  context.store.change(set(context.store.doc, path, value), { path, origin, kind: "set" });
}

const FOCUSABLE = "input, textarea, select, button, summary, a[href]";

/** What takes the focus by Tab in an element, in order. @param {Element} holder @returns {HTMLElement[]} */
function stops(holder) {
  const all = /** @type {NodeListOf<HTMLElement>} */ (holder.querySelectorAll(FOCUSABLE));
  return [...all].filter((each) => each.tabIndex >= 0 && each.checkVisibility());
}

/**
 * Replace the content of a form without losing the place of the caret: the field of the same path gets it again. Where
 * that is gone (its entry was removed), or where it was a button without a field, what now stands in its place.
 * @param {HTMLElement} holder @param {() => void} rebuild
 */
export function keepFocus(holder, rebuild) {
  const active = /** @type {any} */ (document.activeElement);
  const isWithin = holder.contains(active);
  const field = isWithin ? active.closest("[data-path]") : null;
  const path = field?.dataset.path;
  // Asking what is visible lays out the page: not for a focus elsewhere.
  const place = isWithin ? stops(holder).indexOf(active) : -1;
  const same = field ? [...field.querySelectorAll("input, textarea, select, button")].indexOf(active) : -1;
  const selection =
    active?.selectionStart !== undefined ? [active.selectionStart, active.selectionEnd] : null;
  const opened = [...holder.querySelectorAll("details[open][data-holds], .ed-unfolded:not([hidden])")].map(
    (part) => /** @type {any} */ (part).dataset.holds,
  );
  const closed = [...holder.querySelectorAll("details[data-holds]:not([open])")].map(
    (part) => /** @type {any} */ (part).dataset.holds,
  );
  const top = holder.scrollTop;
  rebuild();
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (holder.querySelectorAll("[data-holds]"))) {
    if (opened.includes(part.dataset.holds)) part.dispatchEvent(new Event("ed-open"));
    if (closed.includes(part.dataset.holds)) part.removeAttribute("open");
  }
  holder.scrollTop = top;
  if (place < 0 || holder.contains(document.activeElement)) return;
  const found = path === undefined ? null : holder.querySelector(`[data-path="${CSS.escape(path)}"]`);
  const left = stops(holder);
  const target = /** @type {any} */ (
    found?.querySelectorAll("input, textarea, select, button")[same] ?? left[Math.min(place, left.length - 1)]
  );
  target?.focus();
  try {
    if (selection && selection[0] !== null) target?.setSelectionRange(selection[0], selection[1]);
  } catch {
    /* a number has no caret */
  }
}

/** @param {any} entry @param {Field[]} fields the words that tell an entry from others */
export function summaryOf(entry, fields) {
  for (const field of fields) {
    const value = get(entry, [field.name]);
    // Signs alone, such as the width "*", name nothing.
    if (typeof value === "string" && /[\p{L}\p{N}]/u.test(value)) return value.trim().slice(0, 60);
  }
  return "";
}
