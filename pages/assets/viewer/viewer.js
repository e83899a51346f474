/* The document viewer, in full width: opened from anywhere with `palimpsest:open` {document, page?, item?, quote?, table?, cell?}. */
import { address, lead, on } from "../shared/bus.js";
import { turns } from "../shared/timing.js";
import { element, onClick } from "../shared/ui.js";
import { forward, t, translate } from "../shared/words.js";
import { addressOf, fetched, problemNode } from "./fetch.js";
import { cellOf } from "./page-card.js";
import { Reading } from "./reading.js";
import { numbersOf } from "./sheet.js";
import { Side } from "./side.js";
import { Strip } from "./strip.js";
import { mountTable } from "./table.js";

const OPEN = "palimpsest:open";
const NARROW = "(max-width: 768px)";

/** @type {Place} */
const NOWHERE = { marks: {}, found: "nothing", passage: "" };

/** The position in the document, if a passage or a cell of it was named. @param {OpenedDocument} wanted @returns {Promise<Fetched<Place>>} */
async function placeOf({ document: id, page, item, quote = "", cell = {} }) {
  if (!item && !quote && !cell.table) return NOWHERE;
  return fetched(addressOf(id, "place", { item, quote: quote.slice(0, 4000), page, ...cell }));
}

class Viewer {
  /** @type {DocumentView | null} the displayed document; null while it is loading */
  view = null;
  place = NOWHERE;
  /** @type {NamedCell} */
  cell = {};
  /** @type {Element | null} the element that had the focus before */
  opener = null;
  asking = turns();

  /** @param {HTMLDialogElement} dialog */
  constructor(dialog) {
    this.dialog = dialog;
    this.scroller = this.part(".scroller");
    this.strip = new Strip(this.scroller, (page) => this.turned(page));
    this.reading = new Reading(this.scroller);
    this.table = mountTable(this.part(".tabled"), () => this.scroller.focus());
    this.side = new Side(dialog, { goTo: (heading) => this.goTo(heading), hits: (words) => this.hits(words), chosen: (hit) => this.chosen(hit), tabled: (number) => this.tabled(number) });
    this.zoom(0);
  }

  /** @param {string} selector */
  part(selector) {
    return this.dialog.querySelector(selector);
  }

  /* -- opening and closing ------------------------------------------------------------ */
  /** @param {OpenedDocument} wanted a document, and a part of it: a page, a passage with its quotation, a table, a cell */
  async open(wanted) {
    const isLast = this.asking();
    if (!this.dialog.open) {
      this.opener = document.activeElement;
      this.dialog.showModal();
    }
    this.begin(wanted.document);
    /** @type {[Fetched<DocumentView>, Fetched<Place>]} */
    const [view, place] = await Promise.all([wanted.view || fetched(addressOf(wanted.document, "info")), wanted.place || placeOf(wanted)]);
    if (!isLast() || !this.dialog.open) return;
    if (view.problem) this.fail(view.problem, () => this.open(wanted));
    else await this.arrived(wanted, view, place.problem ? NOWHERE : place);
  }

  /** @param {OpenedDocument} wanted @param {DocumentView} view @param {Place} place */
  async arrived({ page, item, quote, cell = {}, table = null }, view, place) {
    Object.assign(this, { view, place, cell });
    // A cell names the page where its passage begins; the cell may be on the next one.
    await this.show(view, { page: place.cell ? null : page, item, quote });
    if (table !== null) this.tabled(table);
    else if (cell.table && view.kind !== "pages") this.tabled(Number(cell.table));
  }

  /** @param {string} wanted */
  begin(wanted) {
    this.view = null;
    translate(this.dialog);
    this.sayZoom(this.part("[data-fit]").textContent);
    this.dialog.setAttribute("aria-label", t("viewer.viewer"));
    this.dialog.setAttribute("aria-busy", "true");
    this.dialog.dataset.kind = "";
    this.part("[data-title]").textContent = "";
    this.part("[data-where]").textContent = "";
    this.part("[data-original]").href = addressOf(wanted, "original");
    this.part("[data-table]").hidden = true;
    this.say("");
    this.table.close();
    this.strip.clear();
    this.reading.clear();
    this.scroller.replaceChildren(element("div.sheet.waiting"));
    this.scroller.focus();
  }

  /** @param {Problem} problem @param {() => unknown} again */
  fail(problem, again) {
    this.dialog.removeAttribute("aria-busy");
    this.scroller.replaceChildren(problemNode(problem, again));
  }

