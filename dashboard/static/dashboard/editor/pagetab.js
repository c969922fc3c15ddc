/** The tab of the page: its settings in groups, and the paper drawn as they make it. */

import { sectionsOf, textsOf, TEXTS } from "./bands.js";
import { fill, h, undoToast } from "./dom.js";
import { buildField, keepFocus } from "./form.js";
import { get, set } from "./paths.js";
import { bandLabel, isBand } from "./sections.js";

const SVG = "http://www.w3.org/2000/svg";
/** The theme's own, for what has less weight. */
const MUTED = "#5c6776";
/** Groups of settings by their names; what no group names comes last. @type {[string, string[]][]} */
const GROUPS = [
  ["Paper", ["size", "orientation", "margins"]],
  ["Header and footer", ["header", "footer", "firstHeader", "firstFooter"]],
  ["Language and values", ["locale", "currency", "timezone", "language"]],
  ["Look", ["theme"]],
  ["Watermark and background", ["watermark", "background", "firstBackground"]],
  ["The document about itself", ["title", "author", "subject", "numberHeadings", "tagged", "archivable", "coverSheet"]],
  ["Passwords", ["protection"]],
];

export class PageTab {
  /** @param {HTMLElement} holder @param {import("./form.js").Context} context @param {(path: any) => void} goTo opens a section */
  constructor(holder, context, goTo) {
    this.holder = holder;
    this.context = context;
    this.goTo = goTo;
    this.paper = h("div", { class: "ed-paper" });
    context.store.subscribe((change) => {
      if (change.kind === "reset" || (change.kind === "set" && isBand(change.path))) this.draw();
      else if (change.path[0] === "page") this.drawPaper();
    });
  }

  draw() {
    const fields = this.context.data.pageForm;
    const named = GROUPS.flatMap(([, names]) => names);
    const rest = fields
      .filter((/** @type {any} */ field) => !named.includes(field.name))
      .map((/** @type {any} */ field) => field.name);
    const groups = rest.length ? [...GROUPS, /** @type {[string, string[]]} */ (["More", rest])] : GROUPS;
    const sheet = h("section", { class: "ed-group" }, h("h3", {}, "Template"), this.about());
    keepFocus(this.holder, () =>
      fill(
        this.holder,
        h(
          "header",
          { class: "ed-tab-head" },
          h(
            "div",
            {},
            h("h2", {}, "Page"),
            h("p", { class: "ed-help" }, "Paper, header and footer, look, language."),
          ),
          this.paper,
        ),
        sheet,
        groups.map(([title, names], index) =>
          h(
            "details",
            {
              class: "ed-group",
              open: index < 3,
              data: { holds: names.map((name) => `page.${name}`).join(" ") },
              on: {
                "ed-open": (/** @type {any} */ event) => {
                  event.currentTarget.open = true;
                },
              },
            },
            h("summary", {}, title),
            h(
              "div",
              { class: "ed-form" },
              names
                .map((name) => fields.find((/** @type {any} */ field) => field.name === name))
                .filter(Boolean)
                .map((field) => [
                  buildField(this.usable(field), ["page"], this.context),
                  isBand(["page", field.name]) ? this.bandButtons(field.name) : null,
                ]),
            ),
          ),
        ),
      ),
    );
    this.drawPaper();
  }

  /** Formats and description of the template. */
  about() {
    const { store, data, readOnly } = this.context;
    const formats = h(
      "fieldset",
      { class: "ed-part" },
      h("legend", { class: "ed-label" }, "Formats"),
      h(
        "div",
        { class: "ed-checks" },
        data.formats.map((/** @type {string} */ name) => {
          const input = h("input", {
            type: "checkbox",
            checked: store.doc.formats.includes(name),
            disabled: readOnly,
            on: {
              change: () => {
                const chosen = data.formats.filter((/** @type {string} */ each) =>
                  each === name ? input.checked : store.doc.formats.includes(each),
                );
                if (chosen.length) store.set(["formats"], chosen, input);
                else input.checked = true;
              },
            },
          });
          return h("label", {}, input, name.toUpperCase());
        }),
      ),
    );
    const description = h("textarea", {
      class: "ed-input",
      rows: 2,
      id: "ed-description",
      value: store.doc.description ?? "",
      maxlength: 2000,
      readonly: readOnly,
      on: { input: () => store.set(["description"], description.value, description) },
    });
    return h(
      "div",
      { class: "ed-form" },
      formats,
      h(
        "div",
        { class: "ed-field", data: { path: "description" } },
        h("label", { class: "ed-label", for: "ed-description" }, "Description"),
        description,
      ),
    );
  }

