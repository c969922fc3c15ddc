/** The half of the editor that shows the document: its bar, pages or sheets, and what data they are made with. */

import { missingIn } from "./datacheck.js";
import { fill, h, uid } from "./dom.js";
import { PdfView } from "./pdfview.js";
import { Pointing } from "./pointing.js";
import { Preview } from "./preview.js";
import { SheetView } from "./sheetview.js";

/** @typedef {import("./paths.js").Path} Path */

const SLOW = 700; // milliseconds of drawing before it is said
const STEPS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3];

/** @param {string} id @returns {any} */
const el = (id) => document.getElementById(id);

export class PreviewPane {
  /**
   * @param {import("./form.js").Context} context
   * @param {{url: string, library: string, worker: string, label: (path: Path) => string, choose: (path: Path) => void,
   *   onProblems: (list: any[]) => void, onVariables: (variables: any[]) => void, onData: () => void,
   *   onSample: (index: number) => void, openSamples: () => void}} parts
   */
  constructor(context, parts) {
    this.context = context;
    this.store = context.store;
    this.parts = parts;
    this.opened = "";
    this.isBehind = false; // what is shown is not what there is
    /** @type {any} */ this.slow = null; // says that it goes on, where that takes a while
    this.drawn = 0; // the `structure` of the content that is shown
    this.pdf = new PdfView(el("ed-pdf"), { library: parts.library, worker: parts.worker });
    this.sheets = new SheetView(el("ed-xlsx"));
    this.pointing = new Pointing(this.pdf, {
      selected: () => this.store.selected,
      label: parts.label,
      choose: parts.choose,
    });
    /** @type {boolean} whether the selected section has not been shown yet */ this.isSought = false;
    this.store.subscribe((change) => {
      // Where sections stand now is known with the next document: a click on the old one would meet another section.
      if (this.store.structure !== this.drawn) this.pointing.show(null);
      if (change.kind === "select" || change.kind === "structure") this.isSought = true;
    });
    this.preview = new Preview(parts.url, this.store, {
      onDocument: (...drawn) => this.show(...drawn),
      onProblems: parts.onProblems,
      onVariables: parts.onVariables,
      onState: (state, note) => this.tell(state, note),
    });
    el("ed-zoom-in").addEventListener("click", () => this.zoom(1));
    el("ed-zoom-out").addEventListener("click", () => this.zoom(-1));
    el("ed-zoom-fit").addEventListener("click", () => this.fit());
    el("ed-sample").addEventListener("change", () => parts.onSample(Number(el("ed-sample").value)));
    el("ed-hint").addEventListener("click", () => parts.openSamples());
    new ResizeObserver(() => {
      this.showZoom();
      this.follow(); // on a phone it may have been behind the form
    }).observe(el("ed-pdf"));
    this.drawFormats();
    this.drawSamples();
  }

  /**
   * Show a document.
   * @param {string} format @param {ArrayBuffer} file @param {any} result
   * @param {number} structure of the content that was drawn: its sections are found in one of the same structure
   */
  async show(format, file, result, structure) {
    this.store.made = result.data ?? {};
    this.parts.onData();
    this.tellData();
    const asSheet = result.sheets.length > 0;
    el("ed-pdf").hidden = asSheet;
    el("ed-xlsx").hidden = !asSheet;
    el("ed-zoom-fit").hidden = el("ed-zoom-in").hidden = el("ed-zoom-out").hidden = asSheet;
    this.offer(format, file);
    if (asSheet) {
      this.sheets.show(result.sheets);
      el("ed-pages").textContent = result.sheets.length === 1 ? "1 sheet" : `${result.sheets.length} sheets`;
      return;
    }
    const pages = await this.pdf.show(file, result.password);
    el("ed-pages").textContent = pages === 1 ? "1 page" : `${pages} pages`;
    this.showZoom();
    this.drawn = structure;
    this.pointing.show(structure === this.store.structure ? result.areas : null);
    this.follow();
  }

