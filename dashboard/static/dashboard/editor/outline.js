/** The outline: every section in its place; choose, add, move by hand or by key, duplicate, delete. */

import { copySection, copiedSections, useClipboard } from "./clipboard.js";
import { announce, fill, h, icon, iconButton, toast, undoToast } from "./dom.js";
import { askPlace } from "./elsewhere.js";
import { formatPath, get, insert, parsePath, samePath } from "./paths.js";
import {
  added,
  allSections,
  dropped,
  duplicated,
  isBand,
  partsOf,
  removed,
  roots,
  stepped,
  wordsOf,
} from "./sections.js";

/** @typedef {import("./paths.js").Path} Path */

export class Outline {
  /**
   * @param {HTMLElement} holder @param {import("./form.js").Context} context
   * @param {{pick: (list: Path) => Promise<string|null>, Sortable: any, edit: () => void}} parts
   */
  constructor(holder, context, parts) {
    this.holder = holder;
    this.context = context;
    this.store = context.store;
    this.parts = parts;
    this.kinds = new Map(context.data.kinds.map((/** @type {any} */ kind) => [kind.type, kind]));
    /** @type {Set<string>} places of sections with an error */ this.wrong = new Set();
    /** @type {any[]} */ this.sortables = [];
    holder.addEventListener("keydown", (event) => this.key(event));
    useClipboard(this);
    this.store.subscribe((change) => {
      if (change.kind === "select") this.mark();
      else if (change.kind === "set" && !isBand(change.path)) this.rename(change.path);
      else this.draw();
    });
    this.draw();
  }

  draw() {
    const focused = /** @type {any} */ (document.activeElement)?.closest?.(".ed-outline [data-section]")
      ?.dataset.section;
    for (const sortable of this.sortables) sortable.destroy();
    this.sortables = [];
    fill(
      this.holder,
      roots(this.store.doc).map((part) => [
        part.label ? h("h3", { class: "ed-band" }, part.label) : null,
        this.list(part.path),
      ]),
    );
    this.mark();
    if (focused) this.button(parsePath(focused))?.focus();
  }

  /** @param {Path} path @returns {HTMLElement} */
  list(path) {
    const sections = get(this.store.doc, path) ?? [];
    const items = h(
      "ol",
      { class: "ed-sections", data: { list: formatPath(path) } },
      sections.map((/** @type {any} */ section, /** @type {number} */ index) =>
        this.item(section, [...path, index]),
      ),
    );
    if (this.context.readOnly) return items;
    this.sortables.push(
      this.parts.Sortable.create(items, {
        group: path[0] === "page" ? "band" : "sections",
        handle: ".ed-grip",
        animation: 120,
        fallbackOnBody: true,
        swapThreshold: 0.6,
        ghostClass: "ed-ghost",
        onEnd: (/** @type {any} */ event) => this.drop(event),
      }),
    );
    const outer = path.length === 1;
    const add = h(
      "button",
      {
        type: "button",
        class: outer ? "ed-add ed-add-section" : "ed-add",
        on: { click: () => this.add(path) },
      },
      icon("plus"),
      outer ? "Add section" : ["Add here", h("span", { class: "hidden-text" }, ` in ${this.holderOf(path)}`)],
    );
    return h("div", { class: "ed-part-list" }, items, add);
  }

  /** What holds a list of sections, in words. @param {Path} list */
  holderOf(list) {
    const band = roots(this.store.doc).find((part) => samePath(part.path, list));
    const owner = list.slice(0, -1);
    const type = this.store.at(owner)?.type;
    return band?.label ?? this.kinds.get(type)?.label ?? `column ${Number(owner.at(-1)) + 1}`;
  }

  /** @param {any} section @param {Path} path */
  item(section, path) {
    const kind = this.kinds.get(section.type);
    const parts = partsOf(section, path);
    const choose = h(
      "button",
      {
        type: "button",
        class: "ed-section",
        data: { section: formatPath(path) },
        on: { click: (/** @type {MouseEvent} */ event) => this.choose(path, event.detail === 0) },
      },
      path.length === 2
        ? h("span", { class: "ed-section-number" }, h("span", { class: "hidden-text" }, "Section "), Number(path[1]) + 1)
        : null,
      h("span", { class: "ed-section-icon" }, icon(kind?.icon ?? "square")),
      h(
        "span",
        { class: "ed-section-text" },
        h("span", { class: "ed-section-kind" }, kind?.label ?? section.type),
        h("span", { class: "ed-section-words" }, wordsOf(section, this.context.data.titles)),
      ),
      h(
        "span",
        { class: "ed-section-mark", hidden: true },
        icon("circle-alert"),
        h("span", { class: "hidden-text" }, "has an error"),
      ),
    );
    const grip = this.context.readOnly
      ? null
      : h("span", { class: "ed-grip", "aria-hidden": "true", title: "Drag to move" }, icon("grip-vertical"));
    return h(
      "li",
      {},
      h("div", { class: "ed-section-row" }, grip, choose),
      parts.map((part) =>
        h(
          "div",
          { class: "ed-nested" },
          part.label ? h("span", { class: "ed-part-label" }, part.label) : null,
          this.list(part.path),
        ),
      ),
    );
  }

