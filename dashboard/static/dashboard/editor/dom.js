/** Small helpers around the DOM: making elements, icons, ids, and what screen readers hear. */

/**
 * Make an element. `on` holds listeners, `data` data attributes, `class` its classes; booleans set or leave out an
 * attribute, other props are attributes. Children that are null or false are left out; strings become text.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...any} children
 * @returns {any}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on")
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

/** @param {Element} element @param {any[]} children */
export function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== undefined && child !== null && child !== false) element.append(child);
  }
}

/** Replace what an element holds. @param {Element} element @param {...any} children */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/** An icon of the page's own set; the page holds each in a template. @param {string} name */
export function icon(name) {
  const found = /** @type {HTMLTemplateElement|null} */ (
    document.querySelector(`template[data-icon="${name}"]`)
  );
  return found ? found.content.cloneNode(true) : h("span", { class: "icon" });
}

/**
 * A button with an icon alone; `label` is its name and its tooltip.
 * @param {string} name @param {string} label @param {(event: MouseEvent) => void} action @param {Record<string, any>} [props]
 */
export function iconButton(name, label, action, props = {}) {
  return h(
    "button",
    {
      type: "button",
      class: "ed-icon-button",
      "aria-label": label,
      title: label,
      on: { click: action },
      ...props,
    },
    icon(name),
  );
}

let count = 0;
/** A new id for the page. @param {string} prefix */
export function uid(prefix) {
  count += 1;
  return `${prefix}-${count}`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * A time in UTC to the minute, as all pages show it (the filter `moment`); the whole of it is in the tooltip.
 * @param {number|string} value
 */
export function moment(value) {
  const at = new Date(value);
  const [day, time] = at.toISOString().slice(0, 19).split("T");
  const text = `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}, ${time.slice(0, 5)}`;
  return h("time", { datetime: `${day}T${time}+00:00`, title: `${day} ${time} UTC` }, text);
}

/** Say something to those who listen to the page. @param {string} text */
export function announce(text) {
  const region = document.getElementById("announcer");
  if (!region) return;
  region.textContent = "";
  setTimeout(() => {
    region.textContent = text;
  }, 30);
}

/**
 * Show a message at the bottom for a while, with one action if there is one.
 * @param {string} text
 * @param {{label?: string, run?: () => void, stays?: boolean}} [how] the action; `stays`: until it is closed, beside
 *   what is said after it
 * @returns {HTMLElement} what is shown
 */
export function toast(text, { label, run, stays = false } = {}) {
  const box = document.getElementById("ed-toasts");
  const shown = h("div", { class: "ed-toast", data: stays ? { stays: "" } : {} }, h("span", {}, text));
  const close = () => shown.remove();
  if (run) {
    shown.append(
      h(
        "button",
        {
          type: "button",
          class: "ed-toast-action",
          on: {
            click: () => {
              close();
              run();
              // The button is gone: whoever works with the keyboard goes on where the way back is.
              if (document.activeElement === document.body) document.getElementById("ed-undo")?.focus();
            },
          },
        },
        label,
      ),
    );
  }
  if (stays) {
    const end = () => {
      close();
      if (document.activeElement === document.body) document.getElementById("ed-save")?.focus();
    };
    shown.append(iconButton("x", "Close", end, { class: "ed-icon-button ed-small" }));
  }
  for (const each of [...(box?.children ?? [])]) if (stays || !each.hasAttribute("data-stays")) each.remove();
  box?.append(shown);
  if (!stays) setTimeout(close, run ? 10000 : 4000);
  return shown;
}

/**
 * Say what was done, with the way back to the document before it.
 * @param {string} text @param {import("./store.js").Store} store @param {import("./store.js").Doc} before
 */
export function undoToast(text, store, before) {
  const run = () => {
    if (!store.undoTo(before)) toast("There are later changes: Undo takes them back one by one.");
  };
  const shown = toast(text, { label: "Undo", run });
  // Taken back in another way there is nothing left to offer.
  const stop = store.subscribe(() => {
    if (store.doc === before) shown.remove();
    if (!shown.isConnected) stop();
  });
}

/** @type {Set<() => void>} what takes something typed into the document once it pauses, and is due */
const typing = new Set();

/** Take what is typed into the document now: it is about to be saved, left or gone back from. */
export function settle() {
  for (const now of [...typing]) now();
}

/**
 * A `debounce` whose call takes something typed into the document; `settle` does not wait for it.
 * @template {any[]} A @param {(...args: A) => void} run @param {number} milliseconds
 */
export function debounceTyping(run, milliseconds) {
  const later = debounce((/** @type {A} */ ...args) => {
    typing.delete(later.now);
    run(...args);
  }, milliseconds);
  const soon = (/** @type {A} */ ...args) => {
    typing.add(later.now);
    later(...args);
  };
  return Object.assign(soon, { now: later.now });
}

/**
 * Call a function once things have been quiet for a while; its `now` does so at once, if a call is due.
 * @template {any[]} A @param {(...args: A) => void} run @param {number} milliseconds
 */
export function debounce(run, milliseconds) {
  /** @type {any} */ let timer;
  /** @type {(() => void)|null} */ let due = null;
  const now = () => {
    clearTimeout(timer);
    const call = due;
    due = null;
    call?.();
  };
  const later = (/** @type {A} */ ...args) => {
    clearTimeout(timer);
    due = () => run(...args);
    timer = setTimeout(now, milliseconds);
  };
  return Object.assign(later, { now });
}

/**
 * Write into a control in place of what stands between two positions, as if it were typed: Ctrl+Z takes it back.
 * @param {HTMLTextAreaElement|HTMLInputElement} control @param {string} text @param {number} from @param {number} to
 */
export function typeInto(control, text, from, to) {
  control.focus();
  control.setSelectionRange(from, to);
  // The one way to write that enters the history of a control; there is no other in any browser.
  const isTyped = text ? document.execCommand("insertText", false, text) : document.execCommand("delete");
  if (!isTyped) control.setRangeText(text, from, to, "end");
}

/** Select words where a control holds them. @param {HTMLElement} control @param {string} words */
export function selectWords(control, words) {
  if (!(control instanceof HTMLTextAreaElement || control instanceof HTMLInputElement)) return;
  const start = control.value.indexOf(words);
  if (start >= 0) control.setSelectionRange(start, start + words.length);
}