  /** @param {DocumentView} view @param {Pick<OpenedDocument, "page" | "item" | "quote">} wanted */
  async show(view, { page, item, quote = "" }) {
    const { place } = this;
    this.dialog.dataset.kind = view.kind;
    this.part("[data-title]").textContent = view.title;
    this.part("[data-where]").textContent = view.filename === view.title ? "" : view.filename;
    this.part("[data-table]").hidden = place.table === null || place.table === undefined;
    this.side.show(view);
    let { found } = place;
    if (view.kind === "pages") this.showPages(view, page, quote);
    else found = await this.showReading(view, quote, item);
    this.dialog.removeAttribute("aria-busy");
    this.side.search(); // The user may have typed before the text arrived.
    const sought = quote || (view.kind === "pages" && place.cell);
    if (sought && found === "nothing") this.say(t("viewer.not_found"));
    else if (quote && item && found === "passage") this.say(t("viewer.passage_only"));
  }

  /** @param {DocumentView} view @param {number | null | undefined} page @param {string} quote */
  showPages(view, page, quote) {
    const { place } = this;
    this.strip.show(view);
    this.strip.mark(place.marks, place.cell || quote || place.passage.slice(0, 300));
    const wanted = Math.min(view.pages, page || place.page || 1);
    this.strip.goTo(wanted, { marked: Boolean(place.marks[wanted]) });
  }

  /** @param {DocumentView} view @param {string} quote @param {string | null} [item] a passage that is shown even if the document is cut before it @returns {Promise<Place["found"]>} */
  async showReading(view, quote, item) {
    const reply = await fetched(addressOf(view.id, "reading", { item }));
    if (reply.problem) {
      this.fail(reply.problem, () => this.show(view, { item, quote }));
      return "quote";
    }
    this.reading.show(reply.html);
    this.scroller.scrollTop = 0;
    return this.reading.mark(this.place.passage, quote);
  }

  close() {
    this.asking();
    this.strip.clear();
    this.scroller.replaceChildren();
    if (this.opener instanceof HTMLElement && this.opener.isConnected) this.opener.focus();
  }

  /** @param {string} words */
  say(words) {
    const note = this.part(".note");
    note.textContent = words;
    note.hidden = !words;
  }

  /* -- moving ------------------------------------------------------------------------- */
  /** @param {number} page */
  turned(page) {
    if (!this.view) return;
    const { of, printed } = numbersOf(this.view, page);
    this.part("[data-number]").value = page;
    this.part("[data-of]").textContent = of;
    this.part("[data-printed]").textContent = printed;
    this.part("[data-previous]").disabled = page <= 1;
    this.part("[data-next]").disabled = page >= this.view.pages;
    this.side.at(page);
  }

  /** @param {number} step */
  turn(step) {
    if (this.view?.kind === "pages") this.strip.goTo(this.strip.page + step);
    else this.scroller.scrollBy({ top: step * 0.9 * this.scroller.clientHeight });
  }

  /** On a narrow screen the side panel covers the pages. */
  uncover() {
    if (matchMedia(NARROW).matches) this.side.toggle(false);
  }

  /** @param {Heading} heading */
  goTo({ page, title }) {
    if (this.view?.kind === "pages") this.strip.goTo(page ?? 0);
    else this.reading.goToHeading(title);
    this.uncover();
  }

  /** @param {number} number */
  tabled(number) {
    if (!this.view) return;
    this.uncover();
    this.table.open(this.view.id, number, Number(this.cell.table) === number ? this.cell : {});
  }

  /** The matches of the search: the server finds them on pages, in the rows of a long table and in a text that is shown in part; the page itself in a text. @param {string} words @returns {Promise<Fetched<SearchHits>>} */
  async hits(words) {
    const paged = this.view?.kind === "pages";
    const shown = paged ? { hits: [], total: 0 } : this.reading.find(words);
    if (!this.view || !words.trim() || (!paged && !this.reading.isCut)) return shown;
    /** @type {Fetched<SearchHits>} */
    const reply = await fetched(addressOf(this.view.id, "search", { q: words }));
    if (reply.problem || paged) return reply;
    if (reply.rows?.total) return { hits: reply.rows.rows, total: reply.rows.total };
    return reply.total > shown.total ? reply : shown;
  }

