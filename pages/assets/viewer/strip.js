/* All pages in one column. Each has its final size from the start, so nothing shifts; only the visible ones and their neighbours have images. */
import { element } from "../shared/ui.js";
import { Sheet, firstMark } from "./sheet.js";

const ABOVE = 0.25;
const ZOOMS = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3];

export class Strip {
  strip = element("div.strip", { dir: "ltr" });
  /** @type {Sheet[]} */
  sheets = [];
  page = 1;
  zoom = 1;
  waiting = false;
  /** @type {{ node: HTMLElement, share: number } | null} the current page, and the position in it: kept when the size changes */
  anchor = null;
  /** @type {Place["marks"]} */
  marks = {};

  /** `turned(page)` is called when another page becomes the current one. @param {HTMLElement} scroller @param {(page: number) => void} turned */
  constructor(scroller, turned) {
    this.scroller = scroller;
    this.turned = turned;
    this.near = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const sheet = this.sheets[Number(target.getAttribute("data-page")) - 1];
        if (isIntersecting) sheet?.load();
        else sheet?.unload();
      }
    }, { root: scroller, rootMargin: "100% 0px" });
    scroller.addEventListener("scroll", () => {
      if (this.waiting || !this.sheets.length) return;
      this.waiting = true;
      requestAnimationFrame(() => this.look());
    });
    new ResizeObserver(() => this.restore()).observe(scroller);
  }

  /** @param {DocumentView} view */
  show(view) {
    this.clear();
    this.page = 0;
    this.sheets = view.sizes.map((_, index) => new Sheet(view, index + 1));
    this.strip.replaceChildren(...this.sheets.map((sheet) => sheet.node));
    this.scroller.replaceChildren(this.strip);
    this.zoomTo(1);
    for (const sheet of this.sheets) this.near.observe(sheet.node);
  }

  clear() {
    this.near.disconnect();
    this.sheets = [];
    this.anchor = null;
    this.strip.replaceChildren();
  }

  /** The highlights of each page. @param {Place["marks"]} marks @param {string} words */
  mark(marks, words) {
    for (const sheet of this.sheets) sheet.mark(marks[sheet.number], words);
    this.marks = marks;
  }

  /** Scrolls to the top of a page, or to the highlight on it. @param {number} page */
  goTo(page, { marked = false } = {}) {
    const node = this.sheets[page - 1]?.node;
    if (!node) return false;
    const first = marked && firstMark(this.marks[page]);
    this.scroller.scrollTop = node.offsetTop + (first ? first[1] * node.clientHeight - ABOVE * this.scroller.clientHeight : -8);
    if (first) this.scroller.scrollLeft = node.offsetLeft + first[0] * node.clientWidth - 24;
    this.see(page);
    return true;
  }

  /** @param {number} page */
  see(page) {
    const node = this.sheets[page - 1]?.node;
    if (page !== this.page) {
      this.page = page;
      this.turned(page);
    }
    this.anchor = node ? { node, share: (this.scroller.scrollTop - node.offsetTop) / node.clientHeight } : null;
  }

  restore() {
    if (!this.anchor) return;
    const { node, share } = this.anchor;
    this.scroller.scrollTop = node.offsetTop + share * node.clientHeight;
    for (const sheet of this.sheets) if (sheet.node.classList.contains("drawn")) sheet.load();
  }

  /** The current page: the one at a third of the height. */
  look() {
    this.waiting = false;
    const line = this.scroller.scrollTop + this.scroller.clientHeight / 3;
    let low = 0;
    let high = this.sheets.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.sheets[middle].node.offsetTop <= line) low = middle;
      else high = middle - 1;
    }
    if (this.sheets.length) this.see(low + 1);
  }

  /** Keeps the current position. @param {number} zoom */
  zoomTo(zoom) {
    this.zoom = zoom;
    this.strip.style.setProperty("--zoom", String(zoom));
    this.restore();
    return zoom;
  }

  /** @param {number} step */
  zoomBy(step) {
    const index = ZOOMS.findIndex((each) => each >= this.zoom);
    return this.zoomTo(ZOOMS[Math.min(ZOOMS.length - 1, Math.max(0, index + step))]);
  }
}
