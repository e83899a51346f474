/* Search: every hit whole, with how its score came about, its history, and a pin to the bank. */
import { LETTERS, TIERS, badge, facts, historyOf, number, pressed, select, states, undoable, used, when, whole } from "./draw.js";
import { entryForm } from "./form.js";
import { send } from "../shared/bus.js";
import { call, showToast } from "../shared/notices.js";
import { element } from "../shared/ui.js";
import { t } from "../shared/words.js";

const SORTS = ["relevance", "recency", "score"];
const TAKEN_OUT = ["quote", "mental_model", "summary"];

export function mountSearch(root, server, { tags, changed }) {
  const form = root.querySelector("form.ask");
  const list = root.querySelector(".hits");
  const state = states(root.querySelector(".state"));
  const wanted = new Set();
  const kind = root.querySelector("[data-kind]");
  const category = root.querySelector("[data-category]");
  let last = null;
  let asked = 0;

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    find();
  });

  function chips() {
    root.querySelector("[data-tiers]").replaceChildren(
      ...TIERS.map((tier) => {
        const chip = element(`button.chip.tier.${tier}`, { "data-tier": tier }, element("b", { "aria-hidden": "true" }, LETTERS[tier]), t(`memory.tier_${tier}`));
        chip.addEventListener("click", () => {
          if (!wanted.delete(tier)) wanted.add(tier);
          pressed(chip, wanted.has(tier));
          if (last) find();
        });
        return pressed(chip, wanted.has(tier));
      }),
    );
  }

  /** Kinds and categories of what was taken out of books, as far as anything was. */
  async function takenOut() {
    const reply = await call(server.counts);
    if (!reply) return;
    const there = TAKEN_OUT.filter((each) => reply.kinds[each]);
    for (const label of root.querySelectorAll(".taken-out")) label.hidden = !there.length;
    fill(kind, t("memory.no_kind"), there.map((each) => [each, t(`memory.kind_${each}`)]));
    fill(category, t("memory.any_category"), reply.categories.map((each) => [each.key, each.name]));
  }

  function fill(node, none, options) {
    const chosen = node.value;
    node.replaceChildren(new Option(none, ""), ...options.map(([value, words]) => new Option(words, value)));
    node.value = options.some(([value]) => value === chosen) ? chosen : "";
    node.onchange = () => last && find();
  }

  const given = (node) => (node.value ? [node.value] : []);

  async function find() {
    const query = form.elements.query.value;
    if (!query.trim()) return start();
    const mine = (asked += 1);
    list.replaceChildren();
    state.loading();
    const reply = await call(server.search_memory, { query, tiers: [...wanted], kinds: given(kind), categories: given(category), sort: root.querySelector("[data-sort]").value });
    if (mine !== asked) return undefined;
    if (!reply) return state.failed(find);
    last = reply;
    return draw();
  }

  function start() {
    last = null;
    list.replaceChildren();
    state.empty(t("memory.start"), t("memory.start_hint"));
  }

  function draw() {
    const partial = last.skipped.map((words) => element("p.notice", {}, words));
    if (!last.hits.length) {
      state.empty(t("memory.nothing"), t("memory.nothing_hint"), ...partial);
      return;
    }
    state.say(element("p.count", {}, t("memory.found", { count: last.hits.length })), ...partial);
    list.replaceChildren(...last.hits.map(row));
  }

  function row(hit) {
    const place = element("div.pinning");
    const pin = hit.pin && element("button.quiet", { onclick: () => pinning(hit, place, pin) }, t("memory.pin"));
    const worth = hit.tier === "memory_bank" ? null : t("memory.score", { score: number(hit.score) });
    return element(
      "li.hit",
      { "data-memory": hit.memory_id },
      element("header", {}, element("span.position", {}, String(hit.position)), badge(hit.tier), hit.citation.title ? element("bdi.from", {}, hit.citation.title) : null, bar(hit)),
      whole(hit),
      facts(hit.taken_out?.kind, hit.taken_out?.category, hit.citation.page ? t("memory.on_page", { page: hit.citation.page }) : null, when(hit.created_at), hit.tier === "books" ? null : worth, hit.tier === "books" || hit.tier === "memory_bank" ? null : used(hit), hit.equal.length ? t("memory.same", { count: hit.equal.length }) : null),
      element("div.acts", {}, historyOf(hit.memory_id, (data) => call(server.memory_history, data)), opening(hit), pin),
      place,
    );
  }

  /** Where a passage, or what was taken out of one, stands in its document. */
  function opening({ citation, kind: what, text }) {
    if (!citation.document_id) return null;
    const place = { document: citation.document_id, item: citation.passage_id, page: citation.page, ...(what === "quote" && { quote: text }) };
    return element("button.quiet", { onclick: () => send("palimpsest:open", place) }, t("memory.open_page"));
  }

  function pinning(hit, place, pin) {
    pin.hidden = true;
    const form = entryForm(
      { text: hit.pin.text, tags: [hit.pin.tag], allTags: tags(), label: t("memory.pin") },
      (data) => server.add_bank_item({ ...data, conversation_id: hit.citation.conversation_id }),
      (reply) => {
        place.replaceChildren();
        pin.hidden = Boolean(reply);
        if (!reply) return pin.focus();
        told(reply, server);
        return changed();
      },
    );
    place.replaceChildren(form);
    form.querySelector("textarea").focus();
  }

  return {
    show() {
      chips();
      takenOut();
      select(root.querySelector("[data-sort]"), SORTS, () => last && find());
      if (last) draw();
      else start();
    },
    find(text) {
      form.elements.query.value = text;
      find();
    },
  };
}

