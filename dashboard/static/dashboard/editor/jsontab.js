/** The tab of JSON: the whole template as text; edit it, take one in, give it out as a file. */

import { codeEditor } from "./code.js";
import { announce, debounceTyping, fill, h, icon, toast, undoToast } from "./dom.js";
import { parse, stringify } from "./exactjson.js";
import { equal } from "./paths.js";

/** What the API takes; named samples go along in files. */
const NAMES = ["name", "description", "formats", "sections", "variables", "page", "sampleData"];

export class JsonTab {
  /** @param {HTMLElement} holder @param {import("./form.js").Context} context @param {string} codemirror */
  constructor(holder, context, codemirror) {
    this.holder = holder;
    this.context = context;
    this.store = context.store;
    this.codemirror = codemirror;
    /** @type {any} */ this.editor = null;
    this.store.subscribe((change) => {
      if (this.editor && change.origin !== this && change.kind !== "select" && !holder.hidden) this.refresh();
    });
  }

  async draw() {
    if (!this.editor) {
      this.editor = await codeEditor({
        url: this.codemirror,
        label: "Template as JSON",
        text: this.written(),
        readOnly: this.context.readOnly,
        check: (value) => shapeOf(value).map((message) => ({ path: [], message })),
        refuse: (value) => shapeOf(value)[0] ?? "",
        onText: debounceTyping((text) => this.typed(text), 250),
      });
      const file = h("input", {
        type: "file",
        accept: "application/json,.json",
        class: "ed-hidden-file",
        tabindex: -1,
        "aria-hidden": "true",
        on: { change: () => this.take(file) },
      });
      fill(
        this.holder,
        h(
          "header",
          { class: "ed-tab-head" },
          h(
            "div",
            {},
            h("h2", {}, "JSON"),
            h("p", { class: "ed-help" }, "The whole template, as the API takes it."),
          ),
          h(
            "div",
            { class: "ed-tools" },
            this.context.readOnly
              ? null
              : h(
                  "button",
                  { type: "button", class: "button small quiet", on: { click: () => file.click() } },
                  icon("upload"),
                  "Import",
                ),
            h(
              "button",
              { type: "button", class: "button small quiet", on: { click: () => giveFile(this.store.doc) } },
              icon("download"),
              "Export",
            ),
            file,
          ),
        ),
        this.editor.note,
        this.editor.element,
      );
    }
    this.refresh();
  }

  written() {
    return written(this.store.doc);
  }

  refresh() {
    this.editor?.set(this.written());
  }

  /** @param {string} text */
  typed(text) {
    let value;
    try {
      value = parse(text);
    } catch {
      return;
    }
    if (this.context.readOnly || shapeOf(value).length) return;
    this.put(value, this);
    this.editor.agree(this.written());
  }

  /** @param {any} value @param {any} [origin] @returns {boolean} whether it says anything else than the document */
  put(value, origin) {
    const before = this.store.doc;
    const shown = { ...before, variables: declaredIn(before) };
    /** @type {any} */ const changed = {};
    for (const name of NAMES) {
      const given = value[name] ?? { page: {}, sampleData: {}, variables: [], description: "" }[name];
      if (name in value && !equal(given, /** @type {any} */ (shown)[name])) changed[name] = given;
    }
    if (isSamples(value.samples) && !equal(value.samples, before.samples)) changed.samples = value.samples;
    if (!Object.keys(changed).length) return false;
    this.store.change({ ...before, ...changed }, { kind: "reset", origin });
    return true;
  }

  /** @param {HTMLInputElement} input */
  async take(input) {
    const file = input.files?.[0];
    input.value = "";
    if (!file) return;
    try {
      const value = parse(await file.text());
      const wrong = shapeOf(value);
      if (wrong.length) throw new Error(wrong[0]);
      const before = this.store.doc;
      const isOther = this.put(value);
      this.refresh();
      if (isOther) undoToast(`${file.name} imported.`, this.store, before);
      else toast(`${file.name} imported: it says the same as the template.`);
    } catch (error) {
      toast(`${file.name} holds no template: ${/** @type {Error} */ (error).message}`);
    }
  }
}

/**
 * A template as the API takes it. What is declared: what was only found is found again.
 * @param {any} doc @param {any} [more] what goes along
 */
function written(doc, more = {}) {
  const shown = Object.fromEntries(NAMES.map((name) => [name, doc[name]]));
  return stringify({ ...shown, variables: declaredIn(doc), ...more }, 2);
}

/** The variables that somebody declared. @param {any} doc @returns {any[]} */
const declaredIn = (doc) => doc.variables.filter((/** @type {any} */ variable) => !variable.inferred);

/** Tell whether a value is a list of named samples. @param {any} value */
const isSamples = (value) =>
  Array.isArray(value) &&
  value.every(
    (each) =>
      typeof each?.name === "string" &&
      typeof each.data === "object" &&
      each.data !== null &&
      !Array.isArray(each.data),
  );

/** Give a template out as a file with its named samples, which Import takes. @param {import("./store.js").Doc} doc */
export function giveFile(doc) {
  const url = URL.createObjectURL(
    new Blob([written(doc, doc.samples.length ? { samples: doc.samples } : {})], {
      type: "application/json",
    }),
  );
  const name = `${doc.name.replace(/[^\p{L}\p{N} ._-]+/gu, "-").trim() || "template"}.json`;
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
  announce("Exported");
}

/** @param {any} value */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {any} value @param {(entry: any) => boolean} is */
const isListOf = (value, is) => Array.isArray(value) && value.every(is);

/** What keeps a value from being shown as a template at all; the rest is the service's to say. @param {any} value @returns {string[]} */
function shapeOf(value) {
  if (!isObject(value)) return ["must be an object"];
  const wrong = [];
  if (!isListOf(value.sections, isObject) || !value.sections.length)
    wrong.push("sections: must be a list of at least one section");
  const isVariable = (/** @type {any} */ each) => isObject(each) && typeof each.name === "string";
  if (!isListOf(value.variables ?? [], isVariable))
    wrong.push("variables: must be a list of variables with names");
  for (const name of ["page", "sampleData"])
    if (!isObject(value[name] ?? {})) wrong.push(`${name}: must be an object`);
  const isName = (/** @type {any} */ each) => typeof each === "string";
  if (value.formats !== undefined && (!isListOf(value.formats, isName) || !value.formats.length))
    wrong.push("formats: must be a list of names");
  if (value.name !== undefined && typeof value.name !== "string") wrong.push("name: must be a text");
  return wrong;
}
