/** The tab of variables: what the data must give, how it is written; undeclared ones are found and offered. */

import { undeclared, withDeclared } from "./declaring.js";
import { announce, fill, h, icon, iconButton, toast, undoToast } from "./dom.js";
import { keepFocus, optional, unfold } from "./form.js";
import { NAME } from "./names.js";
import { formatPath, insert, move, parsePath, remove, set } from "./paths.js";
import { countOf, isShadowed, renamed } from "./rename.js";

/** @typedef {import("./paths.js").Path} Path */

/** So many that looking for one is work: above them stands a search. */
const MANY = 12;
const NESTED = new Set(["list", "object"]);
const COMPUTED = new Set(["string", "number", "currency", "boolean", "date", "datetime"]);
const FIELDS = {
  label: optional({
    name: "label",
    label: "Label",
    help: "What people call it.",
    control: "name",
    most: 200,
  }),
  format: optional({
    name: "format",
    label: "Format",
    help: "How it is printed, such as date:long.",
    control: "format",
  }),
  locale: optional({
    name: "locale",
    label: "Locale",
    help: "Another one than the page's.",
    control: "locale",
  }),
  value: optional({
    name: "value",
    label: "Formula",
    help: "Computed from other values: sum(items.total). The data need not give it.",
    control: "formula",
  }),
  default: optional({
    name: "default",
    label: "Default",
    help: "Used when the data gives none.",
    control: "default",
  }),
};

export class Variables {
  /** @param {HTMLElement} holder @param {import("./form.js").Context} context */
  constructor(holder, context) {
    this.holder = holder;
    this.context = context;
    this.store = context.store;
    this.store.subscribe((change) => {
      if (change.kind === "reset") this.draw();
    });
    this.shown = "";
    /** What is searched for, as it was typed. */ this.sought = "";
  }

  /** Draw anew when what the server found has changed. */
  found() {
    const key = JSON.stringify(undeclared(this.store.variables));
    if (key !== this.shown) this.draw();
  }

  draw() {
    this.shown = JSON.stringify(undeclared(this.store.variables));
    keepFocus(this.holder, () =>
      fill(
        this.holder,
        h(
          "header",
          { class: "ed-tab-head" },
          h(
            "div",
            {},
            h("h2", {}, "Variables"),
            h(
              "p",
              { class: "ed-help" },
              "The data this document takes. What is declared is checked whenever a document is made.",
            ),
          ),
        ),
        this.offers(),
        this.search(),
        this.list(["variables"], 0),
      ),
    );
    this.sift();
  }

  /** @returns {HTMLElement|null} */
  search() {
    if (this.store.doc.variables.filter((/** @type {any} */ each) => !each.inferred).length <= MANY) {
      this.sought = "";
      return null;
    }
    const input = h("input", {
      type: "search",
      class: "ed-input",
      placeholder: "Search variables",
      "aria-label": "Search variables",
      spellcheck: "false",
      value: this.sought,
      on: {
        input: () => {
          this.sought = input.value;
          this.sift();
        },
      },
    });
    return h(
      "div",
      { class: "ed-sift", data: { path: "variables-search" } },
      input,
      h("p", { class: "ed-help", role: "status" }),
    );
  }

  /** Show the variables that have what is sought in their name, label or type, or in those of their fields. */
  sift() {
    const sought = this.sought.trim().toLowerCase();
    const rows = /** @type {NodeListOf<HTMLElement>} */ (
      this.holder.querySelectorAll(".ed-variables.ed-outer > .ed-variable")
    );
    let found = 0;
    for (const row of rows) {
      const variable = this.store.at(parsePath(String(row.dataset.path)));
      // One that is being renamed stays while somebody is in it.
      row.hidden = !wordsOf(variable).includes(sought) && !row.contains(document.activeElement);
      if (!row.hidden) found += 1;
    }
    // The neighbour that a variable would change places with may be hidden.
    this.holder.querySelector(".ed-outer")?.classList.toggle("ed-sifted", Boolean(sought));
    const told = this.holder.querySelector(".ed-sift > .ed-help");
    if (told) told.textContent = sought ? (found ? `${found} of ${rows.length}` : "No variable fits.") : "";
  }

  /** Show every variable again: one that may be hidden is to be seen. */
  showAll() {
    this.sought = "";
    const input = /** @type {HTMLInputElement|null} */ (this.holder.querySelector(".ed-sift > input"));
    if (input) input.value = "";
    this.sift();
  }