/** What became of an entry that was added; a new one can be taken back. */
export function told(reply, server, after = () => {}) {
  if (reply.what !== "new") return showToast(t(`memory.was_${reply.what}`));
  return undoable(t("memory.pinned"), "", async () => {
    await call(server.delete_bank_item, { memory_id: reply.item.id });
    after();
  });
}

/** A stacked bar of what each step gave; what was taken away is hatched. The numbers open by hover, focus or click. */
function bar(hit) {
  const given = hit.segments.filter((each) => each.amount > 0);
  const taken = hit.segments.filter((each) => each.amount < 0).reduce((sum, each) => sum - each.amount, 0);
  const total = given.reduce((sum, each) => sum + each.amount, 0);
  const whole = Math.max(1, total);
  const stack = element("span.stack", { "aria-hidden": "true" });
  for (const { part, amount } of given) {
    const piece = element(`i.${part}`);
    piece.style.inlineSize = `${(100 * amount) / whole}%`;
    stack.append(piece);
  }
  if (taken) {
    const lost = element("i.lost");
    lost.style.inlineSize = `${(100 * Math.min(taken, total)) / whole}%`;
    lost.style.insetInlineEnd = `${100 - (100 * total) / whole}%`;
    stack.append(lost);
  }
  const id = `pal-why-${hit.memory_id}`;
  const button = element("button.score-button", { "aria-expanded": "false", "aria-describedby": id, "aria-label": t("memory.match", { score: number(hit.parts.final) }) }, stack, element("span", {}, number(hit.parts.final)));
  const legend = element("div.legend", { id, role: "group", "aria-label": t("memory.why") }, element("strong", {}, t("memory.why")), element("dl", {}, ...hit.segments.flatMap((each) => line(each, hit.parts)), element("dt.sum", {}, t("memory.final")), element("dd.sum", {}, number(hit.parts.final, 3))));
  const holder = element("div.why", {}, button, legend);
  button.addEventListener("click", () => {
    const open = holder.classList.toggle("open");
    button.setAttribute("aria-expanded", open);
  });
  holder.addEventListener("keydown", (event) => {
    if (event.key === "Escape") holder.classList.remove("open");
  });
  return holder;
}

function line({ part, amount }, parts) {
  const rank = { dense: parts.dense_rank, lexical: parts.lexical_rank }[part];
  const factors = part === "boosts" ? Object.entries(parts.boosts).filter(([, value]) => value !== 1).map(([name, value]) => `${name.replaceAll("_", " ")} × ${number(value)}`).join(", ") : "";
  const raw = part === "cross_encoder" ? number(parts.cross_encoder) : part === "learned" ? `${number(parts.learned)} × ${number(parts.learned_weight)}` : rank ? t("memory.rank", { rank }) : factors;
  return [element("dt", {}, element(`i.${part}`), t(`memory.share_${part}`), raw ? element("small", {}, ` ${raw}`) : null), element("dd", { dir: "ltr" }, (amount > 0 ? "+" : "−") + number(Math.abs(amount), 3))];
}
