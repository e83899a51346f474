/* The page of a citation in the dock: its picture with the quote highlighted, above the passage's text. */
import { send } from "../shared/bus.js";
import { element } from "../shared/ui.js";
import { addressOf, fetched, problemNode } from "./fetch.js";
import { createSheet, firstMark, numbersOf } from "./sheet.js";
import { t } from "../shared/words.js";

const ZOOMS = [1, 1.25, 1.5, 2, 3];
const ROOM = 0.03;
/** Share of the page that is left free beside what is highlighted. */
const ABOVE = 0.35;
/** Share of the frame that is left above what is highlighted. */

export function mountPageCards(root) {
  for (const card of root.querySelectorAll("[data-page-card]")) mountPageCard(card);
}

async function mountPageCard(card) {
  if (!card.dataset.page) {
    card.hidden = true;
    return;
  }
  const { documentId, itemId, quote } = card.dataset;
  card.setAttribute("aria-busy", "true");
  card.innerHTML = '<div class="pane" tabindex="0" role="group"></div><div class="turn"></div>';
  const pane = card.querySelector(".pane");
  const asked = { item: itemId, quote: quote.slice(0, 4000), page: card.dataset.page, ...cellOf(card) };
  const [view, place] = await Promise.all([fetched(addressOf(documentId, "info")), fetched(addressOf(documentId, "place", asked))]);
  card.removeAttribute("aria-busy");
  if (!view || view.problem) {
    pane.replaceChildren(problemNode(view?.problem, () => mountPageCard(card)));
    return;
  }
  if (view.kind !== "pages") {
    card.hidden = true;
    card.closest(".evidence").querySelector("footer [data-open-page]").hidden = false;
    return;
  }
  draw(card, pane, view, place.problem ? { page: Number(card.dataset.page), marks: {}, found: "nothing" } : place);
}

function draw(card, pane, view, place) {
  const { documentId, itemId, quote } = card.dataset;
  const state = { page: place.page, zoom: firstZoom(place), sheet: null };
  const turn = card.querySelector(".turn");
  const numbers = element("span.numbers");
  const back = tool("viewer.previous", "M14 6l-6 6 6 6", () => go(state.page - 1), "flips");
  const on = tool("viewer.next", "M10 6l6 6-6 6", () => go(state.page + 1), "flips");
  const less = tool("viewer.zoom_out", "M6 12h12", () => zoom(-1), "scales");
  const more = tool("viewer.zoom_in", "M12 6v12M6 12h12", () => zoom(1), "scales");
  const open = element("button.quiet.open", {}, t("viewer.open_page"));
  turn.replaceChildren(back, numbers, on, less, more, open);
  pane.setAttribute("aria-label", t("viewer.page"));

  function go(page) {
    if (page < 1 || page > view.pages) return;
    state.page = page;
    state.sheet = createSheet(view, page);
    state.sheet.mark(place.marks[page], place.cell || quote);
    pane.replaceChildren(state.sheet.node);
    const { of, printed } = numbersOf(view, page);
    numbers.textContent = [`${page} ${of}`, printed].filter(Boolean).join(" · ");
    back.disabled = page === 1;
    on.disabled = page === view.pages;
    fit();
  }

  function zoom(step) {
    const other = step > 0 ? ZOOMS.find((each) => each > state.zoom) : ZOOMS.findLast((each) => each < state.zoom);
    if (!other) return;
    state.zoom = other;
    fit();
  }

  function fit() {
    less.disabled = state.zoom <= ZOOMS[0];
    more.disabled = state.zoom >= ZOOMS[ZOOMS.length - 1];
    state.sheet.node.style.inlineSize = `${100 * state.zoom}%`;
    state.sheet.load();
    const marked = place.marks[state.page];
    const first = firstMark(marked);
    pane.scrollTop = first ? first[1] * state.sheet.node.clientHeight - ABOVE * pane.clientHeight : 0;
    const [begin] = extent(marked);
    pane.scrollLeft = (begin - ROOM) * state.sheet.node.clientWidth;
  }

  const opened = (more = {}) => send("palimpsest:open", { document: documentId, page: state.page, item: itemId, quote, view, place, cell: cellOf(card), ...more });
  open.addEventListener("click", () => opened());
  if (typeof place.table === "number") open.before(tool("viewer.table", "M4 5h16v14H4zM4 10h16M10 5v14", () => opened({ table: place.table })));
  pane.addEventListener("click", (event) => event.target.closest(".sheet") && opened());
  pane.addEventListener("keydown", (event) => {
    if (event.key === "Enter") opened();
    if (event.key === "PageDown") go(state.page + 1);
    if (event.key === "PageUp") go(state.page - 1);
    if (["PageDown", "PageUp"].includes(event.key)) event.preventDefault();
  });
  go(state.page);
  card.querySelector(".note")?.remove();
  if (place.found === "nothing") pane.after(element("p.note", {}, t("viewer.not_found")));
}

/** The cell that an element names, for the server. */
export function cellOf({ dataset: { inTable, row, column } }) {
  return inTable === undefined ? {} : { table: inTable, row, column };
}

/** Where what is highlighted begins and ends across the page. */
function extent(marked) {
  const boxes = [...(marked?.passage || []), ...(marked?.quote || []), ...(marked?.cell || [])];
  if (!boxes.length) return [0, 1];
  return [Math.min(...boxes.map((box) => box[0])), Math.max(...boxes.map((box) => box[0] + box[2]))];
}

/** The margins of the page may go, what is highlighted may not. */
function firstZoom(place) {
  const [begin, end] = extent(place.marks[place.page]);
  return Math.min(1.6, Math.max(1, 1 / (end - begin + 2 * ROOM)));
}

export function tool(words, path, action, kind = "") {
  const button = element("button", { class: `tool icon ${kind}`, title: t(words), "aria-label": t(words) });
  button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
  button.addEventListener("click", action);
  return button;
}
