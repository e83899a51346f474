/* All pages one under the other. Each has its room from the first moment, so nothing shifts; only the visible ones and
   their neighbours have pictures. */
import { element } from "../shared/ui.js";
import { createSheet, firstMark } from "./sheet.js";

const ABOVE = 0.25;
const ZOOMS = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3];

/** `turned(page)` is called when another page is the one looked at. */
export function mountStrip(scroller, { turned }) {
  const state = { view: null, sheets: [], page: 1, zoom: 1, waiting: false, anchor: null, marks: {} };
  const strip = element("div.strip", { dir: "ltr" });
  const near = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        const sheet = state.sheets[Number(/** @type {HTMLElement} */ (entry.target).dataset.page) - 1];
        if (entry.isIntersecting) sheet?.load();
        else sheet?.unload();
      }
    },
    { root: scroller, rootMargin: "100% 0px" },
  );

  function show(view) {
    near.disconnect();
    state.view = view;
    state.page = 0;
    state.anchor = null;
    state.sheets = view.sizes.map((_, index) => createSheet(view, index + 1));
    strip.replaceChildren(...state.sheets.map((sheet) => sheet.node));
    scroller.replaceChildren(strip);
    zoomTo(1);
    for (const sheet of state.sheets) near.observe(sheet.node);
  }

  function clear() {
    near.disconnect();
    state.sheets = [];
    state.anchor = null;
    strip.replaceChildren();
  }

  /** What is highlighted on which page. */
  function mark(marks, words) {
    for (const sheet of state.sheets) sheet.mark(marks[sheet.number], words);
    state.marks = marks;
  }

  /** To the top of a page, or to what is highlighted on it. */
  function goTo(page, { marked = false } = {}) {
    const sheet = state.sheets[page - 1];
    if (!sheet) return false;
    const found = marked ? state.marks?.[page] : null;
    const first = firstMark(found);
    const inside = first ? first[1] * sheet.node.clientHeight - ABOVE * scroller.clientHeight : -8;
    scroller.scrollTop = sheet.node.offsetTop + inside;
    if (first) scroller.scrollLeft = sheet.node.offsetLeft + first[0] * sheet.node.clientWidth - 24;
    see(page);
    keep();
    return true;
  }

  function see(page) {
    if (page === state.page) return;
    state.page = page;
    turned(page);
  }

  /** The page that is looked at, and how far down it: to be kept when the room changes. */
  function keep() {
    const node = state.sheets[state.page - 1]?.node;
    state.anchor = node ? [node, (scroller.scrollTop - node.offsetTop) / node.clientHeight] : null;
  }

  function restore() {
    if (!state.anchor) return;
    const [node, share] = state.anchor;
    scroller.scrollTop = node.offsetTop + share * node.clientHeight;
    for (const sheet of state.sheets) if (sheet.node.classList.contains("drawn")) sheet.load();
  }

  function looked() {
    state.waiting = false;
    const line = scroller.scrollTop + scroller.clientHeight / 3;
    let low = 0;
    let high = state.sheets.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (state.sheets[middle].node.offsetTop <= line) low = middle;
      else high = middle - 1;
    }
    if (!state.sheets.length) return;
    see(low + 1);
    keep();
  }

  scroller.addEventListener("scroll", () => {
    if (state.waiting || !state.sheets.length) return;
    state.waiting = true;
    requestAnimationFrame(looked);
  });

  /** The place that is looked at stays where it is. */
  function zoomTo(zoom) {
    state.zoom = zoom;
    strip.style.setProperty("--zoom", zoom);
    restore();
    return zoom;
  }

  function zoomBy(step) {
    const index = ZOOMS.findIndex((each) => each >= state.zoom);
    return zoomTo(ZOOMS[Math.min(ZOOMS.length - 1, Math.max(0, index + step))]);
  }

  new ResizeObserver(restore).observe(scroller);
  return { show, clear, mark, goTo, zoomTo, zoomBy, page: () => state.page, zoom: () => state.zoom };
}
