/**
 * Pages of a PDF, sharp on any screen. A new document takes the place of the old one page by page, behind the
 * scenes, so that nothing flickers and the place one looks at stays.
 */

import { h } from "./dom.js";

const MARGIN = 16; // CSS pixels around a page
const LARGEST = 16_000_000; // pixels of a canvas; browsers refuse much larger ones
const NEAR = 800; // CSS pixels beyond the edge that are drawn already

export class PdfView {
  /** @param {HTMLElement} holder scrolls @param {{library: string, worker: string}} urls */
  constructor(holder, urls) {
    this.holder = holder;
    this.urls = urls;
    this.zoom = "fit";
    /** @type {any} */ this.library = null;
    /** @type {any} */ this.document = null;
    /** @type {any[]} */ this.pages = [];
    /** @type {{box: HTMLElement, drawn: string}[]} */ this.slots = [];
    this.asked = 0; // how often a file was given
    this.generation = 0; // how often one took the place of another
    /** Called when the size of a page becomes known; until then it is taken for that of the first. */
    this.onSize = () => {};
    holder.addEventListener("scroll", () => this.drawVisible(), { passive: true });
    new ResizeObserver(() => {
      if (this.document) this.layout();
    }).observe(holder);
  }

  async start() {
    if (this.library) return;
    const library = await import(this.urls.library);
    library.GlobalWorkerOptions.workerSrc = this.urls.worker;
    this.worker = new library.PDFWorker({});
    this.library = library;
  }

  /** Show another file. @param {ArrayBuffer} file @param {string} [password] @returns {Promise<number>} how many pages it has */
  async show(file, password) {
    await this.start();
    const asked = ++this.asked;
    const task = this.library.getDocument({
      data: new Uint8Array(file),
      password,
      worker: this.worker,
      isEvalSupported: false,
      useWasm: false,
      useSystemFonts: false,
      enableXfa: false,
      stopAtErrors: false,
    });
    let found, first;
    try {
      found = await task.promise;
      first = await found.getPage(1);
    } catch (error) {
      task.destroy(); // the worker would keep a file that nobody shows
      throw error;
    }
    if (asked !== this.asked) {
      task.destroy();
      return found.numPages;
    }
    this.generation += 1;
    const old = this.task;
    this.task = task;
    this.document = found;
    this.pages = [first];
    while (this.slots.length > found.numPages) this.slots.pop()?.box.remove();
    this.layout();
    await this.drawVisible();
    old?.destroy();
    return found.numPages;
  }

  /** The factor of the present zoom. @param {any} page */
  scale(page) {
    if (this.zoom !== "fit") return Number(this.zoom) * (96 / 72);
    const { width } = page.getViewport({ scale: 1 });
    return Math.max(0.2, (this.holder.clientWidth - 2 * MARGIN) / width);
  }

  /** The zoom in percent of the printed size. */
  percent() {
    return this.pages[0] ? Math.round(this.scale(this.pages[0]) * 75) : 100;
  }

  /** @param {string} zoom `fit` or a factor */
  setZoom(zoom) {
    const middle =
      (this.holder.scrollTop + this.holder.clientHeight / 2) / Math.max(1, this.holder.scrollHeight);
    this.zoom = zoom;
    this.layout();
    this.holder.scrollTop = middle * this.holder.scrollHeight - this.holder.clientHeight / 2;
    this.drawVisible();
  }

  /** Make a box per page, as large as the page will be. */
  layout() {
    const count = this.document.numPages;
    while (this.slots.length < count) {
      const box = h("div", { class: "ed-page" });
      this.slots.push({ box, drawn: "" });
      this.holder.append(box);
    }
    this.slots.forEach((slot, index) => this.size(slot, this.pages[index] ?? this.pages[0]));
    this.drawVisible();
  }

  /** @param {{box: HTMLElement}} slot @param {any} page */
  size(slot, page) {
    const viewport = page.getViewport({ scale: this.scale(page) });
    slot.box.style.width = `${Math.floor(viewport.width)}px`;
    slot.box.style.height = `${Math.floor(viewport.height)}px`;
  }

  async drawVisible() {
    const top = this.holder.scrollTop - NEAR;
    const bottom = this.holder.scrollTop + this.holder.clientHeight + NEAR;
    const seen = this.slots
      .map((slot, index) => ({ slot, index }))
      .filter(({ slot }) => slot.box.offsetTop + slot.box.offsetHeight > top && slot.box.offsetTop < bottom);
    // What lies far away is given back: a long document would fill the memory.
    this.slots.forEach((slot) => {
      if (slot.drawn && !seen.some((each) => each.slot === slot)) {
        slot.box.querySelector("canvas")?.remove();
        slot.drawn = "";
      }
    });
    await Promise.all(seen.map(({ slot, index }) => this.draw(slot, index)));
  }

  /** @param {{box: HTMLElement, drawn: string}} slot @param {number} index */
  async draw(slot, index) {
    const { generation, document: shown } = this;
    const isNew = !this.pages[index];
    const page = this.pages[index] ?? (await shown.getPage(index + 1));
    if (generation !== this.generation) return;
    this.pages[index] = page;
    this.size(slot, page);
    if (isNew) this.onSize();
    const scale = this.scale(page);
    const plain = page.getViewport({ scale });
    const sharp = Math.min(window.devicePixelRatio || 1, Math.sqrt(LARGEST / (plain.width * plain.height)));
    const key = `${generation} ${scale} ${sharp}`;
    if (slot.drawn === key) return;
    slot.drawn = key;
    const viewport = page.getViewport({ scale: scale * sharp });
    const canvas = h("canvas", {
      width: Math.floor(viewport.width),
      height: Math.floor(viewport.height),
      role: "img",
      "aria-label": `Page ${index + 1} of ${shown.numPages}`,
    });
    // Letters where the document has them: on plain screens browsers move them to whole pixels otherwise.
    canvas.getContext("2d", { alpha: false }).textRendering = "geometricPrecision";
    try {
      await page.render({ canvas, viewport }).promise;
    } catch (error) {
      if (generation !== this.generation) return;
      throw error;
    }
    if (slot.drawn !== key) return;
    slot.box.querySelector("canvas")?.remove();
    slot.box.prepend(canvas);
  }

  /** The size of a page in points, null while there is none. @param {number} index */
  pageSize(index) {
    const page = this.pages[index] ?? this.pages[0];
    return page ? page.getViewport({ scale: 1 }) : null;
  }

  /** Which page the pointer is on, and where in points from its upper left corner. @param {MouseEvent} event */
  pointAt(event) {
    const page = this.slots.findIndex((slot) => slot.box.contains(/** @type {Node} */ (event.target)));
    const size = page < 0 ? null : this.pageSize(page);
    if (!size) return null;
    const box = this.slots[page].box.getBoundingClientRect();
    return {
      page,
      x: ((event.clientX - box.left) / box.width) * size.width,
      y: ((event.clientY - box.top) / box.height) * size.height,
    };
  }
}