  /** The tools of the selected section, above its form. @param {Path} path */
  tools(path) {
    const name = this.kinds.get(get(this.store.doc, path)?.type)?.label ?? "section";
    return h(
      "div",
      { class: "ed-tools" },
      iconButton("arrow-up", `Move ${name} up (Alt+↑)`, () => this.step(path, -1)),
      iconButton("arrow-down", `Move ${name} down (Alt+↓)`, () => this.step(path, 1)),
      iconButton("copy", `Duplicate ${name}`, () => this.duplicate(path)),
      iconButton("ellipsis", `Move or copy ${name} elsewhere`, () => this.takeElsewhere(path)),
      iconButton("trash-2", `Delete ${name}`, () => this.delete(path)),
    );
  }

  /** Ask where the section is to go, and take it there. @param {Path} path */
  async takeElsewhere(path) {
    const section = get(this.store.doc, path);
    const pasted = copiedSections(this);
    const paste = { label: "Paste what was copied below", run: () => this.insert(pasted, path) };
    const place = await askPlace(this.store.doc, path, {
      name: this.labelOf(section),
      called: (each) => this.labelOf(each),
      titles: this.context.data.titles,
      actions: [
        { label: "Copy for another template", run: () => copySection(this, section) },
        ...(pasted.length ? [paste] : []),
      ],
    });
    if (!place) return;
    const { list, index, copy } = place;
    if (copy) {
      const made = insert(this.store.doc, list, index, structuredClone(section));
      this.store.change(made, { selected: [...list, index] });
      announce("Copied");
    } else {
      // The places were counted with the section where it stood.
      const before = samePath(list, path.slice(0, -1)) && Number(path.at(-1)) < index;
      this.place(path, list, before ? index - 1 : index);
    }
    this.focusSelected();
    if (this.store.selected) this.button(this.store.selected)?.scrollIntoView({ block: "nearest" });
  }

  /** @param {Path} path */
  button(path) {
    return /** @type {HTMLElement|null} */ (
      this.holder.querySelector(`[data-section="${CSS.escape(formatPath(path))}"]`)
    );
  }

  focusAdd() {
    /** @type {HTMLElement|null} */ (this.holder.querySelector(".ed-add-section"))?.focus();
  }