  /** A field as it can be used: beside its sections a band has no texts, but for those to be taken away. @param {any} field */
  usable(field) {
    const band = this.context.store.at(["page", field.name]);
    if (!isBand(["page", field.name]) || !band?.sections) return field;
    const isUsable = (/** @type {any} */ each) => !TEXTS.includes(each.name) || band[each.name];
    return { ...field, fields: field.fields.filter(isUsable) };
  }

  /** A band of three texts, or one of sections: one leads to the other. @param {string} name */
  bandButtons(name) {
    if (this.context.readOnly) return null;
    const band = h("span", { class: "hidden-text" }, ` in ${bandLabel(name)}`);
    const button = (/** @type {string} */ label, /** @type {() => void} */ run) =>
      h("button", { type: "button", class: "ed-add", on: { click: run } }, label, band.cloneNode(true));
    if (!get(this.context.store.doc, ["page", name, "sections"]))
      return button("Use sections in place of the texts, such as a logo", () => this.useSections(name));
    return h(
      "div",
      { class: "ed-tools" },
      button("Edit its sections", () => this.goTo(["page", name, "sections", 0])),
      button("Use three texts in place of the sections", () => this.useTexts(name)),
    );
  }

  /** @param {string} name */
  useSections(name) {
    const { left, center, right, ...rest } = this.context.store.at(["page", name]) ?? {};
    const color = this.context.store.at(["page", "theme", "colors", "muted"]) ?? MUTED;
    this.putBand(name, { ...rest, sections: sectionsOf({ left, center, right }, color) });
    this.goTo(["page", name, "sections", 0]);
  }

  /** @param {string} name */
  useTexts(name) {
    const { store } = this.context;
    const before = store.doc;
    const { sections, ...rest } = store.at(["page", name]);
    this.putBand(name, { ...textsOf(sections), ...rest });
    undoToast(`${bandLabel(name)} has three texts now, and no sections.`, store, before);
  }

  /** @param {string} name @param {any} band */
  putBand(name, band) {
    const { store } = this.context;
    store.change(set(store.doc, ["page", name], band), { path: ["page", name], kind: "reset" });
  }

  /** The page in small: paper, margins, bands, and what its content takes. */
  drawPaper() {
    const { page } = this.context.store.doc;
    const { sizes } = this.context.data;
    const size =
      typeof page.size === "object" && page.size
        ? [page.size.width, page.size.height]
        : (sizes[page.size ?? "A4"] ?? sizes.A4);
    const sorted = [...size].map(Number).sort((a, b) => a - b);
    const [width, height] =
      page.orientation === "landscape"
        ? [sorted[1], sorted[0]]
        : typeof page.size === "object"
          ? size.map(Number)
          : sorted;
    const side = (/** @type {string} */ name) => Math.max(0, Number(page.margins?.[name] ?? 20));
    const inner = {
      x: side("left"),
      y: side("top"),
      width: Math.max(1, width - side("left") - side("right")),
      height: Math.max(1, height - side("top") - side("bottom")),
    };
    const drawing = svg("svg", {
      viewBox: `-2 -2 ${width + 4} ${height + 4}`,
      role: "img",
      "aria-label": `Paper of ${round(width)} by ${round(height)} mm, content of ${round(inner.width)} by ${round(inner.height)} mm`,
    });
    drawing.append(svg("rect", { x: 0, y: 0, width, height, class: "ed-paper-sheet" }));
    if (page.header)
      drawing.append(
        svg("rect", {
          x: inner.x,
          y: Math.max(2, inner.y / 2 - 3),
          width: inner.width,
          height: 6,
          class: "ed-paper-band",
        }),
      );
    if (page.footer)
      drawing.append(
        svg("rect", {
          x: inner.x,
          y: height - Math.max(8, side("bottom") / 2 + 3),
          width: inner.width,
          height: 6,
          class: "ed-paper-band",
        }),
      );
    drawing.append(svg("rect", { ...inner, class: "ed-paper-content" }));
    for (let line = 0; line < 6; line += 1) {
      const y = inner.y + 8 + line * 10;
      if (y < inner.y + inner.height - 4)
        drawing.append(
          svg("line", {
            x1: inner.x + 4,
            x2: inner.x + inner.width * (line % 3 === 2 ? 0.6 : 0.92),
            y1: y,
            y2: y,
            class: "ed-paper-line",
          }),
        );
    }
    fill(this.paper, drawing, h("p", { class: "ed-help" }, `${round(width)} × ${round(height)} mm`));
  }
}

/** @param {string} tag @param {Record<string, any>} attributes */
function svg(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;
