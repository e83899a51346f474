/* Next to the pages: search with its hits, and the outline with links. */
import { afterPause, latest } from "../shared/timing.js";
import { element, fill } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { addressOf, fetched, problemNode } from "./fetch.js";

const PAUSE_MS = 200;
const MOST_HITS = 200;

/** @typedef {{ goTo: (heading: Heading) => void, hits: (words: string) => Promise<Fetched<SearchHits>>, chosen: (hit: SearchHit) => unknown, tabled: (number: number) => void }} Viewer */

/** @param {(string | Node)[]} parts @param {number | null | undefined} page @param {() => unknown} action */
const row = (parts, page, action) => element("li", {}, element("button", { onclick: action }, element("bdi", {}, ...parts), page && element("small", {}, page)));

/** @param {number} found @param {number} [total] */
function counted(found, total = found) {
  if (!found) return t("viewer.no_hits");
  if (total > found) return t("viewer.hits_of", { count: total, shown: found });
  return found >= MOST_HITS ? t("viewer.most_hits", { count: MOST_HITS }) : t("viewer.hits", { count: found });
}

export class Side {
  /** @type {DocumentView | null} */
  view = null;
  /** @type {Heading[]} */
  outline = [];
  searching = latest();

  /** @param {HTMLElement} dialog @param {Viewer} viewer */
  constructor(dialog, viewer) {
    this.viewer = viewer;
    this.side = dialog.querySelector(".side");
    this.button = dialog.querySelector("[data-side]");
    this.field = this.part("find");
    const soon = afterPause(PAUSE_MS, () => this.search());
    this.field.addEventListener("input", soon);
    this.field.addEventListener("keydown", async (/** @type {KeyboardEvent} */ { key }) => {
      if (key !== "Enter") return;
      soon.cancel();
      await this.search();
      this.part("hits").querySelector("button")?.click();
    });
  }

  /** @param {string} name */
  part(name) {
    return this.side.querySelector(`[data-${name}]`);
  }

  /** @param {DocumentView} view */
  show(view) {
    this.view = view;
    this.part("tables").replaceChildren();
    this.part("tables-title").hidden = true;
    if (!this.side.hidden) this.showTables();
    this.field.value = "";
    this.part("hits").replaceChildren();
    this.part("count").textContent = "";
    this.outline = view.outline.filter((each) => each.page || view.kind === "reading");
    fill(this.part("contents"), this.outline.map((heading) => this.line(heading)), element("li.none", {}, t("viewer.no_contents")));
  }

  /** The list is loaded when the user opens it. */
  async showTables() {
    const { view } = this;
    const place = this.part("tables");
    if (!view?.tables || place.children.length) return;
    /** @type {TableRow[]} */
    const found = await fetched(addressOf(view.id, "tables"));
    if (view !== this.view || !Array.isArray(found) || place.children.length) return;
    place.replaceChildren(...found.map((each) => row([each.caption || each.sheet || t("viewer.nameless_table", { number: each.number + 1 })], each.page, () => this.viewer.tabled(each.number))));
    this.part("tables-title").hidden = !found.length;
  }

  /** @param {Heading} heading */
  line(heading) {
    const item = row([heading.title], heading.page, () => this.viewer.goTo(heading));
    item.style.setProperty("--level", String(Math.min(heading.level, 5) - 1));
    return item;
  }

  async search() {
    const reply = await this.searching(this.viewer.hits(this.field.value));
    if (!reply) return;
    const place = this.part("hits");
    if (reply.problem) return void place.replaceChildren(problemNode(reply.problem, () => this.search()));
    place.replaceChildren(...reply.hits.map((hit) => row([`…${hit.before}`, element("mark", {}, hit.match), `${hit.after}…`], hit.page ?? hit.row, () => this.viewer.chosen(hit))));
    this.part("count").textContent = this.field.value.trim() ? counted(reply.hits.length, reply.total) : "";
  }

  /** The section of the current page. @param {number} page */
  at(page) {
    const here = this.outline.findLastIndex((each) => each.page && each.page <= page);
    [...this.part("contents").children].forEach((node, index) => node.firstElementChild?.setAttribute("aria-current", index === here));
  }

  toggle(open = this.side.hidden) {
    this.side.hidden = !open;
    this.button.setAttribute("aria-expanded", open);
    if (!open) return;
    this.field.focus();
    this.showTables();
  }
}