  /** @param {SearchHit} hit */
  async chosen(hit) {
    const { view } = this;
    this.uncover();
    if (hit.dataset) return lead("library", "open-dataset", { dataset: hit.dataset, row: hit.row });
    if (hit.node || !view) return hit.node && this.reading.goToHit(hit.node);
    const asked = { item: hit.item_id, lead: hit.before, quote: hit.match, page: hit.page };
    /** @type {Fetched<Place>} */
    const place = await fetched(addressOf(view.id, "place", asked));
    if (view.kind !== "pages") {
      this.place = place.problem ? NOWHERE : place;
      return this.showReading(view, `${hit.before}${hit.match}${hit.after}`, hit.item_id);
    }
    if (place.problem) return this.strip.goTo(hit.page || 1);
    const quoted = Object.fromEntries(Object.entries(place.marks).map(([page, { quote }]) => [page, { quote }]));
    this.strip.mark(place.found === "quote" ? quoted : place.marks, hit.match);
    return this.strip.goTo(place.page || hit.page || 1, { marked: true });
  }

  /** Begins a question about this document in the chat: in the conversation that is open there, or in a new one. */
  ask() {
    const { view } = this;
    this.dialog.close();
    if (view) lead("chat", "mention", { id: view.id, title: view.title, here: address.get("tab") === "chat" || !address.get("tab") });
  }

  /** @param {number} step */
  zoom(step) {
    const now = step ? this.strip.zoomBy(step) : this.strip.zoomTo(1);
    this.dialog.style.setProperty("--text-zoom", String(now));
    this.sayZoom(`${Math.round(100 * now)}%`);
  }

  /** @param {string} share share of the page's width */
  sayZoom(share) {
    const fit = this.part("[data-fit]");
    fit.textContent = share;
    fit.title = t("viewer.zoom_fit");
    fit.setAttribute("aria-label", `${t("viewer.zoom_fit")}: ${share}`);
  }

  /* -- clicks and keys ---------------------------------------------------------------- */
  listen() {
    const clicks = {
      close: () => this.dialog.close(),
      previous: () => this.turn(-1),
      next: () => this.turn(1),
      larger: () => this.zoom(1),
      smaller: () => this.zoom(-1),
      fit: () => this.zoom(0),
      side: () => this.side.toggle(),
      table: () => this.tabled(this.place.table ?? 0),
      ask: () => this.ask(),
    };
    for (const [name, action] of Object.entries(clicks)) this.part(`[data-${name}]`).addEventListener("click", () => action());
    this.part("[data-number]").addEventListener("change", (/** @type {{ target: HTMLInputElement }} */ { target }) => {
      if (!this.strip.goTo(Number(target.value))) target.value = String(this.strip.page);
    });
    this.dialog.addEventListener("keydown", (event) => this.key(event));
    this.dialog.addEventListener("cancel", (event) => {
      if (this.table.closed()) return;
      event.preventDefault();
      this.table.close();
    });
    this.dialog.addEventListener("close", () => this.close());
    on("language", () => this.dialog.open && translate(this.dialog));
  }

  /** @type {Record<string, () => unknown>} */
  keys = {
    ArrowRight: () => this.turn(forward()),
    ArrowLeft: () => this.turn(-forward()),
    PageDown: () => this.turn(1),
    PageUp: () => this.turn(-1),
    Home: () => this.strip.goTo(1),
    End: () => this.strip.goTo(this.view?.pages || 1),
    "+": () => this.zoom(1),
    "=": () => this.zoom(1),
    "-": () => this.zoom(-1),
    0: () => this.zoom(0),
  };

  /** @param {KeyboardEvent} event */
  key(event) {
    event.stopPropagation(); // the page behind has its own keys
    const typing = event.target instanceof Element && event.target.matches("input, textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !this.table.closed() || !this.keys[event.key]) return;
    event.preventDefault();
    this.keys[event.key]();
  }
}

export async function mountViewer() {
  const dialog = element("dialog.pal-viewer");
  dialog.innerHTML = await (await fetch(new URL("./viewer.html", import.meta.url))).text();
  document.body.append(dialog);
  const viewer = new Viewer(dialog);
  viewer.listen();
  on(OPEN, (wanted) => viewer.open(wanted));
  addEventListener(OPEN, (event) => viewer.open(/** @type {CustomEvent} */ (event).detail));
  onClick(document.documentElement, "[data-open-page]", (button) => {
    const { documentId, itemId, quote, page } = button.dataset;
    viewer.open({ document: documentId, item: itemId || null, quote: quote || "", page: Number(page) || null, cell: cellOf(button) });
  });
}
