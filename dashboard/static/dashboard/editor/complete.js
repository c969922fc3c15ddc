/**
 * Offers under the caret of a text control: variables behind `{{`, helpers behind `|`, fields in formulas.
 *
 * One listbox serves the whole page; the control keeps the focus and points at the active option, as ARIA's
 * combobox pattern wants it.
 */

import { fill, h, typeInto, uid } from "./dom.js";

/** @typedef {{label: string, note?: string, help?: string, insert: string, back?: number}} Option */
/** @typedef {{from: number, to: number, options: Option[]}} Offer `options` replace the text between `from` and `to` */
/** @typedef {(text: string, caret: number, forced: boolean) => Offer|null} Source */

const SHOWN = 60;
const list = h("ul", {
  class: "ed-offers",
  role: "listbox",
  id: uid("offers"),
  "aria-label": "Suggestions",
  hidden: true,
});
/** @type {{control: any, offer: Offer, active: number}|null} */ let open = null;

/**
 * Offer completions in an input or a text area.
 * @param {HTMLInputElement|HTMLTextAreaElement} control @param {Source} source
 * @param {{always?: boolean}} [how] `always` opens the list when the control is clicked or empty; nothing is chosen
 *   in it then, so that whoever only passes through changes nothing
 */
export function complete(control, source, how = {}) {
  control.setAttribute("aria-autocomplete", "list");
  control.setAttribute("autocomplete", "off");
  if (control instanceof HTMLInputElement) {
    control.setAttribute("role", "combobox");
    control.setAttribute("aria-expanded", "false");
    control.setAttribute("aria-haspopup", "listbox");
  }
  const look = (/** @type {boolean} */ forced, active = 0) => {
    const caret = control.selectionStart ?? control.value.length;
    const offer = control.readOnly ? null : source(control.value, caret, forced);
    if (offer?.options.length) show(control, { ...offer, options: offer.options.slice(0, SHOWN) }, active);
    else close();
  };
  control.addEventListener("input", () => look(false, how.always && !control.value ? -1 : 0));
  control.addEventListener("click", () => {
    if (how.always) look(true, -1);
    else if (open?.control === control) look(false);
  });
  control.addEventListener("blur", () =>
    setTimeout(() => {
      if (document.activeElement === control) return;
      if (open?.control === control) close();
      document.dispatchEvent(new Event("ed-written"));
    }, 120),
  );
  control.addEventListener("keydown", (event) => {
    const key = /** @type {KeyboardEvent} */ (event);
    if (key.ctrlKey && key.key === " ") {
      key.preventDefault();
      look(true);
      return;
    }
    if (open?.control !== control) {
      if (how.always && key.key === "ArrowDown" && control instanceof HTMLInputElement) {
        key.preventDefault();
        look(true);
      }
      return;
    }
    handle(key);
  });
}

/** @param {KeyboardEvent} event */
function handle(event) {
  if (!open) return;
  const count = open.offer.options.length;
  const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
  if (event.key in moves) {
    event.preventDefault();
    const step = moves[/** @type {keyof typeof moves} */ (event.key)];
    activate(
      Math.abs(step) === 1
        ? (Math.max(open.active, step > 0 ? -1 : 0) + step + count) % count
        : Math.min(Math.max(open.active + step, 0), count - 1),
    );
  } else if (event.key === "Enter" || event.key === "Tab") {
    if (open.active < 0 || event.shiftKey) return giveUp(); // and the key does what it does without a list
    event.preventDefault();
    choose(open.active);
  } else if (event.key === "Escape") {
    event.preventDefault();
    event.stopPropagation();
    giveUp();
  } else if (
    event.key === "ArrowLeft" ||
    event.key === "ArrowRight" ||
    event.key === "Home" ||
    event.key === "End"
  ) {
    giveUp();
  }
}

/** Close the list without a choice: none is awaited any more. */
function giveUp() {
  close();
  document.dispatchEvent(new Event("ed-written"));
}