  mark() {
    const selected = this.store.selected;
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (
      this.holder.querySelectorAll("[data-section]")
    )) {
      const path = parsePath(String(button.dataset.section));
      const isIt = selected !== null && samePath(path, selected);
      button.classList.toggle("ed-selected", isIt);
      if (isIt) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
      const mark = /** @type {HTMLElement} */ (button.querySelector(".ed-section-mark"));
      mark.hidden = !this.wrong.has(String(button.dataset.section));
    }
  }

  /** @param {Set<string>} places */
  showErrors(places) {
    this.wrong = places;
    this.mark();
  }

  /** The words of a section follow its form. @param {Path} path */
  rename(path) {
    for (let length = path.length; length > 0; length -= 1) {
      const place = path.slice(0, length);
      const button = this.button(place);
      if (!button) continue;
      const section = get(this.store.doc, place);
      const shown = this.holder.querySelectorAll(`[data-list^="${CSS.escape(formatPath(place))}"]`).length;
      if (partsOf(section, place).length !== shown && section?.type === "columns") return this.draw();
      /** @type {HTMLElement} */ (button.querySelector(".ed-section-words")).textContent = wordsOf(section, this.context.data.titles);
      return undefined;
    }
    return undefined;
  }

  /** @param {Path} path */
  select(path) {
    this.store.select(path);
    this.parts.edit();
  }

  /** Select a section; by key, one that is selected already leads to its form. @param {Path} path @param {boolean} byKey */
  choose(path, byKey) {
    const isAgain = byKey && this.store.selected !== null && samePath(path, this.store.selected);
    this.select(path);
    if (isAgain) this.focusForm();
  }

  /** Go on at the first field of the selected section, if it has any. */
  focusForm() {
    const first = document.querySelector("#ed-form textarea, #ed-form input, #ed-form select");
    if (first) /** @type {HTMLElement} */ (first).focus();
    else this.focusSelected(); // such as a page break, which asks for nothing
  }

  /** @param {Path} list */
  async add(list) {
    const kind = await this.parts.pick(list);
    if (!kind) return;
    const selected = this.store.selected;
    const index = selected && samePath(selected.slice(0, -1), list) ? Number(selected.at(-1)) + 1 : undefined;
    const made = added(this.store.doc, structuredClone(this.kinds.get(kind).starter), { list, index });
    this.store.change(made.doc, { selected: made.path });
    announce(`${this.kinds.get(kind).label} added`);
    this.parts.edit();
    this.focusForm();
  }

  /** @param {Path} path @param {number} by */
  step(path, by) {
    if (this.context.readOnly) return;
    const made = stepped(this.store.doc, path, by);
    if (!made) return;
    this.store.change(made.doc, { selected: made.path });
    announce(
      `Moved to place ${Number(made.path.at(-1)) + 1} of ${get(made.doc, made.path.slice(0, -1)).length}`,
    );
    this.button(made.path)?.scrollIntoView({ block: "nearest" });
  }

  /** @param {Path} path */
  duplicate(path) {
    if (this.context.readOnly) return;
    const made = duplicated(this.store.doc, path);
    this.store.change(made.doc, { selected: made.path });
    announce("Duplicated");
  }

  /**
   * Put sections behind another one, in one step.
   * @param {any[]} sections @param {Path} path
   */
  insert(sections, path) {
    const list = path.slice(0, -1);
    let made = { doc: this.store.doc, path };
    for (const section of sections)
      made = added(made.doc, section, { list, index: Number(made.path.at(-1)) + 1 });
    this.store.change(made.doc, { selected: made.path });
    announce(sections.length === 1 ? `${this.labelOf(sections[0])} pasted` : `${sections.length} sections pasted`);
    this.focusSelected();
  }

  /** @param {Path} path */
  delete(path) {
    if (this.context.readOnly) return;
    const list = path.slice(0, -1);
    if (this.holdsItsLast(list)) {
      toast("The last section stays: add another one first.");
      return;
    }
    const name = this.labelOf(get(this.store.doc, path));
    const before = this.store.doc;
    const made = removed(before, path, this.store.selected);
    this.store.change(made.doc, { selected: made.selected });
    undoToast(`${name} deleted.`, this.store, before);
  }

  /** Whether a list would be empty without one more section: bands and columns may be. @param {Path} list */
  holdsItsLast(list) {
    const mayBeEmpty = list[0] === "page" || /columns/.test(formatPath(list.slice(-3)));
    return !mayBeEmpty && get(this.store.doc, list).length === 1;
  }

  /** @param {any} event of SortableJS */
  drop(event) {
    const from = parsePath(event.item.querySelector("[data-section]").dataset.section);
    const list = parsePath(event.to.dataset.list);
    if (event.to === event.from && event.oldIndex === event.newIndex) this.draw();
    else this.place(from, list, event.newIndex);
  }

  /** Move a section to another place; the index counts without it. @param {Path} from @param {Path} list @param {number} index */
  place(from, list, index) {
    const made = dropped(this.store.doc, from, list, index);
    const left = from.slice(0, -1);
    const emptied = made && !samePath(left, list) && this.holdsItsLast(left);
    if (!made || emptied) {
      if (emptied) toast("The last section of a part stays in it.");
      this.draw();
      return;
    }
    this.store.change(made.doc, { selected: made.path });
    announce("Moved");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const button = /** @type {HTMLElement|null} */ (
      /** @type {HTMLElement} */ (event.target).closest("[data-section]")
    );
    if (!button) return;
    const path = parsePath(String(button.dataset.section));
    const way = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (way && !event.altKey) {
      event.preventDefault();
      const all = allSections(this.store.doc);
      const next = all[all.findIndex((each) => samePath(each, path)) + way];
      if (next) this.button(next)?.focus();
      return;
    }
    const modifier = event.ctrlKey || event.metaKey;
    const does =
      (way && (() => this.step(path, way))) ||
      ((event.key === "Delete" || (event.key === "Backspace" && modifier)) && (() => this.delete(path))) ||
      (modifier && event.key.toLowerCase() === "d" && (() => this.duplicate(path)));
    if (!does) return;
    event.preventDefault();
    does();
    this.focusSelected();
  }

  focusSelected() {
    if (this.store.selected) this.button(this.store.selected)?.focus();
  }

  /** @param {any} section @returns {string} */
  labelOf(section) {
    return this.kinds.get(section.type)?.label ?? "Section";
  }
}