  offers() {
    const missing = undeclared(this.store.variables);
    if (!missing.length || this.context.readOnly) return null;
    return h(
      "section",
      { class: "ed-found", "aria-label": "Undeclared variables" },
      h(
        "p",
        {},
        icon("wand-sparkles"),
        h("strong", {}, `${missing.length} used, not declared.`),
        " Until they are declared, nothing checks what is sent for them.",
      ),
      h(
        "div",
        { class: "ed-chips" },
        missing.map((variable) =>
          h(
            "button",
            {
              type: "button",
              class: "ed-chip",
              title: `Declare ${variable.name}`,
              on: { click: () => this.declare([variable]) },
            },
            icon("plus"),
            h("span", { class: "hidden-text" }, "Declare "),
            variable.name,
            h("span", {}, variable.type),
          ),
        ),
      ),
      h(
        "button",
        { type: "button", class: "button small", on: { click: () => this.declare(missing) } },
        "Declare all",
      ),
    );
  }

  /** @param {any[]} variables */
  declare(variables) {
    const { doc } = this.store;
    const changed = { ...doc, variables: withDeclared(doc.variables, variables) };
    this.store.change(changed, { path: ["variables"], kind: "set" });
    this.store.variables = this.store.doc.variables;
    announce(`${variables.length} declared`);
    this.draw();
    // Nothing is left to declare: one goes on at what was declared last.
    if (!undeclared(this.store.variables).length) {
      const index = changed.variables.findIndex((each) => each.name === variables[0].name);
      this.nameField(["variables", index])?.focus();
    }
  }

  /** @param {Path} path @returns {HTMLInputElement|null} */
  nameField(path) {
    return this.holder.querySelector(`[data-path="${CSS.escape(formatPath(path))}"] .ed-variable-name`);
  }

  /** What a variable or a field is called among all: client.name. @param {Path} path */
  called(path) {
    const steps = path.map((step, index) => (typeof step === "number" ? this.store.at(path.slice(0, index + 1)).name : ""));
    return steps.filter(Boolean).join(".");
  }

  /** @param {Path} path @param {number} level @returns {HTMLElement} */
  list(path, level) {
    const all = this.store.at(path) ?? [];
    const items = all.map((/** @type {any} */ variable, /** @type {number} */ index) =>
      variable.inferred ? null : this.item(variable, [...path, index], level),
    );
    const noun = level ? "field" : "variable";
    return h(
      "div",
      { class: level ? "ed-variables" : "ed-variables ed-outer" },
      items,
      all.every((/** @type {any} */ variable) => variable.inferred) && !level
        ? h(
            "p",
            { class: "ed-empty" },
            "Nothing declared yet. Write {{name}} in a text, or add a variable here.",
          )
        : null,
      this.context.readOnly
        ? null
        : h(
            "button",
            { type: "button", class: "ed-add", on: { click: () => this.add(path, noun) } },
            icon("plus"),
            `Add ${noun}`,
            level ? h("span", { class: "hidden-text" }, ` to ${this.called(path)}`) : null,
          ),
    );
  }

  /** @param {any} variable @param {Path} path @param {number} level */
  item(variable, path, level) {
    const { readOnly } = this.context;
    const called = this.called(path);
    const name = h("input", {
      type: "text",
      class: "ed-input ed-variable-name",
      "aria-label": level ? `Name of a field of ${this.called(path.slice(0, -1))}` : "Name",
      value: variable.name,
      spellcheck: "false",
      readonly: readOnly,
      on: { change: () => this.rename(path, name, level) },
    });
    const type = h(
      "select",
      {
        class: "ed-input ed-select",
        "aria-label": `Type of ${called}`,
        disabled: readOnly,
        on: { change: () => this.retype(path, type.value) },
      },
      this.context.data.variableTypes.map((/** @type {string} */ each) =>
        h("option", { value: each, selected: each === variable.type }, each),
      ),
    );
    const required = h("input", {
      type: "checkbox",
      class: "ed-switch",
      role: "switch",
      "aria-label": `${called} is required`,
      checked: Boolean(variable.required),
      disabled: readOnly || Boolean(variable.value),
      on: { change: () => this.store.set([...path, "required"], required.checked || undefined, required) },
    });
    const more = unfold(`More about ${called}`, this.fieldsOf(variable), path, this.context);
    more.body.classList.add("ed-form-pairs");
    return h(
      "div",
      { class: "ed-variable", data: { path: formatPath(path) } },
      h(
        "div",
        { class: "ed-variable-row" },
        name,
        type,
        h("label", { class: "ed-required" }, required, h("span", {}, "Required")),
        h(
          "div",
          { class: "ed-tools" },
          more.button,
          readOnly
            ? null
            : [
                iconButton("arrow-up", `Move ${called} up`, () => this.moved(path, -1), {
                  class: "ed-icon-button ed-small ed-move",
                }),
                iconButton("arrow-down", `Move ${called} down`, () => this.moved(path, 1), {
                  class: "ed-icon-button ed-small ed-move",
                }),
                iconButton("trash-2", `Remove ${called}`, () => this.removed(path, level), {
                  class: "ed-icon-button ed-small",
                }),
              ],
        ),
      ),
      variable.value ? h("p", { class: "ed-formula" }, `= ${variable.value}`) : null,
      more.body,
      NESTED.has(variable.type)
        ? h("div", { class: "ed-nested" }, this.list([...path, "fields"], level + 1))
        : null,
    );
  }

