/* The page of a citation in the panel: its image with the quotation highlighted, above the passage's text. */
import { send } from "../shared/bus.js";
import { busy } from "../shared/timing.js";
import { button, element, iconButton } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { addressOf, fetched, problemNode } from "./fetch.js";
import { Sheet, firstMark, numbersOf } from "./sheet.js";

const ZOOMS = [1, 1.25, 1.5, 2, 3];
/** Share of the page that is left free next to the highlight. */
const ROOM = 0.03;
/** Share of the frame that is left above the highlight. */
const ABOVE = 0.35;

/** @param {HTMLElement} card */
export async function mountPageCard(card) {
  const { documentId = "", itemId, quote = "", page } = card.dataset;
  if (!page) {
    card.hidden = true;
    return;
  }
  card.innerHTML = '<div class="pane" tabindex="0" role="group"></div><div class="turn"></div>';
  const asked = { item: itemId, quote: quote.slice(0, 4000), page, ...cellOf(card) };
  /** @type {[Fetched<DocumentView>, Fetched<Place>]} */
  const [view, place] = await busy(card, Promise.all([fetched(addressOf(documentId, "info")), fetched(addressOf(documentId, "place", asked))]));
  if (view.problem) {
    card.querySelector(".pane").replaceChildren(problemNode(view.problem, () => mountPageCard(card)));
  } else if (view.kind === "pages") {
    new PageCard(card, view, place.problem ? { page: Number(page), marks: {}, found: "nothing", passage: "" } : place).listen();
  } else {
    card.hidden = true;
    card.closest(".evidence").querySelector("footer [data-open-page]").hidden = false;
  }
}

class PageCard {
  /** @param {HTMLElement} card @param {DocumentView} view @param {Place} place */
  constructor(card, view, place) {
    this.card = card;
    this.view = view;
    this.place = place;
    this.pane = card.querySelector(".pane");
    this.zoom = firstZoom(place);
    this.numbers = element("span.numbers");
    this.back = tool("viewer.previous", "M14 6l-6 6 6 6", () => this.go(this.sheet.number - 1), "flips");
    this.on = tool("viewer.next", "M10 6l6 6-6 6", () => this.go(this.sheet.number + 1), "flips");
    this.less = tool("viewer.zoom_out", "M6 12h12", () => this.zoomTo(ZOOMS.findLast((each) => each < this.zoom)), "scales");
    this.more = tool("viewer.zoom_in", "M12 6v12M6 12h12", () => this.zoomTo(ZOOMS.find((each) => each > this.zoom)), "scales");
    this.sheet = new Sheet(view, Math.min(view.pages, place.page || Number(card.dataset.page)));
  }

  /** @param {number} page */
  go(page) {
    const { view, place } = this;
    if (page < 1 || page > view.pages) return;
    this.sheet = new Sheet(view, page);
    this.sheet.mark(place.marks[page], place.cell || this.card.dataset.quote);
    this.pane.replaceChildren(this.sheet.node);
    const { of, printed } = numbersOf(view, page);
    this.numbers.textContent = [`${page} ${of}`, printed].filter(Boolean).join(" · ");
    this.back.disabled = page === 1;
    this.on.disabled = page === view.pages;
    this.fit();
  }

  /** @param {number | undefined} zoom */
  zoomTo(zoom) {
    if (!zoom) return;
    this.zoom = zoom;
    this.fit();
  }

  fit() {
    const { node, number } = this.sheet;
    this.less.disabled = this.zoom <= ZOOMS[0];
    this.more.disabled = this.zoom >= ZOOMS[ZOOMS.length - 1];
    node.style.inlineSize = `${100 * this.zoom}%`;
    this.sheet.load();
    const marked = this.place.marks[number];
    const first = firstMark(marked);
    this.pane.scrollTop = first ? first[1] * node.clientHeight - ABOVE * this.pane.clientHeight : 0;
    this.pane.scrollLeft = (extent(marked)[0] - ROOM) * node.clientWidth;
  }

  /** Full width. @param {{ table?: number }} [more] */
  open(more = {}) {
    const { documentId = "", itemId, quote } = this.card.dataset;
    send("palimpsest:open", { document: documentId, page: this.sheet.number, item: itemId, quote, view: this.view, place: this.place, cell: cellOf(this.card), ...more });
  }

  listen() {
    const { card, pane, place } = this;
    const { table } = place;
    const tabled = typeof table === "number" ? [tool("viewer.table", "M4 5h16v14H4zM4 10h16M10 5v14", () => this.open({ table }))] : [];
    const open = button(t("viewer.open_page"), () => this.open(), "quiet open");
    card.querySelector(".turn").replaceChildren(this.back, this.numbers, this.on, this.less, this.more, ...tabled, open);
    pane.setAttribute("aria-label", t("viewer.page"));
    this.go(this.sheet.number);
    pane.addEventListener("click", (/** @type {{ target: Element }} */ { target }) => target.closest(".sheet") && this.open());
    pane.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const step = { PageDown: 1, PageUp: -1 }[event.key];
      if (event.key === "Enter") this.open();
      if (!step) return;
      this.go(this.sheet.number + step);
      event.preventDefault();
    });
    card.querySelector(".note")?.remove();
    if (place.found === "nothing") pane.after(element("p.note", {}, t("viewer.not_found")));
  }
}

/** The cell that an element names, for the server. @param {HTMLElement} named @returns {NamedCell} */
export function cellOf({ dataset: { inTable, row, column } }) {
  return inTable === undefined ? {} : { table: inTable, row, column };
}

/** The left and right ends of the highlight on the page. @param {Marks | undefined} marked */
function extent(marked) {
  const boxes = [...(marked?.passage || []), ...(marked?.quote || []), ...(marked?.cell || [])];
  if (!boxes.length) return [0, 1];
  return [Math.min(...boxes.map((box) => box[0])), Math.max(...boxes.map((box) => box[0] + box[2]))];
}

/** The page's margins may be cropped, but not the highlight. @param {Place} place */
function firstZoom(place) {
  const [begin, end] = extent(place.marks[place.page ?? 1]);
  return Math.min(1.6, Math.max(1, 1 / (end - begin + 2 * ROOM)));
}

/** @param {string} words @param {string} path @param {() => unknown} action @param {string} kind */
const tool = (words, path, action, kind = "") => iconButton(path, t(words), action, `tool icon ${kind}`);
