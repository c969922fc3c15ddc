/**
 * The sections on the pages of the preview: what the pointer is on, what is selected, and a click that selects.
 * The outline does the same by key.
 */

import { h } from "./dom.js";
import { parsePath, samePath } from "./paths.js";

/** @typedef {import("./paths.js").Path} Path */
/** @typedef {{places: string[], pages: number[][][]}} Areas as of `Areas.as_json` in the service */

export class Pointing {
  /**
   * @param {import("./pdfview.js").PdfView} view
   * @param {{selected: () => Path|null, label: (path: Path) => string, choose: (path: Path) => void}} parts
   */
  constructor(view, parts) {
    this.view = view;
    this.parts = parts;
    /** @type {Path[]} */ this.places = [];
    /** @type {number[][][]} */ this.pages = [];
    this.frame = h("div", { class: "ed-area ed-area-pointed" });
    /** @type {HTMLElement[]} */ this.marks = [];
    view.onSize = () => this.mark();
    view.holder.addEventListener("pointermove", (event) => this.point(event));
    view.holder.addEventListener("pointerleave", () => this.frame.remove());
    view.holder.addEventListener("click", (event) => {
      const found = this.at(event);
      if (found) parts.choose(found.path);
    });
  }

  /** Take the areas of the document that is shown now. @param {Areas|null} areas */
  show(areas) {
    this.places = (areas?.places ?? []).map(parsePath);
    this.pages = areas?.pages ?? [];
    this.frame.remove();
    this.mark();
  }

  /** Frame the selected section wherever it stands. */
  mark() {
    for (const mark of this.marks) mark.remove();
    const selected = this.parts.selected();
    const index = selected ? this.places.findIndex((place) => samePath(place, selected)) : -1;
    this.marks = [];
    if (index < 0) return;
    this.pages.forEach((areas, page) => {
      for (const area of areas)
        if (area[0] === index) this.marks.push(this.framed(h("div", { class: "ed-area" }), page, area));
    });
  }

  /**
   * Bring the selected section into sight, if nothing of it is.
   * @returns {boolean} whether it is, as far as it is on a page
   */
  reveal() {
    const { holder } = this.view;
    if (!this.marks.length || !holder.clientHeight) return false;
    const top = (/** @type {HTMLElement} */ mark) => /** @type {any} */ (mark.parentElement).offsetTop + mark.offsetTop;
    const isSeen = this.marks.some(
      (mark) => top(mark) < holder.scrollTop + holder.clientHeight && top(mark) + mark.offsetHeight > holder.scrollTop,
    );
    if (!isSeen) holder.scrollTop = top(this.marks[0]) - holder.clientHeight / 4;
    return true;
  }

  /** The innermost area under the pointer. @param {MouseEvent} event */
  at(event) {
    const point = this.view.pointAt(event);
    if (!point) return null;
    const [x, y] = [point.x, point.y];
    const under = (this.pages[point.page] ?? []).filter(
      ([, left, top, width, height]) => x >= left && x <= left + width && y >= top && y <= top + height,
    );
    const area = under.sort((a, b) => a[3] * a[4] - b[3] * b[4])[0];
    return area ? { area, page: point.page, path: this.places[area[0]] } : null;
  }

  /** @param {PointerEvent} event */
  point(event) {
    const found = event.pointerType === "touch" ? null : this.at(event);
    const selected = this.parts.selected();
    if (!found || (selected && samePath(found.path, selected))) {
      this.frame.remove();
      return;
    }
    this.frame.dataset.label = this.parts.label(found.path);
    this.framed(this.frame, found.page, found.area);
  }

  /** Lay a frame over an area, in parts of the page: so it stays there at any zoom. @param {HTMLElement} frame @param {number} page @param {number[]} area */
  framed(frame, page, [, left, top, width, height]) {
    const size = this.view.pageSize(page);
    const box = this.view.slots[page]?.box;
    if (!box || !size) return frame;
    const [across, down] = [100 / size.width, 100 / size.height];
    frame.style.left = `${left * across}%`;
    frame.style.top = `${top * down}%`;
    frame.style.width = `${width * across}%`;
    frame.style.height = `${height * down}%`;
    if (frame.parentElement !== box) box.append(frame);
    return frame;
  }
}

