/* One page: its image at the screen's resolution, with highlights. */
import { element } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { addressOf, fetched, problemNode } from "./fetch.js";

const LARGEST_RATIO = 2.5;

export class Sheet {
  marks = element("div.marks");
  told = element("p.only-read");
  /** @type {HTMLImageElement | null} */
  image = null;
  /** The requested width. */
  asked = 0;

  /** `view` is the reply of /info; `number` counts from 1. @param {DocumentView} view @param {number} number */
  constructor(view, number) {
    const [width, height] = view.sizes[number - 1];
    this.view = view;
    this.number = number;
    this.node = element("div.sheet", { "data-page": number, style: `aspect-ratio: ${width} / ${height}` }, this.marks, this.told);
  }

  /** Requests the image, unless one of at least this width is loaded or loading. */
  load() {
    const wanted = Math.ceil(this.node.clientWidth * Math.min(devicePixelRatio || 1, LARGEST_RATIO));
    if (!wanted || wanted <= this.asked) return;
    this.asked = wanted;
    const alt = t("viewer.alt", { page: this.number, title: this.view.title });
    const next = element("img", { alt, decoding: "async", draggable: "false", onerror: () => this.failed(next.src) });
    next.addEventListener("load", () => {
      this.image?.remove();
      this.image = next;
      this.node.querySelector(".problem")?.remove();
      this.node.prepend(next);
      this.node.classList.add("drawn");
    });
    next.src = addressOf(this.view.id, `pages/${this.number}.webp`, { w: wanted });
  }

  /** @param {string} address */
  async failed(address) {
    this.asked = 0;
    if (this.image) return;
    const reply = await fetched(address);
    this.node.querySelector(".problem")?.remove();
    if (reply.problem) this.node.append(problemNode(reply.problem, () => this.load()));
  }

  /** Releases the image of a page that is far away. */
  unload() {
    this.image?.remove();
    this.image = null;
    this.asked = 0;
    this.node.classList.remove("drawn");
  }

  /** Rectangles in fractions of the page; `words`: text for screen readers. @param {Marks} [marks] @param {string} [words] */
  mark({ passage = [], quote = [], cell = [] } = {}, words = "") {
    const row = cell.length ? "row" : "quote";
    this.marks.replaceChildren(...passage.map((each) => box(each, "passage")), ...quote.map((each) => box(each, row)), ...cell.map((each) => box(each, "cell")));
    this.told.textContent = words && (cell.length || quote.length || passage.length) ? t("viewer.highlighted", { text: words }) : "";
  }
}

/** @param {Box} box @param {string} kind */
function box([left, top, across, down], kind) {
  const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(3)}%`;
  return element(`i.${kind}`, { style: `left: ${percent(left)}; top: ${percent(top)}; width: ${percent(across)}; height: ${percent(down)}` });
}

/** The first mark to look at on a page: the cell, the quotation, the passage. @param {Marks | null | undefined} marked */
export function firstMark(marked) {
  return [marked?.cell, marked?.quote, marked?.passage].find((boxes) => boxes?.length)?.[0] || null;
}

/** "p. 60 of 160 · printed 58", as parts. @param {DocumentView} view @param {number} number */
export function numbersOf(view, number) {
  const label = view.labels[number - 1];
  return {
    of: t("viewer.of", { count: view.pages }),
    printed: label && label !== String(number) ? t("viewer.printed", { label }) : "",
  };
}
