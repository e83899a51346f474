/* One page: its picture at the sharpness of the screen, and what is highlighted on it. */
import { element } from "../shared/ui.js";
import { addressOf, fetched, problemNode } from "./fetch.js";
import { t } from "../shared/words.js";

const LARGEST_RATIO = 2.5;

/** `view` is what /info tells; `number` counts from 1. */
export function createSheet(view, number) {
  const [width, height] = view.sizes[number - 1];
  const node = element("div.sheet", { "data-page": number });
  node.style.aspectRatio = `${width} / ${height}`;
  const marks = element("div.marks");
  const told = element("p.only-read");
  node.append(marks, told);
  let image = null;
  let asked = 0;

  /** Ask for the picture, unless one as wide is there or on its way. */
  function load() {
    const wanted = Math.ceil(node.clientWidth * Math.min(devicePixelRatio || 1, LARGEST_RATIO));
    if (!wanted || wanted <= asked) return;
    asked = wanted;
    const next = new Image();
    next.alt = t("viewer.alt", { page: number, title: view.title });
    next.decoding = "async";
    next.draggable = false;
    next.addEventListener("load", () => {
      image?.remove();
      image = next;
      node.querySelector(".problem")?.remove();
      node.prepend(next);
      node.classList.add("drawn");
    });
    next.addEventListener("error", () => failed(next.src));
    next.src = addressOf(view.id, `pages/${number}.webp`, { w: wanted });
  }

  async function failed(address) {
    asked = 0;
    if (image) return;
    const reply = await fetched(address);
    node.querySelector(".problem")?.remove();
    if (reply?.problem) node.append(problemNode(reply.problem, load));
  }

  /** Let go of the picture of a page that is far away. */
  function unload() {
    image?.remove();
    image = null;
    asked = 0;
    node.classList.remove("drawn");
  }

  /** Rectangles in fractions of the page; `words` are what a screen reader is told of them. */
  function mark({ passage = [], quote = [], cell = [] } = {}, words = "") {
    const row = cell.length ? "row" : "quote";
    marks.replaceChildren(...passage.map((each) => box(each, "passage")), ...quote.map((each) => box(each, row)), ...cell.map((each) => box(each, "cell")));
    told.textContent = words && (cell.length || quote.length || passage.length) ? t("viewer.highlighted", { text: words }) : "";
  }

  function box([left, top, across, down], kind) {
    const part = element("i", { class: kind });
    const percent = (share) => `${(100 * share).toFixed(3)}%`;
    Object.assign(part.style, { left: percent(left), top: percent(top), width: percent(across), height: percent(down) });
    return part;
  }

  return { node, number, load, unload, mark };
}

/** What of the marks of a page is to be looked at first: the cell, the quote, the passage. */
export function firstMark(marked) {
  return [marked?.cell, marked?.quote, marked?.passage].find((boxes) => boxes?.length)?.[0] || null;
}

/** "p. 60 of 160 · printed 58", as parts. */
export function numbersOf(view, number) {
  const label = view.labels?.[number - 1];
  return {
    of: t("viewer.of", { count: view.pages }),
    printed: label && label !== String(number) ? t("viewer.printed", { label }) : "",
  };
}
