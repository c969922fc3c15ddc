/** The tab of sample data: what the preview shows, as JSON that is checked against the variables; several by name. */

import { codeEditor } from "./code.js";
import { checkData, missingIn } from "./datacheck.js";
import { announce, debounceTyping, fill, h, icon, toast, undoToast } from "./dom.js";
import { parse, stringify } from "./exactjson.js";
import { equal, formatPath, insert, remove } from "./paths.js";
import { post } from "./requests.js";

export class Samples {
  /** @param {HTMLElement} holder @param {import("./form.js").Context} context @param {{codemirror: string, sample: string}} urls @param {() => void} onChoice */
  constructor(holder, context, urls, onChoice) {
    this.holder = holder;
    this.context = context;
    this.store = context.store;
    this.urls = urls;
    this.onChoice = onChoice;
    /** @type {any} */ this.editor = null;
    // Takes what is typed, once it pauses.
    this.soon = debounceTyping((/** @type {string} */ text) => this.typed(text), 120);
    this.shown = ""; // the place of the sample that stands in the editor
    this.shownName = "";
    /** @type {Map<string, string>} by the sample's name: what was typed there and cannot be used yet */ this.left =
      new Map();
    this.chooser = h("select", {
      class: "ed-input ed-select",
      "aria-label": "Sample",
      on: { change: () => this.choose(Number(this.chooser.value)) },
    });
    this.store.subscribe((change) => {
      if (
        change.kind === "reset" ||
        (change.kind === "set" &&
          change.origin !== this &&
          ["samples", "sampleData"].includes(String(change.path[0])))
      )
        this.refresh();
    });
  }

  /** Where the chosen sample is kept. @returns {import("./paths.js").Path} */
  place() {
    return this.store.sample < 0 ? ["sampleData"] : ["samples", this.store.sample, "data"];
  }

  async draw() {
    const { readOnly } = this.context;
    if (this.editor) return this.refresh();
    this.editor = await codeEditor({
      url: this.urls.codemirror,
      label: "Sample data as JSON",
      text: written(this.store.data()),
      readOnly,
      check: (value) => checkData(this.store.variables, value),
      refuse: (value) => (isObject(value) ? "" : "it must be an object, in {}"),
      onText: this.soon,
    });
    fill(
      this.holder,
      h(
        "header",
        { class: "ed-tab-head" },
        h(
          "div",
          {},
          h("h2", {}, "Sample data"),
          h("p", { class: "ed-help" }, "What the preview shows. Nobody but you and your colleagues sees it."),
        ),
        readOnly
          ? null
          : (this.makeButton = h("button", {
              type: "button",
              class: "button small",
              on: { click: () => this.make() },
            })),
      ),
      (this.hint = h("div", { class: "ed-found", hidden: true })),
      h(
        "div",
        { class: "ed-sample-bar" },
        this.chooser,
        readOnly
          ? null
          : [
              h(
                "button",
                { type: "button", class: "button small quiet", on: { click: () => this.add() } },
                icon("plus"),
                "New sample",
              ),
              (this.renameButton = h(
                "button",
                { type: "button", class: "button small quiet", on: { click: () => this.rename() } },
                icon("pencil"),
                "Rename",
              )),
              (this.removeButton = h(
                "button",
                { type: "button", class: "button small quiet", on: { click: () => this.remove() } },
                icon("trash-2"),
                "Delete",
              )),
            ],
      ),
      (this.nameRow = h("div", { class: "ed-sample-name", hidden: true })),
      this.editor.note,
      this.editor.element,
    );
    return this.refresh();
  }

  /** Show what the service made up, and what the sample lacks: the document was drawn anew. */
  follow() {
    if (!this.editor) return;
    const isTyping = this.editor.unfinished() || this.editor.element.contains(document.activeElement);
    if (this.store.isMadeUp && !isTyping)
      this.editor.set(written(this.store.made));
    this.drawHint();
  }

  /** Say that the data is made up, or offer to fill in what is not there. */
  drawHint() {
    const { readOnly } = this.context;
    const { isMadeUp, made, variables } = this.store;
    const missing = isMadeUp ? [] : missingIn(variables, this.store.data());
    this.makeButton?.replaceChildren(
      icon("wand-sparkles"),
      isMadeUp ? "Keep it as the sample" : "Make from variables",
    );
    this.hint.hidden = isMadeUp ? !Object.keys(made).length : !missing.length;
    fill(
      this.hint,
      isMadeUp
        ? h(
            "p",
            {},
            icon("wand-sparkles"),
            h("strong", {}, "Made up from the variables."),
            " It follows them until you write your own data here.",
          )
        : [
            h(
              "p",
              {},
              icon("circle-alert"),
              h("strong", {}, `No value for ${missing.join(", ")}.`),
              " Nothing is printed for it.",
            ),
            readOnly
              ? null
              : h(
                  "button",
                  { type: "button", class: "button small", on: { click: () => this.complete() } },
                  "Fill in what is missing",
                ),
          ],
    );
  }

  /** Add made-up values where there are none. */
  async complete() {
    const made = await this.asked();
    if (made) this.store.set(this.place(), filled(this.store.data(), made));
  }

