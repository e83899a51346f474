/* Search: each hit in full, with its score explanation, its history, and a pin to the bank. */
import { send } from "../shared/bus.js";
import { call } from "../shared/server.js";
import { latest } from "../shared/timing.js";
import { Part, button, choice, element, offer, onSubmit, showToast } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { LETTERS, TAKEN_OUT, TIERS, badge, facts, historyOf, number, sorts, states, undoableOf, used, when, whole } from "./draw.js";
import { entryForm } from "./form.js";
import { scoreBar } from "./score-bar.js";

const SORTS = ["relevance", "recency", "score"];

/** @extends {Part<Remembering>} */
export class MemorySearch extends Part {
  /** @type {Set<Tier>} */
  wanted = new Set();
  /** @type {FoundMemories | null} */
  last = null;
  asking = latest();

  /** @param {HTMLElement} root @param {Remembering} server @param {() => void} changed is called when something was added to the bank */
  constructor(root, server, changed) {
    super(root, server);
    this.changed = changed;
    this.list = root.querySelector(".hits");
    this.state = states(root.querySelector(".state"));
    this.query = root.querySelector("form.ask [name=query]");
    this.kind = root.querySelector("[data-kind]");
    this.category = root.querySelector("[data-category]");
    onSubmit(root.querySelector("form.ask"), () => this.search());
  }

  show() {
    const again = () => this.last && this.search();
    const words = (/** @type {Tier} */ tier) => [element("b", { "aria-hidden": "true" }, LETTERS[tier]), t(`memory.tier_${tier}`)];
    this.find("[data-tiers]").replaceChildren(...TIERS.map((tier) => choice(`button.chip.tier.${tier}`, { "data-tier": tier }, this.wanted, tier, words(tier), again)));
    this.takenOut(again);
    sorts(this.find("[data-sort]"), SORTS, again);
    if (this.last) this.draw(this.last);
    else this.start();
  }

  /** Kinds and categories of findings from books, if there are any. @param {() => unknown} again */
  async takenOut(again) {
    const reply = await call(this.server.counts);
    if (!reply) return;
    const there = TAKEN_OUT.filter((each) => reply.kinds[each]);
    for (const label of this.root.querySelectorAll(".taken-out")) label.hidden = !there.length;
    offer(this.kind, [["", t("memory.no_kind")], ...there.map((each) => /** @type {[string, string]} */ ([each, t(`memory.kind_${each}`)]))]);
    offer(this.category, [["", t("memory.any_category")], ...reply.categories.map(({ key, name }) => /** @type {[string, string]} */ ([key, name]))]);
    this.kind.onchange = this.category.onchange = again;
  }

  /** @param {string} text */
  searchFor(text) {
    this.query.value = text;
    this.search();
  }

  /** @returns {Promise<unknown>} */
  async search() {
    const query = this.query.value;
    if (!query.trim()) return this.start();
    this.list.replaceChildren();
    this.state.loading();
    const reply = await this.asking(call(this.server.search_memory, { query, tiers: [...this.wanted], kinds: given(this.kind), categories: given(this.category), sort: this.find("[data-sort]").value }));
    if (reply === undefined) return undefined;
    if (!reply) return this.state.failed(() => this.search());
    this.last = reply;
    return this.draw(reply);
  }

  start() {
    this.last = null;
    this.list.replaceChildren();
    this.state.empty(t("memory.start"), t("memory.start_hint"));
  }

  /** @param {FoundMemories} found */
  draw({ hits, skipped }) {
    const partial = skipped.map((words) => element("p.notice", {}, words));
    if (!hits.length) return this.state.empty(t("memory.nothing"), t("memory.nothing_hint"), ...partial);
    this.state.say(element("p.count", {}, t("memory.found", { count: hits.length })), ...partial);
    return this.list.replaceChildren(...hits.map((hit) => this.row(hit)));
  }

  /** @param {MemoryHit} hit */
  row(hit) {
    const place = element("div.pinning");
    /** @type {HTMLButtonElement | null} */
    const pin = hit.pin && button(t("memory.pin"), () => this.pinning(hit, place, pin), "quiet");
    const scored = hit.tier !== "memory_bank" && hit.tier !== "books";
    return element(
      "li.hit",
      { "data-memory": hit.memory_id },
      element("header", {}, element("span.position", {}, String(hit.position)), badge(hit.tier), hit.citation.title && element("bdi.from", {}, hit.citation.title), scoreBar(hit)),
      whole(hit),
      facts(hit.taken_out?.kind, hit.taken_out?.category, hit.citation.page && t("memory.on_page", { page: hit.citation.page }), when(hit.created_at), scored && t("memory.score", { score: number(hit.score) }), scored && used(hit), hit.equal.length > 0 && t("memory.same", { count: hit.equal.length })),
      element("div.acts", {}, historyOf(() => call(this.server.memory_history, { memory_id: hit.memory_id })), opening(hit), pin),
      place,
    );
  }

  /** @param {MemoryHit} hit @param {HTMLElement} place @param {HTMLButtonElement | null} pin */
  pinning(hit, place, pin) {
    if (!hit.pin || !pin) return;
    pin.hidden = true;
    const form = entryForm(
      { text: hit.pin.text, tags: [hit.pin.tag], label: t("memory.pin") },
      (entry) => this.server.add_bank_item({ ...entry, conversation_id: hit.citation.conversation_id }),
      (reply) => {
        place.replaceChildren();
        pin.hidden = Boolean(reply);
        if (!reply) return pin.focus();
        added(reply, this.server);
        return this.changed();
      },
    );
    place.replaceChildren(form);
    form.querySelector("textarea").focus();
  }
}

/** @param {HTMLSelectElement} select */
const given = ({ value }) => (value ? [value] : []);

/** The position of a passage, or of a finding from it, in its document. @param {MemoryHit} hit */
function opening({ citation: { document_id: document, passage_id, page }, kind, text }) {
  return document && button(t("memory.open_page"), () => send("palimpsest:open", { document, item: passage_id, page, ...(kind === "quote" && { quote: text }) }), "quiet");
}

/** The result of adding an entry; a new one can be undone. @param {Stored} reply @param {Pick<MemoryServer, "delete_bank_item">} server @param {() => unknown} [after] */
export function added(reply, server, after = () => {}) {
  if (reply.what !== "new") return showToast(t(`memory.was_${reply.what}`));
  return undoableOf(t("memory.pinned"), "", async () => {
    await call(server.delete_bank_item, { memory_id: reply.item.id });
    after();
  });
}
