/* The document itself, full width: opened from anywhere with `palimpsest:open` {document, page?, item?, quote?, table?, cell?}. */
import { on } from "../shared/bus.js";
import { element } from "../shared/ui.js";
import { cellOf } from "./page-card.js";
import { addressOf, fetched, problemNode } from "./fetch.js";
import { mountReading } from "./reading.js";
import { mountSide } from "./side.js";
import { numbersOf } from "./sheet.js";
import { mountStrip } from "./strip.js";
import { mountTable } from "./table.js";
import { t, translate } from "../shared/words.js";

const OPEN = "palimpsest:open";
const NARROW = "(max-width: 768px)";

export async function mountViewer() {
  const dialog = element("dialog.pal-viewer");
  dialog.innerHTML = await (await fetch("/page/viewer/viewer.html")).text();
  document.body.append(dialog);
  const viewer = buildViewer(dialog);
  on(OPEN, viewer.open);
  addEventListener(OPEN, (event) => viewer.open(/** @type {CustomEvent} */ (event).detail));
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element && target.closest("[data-open-page]");
    if (!button) return;
    const { documentId, itemId, quote, page } = button.dataset;
    viewer.open({ document: documentId, item: itemId || null, quote: quote || "", page: Number(page) || null, cell: cellOf(button) });
  });
}

const NOWHERE = { marks: {}, found: "nothing", passage: "" };

/** @returns {{ document: string, page: ?number, item: ?string, quote: string, view: any, place: any, table: ?number, cell: any }} with what was left out */
const completed = ({ document: id, page = null, item = null, quote = "", view = null, place = null, table = null, cell = {} }) => ({ document: id, page, item, quote, view, place, table, cell });

/** Where in the document it stands, if a passage or a cell of it was named. */
async function placeOf({ document: id, page, item, quote, cell }) {
  if (!item && !quote && !cell.table) return NOWHERE;
  return fetched(addressOf(id, "place", { item, quote: quote.slice(0, 4000), page, ...cell }));
}