  refresh() {
    if (this.store.sample >= this.store.doc.samples.length) this.store.sample = -1;
    const place = formatPath(this.place());
    const isOther = place !== this.shown;
    if (isOther) this.leave();
    const names = this.names();
    fill(
      this.chooser,
      names.map((name, index) =>
        h(
          "option",
          { value: String(index - 1), selected: index - 1 === this.store.sample },
          this.left.has(name) && index - 1 !== this.store.sample ? `${name} (unfinished)` : name,
        ),
      ),
    );
    for (const button of [this.renameButton, this.removeButton])
      if (button) button.disabled = this.store.sample < 0;
    if (!this.editor) return;
    const data = this.store.data();
    const name = names[this.store.sample + 1];
    // A text of the same meaning stays as it was typed, with its history.
    if (isOther || !means(this.editor.text(), data))
      this.editor.set(written(data), isOther, isOther ? this.left.get(name) : undefined);
    if (isOther) this.left.delete(name);
    this.shown = place;
    this.shownName = name;
    this.drawHint();
  }

  /** The names of all samples, the default one's first. @returns {string[]} */
  names() {
    return [this.context.data.defaultSample, ...this.store.doc.samples.map((sample) => sample.name)];
  }

  /** Keep what stands in the editor and cannot be used yet: it waits at its sample. */
  leave() {
    const text = this.shown && this.editor.unfinished();
    if (text) this.left.set(this.shownName, text);
  }

  /** Tell whether something is typed for a sample that cannot be used yet: it is stored nowhere. */
  isUnfinished() {
    return Boolean(this.editor?.unfinished()) || this.names().some((name) => this.left.has(name));
  }

  /** @param {number} index */
  choose(index) {
    this.soon.now(); // what was typed belongs to the sample that one leaves
    this.store.sample = index;
    this.refresh();
    this.onChoice();
  }

  /** @param {string} text */
  typed(text) {
    if (this.context.readOnly) return;
    try {
      const value = parse(text || "{}");
      const same = this.store.isMadeUp && equal(value, this.store.made);
      if (!isObject(value) || same) return;
      this.store.set(this.place(), value, this);
      this.editor.agree(written(value));
    } catch {
      /* it is marked in the text; the last good data stays */
    }
  }

  async make() {
    const made = await this.asked();
    if (!made) return;
    this.store.set(this.place(), made);
    announce("Sample data made");
  }

  /** Ask for data made from the variables; undefined where there is none, and the author is told why. */
  async asked() {
    try {
      const response = await post(this.urls.sample, { content: this.store.content() });
      return parse(await response.text()).data;
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
      return undefined;
    }
  }

  add() {
    this.soon.now();
    const { samples } = this.store.doc;
    const taken = new Set(samples.map((sample) => sample.name));
    let name = "New sample";
    for (let count = 2; taken.has(name); count += 1) name = `New sample ${count}`;
    this.left.delete(name); // of another one that had this name
    this.store.sample = samples.length;
    this.store.change(
      insert(this.store.doc, ["samples"], samples.length, {
        name,
        data: structuredClone(this.store.data()),
      }),
      { path: ["samples"], kind: "set" },
    );
    this.refresh();
    this.rename();
  }

  rename() {
    const index = this.store.sample;
    if (index < 0 || !this.nameRow) return;
    const input = h("input", {
      type: "text",
      class: "ed-input",
      "aria-label": "Name of the sample",
      value: this.store.doc.samples[index].name,
      maxlength: 100,
      on: {
        keydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            done();
          }
          if (event.key === "Escape") close();
        },
      },
    });
    const close = () => {
      this.nameRow.hidden = true;
      this.chooser.focus();
    };
    const done = () => {
      const name = input.value.trim();
      const taken = this.names().filter((_, each) => each !== index + 1);
      if (!name || taken.includes(name)) {
        toast(name ? `There is a sample "${name}" already.` : "A sample needs a name.");
        return;
      }
      this.store.set(["samples", index, "name"], name, this);
      this.refresh();
      close();
    };
    fill(
      this.nameRow,
      input,
      h("button", { type: "button", class: "button small", on: { click: done } }, "Rename"),
    );
    this.nameRow.hidden = false;
    input.focus();
    input.select();
  }

  remove() {
    this.soon.now();
    const index = this.store.sample;
    const { name } = this.store.doc.samples[index];
    const before = this.store.doc;
    this.store.sample = -1;
    this.store.change(remove(this.store.doc, ["samples", index]), { path: ["samples"], kind: "set" });
    this.refresh();
    this.onChoice();
    undoToast(`Sample "${name}" deleted.`, this.store, before);
  }
}

/** Tell whether a text is the JSON of a value. @param {string} text @param {any} value */
function means(text, value) {
  try {
    return equal(parse(text || "{}"), value);
  } catch {
    return false;
  }
}

/** @param {any} value */
const written = (value) => stringify(value ?? {}, 2);

/** @param {any} value */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Data with the values of other data where it has none. @param {any} own @param {any} other @returns {any} */
function filled(own, other) {
  if (own === undefined || own === null) return other;
  if (Array.isArray(own) && Array.isArray(other) && isObject(other[0])) {
    // A field that some row has is left out in the others on purpose.
    const isLacking = (/** @type {[string, any]} */ [name]) => own.every((row) => isObject(row) && (row[name] ?? null) === null);
    const lacking = Object.fromEntries(Object.entries(other[0]).filter(isLacking));
    return own.map((row) => filled(row, lacking));
  }
  if (!isObject(own) || !isObject(other)) return own;
  const names = [...Object.keys(own), ...Object.keys(other).filter((name) => !(name in own))];
  return Object.fromEntries(names.map((name) => [name, filled(own[name], other[name])]));
}