/** @param {any} control @param {Offer} offer @param {number} active the option that is chosen at first; -1 is none */
function show(control, offer, active) {
  if (!list.isConnected) (document.querySelector("main") ?? document.body).append(list);
  if (open && open.control !== control) close();
  open = { control, offer, active };
  fill(
    list,
    offer.options.map((option, index) =>
      h(
        "li",
        {
          role: "option",
          id: `${list.id}-${index}`,
          class: "ed-offer",
          on: {
            mousedown: (/** @type {MouseEvent} */ event) => {
              event.preventDefault();
              choose(index);
            },
          },
        },
        h("span", { class: "ed-offer-name" }, option.label),
        option.note ? h("span", { class: "ed-offer-note" }, option.note) : null,
        option.help ? h("span", { class: "ed-offer-help" }, option.help) : null,
      ),
    ),
  );
  list.hidden = false;
  control.setAttribute("aria-controls", list.id);
  if (control instanceof HTMLInputElement) control.setAttribute("aria-expanded", "true");
  place(control, offer.from);
  activate(active);
}

/** @param {number} index */
function activate(index) {
  if (!open) return;
  open.active = index;
  [...list.children].forEach((item, position) =>
    item.setAttribute("aria-selected", String(position === index)),
  );
  if (index < 0) open.control.removeAttribute("aria-activedescendant");
  else open.control.setAttribute("aria-activedescendant", `${list.id}-${index}`);
  list.children[index]?.scrollIntoView({ block: "nearest" });
}

/** @param {number} index */
function choose(index) {
  if (!open) return;
  const { control, offer } = open;
  const option = offer.options[index];
  close();
  typeInto(control, option.insert, offer.from, offer.to);
  const caret = offer.from + option.insert.length - (option.back ?? 0);
  control.setSelectionRange(caret, caret);
  control.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Tell whether an expression is being written: it is not closed yet, and nothing to complain about. */
export function isChoosing() {
  const control = /** @type {any} */ (document.activeElement);
  return (
    Boolean(control?.matches?.("[aria-autocomplete]")) &&
    /\{\{[^{}\s]*$/.test(control.value.slice(0, control.selectionStart ?? 0))
  );
}

/** Close the list, if it is open. */
export function close() {
  if (!open) return;
  const { control } = open;
  open = null;
  list.hidden = true;
  control.removeAttribute("aria-activedescendant");
  control.removeAttribute("aria-controls");
  if (control instanceof HTMLInputElement) control.setAttribute("aria-expanded", "false");
}

/** Put an open list back to its control, when what stands above has come or gone; close it once that is out of sight. */
export function follow() {
  if (!open) return;
  const box = open.control.getBoundingClientRect();
  const holder = open.control.closest(".ed-inspector, .ed-panel")?.getBoundingClientRect();
  if (holder && (box.bottom <= holder.top || box.top >= holder.bottom)) giveUp();
  else place(open.control, open.offer.from);
}

// Scrolling does not bubble; the list's own moves nothing.
document.addEventListener("scroll", (event) => event.target !== list && follow(), {
  capture: true,
  passive: true,
});
window.addEventListener("resize", follow);

/** Put the list below the caret, or above where there is no room. @param {any} control @param {number} from */
function place(control, from) {
  const box = control.getBoundingClientRect();
  const caret =
    control instanceof HTMLTextAreaElement ? caretAt(control, from) : { left: 0, top: 0, height: box.height };
  const width = Math.min(360, window.innerWidth - 16);
  const left = Math.max(8, Math.min(box.left + caret.left, window.innerWidth - width - 8));
  const below = Math.min(box.top + caret.top + caret.height, box.bottom) + 4;
  list.style.width = `${width}px`;
  list.style.left = `${left}px`;
  const height = Math.min(list.scrollHeight, 280);
  list.style.top = `${below + height > window.innerHeight ? Math.max(8, box.top + caret.top - height - 6) : below}px`;
}

/** Where a letter of a text area stands: measured in a copy. @param {HTMLTextAreaElement} area @param {number} position */
function caretAt(area, position) {
  const style = getComputedStyle(area);
  const copy = h("div", { "aria-hidden": "true" });
  for (const name of ["font", "letterSpacing", "padding", "border", "lineHeight", "boxSizing"]) {
    copy.style[name] = style[/** @type {any} */ (name)];
  }
  Object.assign(copy.style, {
    position: "absolute",
    visibility: "hidden",
    whiteSpace: "pre-wrap",
    overflowWrap: "break-word",
    width: `${area.offsetWidth}px`,
  });
  const mark = h("span", {}, "\u200b");
  copy.append(area.value.slice(0, position), mark);
  document.body.append(copy);
  const found = {
    left: mark.offsetLeft,
    top: mark.offsetTop - area.scrollTop,
    height: mark.offsetHeight || 20,
  };
  copy.remove();
  return found;
}
