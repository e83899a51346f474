/* Tiers: counts, scores, ages, time left; memories due for promotion and why; the memories of one tier by page. */
import { call } from "../shared/server.js";
import { latest } from "../shared/timing.js";
import { Part, button, element, onClick, pressed, showToast } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { TAKEN_OUT, ago, badge, facts, historyOf, lasting, moved, number, sorts, states, used, when, whole } from "./draw.js";

/** @type {Record<Tier, string[]>} */
const SORTS = { working: ["newest", "score", "uses", "expires"], history: ["newest", "score", "uses", "expires"], patterns: ["newest", "score", "uses"], books: ["newest"], memory_bank: ["newest", "score"] };

/** @extends {Part<MemoryServer>} */
export class Tiers extends Part {
  /** @type {MemoryStats | null} */
  stats = null;
  /** @type {Tier} */
  tier = "working";
  /** @type {(string | null)[]} where each visited page begins */
  cursors = [null];
  paging = latest();
  loading = latest();
  foreseeing = latest();

  /** @param {HTMLElement} root @param {MemoryServer} server */
  constructor(root, server) {
    super(root, server);
    this.cards = root.querySelector(".cards");
    this.due = root.querySelector(".due-body");
    this.list = root.querySelector(".items");
    this.sort = root.querySelector("[data-sort]");
    this.state = states(root.querySelector(".state"));
    onClick(root, "[data-page=previous]", () => {
      this.cursors.pop();
      this.page();
    });
  }

  /** Only the last of several loads is drawn: a late reply to an earlier one would close what the user opened. */
  async show() {
    if (!this.stats) this.state.loading();
    const reply = await this.loading(call(this.server.memory_stats));
    if (reply === undefined) return;
    this.stats = reply || this.stats;
    if (!this.stats) return void this.state.failed(() => this.show());
    this.drawCards(this.stats);
    await Promise.all([this.foresee(this.stats), this.begin()]);
  }

  /** @param {MemoryStats} stats */
  drawCards(stats) {
    this.cards.replaceChildren(...stats.tiers.map((view) => pressed(this.card(view, stats), view.tier === this.tier)));
  }

  /** @param {TierView} view @param {MemoryStats} stats */
  card(view, stats) {
    const choose = () => {
      this.tier = view.tier;
      this.drawCards(stats);
      this.begin();
      this.cards.querySelector(`[data-tier=${this.tier}]`).focus();
    };
    return element(
      "button.card",
      { "data-tier": view.tier, onclick: choose },
      element("header", {}, badge(view.tier), element("strong.count", {}, view.count.toLocaleString())),
      element("small", {}, t(`memory.kind_${view.tier}`)),
      view.tier !== "books" && histogram(view),
      element("small.age", {}, view.oldest ? t("memory.oldest", { age: ago(view.oldest) }) : t("memory.none_here")),
      view.expiring > 0 && element("small.soon", {}, t("memory.expiring", { count: view.expiring, time: lasting(view.soon) })),
      view.rises_to && element("small", {}, t("memory.rises", { tier: t(`memory.tier_${view.rises_to}`), score: number(view.rises_score), uses: view.rises_uses })),
    );
  }

  /* -- memories that are due ---------------------------------------------------------- */
  /** @param {MemoryStats} stats */
  async foresee(stats) {
    const reply = await this.foreseeing(call(this.server.promote_memory, { dry_run: true }));
    if (reply) this.drawDue(reply, stats);
  }

  /** @param {Due} due @param {MemoryStats} stats */
  drawDue({ moves }, stats) {
    if (!moves.length) {
      this.due.replaceChildren(element("p.hint", {}, t("memory.due_none", { minutes: stats.promote_minutes })), button(t("memory.look_again"), () => this.foresee(stats), "quiet"));
      return;
    }
    const reason = (/** @type {Move} */ move) => (move.reason === "promoted" ? t("memory.because_promoted", { score: number(move.score), uses: move.uses }) : t(`memory.reason_${move.reason}`, { score: number(stats.archive_below) }));
    const rows = moves.map((move) => element("li", {}, element("b", {}, moved(move)), ` · ${reason(move)}`, move.text && whole(move)));
    this.due.replaceChildren(element("p", {}, t("memory.would_move", { count: moves.length })), element("ul", {}, ...rows), button(t("memory.promote"), () => this.promote(), "primary", { "data-promote": true }));
  }

  async promote() {
    const reply = await call(this.server.promote_memory, { dry_run: false });
    if (!reply) return;
    showToast(reply.busy ? t("memory.busy") : t("memory.moved", { count: reply.moves.length }));
    await this.show();
  }

  /* -- one tier ----------------------------------------------------------------------- */
  begin() {
    sorts(this.sort, SORTS[this.tier], () => this.begin());
    this.cursors = [null];
    this.find("[data-list-title]").textContent = t(`memory.tier_${this.tier}`);
    return this.page();
  }

  async page() {
    const reply = await this.paging(call(this.server.list_tier, { tier: this.tier, sort: this.sort.value, after: this.cursors.at(-1) ?? null }));
    if (reply === undefined) return;
    const pager = this.find(".pager");
    this.list.replaceChildren();
    pager.hidden = true;
    if (!reply) return void this.state.failed(() => this.page());
    if (!reply.items.length) return void this.state.empty(t("memory.none_here"), this.emptyHint());
    this.state.clear();
    this.list.replaceChildren(...reply.items.map((item) => this.row(item)));
    const next = this.find("[data-page=next]");
    pager.hidden = this.cursors.length === 1 && !reply.next;
    this.find("[data-page=previous]").disabled = this.cursors.length === 1;
    next.disabled = !reply.next;
    next.onclick = () => {
      this.cursors.push(reply.next);
      this.page();
    };
    this.find("[data-page-number]").textContent = t("memory.page", { number: this.cursors.length });
  }

  emptyHint() {
    const views = this.stats?.tiers ?? [];
    const lifetime = views.find((each) => each.tier === this.tier)?.lifetime;
    return t(`memory.none_${this.tier}`, { time: lifetime ? lasting(lifetime) : "", uses: views[0]?.rises_uses });
  }

  /** @param {MemoryRow} item */
  row(item) {
    const scored = !["books", "memory_bank"].includes(item.tier);
    const worth = item.tier !== "books" && t(scored ? "memory.score" : "memory.worth", { score: number(item.score) });
    const history = historyOf(() => call(this.server.memory_history, { memory_id: item.id }), number(this.stats?.archive_below ?? null));
    return element("li.item", { "data-memory": item.id }, item.title && element("bdi.from", {}, item.title), whole(item), facts(TAKEN_OUT.includes(item.kind) && t(`memory.as_${item.kind}`), worth, scored && used(item), when(item.created_at), timeLeft(item)), element("div.acts", {}, history));
  }
}

/** @param {MemoryRow} item */
function timeLeft({ tier, expires_at }) {
  if (!expires_at) return tier !== "books" && t("memory.stays");
  const seconds = expires_at - Date.now() / 1000;
  return seconds > 0 ? t("memory.expires_in", { time: lasting(seconds) }) : t("memory.over");
}

/** @param {TierView} view */
function histogram({ scores }) {
  const most = Math.max(1, ...scores);
  const label = t("memory.distribution", { counts: scores.join(", ") });
  const bars = scores.map((count) => element("i", { style: `block-size: ${count ? `${Math.max(8, (100 * count) / most)}%` : "1px"}` }));
  return element("span.bars", { role: "img", "aria-label": label, title: label }, ...bars);
}