  /** @param {any} variable */
  fieldsOf(variable) {
    const { label, format, locale, value, default: otherwise } = FIELDS;
    if (NESTED.has(variable.type)) return [label];
    if (!COMPUTED.has(variable.type)) return [label, otherwise];
    return [label, value, format, otherwise, locale];
  }

  /** @param {Path} path @param {string} noun */
  add(path, noun) {
    const all = this.store.at(path) ?? [];
    const taken = new Set(all.map((/** @type {any} */ each) => each.name));
    let name = `new_${noun}`;
    for (let count = 2; taken.has(name); count += 1) name = `new_${noun}_${count}`;
    const place = all.filter((/** @type {any} */ each) => !each.inferred).length;
    this.store.change(insert(this.store.doc, path, place, { name, type: "string" }), { path, kind: "set" });
    if (path.length === 1) this.sought = "";
    this.draw();
    const input = this.nameField([...path, place]);
    input?.focus();
    input?.select();
  }

  /** @param {Path} path @param {HTMLInputElement} input @param {number} level */
  rename(path, input, level) {
    const before = this.store.at([...path, "name"]);
    const after = input.value.trim();
    const taken = this.store
      .at(path.slice(0, -1))
      .some(
        (/** @type {any} */ each, /** @type {number} */ index) =>
          index !== path.at(-1) && !each.inferred && each.name === after,
      );
    const whole = this.store.doc;
    const problem = taken
      ? `There is a variable "${after}" already.`
      : !NAME.test(after)
        ? "Names have letters, digits, _ and - only."
        : !level && isShadowed(whole, before, after, this.context.data)
          ? `Rows that say "${before}" have a field "${after}" of their own.`
          : "";
    if (problem) {
      toast(problem);
      input.value = before;
      return;
    }
    const uses = level ? 0 : countOf(whole, before, this.context.data);
    const doc = level ? set(whole, [...path, "name"], after) : renamed(whole, before, after, this.context.data);
    this.store.change(doc, { path, kind: level ? "set" : "reset" });
    if (uses)
      undoToast(
        `Renamed, in ${uses} ${uses === 1 ? "place" : "places"} of the template too.`,
        this.store,
        whole,
      );
  }

  /** @param {Path} path @param {string} type */
  retype(path, type) {
    const { name, required, label } = this.store.at(path);
    const kept = Object.fromEntries(
      Object.entries({ name, type, required, label }).filter(
        ([, value]) => value !== undefined && value !== null,
      ),
    );
    this.store.change(set(this.store.doc, path, kept), { path, kind: "set" });
    this.draw();
  }

  /** @param {Path} path @param {number} by */
  moved(path, by) {
    const list = path.slice(0, -1);
    const index = Number(path.at(-1)) + by;
    const other = this.store.at([...list, index]);
    if (!other || other.inferred) return;
    this.store.change(move(this.store.doc, path, list, index).root, { path: list, kind: "set" });
    this.draw();
  }

  /** @param {Path} path @param {number} level */
  removed(path, level) {
    const { name } = this.store.at(path);
    const before = this.store.doc;
    const used = !level && countOf(before, name, this.context.data) > 0;
    this.store.change(remove(this.store.doc, path), { path, kind: "set" });
    this.draw();
    undoToast(
      used ? `${name} removed; the template still uses it, undeclared.` : `${name} removed.`,
      this.store,
      before,
    );
  }
}

/** The words by which a variable is found, in lower case. @param {any} variable @returns {string} */
function wordsOf(variable) {
  const { name, label, type, fields } = variable;
  return [name, label ?? "", type, ...(fields ?? []).map(wordsOf)].join(" ").toLowerCase();
}