  /** Show where the section stands that was selected, added or moved; typing moves no page. */
  follow() {
    if (this.isSought && this.pointing.reveal()) this.isSought = false;
  }

  /** Let the document be opened outside of the editor. @param {string} format @param {ArrayBuffer} file */
  offer(format, file) {
    URL.revokeObjectURL(this.opened);
    this.opened = URL.createObjectURL(
      new Blob([file.slice(0)], { type: format === "pdf" ? "application/pdf" : "application/octet-stream" }),
    );
    el("ed-open").href = this.opened;
    el("ed-open").hidden = false;
    if (format === "pdf") el("ed-open").removeAttribute("download");
    else el("ed-open").download = `${this.store.doc.name || "preview"}.${format}`;
  }

  /** @param {string} state @param {string} note */
  tell(state, note) {
    el("ed-state").dataset.state = state;
    if (state === "busy") this.slow ??= setTimeout(() => (el("ed-state-text").textContent = "Drawing…"), SLOW);
    else {
      clearTimeout(this.slow);
      this.slow = null;
      el("ed-state-text").textContent = note;
    }
    this.isBehind = state === "stale" || state === "offline";
    el("ed-state").classList.toggle("ed-long", note.length > 30);
    el("ed-stage").classList.toggle("ed-stale", this.isBehind);
    el("ed-app").dataset.previews = String(this.preview.count);
  }

  /** Say where the values on paper come from, where that may surprise: made up, or not there. */
  tellData() {
    const missing = this.store.isMadeUp ? [] : missingIn(this.store.variables, this.store.data());
    const names = missing.join(", ");
    el("ed-hint").hidden = !this.store.isMadeUp && !missing.length;
    el("ed-hint").textContent = this.store.isMadeUp
      ? "Made-up data"
      : missing.length === 1
        ? `No value for ${missing[0]}`
        : `${missing.length} without a value`;
    el("ed-hint").title = this.store.isMadeUp
      ? "The values are made up from the variables. Write your own in the tab Sample data."
      : `The sample data has no value for ${names}. Give one in the tab Sample data.`;
    // A document without variables shows no data at all.
    if (this.store.isMadeUp && !Object.keys(this.store.made).length) el("ed-hint").hidden = true;
  }

  drawFormats() {
    const { preview, store } = this;
    const name = uid("format");
    const known = store.doc.formats.filter((format) => this.context.data.formats.includes(format));
    if (!known.includes(preview.format)) preview.format = known[0] ?? "pdf";
    el("ed-formats").hidden = known.length < 2;
    fill(
      el("ed-formats"),
      known.map((format) => {
        const input = h("input", {
          type: "radio",
          name,
          id: uid("radio"),
          value: format,
          checked: format === preview.format,
          on: {
            change: () => {
              preview.format = format;
              preview.now();
            },
          },
        });
        return [input, h("label", { for: input.id }, format.toUpperCase())];
      }),
    );
  }

  drawSamples() {
    const { store } = this;
    fill(
      el("ed-sample"),
      h("option", { value: "-1", selected: store.sample < 0 }, `${this.context.data.defaultSample} sample`),
      store.doc.samples.map((sample, index) =>
        h("option", { value: String(index), selected: store.sample === index }, sample.name),
      ),
    );
    el("ed-sample").parentElement.hidden = store.doc.samples.length === 0;
  }

  // ------------------------------------------------------------ zoom

  showZoom() {
    if (this.pdf.document) el("ed-zoom-fit").textContent = `${this.pdf.percent()}%`;
  }

  fit() {
    if (!this.pdf.document) return;
    this.pdf.setZoom("fit");
    this.showZoom();
  }

  /** @param {number} by */
  zoom(by) {
    if (!this.pdf.document) return;
    const now = this.pdf.percent() / 100;
    const next =
      by > 0 ? STEPS.find((step) => step > now + 0.01) : STEPS.findLast((step) => step < now - 0.01);
    this.pdf.setZoom(String(next ?? now));
    this.showZoom();
  }
}
