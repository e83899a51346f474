/* Next to the pages: search with its hits, and the outline with links. */
import { afterPause, latest } from "../shared/timing.js";
import { element, fill } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { addressOf, fetched, problemNode } from "./fetch.js";

const PAUSE_MS = 200;

/** @typedef {{ goTo: (heading: Heading) => void, hits: (words: string) => Promise<Fetched<SearchHits>>, chosen: (hit: SearchHit) => unknown, tabled: (number: number) => void }} Viewer */

/** @param {(string | Node)[]} parts @param {number | null | undefined} page @param {() => unknown} action */
const row = (parts, page, action) => element("li", {}, element("button", { onclick: action }, element("bdi", {}, ...parts), page && element("small", {}, page)));

/** @param {SearchHits} found */
function counted({ hits, total }) {
  if (!hits.length) return t("viewer.no_hits");
  if (total === hits.length) return t("viewer.hits", { count: total });
  return t(hits[0].dataset ? "viewer.hits_of" : "viewer.most_hits", { count: total, shown: hits.length });
}

export class Side {
  /** @type {DocumentView | null} */
  view = null;
  /** @type {Heading[]} */
  outline = [];
  searching = latest();
  /** @type {SearchHit[]} */
  found = [];
  /** The number of the current hit, counted from 0; -1 before the first one. */
  current = -1;
  searched = "";

  /** @param {HTMLElement} dialog @param {Viewer} viewer */
  constructor(dialog, viewer) {
    this.viewer = viewer;
    this.side = dialog.querySelector(".side");
    this.button = dialog.querySelector("[data-side]");
    this.field = this.part("find");
    const soon = afterPause(PAUSE_MS, () => this.search());
    this.field.addEventListener("input", soon);
    this.field.addEventListener("keydown", async (/** @type {KeyboardEvent} */ { key, shiftKey }) => {
      if (key !== "Enter") return;
      soon.cancel();
      if (this.searched !== this.field.value) await this.search();
      this.step(shiftKey ? -1 : 1);
    });
    this.steps = dialog.querySelector(".found");
    this.steps.querySelector("[data-found-previous]").addEventListener("click", () => this.step(-1));
    this.steps.querySelector("[data-found-next]").addEventListener("click", () => this.step(1));
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
    this.list({ hits: [], total: 0 });
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
    const words = this.field.value;
    const reply = await this.searching(this.viewer.hits(words));
    if (!reply) return;
    this.searched = words;
    this.list(reply.problem ? { hits: [], total: 0 } : reply);
    if (reply.problem) this.part("hits").replaceChildren(problemNode(reply.problem, () => this.search()));
  }

  /** @param {SearchHits} reply */
  list(reply) {
    this.found = reply.hits;
    this.current = -1;
    this.part("hits").replaceChildren(...this.found.map((hit, place) => row([`…${hit.before}`, element("mark", {}, hit.match), `${hit.after}…`], hit.page ?? hit.row, () => this.choose(place))));
    this.part("count").textContent = this.field.value.trim() ? counted(reply) : "";
    this.sayCurrent();
  }

  /** Shows the next hit, or the previous one; after the last comes the first. @param {number} step */
  step(step) {
    const count = this.found.length;
    if (count) this.choose(this.current < 0 && step < 0 ? count - 1 : (this.current + step + count) % count);
  }

  /** @param {number} place */
  choose(place) {
    this.current = place;
    this.viewer.chosen(this.found[place]);
    this.sayCurrent();
  }

  /** The bar over the document; rows of a table are shown in a view of their own. */
  sayCurrent() {
    const { found, current } = this;
    this.steps.hidden = !found.length || Boolean(found[0].dataset);
    this.steps.querySelector("[data-found]").textContent = current < 0 ? t("viewer.hits", { count: found.length }) : t("viewer.hit_of", { number: current + 1, count: found.length });
    [...this.part("hits").children].forEach((node, place) => node.firstElementChild?.setAttribute("aria-current", place === current));
    this.part("hits").children[current]?.scrollIntoView({ block: "nearest" });
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
