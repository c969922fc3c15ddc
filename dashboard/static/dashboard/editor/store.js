/**
 * The one state of the editor: the document, what is selected, and the way back.
 *
 * The document is never changed in place: `set` shares what stays, so that an old one costs nothing and
 * history is a list of documents.
 */

import { get, set } from "./paths.js";

/** @typedef {import("./paths.js").Path} Path */
/**
 * The fields of a template on the wire, and its named samples.
 * @typedef {{name: string, description: string, formats: string[], sections: any[], variables: any[],
 *   page: Record<string, any>, sampleData: Record<string, any>, samples: {name: string, data: any}[]}} Doc
 */
/**
 * What changed: `set` one value (`path`), `structure` sections or entries came, went or moved, `reset` all of it may
 * be another. `origin` is the control that did it and shows it already.
 * @typedef {{kind: "set"|"structure"|"reset"|"select", path: Path, origin?: any}} Change
 */

const MOST_STEPS = 200;
const ONE_GO = 1200; // milliseconds; typing in one field within them is one step back

export class Store {
  /** @param {Doc} doc */
  constructor(doc) {
    this.doc = doc;
    this.saved = doc;
    /** @type {Path|null} */ this.selected = null;
    /** @type {any[]} what the server found: declared and inferred variables */ this.variables =
      doc.variables;
    /** @type {number} which sample the preview shows; -1 is the default one */ this.sample = -1;
    /** @type {Record<string, any>} what the service made up for a sample that is empty */ this.made = {};
    /** @type {{doc: Doc, selected: Path|null}[]} */ this.past = [];
    /** @type {{doc: Doc, selected: Path|null}[]} */ this.future = [];
    this.lastKey = "";
    this.lastTime = 0;
    /** @type {number} how often sections may have come, gone or moved */ this.structure = 0;
    /** @type {((change: Change) => void)[]} */ this.listeners = [];
  }

  /** @param {(change: Change) => void} listener */
  subscribe(listener) {
    this.listeners.push(listener);
    return () => {
      this.listeners = this.listeners.filter((each) => each !== listener);
    };
  }

  /** @param {Change} change */
  tell(change) {
    const isMoving = change.kind === "structure" || change.kind === "reset";
    if (isMoving || (change.kind === "set" && holdsParts(this.at(change.path)))) this.structure += 1;
    for (const listener of this.listeners) listener(change);
  }

  /** @param {Path} path */
  at(path) {
    return get(this.doc, path);
  }

  /**
   * Change one value; `undefined` takes the field away.
   * @param {Path} path @param {any} value @param {any} [origin]
   */
  set(path, value, origin) {
    if (this.at(path) === value) return;
    const key = JSON.stringify(path);
    const now = Date.now();
    if (key !== this.lastKey || now - this.lastTime > ONE_GO) this.remember();
    this.lastKey = key;
    this.lastTime = now;
    this.doc = set(this.doc, path, value);
    this.future = [];
    this.tell({ kind: "set", path, origin });
  }

  /**
   * Change the document as one step that can be taken back.
   * @param {Doc} doc @param {{selected?: Path|null, path?: Path, origin?: any, kind?: Change["kind"]}} [about]
   */
  change(doc, about = {}) {
    this.remember();
    this.lastKey = "";
    this.doc = doc;
    if (about.selected !== undefined) this.selected = about.selected;
    this.keepSelection(null);
    this.future = [];
    this.tell({ kind: about.kind ?? "structure", path: about.path ?? [], origin: about.origin });
  }

  remember() {
    this.past.push({ doc: this.doc, selected: this.selected });
    if (this.past.length > MOST_STEPS) this.past.shift();
  }

  /** Where one was is where one goes on, if it is still there. @param {Path|null} otherwise */
  keepSelection(otherwise) {
    for (const path of [this.selected, otherwise, ["sections", 0]]) {
      if (path !== null && this.at(path) !== undefined) {
        this.selected = path;
        return;
      }
    }
    this.selected = null;
  }

  undo() {
    this.step(this.past, this.future);
  }

  /**
   * Take back the last change, if it is the one that was made to `before`: what came since is not swept away with it.
   * @param {Doc} before @returns {boolean} whether it was
   */
  undoTo(before) {
    if (this.past.at(-1)?.doc !== before) return false;
    this.undo();
    return true;
  }

  redo() {
    this.step(this.future, this.past);
  }

  /** @param {Store["past"]} from @param {Store["past"]} to */
  step(from, to) {
    const found = from.pop();
    if (!found) return;
    to.push({ doc: this.doc, selected: this.selected });
    this.lastKey = "";
    this.doc = found.doc;
    this.keepSelection(found.selected);
    this.tell({ kind: "reset", path: [] });
  }

  /** @param {Path|null} path */
  select(path) {
    this.selected = path;
    this.tell({ kind: "select", path: path ?? [] });
  }

  get dirty() {
    return this.doc !== this.saved;
  }

  /** Tell whether versions of the template differ: samples are none of theirs. */
  get contentDirty() {
    return Object.keys(this.doc).some((name) => name !== "samples" && this.doc[name] !== this.saved[name]);
  }

  /** What a version holds. */
  content() {
    const { samples, ...content } = this.doc;
    return content;
  }

  /** Tell whether nobody has given the data that the preview shows. */
  get isMadeUp() {
    const chosen = this.sample < 0 ? undefined : this.doc.samples[this.sample];
    return !chosen && Object.keys(this.doc.sampleData ?? {}).length === 0;
  }

  /** The data that the preview shows. */
  data() {
    if (this.isMadeUp) return this.made;
    return (this.sample < 0 ? undefined : this.doc.samples[this.sample]?.data) ?? this.doc.sampleData ?? {};
  }
}

/** Tell whether a value is a list of parts with sections in them, such as columns. @param {any} value */
const holdsParts = (value) => Array.isArray(value) && value.some((each) => Array.isArray(each?.sections));
