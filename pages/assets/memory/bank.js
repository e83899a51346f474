/* The memory bank: a thousand entries, filtered while typing, edited in place, archived, deleted and restored. */
import { call } from "../shared/server.js";
import { turns } from "../shared/timing.js";
import { Part, button, choice, element, onClick, pressed, showToast, tally } from "../shared/ui.js";
import { folded, t } from "../shared/words.js";
import { facts, number, states, undoableOf, unfolding, when, whole } from "./draw.js";
import { TAGS, entryForm } from "./form.js";
import { added } from "./search.js";

const DRAWN = 16;

/** @param {string} tag */
const tagName = (tag) => (TAGS.includes(tag) ? t(`memory.tag_${tag}`) : tag);

/** @typedef {MemoryRow & { sought: string }} Item */
/** @param {MemoryRow} item @returns {Item} */
const sought = (item) => ({ ...item, sought: folded(item.text) });

/** @extends {Part<MemoryServer>} */
export class Bank extends Part {
  /** @type {Set<string>} tags */
  wanted = new Set();
  status = "active";
  /** @type {Item[] | null} */
  entries = null;
  /** @type {Item[]} */
  shown = [];
  drawn = 0;
  asking = turns();

  /** @param {HTMLElement} root @param {MemoryServer} server */
  constructor(root, server) {
    super(root, server);
    this.list = root.querySelector(".items");
    this.rest = root.querySelector(".rest");
    this.filter = root.querySelector("[data-filter]");
    this.state = states(root.querySelector(".state"));
    this.filter.addEventListener("input", () => this.entries && this.draw());
    onClick(root, "[data-add]", () => this.add());
    onClick(root, "[data-status]", (asked) => this.choose(asked.dataset.status));
    new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && this.more(), { rootMargin: "600px" }).observe(this.rest);
  }

  isBeingWritten() {
    return Boolean(this.list.querySelector("form.entry"));
  }

  show() {
    if (!this.isBeingWritten()) this.load();
  }

  /** @param {string} status */
  choose(status) {
    this.status = status;
    this.entries = null;
    this.list.replaceChildren();
    return this.load();
  }

  /** @returns {Promise<unknown>} */
  async load() {
    const isLast = this.asking();
    const writing = this.isBeingWritten();
    for (const each of this.root.querySelectorAll("[data-status]")) pressed(each, each.dataset.status === this.status);
    if (!this.entries) this.state.loading();
    const [stats, reply] = await Promise.all([call(this.server.bank_stats), call(this.server.list_bank, { status: this.status === "archived" ? "archived" : "active" })]);
    // If the user started writing in the meantime, the form stays.
    if (!isLast() || (this.isBeingWritten() && !writing)) return undefined;
    if (!stats || !reply) return this.entries ? undefined : this.state.failed(() => this.load());
    this.meter(stats);
    const entries = reply.items.map(sought);
    if (this.areUnfolded(entries)) return undefined;
    this.entries = entries;
    this.find(".stats").hidden = this.status !== "stats";
    this.find(".filters").hidden = this.status === "stats";
    if (this.status === "stats") return this.drawFigures(stats);
    this.chips(this.entries);
    return this.draw();
  }

  /** Redrawing would close parts that the user opened while the entries were loading. @param {Item[]} entries */
  areUnfolded(entries) {
    return Boolean(this.list.querySelector("details[open]")) && JSON.stringify(entries) === JSON.stringify(this.entries);
  }

  /** @param {BankStats} stats */
  meter({ statuses, capacity }) {
    const count = statuses.active || 0;
    const bar = this.find("progress");
    const words = t("memory.meter", { count: count.toLocaleString(), most: capacity.toLocaleString() });
    bar.max = capacity;
    bar.value = count;
    bar.classList.toggle("nearly", count > 0.9 * capacity);
    bar.setAttribute("aria-label", words);
    this.find(".meter span").textContent = words;
  }

  /** @param {BankStats} stats */
  drawFigures({ statuses, tags, mean_quality }) {
    this.list.replaceChildren();
    this.rest.hidden = true;
    this.state.clear();
    const most = Math.max(1, ...Object.values(tags));
    const rows = Object.entries(tags).filter(([tag]) => tag).sort((one, other) => other[1] - one[1]).map(([tag, count]) => {
      const bar = element("i", { style: `inline-size: ${(100 * count) / most}%` });
      return element("li", {}, element("span", {}, tagName(tag)), element("span.track", { "aria-hidden": "true" }, bar), element("b", {}, count));
    });
    const figure = (/** @type {string} */ label, /** @type {string | number} */ value) => element("div", {}, element("dt", {}, label), element("dd", {}, value));
    const figures = [figure(t("memory.active"), statuses.active || 0), figure(t("memory.archived"), statuses.archived || 0), figure(t("memory.mean"), number(mean_quality))];
    this.find(".stats").replaceChildren(element("dl", {}, ...figures), element("h3", {}, t("memory.tags")), element("ul", {}, ...rows));
  }

  /** @param {Item[]} entries */
  chips(entries) {
    const sorted = [...tally(entries.flatMap((item) => item.tags))].sort((one, other) => other[1] - one[1]);
    const chip = (/** @type {[string, number]} */ [tag, count]) => choice("button.chip", { "data-tag": tag }, this.wanted, tag, [tagName(tag), element("small", {}, count)], () => this.draw());
    this.find("[data-tags]").replaceChildren(...sorted.map(chip));
  }

  /* -- the list: only entries near the window are drawn ------------------------------- */
  draw() {
    /** @type {Item[]} */
    const entries = this.entries ?? [];
    const words = folded(this.filter.value).split(/\s+/).filter(Boolean);
    this.shown = entries.filter((item) => words.every((word) => item.sought.includes(word)) && (!this.wanted.size || item.tags.some((tag) => this.wanted.has(tag))));
    this.drawn = 0;
    this.list.replaceChildren();
    this.more();
    if (!entries.length) return this.status === "archived" ? this.state.empty(t("memory.archive_empty")) : this.state.empty(t("memory.bank_empty"), t("memory.bank_empty_hint"));
    if (!this.shown.length) return this.state.empty(t("memory.no_match"));
    const key = this.shown.length < entries.length ? "memory.shown" : "memory.all_shown";
    return this.state.say(element("p.count", {}, t(key, { count: this.shown.length, most: entries.length })));
  }

  more() {
    this.list.append(...this.shown.slice(this.drawn, this.drawn + DRAWN).map((item) => this.row(item)));
    this.drawn = Math.min(this.shown.length, this.drawn + DRAWN);
    this.rest.hidden = this.drawn >= this.shown.length;
  }

  /** @param {Item} item */
  row(item) {
    const always = item.always_inject && element("span.always-mark", { title: t("memory.always") }, t("memory.always_mark"));
    const act = (/** @type {string} */ label, /** @type {() => unknown} */ action) => button(t(label), action, "quiet");
    const { server } = this;
    const archive = item.status === "archived" ? act("memory.restore", () => this.change(item, server.restore_bank_item, "memory.was_restored", server.archive_bank_item)) : act("memory.archive", () => this.change(item, server.archive_bank_item, "memory.was_archived", server.restore_bank_item));
    const remove = act("shared.remove", () => this.change(item, server.delete_bank_item, "memory.was_deleted", server.undelete_bank_item));
    /** @type {HTMLElement} */
    const node = element(
      "li.item",
      { "data-memory": item.id },
      whole(item),
      element("div.facts", {}, ...item.tags.map((tag) => element("span.tag", {}, tagName(tag))), always, element("span", {}, t("memory.worth", { score: number(item.score) })), element("span", {}, when(item.updated_at))),
      element("div.acts", {}, act("memory.edit", () => this.edit(item, node)), archive, remove, item.texts > 1 && this.versions(item)),
    );
    return node;
  }

  /* -- changing ----------------------------------------------------------------------- */
  /** @param {Item} item @param {HTMLElement} node */
  edit(item, node) {
    const form = entryForm(
      { text: item.text, tags: item.tags, always: item.always_inject },
      (entry) => this.server.update_bank_item({ ...entry, memory_id: item.id, if_version: item.version }),
      (reply) => {
        form.replaceWith(reply ? this.replaced(reply.item) : node);
        if (reply && reply.item.text !== item.text) showToast(t("memory.was_saved"));
        this.find(`[data-memory="${item.id}"] .acts button`)?.focus();
      },
    );
    node.replaceWith(form);
    form.querySelector("textarea").focus();
  }

  /** @param {MemoryRow} fresh */
  replaced(fresh) {
    const now = sought(fresh);
    const swap = (/** @type {Item} */ each) => (each.id === now.id ? now : each);
    this.entries = this.entries?.map(swap) ?? null;
    this.shown = this.shown.map(swap);
    return this.row(now);
  }

  /** @param {Item} item */
  versions(item) {
    const back = async (/** @type {VersionRow} */ version) => {
      const reply = await call(this.server.restore_bank_version, { memory_id: item.id, version_id: version.id });
      if (!reply) return;
      showToast(t("memory.text_back"));
      this.list.querySelector(`[data-memory="${item.id}"]`)?.replaceWith(this.replaced(reply.item));
    };
    const read = async () =>
      (await call(this.server.bank_versions, { memory_id: item.id }))?.versions.map((each) =>
        element("div.version", {}, element("p.text", { dir: "auto" }, each.text), facts(t(`memory.reason_${each.reason}`), when(each.at)), button(t("memory.use_text"), () => back(each), "quiet")),
      );
    return unfolding(t("memory.versions"), read, t("memory.no_versions"));
  }

  /** @param {Item} item @param {Action<{ memory_id: string }, ItemReply>} action @param {string} words @param {Action<{ memory_id: string }, ItemReply>} undo */
  async change(item, action, words, undo) {
    if (!(await call(action, { memory_id: item.id }))) return;
    undoableOf(t(words), item.text, async () => {
      await call(undo, { memory_id: item.id });
      await this.load();
    });
    await this.load();
  }

  add() {
    const place = this.find(".adding");
    const form = entryForm({ label: t("memory.add_one") }, (entry) => this.server.add_bank_item(entry), async (reply) => {
      place.replaceChildren();
      this.find("[data-add]").focus();
      if (!reply) return;
      added(reply, this.server, () => this.load());
      await (this.status === "active" ? this.load() : this.choose("active"));
    });
    place.replaceChildren(form);
    form.querySelector("textarea").focus();
  }
}
