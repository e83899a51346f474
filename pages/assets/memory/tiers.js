/* Tiers: counts, scores, ages, time left; what is due and why; the memories of one tier by page. */
import { TAKEN_OUT, ago, badge, facts, historyOf, lasting, moved, number, pressed, select, states, used, when, whole } from "./draw.js";
import { call, showToast } from "../shared/notices.js";
import { element } from "../shared/ui.js";
import { t } from "../shared/words.js";

const SORTS = { working: ["newest", "score", "uses", "expires"], history: ["newest", "score", "uses", "expires"], patterns: ["newest", "score", "uses"], books: ["newest"], memory_bank: ["newest", "score"] };

export function mountTiers(root, server) {
  const cards = root.querySelector(".cards");
  const due = root.querySelector(".due-body");
  const list = root.querySelector(".items");
  const sort = root.querySelector("[data-sort]");
  const pager = root.querySelector(".pager");
  const state = states(root.querySelector(".state"));
  let stats = null;
  let tier = "working";
  let cursors = [null];
  let asked = 0;
  let loads = 0;
  let foreseen = 0;

  /** Only the last of several loads draws: an earlier one that answers late would close what was opened meanwhile. */
  async function load() {
    const mine = (loads += 1);
    if (!stats) state.loading();
    const reply = await call(server.memory_stats);
    if (mine !== loads) return null;
    stats = reply || stats;
    if (!stats) return state.failed(load);
    drawCards();
    return Promise.all([foresee(), begin()]);
  }

  function drawCards() {
    cards.replaceChildren(...stats.tiers.map(card));
  }

  function card(view) {
    const node = element(
      "button.card",
      { "data-tier": view.tier },
      element("header", {}, badge(view.tier), element("strong.count", {}, view.count.toLocaleString())),
      element("small", {}, t(`memory.kind_${view.tier}`)),
      view.tier === "books" ? null : histogram(view),
      element("small.age", {}, view.oldest ? t("memory.oldest", { age: ago(view.oldest) }) : t("memory.none_here")),
      view.expiring ? element("small.soon", {}, t("memory.expiring", { count: view.expiring, time: lasting(view.soon) })) : null,
      view.rises_to ? element("small", {}, t("memory.rises", { tier: t(`memory.tier_${view.rises_to}`), score: number(view.rises_score), uses: view.rises_uses })) : null,
    );
    node.addEventListener("click", () => {
      tier = view.tier;
      drawCards();
      begin();
      cards.querySelector(`[data-tier=${tier}]`).focus();
    });
    return pressed(node, view.tier === tier);
  }

  function histogram(view) {
    const most = Math.max(1, ...view.scores);
    const label = t("memory.distribution", { counts: view.scores.join(", ") });
    return element(
      "span.bars",
      { role: "img", "aria-label": label, title: label },
      ...view.scores.map((count) => {
        const bar = element("i");
        bar.style.blockSize = count ? `${Math.max(8, (100 * count) / most)}%` : "1px";
        return bar;
      }),
    );
  }

  /* -- what is due -------------------------------------------------------------------- */
  async function foresee() {
    const mine = (foreseen += 1);
    const reply = await call(server.promote_memory, { dry_run: true });
    if (reply && mine === foreseen) drawDue(reply);
  }

  function drawDue(reply) {
    if (!reply.moves.length) {
      due.replaceChildren(element("p.hint", {}, t("memory.due_none", { minutes: stats.promote_minutes })), element("button.quiet", { onclick: foresee }, t("memory.look_again")));
      return;
    }
    const rows = reply.moves.map((move) => element("li", {}, element("b", {}, moved(move)), ` · ${reason(move)}`, move.text ? whole(move) : null));
    due.replaceChildren(element("p", {}, t("memory.would_move", { count: reply.moves.length })), element("ul", {}, ...rows), element("button.primary", { "data-promote": true, onclick: promote }, t("memory.promote")));
  }

  function reason(move) {
    if (move.reason === "promoted") return t("memory.because_promoted", { score: number(move.score), uses: move.uses });
    return t(`memory.reason_${move.reason}`, { score: number(stats.archive_below) });
  }

  async function promote() {
    const reply = await call(server.promote_memory, { dry_run: false });
    if (!reply) return;
    showToast(reply.busy ? t("memory.busy") : t("memory.moved", { count: reply.moves.length }));
    await load();
  }

  /* -- one tier ----------------------------------------------------------------------- */
  function begin() {
    select(sort, SORTS[tier], begin);
    cursors = [null];
    root.querySelector("[data-list-title]").textContent = t(`memory.tier_${tier}`);
    return page();
  }

  async function page() {
    const mine = (asked += 1);
    const reply = await call(server.list_tier, { tier, sort: sort.value, after: cursors.at(-1) });
    if (mine !== asked) return;
    list.replaceChildren();
    pager.hidden = true;
    if (!reply) return void state.failed(page);
    if (!reply.items.length) return void state.empty(t("memory.none_here"), emptyHint());
    state.clear();
    list.replaceChildren(...reply.items.map(row));
    pager.hidden = cursors.length === 1 && !reply.next;
    root.querySelector("[data-page=previous]").disabled = cursors.length === 1;
    root.querySelector("[data-page=next]").disabled = !reply.next;
    root.querySelector("[data-page=next]").onclick = () => {
      cursors.push(reply.next);
      page();
    };
    root.querySelector("[data-page-number]").textContent = t("memory.page", { number: cursors.length });
  }

  function emptyHint() {
    const view = stats.tiers.find((each) => each.tier === tier);
    const uses = stats.tiers[0].rises_uses;
    return t(`memory.none_${tier}`, { time: view.lifetime ? lasting(view.lifetime) : "", uses });
  }

  function row(item) {
    const scored = !["books", "memory_bank"].includes(item.tier);
    const left = item.expires_at ? (item.expires_at * 1000 > Date.now() ? t("memory.expires_in", { time: lasting(item.expires_at - Date.now() / 1000) }) : t("memory.over")) : item.tier === "books" ? null : t("memory.stays");
    const worth = item.tier === "books" ? null : t(scored ? "memory.score" : "memory.worth", { score: number(item.score) });
    return element("li.item", { "data-memory": item.id }, item.title ? element("bdi.from", {}, item.title) : null, whole(item), facts(TAKEN_OUT.includes(item.kind) ? t(`memory.as_${item.kind}`) : null, worth, scored ? used(item) : null, when(item.created_at), left), element("div.acts", {}, historyOf(item.id, (data) => call(server.memory_history, data), number(stats.archive_below))));
  }

  root.querySelector("[data-page=previous]").addEventListener("click", () => {
    cursors.pop();
    page();
  });
  return { show: load };
}
