/**
 * Unsaved work, kept in this browser so that a closed tab loses nothing.
 *
 * Every page has an entry of its own, and removes no other than the one it wrote or the person decided on: what
 * another tab is working on, and what an earlier visit left behind, stays until somebody chooses.
 */

import { debounce, fill, h, moment, settle, toast } from "./dom.js";
import { parse, stringify } from "./exactjson.js";

const KEPT_DAYS = 30;

/** What work began with. @typedef {{version: number, status: string, samplesDigest: string}} Base */
/** @typedef {{key: string, at: number, base: Base, doc: import("./store.js").Doc}} Entry */

export class Kept {
  /**
   * @param {import("./store.js").Store} store
   * @param {string} place the beginning of the keys: whose work on which template
   * @param {() => Base} base what the present work began with
   */
  constructor(store, place, base) {
    this.store = store;
    this.place = place;
    this.base = base;
    this.key = this.newKey();
    const soon = debounce(() => this.keep(), 400);
    store.subscribe((change) => {
      if (change.kind !== "select") soon();
    });
    window.addEventListener("pagehide", () => {
      settle();
      this.keep();
    });
    window.addEventListener("beforeunload", (event) => {
      settle();
      if (store.dirty && !this.keep()) event.preventDefault();
    });
  }

  newKey() {
    return `${this.place}:${Date.now().toString(36)}${Math.random().toString(36).slice(2, 10)}`;
  }

  /** Write this page's work, or take away what it wrote once there is nothing unsaved. @returns {boolean} whether it is safe */
  keep() {
    try {
      if (this.store.dirty) {
        const entry = { at: Date.now(), base: this.base(), doc: this.store.doc };
        localStorage.setItem(this.key, stringify(entry));
      } else localStorage.removeItem(this.key);
      return true;
    } catch {
      return false; // no room: the browser asks before the tab is closed
    }
  }

  /** Leave the present work as it is, to be offered again; what comes next has another entry. @returns {boolean} whether it is safe */
  setAside() {
    const isSafe = this.keep();
    this.key = this.newKey();
    return isSafe;
  }

  /** @param {string} key */
  forget(key) {
    try {
      localStorage.removeItem(key);
    } catch {
      // Where nothing can be stored, nothing is.
    }
  }

  /** Forget work that was left behind, with a way back for a while. @param {Entry} entry @param {() => void} again offers it */
  discard({ key, ...entry }, again) {
    this.forget(key);
    const run = () => {
      localStorage.setItem(key, stringify(entry)); // there was room for it just now
      again();
    };
    toast("Unsaved work discarded.", { label: "Undo", run });
  }

  /** What others than this page left behind and is not what one sees anyway, the newest first. @returns {Entry[]} */
  left() {
    /** @type {Entry[]} */ const found = [];
    try {
      for (const key of Object.keys(localStorage).filter((each) => each.startsWith(`${this.place}:`))) {
        const entry = key === this.key ? null : parse(localStorage.getItem(key) ?? "null");
        if (!entry) continue;
        if (Date.now() - entry.at > KEPT_DAYS * 86_400_000) this.forget(key);
        else found.push({ ...entry, key });
      }
    } catch {
      return []; // the browser lets nothing be stored
    }
    const saved = stringify(this.store.saved);
    const seen = new Set([stringify(this.store.doc)]);
    return found
      .sort((a, b) => b.at - a.at)
      .filter((entry) => {
        const text = stringify(entry.doc);
        if (text === saved) this.forget(entry.key);
        return text !== saved && !seen.has(text) && seen.add(text);
      });
  }

  /**
   * Offer what was left behind, one after the other, to go on with.
   * @param {HTMLElement} holder @param {number} version that the template is at
   * @param {(entry: Entry) => void} goOn takes the work into the page
   */
  offer(holder, version, goOn) {
    this.ask(holder, {
      told: ({ base }) =>
        base.version < version
          ? ` It began with version ${base.version}; the template is at ${version} now.`
          : "",
      label: "Go on with it",
      run: (entry) => {
        this.setAside();
        goOn(entry);
        if (this.keep()) this.forget(entry.key);
      },
    });
  }

  /**
   * Offer what was left behind on a template that cannot be changed any more: it stays until it is discarded.
   * @param {HTMLElement} holder @param {(entry: Entry) => void} give gives the work out as a file
   */
  offerFile(holder, give) {
    this.ask(holder, {
      told: () => " It cannot be saved here any more: the tab JSON of another template imports its file.",
      label: "Export it",
      run: give,
    });
  }

  /** @param {HTMLElement} holder @param {{told: (entry: Entry) => string, label: string, run: (entry: Entry) => void}} about */
  ask(holder, about) {
    const [entry] = this.left();
    holder.hidden = !entry;
    fill(holder);
    if (!entry) return;
    const button = (/** @type {string} */ label, /** @type {() => void} */ run, more = "") =>
      h(
        "button",
        {
          type: "button",
          class: `button small ${more}`.trim(),
          on: {
            click: () => {
              run();
              this.ask(holder, about);
              // The button is gone: the same one of the next entry takes the focus, or what comes behind.
              const next = [...holder.querySelectorAll("button")].find((each) => each.textContent === label);
              (next ?? document.getElementById("ed-name"))?.focus();
            },
          },
        },
        label,
      );
    fill(
      holder,
      h("p", {}, h("strong", {}, "You have unsaved work"), " from ", moment(entry.at), `.${about.told(entry)}`),
      h(
        "div",
        { class: "ed-tools" },
        button(about.label, () => about.run(entry), "primary"),
        button("Discard", () => this.discard(entry, () => this.ask(holder, about))),
      ),
    );
  }
}