function buildViewer(dialog) {
  const part = (name) => dialog.querySelector(name);
  const scroller = part(".scroller");
  const state = { view: null, place: null, asked: 0, opener: null };
  const strip = mountStrip(scroller, { turned });
  const reading = mountReading(scroller);
  const table = mountTable(part(".tabled"), { closed: () => scroller.focus() });
  const side = mountSide(dialog, { goTo, hits, chosen, tabled });

  /* -- opening and closing ------------------------------------------------------------ */
  /** @param {{ document: string } & Record<string, any>} given a document, and what of it: a page, a passage with its quote, a table, a cell */
  async function open(given) {
    const wanted = completed(given);
    const mine = (state.asked += 1);
    if (!dialog.open) {
      state.opener = document.activeElement;
      dialog.showModal();
    }
    begin(wanted.document);
    const [seen, found] = await Promise.all([wanted.view || fetched(addressOf(wanted.document, "info")), wanted.place || placeOf(wanted)]);
    if (mine !== state.asked || !dialog.open) return;
    if (!seen || seen.problem) return fail(seen?.problem, () => open(wanted));
    return arrived(wanted, seen, found?.problem ? NOWHERE : found);
  }

  async function arrived({ page, item, quote, cell, table: number }, view, place) {
    Object.assign(state, { view, place, cell });
    // The page that a cell names is where its passage begins; the cell may stand on the next one.
    await show({ page: place.cell ? null : page, item, quote });
    if (number !== null) tabled(number);
    else if (cell.table && view.kind !== "pages") tabled(Number(cell.table));
  }

  function begin(wanted) {
    translate(dialog);
    dialog.setAttribute("aria-label", t("viewer.viewer"));
    dialog.setAttribute("aria-busy", "true");
    dialog.dataset.kind = "";
    part("[data-title]").textContent = "";
    part("[data-where]").textContent = "";
    part("[data-original]").href = addressOf(wanted, "original");
    part("[data-table]").hidden = true;
    say("");
    table.close();
    strip.clear();
    scroller.replaceChildren(element("div.sheet.waiting"));
    scroller.focus();
  }

  function fail(problem, again) {
    dialog.removeAttribute("aria-busy");
    scroller.replaceChildren(problemNode(problem, again));
  }

  /** @param {{ page?: number, item?: string, quote?: string }} wanted */
  async function show({ page, item, quote }) {
    const { view, place } = state;
    dialog.dataset.kind = view.kind;
    part("[data-title]").textContent = view.title;
    part("[data-where]").textContent = view.filename === view.title ? "" : view.filename;
    part("[data-table]").hidden = place.table === null || place.table === undefined;
    side.show(view);
    let found = place.found;
    if (view.kind === "pages") showPages(page, quote);
    else found = await showReading(quote);
    dialog.removeAttribute("aria-busy");
    const sought = quote || (view.kind === "pages" && place.cell);
    if (sought && found === "nothing") say(t("viewer.not_found"));
    else if (quote && item && found === "passage") say(t("viewer.passage_only"));
  }

  function showPages(page, quote) {
    const { view, place } = state;
    strip.show(view);
    strip.mark(place.marks, place.cell || quote || place.passage.slice(0, 300));
    const wanted = Math.min(view.pages, page || place.page || 1);
    strip.goTo(wanted, { marked: Boolean(place.marks[wanted]) });
  }

  async function showReading(quote) {
    const { view, place } = state;
    const reply = await fetched(addressOf(view.id, "reading"));
    if (!reply || reply.problem) {
      fail(reply?.problem, () => show({ quote }));
      return "quote";
    }
    reading.show(reply.html);
    scroller.scrollTop = 0;
    return reading.mark(place.passage, quote);
  }

  function close() {
    state.asked += 1;
    strip.clear();
    scroller.replaceChildren();
    if (state.opener?.isConnected) state.opener.focus();
  }

  function say(words) {
    const note = part(".note");
    note.textContent = words;
    note.hidden = !words;
  }

  /* -- moving ------------------------------------------------------------------------- */
  function turned(page) {
    const { of, printed } = numbersOf(state.view, page);
    part("[data-number]").value = page;
    part("[data-of]").textContent = of;
    part("[data-printed]").textContent = printed;
    part("[data-previous]").disabled = page <= 1;
    part("[data-next]").disabled = page >= state.view.pages;
    side.at(page);
  }

  function turn(step) {
    if (state.view?.kind === "pages") strip.goTo(strip.page() + step);
    else scroller.scrollBy({ top: step * 0.9 * scroller.clientHeight });
  }

  function goTo(heading) {
    if (state.view.kind === "pages") strip.goTo(heading.page);
    else reading.goToHeading(heading.title);
    if (matchMedia(NARROW).matches) side.toggle(false);
  }

  function tabled(number) {
    if (matchMedia(NARROW).matches) side.toggle(false);
    const { row, column } = Number(state.cell?.table) === number ? state.cell : {};
    table.open(state.view.id, number, { row, column });
  }

  /** What the searched words are found as; on pages the server knows, in a text the page itself. */
  async function hits(words) {
    if (state.view.kind !== "pages") return { hits: reading.find(words) };
    return words.trim() ? fetched(addressOf(state.view.id, "search", { q: words })) : { hits: [] };
  }

  async function chosen(hit) {
    if (matchMedia(NARROW).matches) side.toggle(false);
    if (hit.node) return hit.node.scrollIntoView({ block: "center" });
    const asked = { item: hit.item_id, lead: hit.before, quote: hit.match, page: hit.page };
    const place = await fetched(addressOf(state.view.id, "place", asked));
    if (!place || place.problem) return strip.goTo(hit.page || 1);
    const marks = Object.fromEntries(Object.entries(place.marks).map(([page, each]) => [page, { quote: each.quote }]));
    strip.mark(place.found === "quote" ? marks : place.marks, hit.match);
    return strip.goTo(place.page || hit.page || 1, { marked: true });
  }

  function zoom(step) {
    const now = step ? strip.zoomBy(step) : strip.zoomTo(1);
    dialog.style.setProperty("--text-zoom", now);
    part("[data-fit]").textContent = `${Math.round(100 * now)}%`;
  }

  /* -- what is clicked and typed ------------------------------------------------------ */
  const clicks = {
    "[data-close]": () => dialog.close(),
    "[data-previous]": () => turn(-1),
    "[data-next]": () => turn(1),
    "[data-larger]": () => zoom(1),
    "[data-smaller]": () => zoom(-1),
    "[data-fit]": () => zoom(0),
    "[data-side]": () => side.toggle(),
    "[data-table]": () => tabled(state.place.table),
  };
  for (const [name, action] of Object.entries(clicks)) part(name).addEventListener("click", action);
  part("[data-number]").addEventListener("change", (event) => {
    const page = Number(event.target.value);
    if (!strip.goTo(page)) event.target.value = strip.page();
  });
  const keys = {
    ArrowRight: () => turn(forward()),
    ArrowLeft: () => turn(-forward()),
    PageDown: () => turn(1),
    PageUp: () => turn(-1),
    Home: () => strip.goTo(1),
    End: () => strip.goTo(state.view?.pages || 1),
    "+": () => zoom(1),
    "=": () => zoom(1),
    "-": () => zoom(-1),
    0: () => zoom(0),
  };
  const forward = () => (document.documentElement.dir === "rtl" ? -1 : 1);
  dialog.addEventListener("keydown", (event) => {
    event.stopPropagation(); // what lies behind has keys of its own
    const typing = event.target.matches("input, textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !table.closed() || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  dialog.addEventListener("cancel", (event) => {
    if (table.closed()) return;
    event.preventDefault();
    table.close();
  });
  dialog.addEventListener("close", close);
  on("language", () => dialog.open && translate(dialog));
  zoom(0);
  return { open };
}
