/** What is wrong: at the very field, at its section in the outline, and in a summary that leads there. */

import { follow } from "./complete.js";
import { fill, h, icon } from "./dom.js";
import { formatPath, parsePath } from "./paths.js";
import { bandLabel, sectionOf } from "./sections.js";

/** @typedef {{field: string, message: string, expression?: string}} Problem */

/** So many are listed in the summary, */ const SHOWN = 8;
/** and at one field. */ const SHOWN_AT_FIELD = 5;

export class Problems {
  /**
   * @param {HTMLElement} summary @param {import("./store.js").Store} store
   * @param {{outline: import("./outline.js").Outline, go: (path: (string|number)[], words?: string) => void, kinds: any[], pageForm: any[]}} parts
   */
  constructor(summary, store, parts) {
    this.summary = summary;
    this.store = store;
    this.parts = parts;
    /** @type {Problem[]} */ this.list = [];
  }

  /** @param {Problem[]} list */
  show(list) {
    this.list = list.map((problem) => this.hinted(problem));
    list = this.list;
    const places = new Set();
    for (const problem of list) {
      const section = sectionOf(this.store.doc, parsePath(problem.field));
      if (section) places.add(formatPath(section));
    }
    this.parts.outline.showErrors(places);
    this.mark();
    fill(
      this.summary,
      list.length
        ? [
            h(
              "p",
              { class: "ed-problems-title" },
              icon("circle-alert"),
              list.length === 1 ? "One thing to correct" : `${list.length} things to correct`,
            ),
            h(
              "ul",
              {},
              list.slice(0, SHOWN).map((problem) => h("li", {}, this.line(problem))),
            ),
            list.length > SHOWN ? h("p", { class: "ed-help" }, `and ${list.length - SHOWN} more`) : null,
          ]
        : [],
    );
    this.summary.hidden = list.length === 0;
    follow();
  }

  /** A column's field that is meant to be a calculation: where that belongs. @param {Problem} problem @returns {Problem} */
  hinted(problem) {
    const path = parsePath(problem.field);
    const isField = path.at(-1) === "key" && path.at(-3) === "columns";
    if (!isField || !/[+*/()]|\s-\s/.test(String(this.store.at(path) ?? ""))) return problem;
    const hint = "It names one field: a calculation goes into Formula, behind the three dots.";
    return { ...problem, message: `${problem.message}. ${hint}` };
  }

  /** @param {Problem} problem */
  line(problem) {
    if (!problem.field) return problem.message;
    return h(
      "button",
      {
        type: "button",
        class: "ed-problem",
        on: { click: () => this.parts.go(parsePath(problem.field), problem.expression) },
      },
      h("strong", {}, this.named(problem.field)),
      ` ${problem.message}`,
    );
  }

  /** A path in words: `Section 3 (Table), column 2, Field`. @param {string} field */
  named(field) {
    const path = parsePath(field);
    if (path[0] === "data") return `Sample data, ${field.slice(5)}:`;
    const section = sectionOf(this.store.doc, path);
    if (!section) return `${labelled(this.others(), path)}:`;
    const kind = this.parts.kinds.find((each) => each.type === this.store.at(section)?.type);
    const number = section[0] === "sections" ? `Section ${Number(section[1]) + 1}` : bandLabel(section[1]);
    const rest = labelled(kind?.fields ?? [], path.slice(section.length));
    return `${number}${kind ? ` (${kind.label})` : ""}${rest ? `, ${rest}` : ""}:`;
  }

  /** What a template has besides sections, as fields of a form. */
  others() {
    return [
      { name: "name", label: "Name" },
      { name: "description", label: "Description" },
      { name: "formats", label: "Formats" },
      { name: "variables", label: "Variable" },
      { name: "page", label: "Page", fields: this.parts.pageForm },
    ];
  }

  /** Put the messages to the fields that are on the screen. */
  mark() {
    for (const field of document.querySelectorAll(".ed-app [data-path].ed-wrong")) {
      field.classList.remove("ed-wrong");
      for (const control of field.querySelectorAll("[aria-invalid]")) control.removeAttribute("aria-invalid");
      const error = /** @type {HTMLElement|null} */ (
        field.querySelector(":scope > .ed-error, :scope > * > .ed-error")
      );
      if (error) {
        error.hidden = true;
        error.textContent = "";
      }
    }
    /** @type {Map<HTMLElement, string[]>} */ const wrong = new Map();
    for (const problem of this.list) {
      const found = fieldAt(parsePath(problem.field));
      if (found) wrong.set(found, [...(wrong.get(found) ?? []), problem.message]);
    }
    for (const [found, messages] of wrong) {
      found.classList.add("ed-wrong");
      found.querySelector("input, textarea, select")?.setAttribute("aria-invalid", "true");
      let error = /** @type {HTMLElement|null} */ (found.querySelector(":scope > .ed-error"));
      if (!error) {
        error = h("p", { class: "ed-error" });
        found.append(/** @type {any} */ (error));
      }
      /** @type {HTMLElement} */ (error).hidden = false;
      const more = messages.length - SHOWN_AT_FIELD;
      if (more > 0) messages.splice(SHOWN_AT_FIELD, more, `and ${more} more`);
      /** @type {HTMLElement} */ (error).textContent = messages.join("\n");
    }
  }
}

/** A place in words, as the form calls its fields: `Columns 4, Field`. @param {any[]} known @param {(string|number)[]} path */
function labelled(known, path) {
  let words = "";
  let fields = known;
  for (const step of path) {
    if (typeof step === "number") words += ` ${step + 1}`;
    else {
      const field = fields.find((each) => each.name === step);
      words += `${words && ", "}${field?.label ?? step}`;
      fields = field?.fields ?? [];
    }
  }
  return words;
}

/** The field on the screen that a path belongs to: its own, else the nearest around it. @param {(string|number)[]} path @returns {HTMLElement|null} */
export function fieldAt(path) {
  for (let length = path.length; length > 0; length -= 1) {
    const text = formatPath(path.slice(0, length));
    // What is folded away is made when it is needed.
    for (const details of /** @type {NodeListOf<HTMLElement>} */ (
      document.querySelectorAll(".ed-app [data-holds]")
    )) {
      if (String(details.dataset.holds).split(" ").includes(text))
        details.dispatchEvent(new Event("ed-open"));
    }
    const found = /** @type {HTMLElement|null} */ (
      document.querySelector(`.ed-app [data-path="${CSS.escape(text)}"]`)
    );
    if (found) return found;
  }
  return null;
}
