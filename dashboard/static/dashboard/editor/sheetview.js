/** A workbook on the screen: its sheets as tabs, rows with totals and groups. */

import { fill, h, uid } from "./dom.js";

export class SheetView {
  /** @param {HTMLElement} holder */
  constructor(holder) {
    this.holder = holder;
    this.chosen = 0;
    this.table = h("div", { class: "ed-sheet", tabindex: 0, role: "tabpanel" });
    this.tabs = h("div", { class: "ed-sheet-tabs", role: "tablist", "aria-label": "Worksheets" });
    this.table.id = uid("sheet");
  }

  /** @param {any[]} sheets as `rendering/preview_sheets.py` gives them */
  show(sheets) {
    this.sheets = sheets;
    this.chosen = Math.min(this.chosen, sheets.length - 1);
    if (!this.table.isConnected) fill(this.holder, this.table, this.tabs);
    const { scrollTop, scrollLeft } = this.table;
    this.draw();
    this.table.scrollTop = scrollTop;
    this.table.scrollLeft = scrollLeft;
  }

  draw() {
    const sheets = this.sheets ?? [];
    fill(
      this.tabs,
      sheets.map((sheet, index) =>
        h(
          "button",
          {
            type: "button",
            role: "tab",
            id: `${this.table.id}-tab-${index}`,
            "aria-selected": String(index === this.chosen),
            "aria-controls": this.table.id,
            tabindex: index === this.chosen ? 0 : -1,
            on: {
              click: () => this.choose(index),
              keydown: (/** @type {KeyboardEvent} */ event) => {
                const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
                if (step) this.choose((index + step + sheets.length) % sheets.length);
              },
            },
          },
          sheet.name,
        ),
      ),
    );
    const sheet = sheets[this.chosen];
    if (!sheet) return fill(this.table);
    this.table.setAttribute("aria-labelledby", `${this.table.id}-tab-${this.chosen}`);
    this.table.dir = sheet.mirrored ? "rtl" : "";
    const groups = sheet.columns.some((/** @type {any} */ column) => column.headGroup);
    const count = sheet.lines.filter((/** @type {any} */ line) => line.kind === "row").length;
    let row = 0;
    return fill(
      this.table,
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            { class: "ed-letters", "aria-hidden": "true" },
            h("td", {}),
            sheet.columns.map((/** @type {any} */ _, /** @type {number} */ index) =>
              h("td", {}, letters(index)),
            ),
          ),
          groups
            ? h(
                "tr",
                {},
                h("td", { class: "ed-row-number", "aria-hidden": "true" }, String(++row)),
                runs(sheet.columns).map(([text, span]) =>
                  h("th", { colspan: span, scope: "colgroup" }, text),
                ),
              )
            : null,
          h(
            "tr",
            {},
            h("td", { class: "ed-row-number", "aria-hidden": "true" }, String(++row)),
            sheet.columns.map((/** @type {any} */ column) =>
              h(
                "th",
                { scope: "col", class: `ed-${column.align}` },
                column.head,
                column.formula ? h("span", { class: "ed-fx", title: "A live formula" }, "fx") : null,
              ),
            ),
          ),
        ),
        h(
          "tbody",
          {},
          sheet.lines.map((/** @type {any} */ line) =>
            h(
              "tr",
              { class: `ed-line-${line.kind}` },
              h("td", { class: "ed-row-number", "aria-hidden": "true" }, String(++row)),
              line.kind === "group"
                ? h("td", { colspan: sheet.columns.length }, line.title)
                : line.cells.map((/** @type {string} */ cell, /** @type {number} */ index) =>
                    h("td", { class: `ed-${sheet.columns[index].align}` }, cell),
                  ),
            ),
          ),
        ),
      ),
      sheet.count > count ? h("p", { class: "ed-help", dir: "ltr" }, `The first ${count} of ${sheet.count} rows.`) : null,
    );
  }

  /** @param {number} index */
  choose(index) {
    this.chosen = index;
    this.draw();
    /** @type {HTMLElement|null} */ (this.tabs.children[index])?.focus();
  }
}

/** @param {number} index @returns {string} `A`, `B`, ..., `AA` */
function letters(index) {
  return index < 26
    ? String.fromCharCode(65 + index)
    : letters(Math.floor(index / 26) - 1) + letters(index % 26);
}

/** @param {any[]} columns @returns {[string, number][]} neighbours that share a head above theirs */
function runs(columns) {
  /** @type {[string, number][]} */ const found = [];
  for (const column of columns) {
    const last = found.at(-1);
    if (last && column.headGroup && last[0] === column.headGroup) last[1] += 1;
    else found.push([column.headGroup, 1]);
  }
  return found;
}
