/* The bank: a thousand entries filtered as one types, edited in place, archived, deleted and brought back. */
import { facts, number, pressed, states, undoable, when, whole } from "./draw.js";
import { entryForm } from "./form.js";
import { element } from "../shared/ui.js";
import { told } from "./search.js";
import { call, showToast } from "../shared/notices.js";
import { t } from "../shared/words.js";

const DRAWN = 16;

/** As it is searched: without points, accents and capitals. */
export const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

export function mountBank(root, server, { tags }) {
  const list = root.querySelector(".items");
  const rest = root.querySelector(".rest");
  const filter = root.querySelector("[data-filter]");
  const adding = root.querySelector(".adding");
  const figures = root.querySelector(".stats");
  const place = root.querySelector(".state");
  const state = states(place);
  const wanted = new Set();
  let status = "active";
  let entries = null;
  let shown = [];
  let drawn = 0;
  let asked = 0;

  async function load() {
    const mine = (asked += 1);
    const began = writing();
    marks();
    if (!entries) state.loading();
    const [stats, reply] = await Promise.all([call(server.bank_stats), call(server.list_bank, { status: status === "archived" ? "archived" : "active" })]);
    // Who began to write meanwhile keeps the form.
    if (mine !== asked || (writing() && !began)) return undefined;
    if (!stats || !reply) return entries ? undefined : state.failed(load);
    meter(stats);
    entries = reply.items.map((item) => ({ ...item, sought: folded(item.text) }));
    figures.hidden = status !== "stats";
    root.querySelector(".filters").hidden = status === "stats";
    if (status === "stats") return drawFigures(stats);
    chips();
    return draw();
  }

  function marks() {
    for (const button of root.querySelectorAll("[data-status]")) pressed(button, button.dataset.status === status);
  }

  function meter(stats) {
    const count = stats.statuses.active || 0;
    const bar = root.querySelector("progress");
    bar.max = stats.capacity;
    bar.value = count;
    bar.classList.toggle("nearly", count > 0.9 * stats.capacity);
    const words = t("memory.meter", { count: count.toLocaleString(), most: stats.capacity.toLocaleString() });
    bar.setAttribute("aria-label", words);
    root.querySelector(".meter span").textContent = words;
  }

  function drawFigures(stats) {
    list.replaceChildren();
    rest.hidden = true;
    state.clear();
    const most = Math.max(1, ...Object.values(stats.tags));
    const rows = Object.entries(stats.tags).filter(([tag]) => tag).sort((one, other) => other[1] - one[1]).map(([tag, count]) => {
      const bar = element("i");
      bar.style.inlineSize = `${(100 * count) / most}%`;
      return element("li", {}, element("span", {}, tagName(tag)), element("span.track", { "aria-hidden": "true" }, bar), element("b", {}, String(count)));
    });
    const figure = (label, value) => element("div", {}, element("dt", {}, label), element("dd", {}, value));
    figures.replaceChildren(
      element("dl", {}, figure(t("memory.active"), String(stats.statuses.active || 0)), figure(t("memory.archived"), String(stats.statuses.archived || 0)), figure(t("memory.mean"), number(stats.mean_quality))),
      element("h3", {}, t("memory.tags")),
      element("ul", {}, ...rows),
    );
  }

  const tagName = (tag) => (tags().includes(tag) ? t(`memory.tag_${tag}`) : tag);

  function chips() {
    const counts = new Map();
    for (const item of entries) for (const tag of item.tags) counts.set(tag, (counts.get(tag) || 0) + 1);
    root.querySelector("[data-tags]").replaceChildren(
      ...[...counts].sort((one, other) => other[1] - one[1]).map(([tag, count]) => {
        const chip = element("button.chip", { "data-tag": tag }, tagName(tag), element("small", {}, String(count)));
        chip.addEventListener("click", () => {
          if (!wanted.delete(tag)) wanted.add(tag);
          pressed(chip, wanted.has(tag));
          draw();
        });
        return pressed(chip, wanted.has(tag));
      }),
    );
  }

  /* -- the list: only what is near the window is drawn -------------------------------- */
  function draw() {
    const words = folded(filter.value).split(/\s+/).filter(Boolean);
    const fits = (item) => words.every((word) => item.sought.includes(word)) && (!wanted.size || item.tags.some((tag) => wanted.has(tag)));
    shown = entries.filter(fits);
    drawn = 0;
    list.replaceChildren();
    more();
    if (!entries.length) return status === "archived" ? state.empty(t("memory.archive_empty")) : state.empty(t("memory.bank_empty"), t("memory.bank_empty_hint"));
    if (!shown.length) return state.empty(t("memory.no_match"));
    const key = shown.length < entries.length ? "memory.shown" : "memory.all_shown";
    return state.say(element("p.count", {}, t(key, { count: shown.length, most: entries.length })));
  }

  function more() {
    list.append(...shown.slice(drawn, drawn + DRAWN).map(row));
    drawn = Math.min(shown.length, drawn + DRAWN);
    rest.hidden = drawn >= shown.length;
  }

  function row(item) {
    const always = item.always_inject ? element("span.always-mark", { title: t("memory.always") }, t("memory.always_mark")) : null;
    const act = (label, action) => element("button.quiet", { onclick: action }, t(label));
    const node = element(
      "li.item",
      { "data-memory": item.id },
      whole(item),
      element("div.facts", {}, ...item.tags.map((tag) => element("span.tag", {}, tagName(tag))), always, element("span", {}, t("memory.worth", { score: number(item.score) })), element("span", {}, when(item.updated_at))),
      element("div.acts", {}, act("memory.edit", () => edit(item, node)), item.status === "archived" ? act("memory.restore", () => restore(item)) : act("memory.archive", () => archive(item)), act("shared.remove", () => remove(item)), item.texts > 1 ? versions(item) : null),
    );
    return node;
  }

  /* -- changing ----------------------------------------------------------------------- */
  function edit(item, node) {
    const form = entryForm(
      { text: item.text, tags: item.tags, always: item.always_inject, allTags: tags() },
      (data) => server.update_bank_item({ ...data, memory_id: item.id, if_version: item.version }),
      (reply) => {
        form.replaceWith(reply ? replaced(item, reply.item) : node);
        if (reply && reply.item.text !== item.text) showToast(t("memory.was_saved"));
        root.querySelector(`[data-memory="${item.id}"] .acts button`)?.focus();
      },
    );
    node.replaceWith(form);
    form.querySelector("textarea").focus();
  }

  function replaced(old, fresh) {
    const now = { ...fresh, sought: folded(fresh.text) };
    entries = entries.map((each) => (each.id === old.id ? now : each));
    shown = shown.map((each) => (each.id === old.id ? now : each));
    return row(now);
  }

  function versions(item) {
    const body = element("div.past");
    const details = element("details.history", {}, element("summary", {}, t("memory.versions")), body);
    details.addEventListener("toggle", async () => {
      if (!details.open || body.children.length) return;
      const reply = await call(server.bank_versions, { memory_id: item.id });
      if (!reply) return;
      const rows = reply.versions.map((each) => element("div.version", {}, element("p.text", { dir: "auto" }, each.text), facts(t(`memory.reason_${each.reason}`), when(each.at)), element("button.quiet", { onclick: () => back(item, each) }, t("memory.use_text"))));
      body.replaceChildren(...(rows.length ? rows : [element("p", {}, t("memory.no_versions"))]));
    });
    return details;
  }

  async function back(item, version) {
    const reply = await call(server.restore_bank_version, { memory_id: item.id, version_id: version.id });
    if (!reply) return;
    showToast(t("memory.text_back"));
    list.querySelector(`[data-memory="${item.id}"]`)?.replaceWith(replaced(item, reply.item));
  }

  async function change(item, name, words, undo) {
    if (!(await call(server[name], { memory_id: item.id }))) return;
    undoable(t(words), item.text, async () => {
      await call(server[undo], { memory_id: item.id });
      await load();
    });
    await load();
  }

  const archive = (item) => change(item, "archive_bank_item", "memory.was_archived", "restore_bank_item");
  const restore = (item) => change(item, "restore_bank_item", "memory.was_restored", "archive_bank_item");
  const remove = (item) => change(item, "delete_bank_item", "memory.was_deleted", "undelete_bank_item");

  function add() {
    const form = entryForm({ allTags: tags(), label: t("memory.add_one") }, (data) => server.add_bank_item(data), async (reply) => {
      adding.replaceChildren();
      root.querySelector("[data-add]").focus();
      if (!reply) return;
      told(reply, server, load);
      if (status !== "active") choose("active");
      else await load();
    });
    adding.replaceChildren(form);
    form.querySelector("textarea").focus();
  }

  function choose(chosen) {
    status = chosen;
    entries = null;
    list.replaceChildren();
    load();
  }

  filter.addEventListener("input", () => entries && draw());
  root.querySelector("[data-add]").addEventListener("click", add);
  for (const button of root.querySelectorAll("[data-status]")) button.addEventListener("click", () => choose(button.dataset.status));
  new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && more(), { rootMargin: "600px" }).observe(rest);
  const writing = () => Boolean(list.querySelector("form.entry"));
  return { show: () => (writing() ? undefined : load()), stale: () => (entries = null) };
}
