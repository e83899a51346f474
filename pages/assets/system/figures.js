/* Statistics: times by step, charts by day, results of tool calls and of all external calls. */
import { call } from "../shared/server.js";
import { busy, latest } from "../shared/timing.js";
import { Part, element, fill, pressed, replaceFocused, table } from "../shared/ui.js";
import { milliseconds, number, size, t } from "../shared/words.js";
import { beyond, columns } from "./columns.js";

const SPANS = [7, 30, 90];
const TIERS = ["working", "history", "patterns", "memory_bank", "books"];

/** Percentiles as stacked parts, labelled with their real values. @param {FigureDay[]} days @param {"whole" | "first_token"} name @returns {import("./columns.js").Part[]} */
function percentiles(days, name) {
  const [p50, p95, p99] = /** @type {const} */ (["p50", "p95", "p99"]).map((share) => days.map((each) => each[name][share]));
  return [
    { label: t("system.head_p50"), values: p50 },
    { label: t("system.head_p95"), values: beyond(p50, p95), shown: p95 },
    { label: t("system.head_p99"), values: beyond(p95, p99), shown: p99 },
  ];
}

/** @param {FigureDay[]} days */
function charts(days) {
  const names = days.map((each) => each.day);
  const part = (/** @type {string} */ label, /** @type {(each: FigureDay) => number} */ value, bad = false) => ({ label, values: days.map(value), bad });
  const chart = (/** @type {string} */ title, /** @type {import("./columns.js").Part[]} */ parts, /** @type {((value: number) => string) | undefined} */ told = undefined) => columns({ title, days: names, parts, told });
  const alone = (/** @type {string} */ title, /** @type {(each: FigureDay) => number} */ value, /** @type {((value: number) => string) | undefined} */ told = undefined) => chart(title, [part(title, value)], told);
  return [
    chart(t("system.chart_answers"), [part(t("system.part_answered"), (each) => each.answered), part(t("system.part_failed"), (each) => each.failed, true)]),
    chart(t("system.chart_whole"), percentiles(days, "whole"), milliseconds),
    chart(t("system.chart_first_token"), percentiles(days, "first_token"), milliseconds),
    chart(t("system.chart_tiers"), TIERS.map((tier) => part(t(`memory.tier_${tier}`), (each) => each.tiers[tier] ?? 0))),
    chart(t("system.chart_tokens"), [part(t("system.part_tokens_in"), (each) => each.tokens_in), part(t("system.part_tokens_out"), (each) => each.tokens_out)]),
    alone(t("system.chart_cost"), (each) => each.cost, (value) => t("system.dollars", { n: number(value, 2) })),
    alone(t("system.chart_instead"), (each) => each.instead),
    chart(t("system.chart_memory"), [part(t("system.part_promotions"), (each) => each.promotions), part(t("system.part_repairs"), (each) => each.repairs)]),
    chart(t("system.chart_tools"), [part(t("system.part_tools"), (each) => Math.max(0, each.tools - each.tool_failures)), part(t("system.part_failed"), (each) => each.tool_failures, true)]),
    alone(t("system.chart_storage"), (each) => each.bytes ?? 0, size),
  ].filter((each) => each !== null);
}

/** @param {string[]} names */
const numberHeads = (names) => names.map((name) => element("th.number", {}, t(`system.head_${name}`)));

/** @param {string[]} numbers */
const numberCells = (numbers) => numbers.map((each) => element("td.number", {}, element("bdi", {}, each)));

/** @param {string} label @param {Times} times @param {number} most */
function timesRow(label, times, most) {
  const bar = element("i", { "aria-hidden": true }, ...["p99", "p95", "p50"].map((share, at) => element(`b.part-${2 - at}`, { style: `inline-size: ${(100 * times[/** @type {"p50"} */ (share)]) / most}%` })));
  const numbers = [number(times.count), ...[times.p50, times.p95, times.p99].map(milliseconds)];
  return element("tr", {}, element("td", {}, element("bdi", {}, label)), ...numberCells(numbers), element("td.bar", {}, bar));
}

/** @param {FiguresReply} reply */
function timesTable({ answers, steps }) {
  const rows = [
    .../** @type {const} */ (["first_event", "first_token", "whole"]).map((until) => ({ label: t(`system.until_${until}`), times: answers[until] })),
    ...steps.map((each) => ({ label: each.label, times: each })),
  ].filter(({ times }) => times.count);
  if (!rows.length) return null;
  const most = Math.max(...rows.map(({ times }) => times.p99), 1);
  const heads = [element("th", {}, t("system.head_step")), ...numberHeads(["count", "p50", "p95", "p99"]), element("th", { "aria-hidden": true })];
  return table(heads, rows.map(({ label, times }) => timesRow(label, times, most)));
}

/** @param {DependencyRow} each */
function calledRow(each) {
  const numbers = [number(each.calls), number(each.failed + each.refused), ...[each.last, each.p50, each.p95].map(milliseconds)];
  return element("tr", {}, element("td", {}, element("bdi", {}, each.name)), element(`td.${each.breaker}`, {}, t(`system.breaker_${each.breaker}`)), ...numberCells(numbers));
}

/** External services: whether the circuit breaker is open, the number of calls, their duration. @param {HTMLElement} card @param {DependencyRow[]} rows */
export function showCalled(card, rows) {
  card.hidden = false;
  const heads = [element("th", {}, t("system.head_name")), element("th", {}, t("system.head_state")), ...numberHeads(["calls", "failed", "last", "p50", "p95"])];
  fill(card.querySelector(".scroll"), rows.length ? [table(heads, rows.map(calledRow))] : [], element("p.none", {}, t("system.called_none")));
}

/** @extends {Part<SystemServer>} */
export class Figures extends Part {
  days = SPANS[1];
  loading = latest();

  /** @param {HTMLElement} card @param {SystemServer} server */
  constructor(card, server) {
    super(card, server);
    card.querySelector("[data-figures-again]").addEventListener("click", () => this.load());
  }

  async load() {
    this.spans();
    const reply = await this.loading(busy(this.root, call(this.server.figures, { days: this.days })));
    if (reply === undefined) return;
    this.root.dataset.state = reply ? "ready" : "failed";
    if (reply) this.draw(reply);
  }

  spans() {
    const choose = (/** @type {number} */ days) => {
      this.days = days;
      this.load();
    };
    const buttons = SPANS.map((days) => pressed(element("button", { onclick: () => choose(days), "data-days": days }, t("system.last_days", { n: number(days) })), days === this.days));
    replaceFocused(this.find(".spans"), buttons, "days");
  }

  /** @param {FiguresReply} reply */
  draw(reply) {
    const times = timesTable(reply);
    const drawn = charts(reply.days);
    this.find(".hint").textContent = t(reply.of_everyone ? "system.figures_hint_everyone" : "system.figures_hint_own");
    this.find(".scroll").replaceChildren(...(times ? [times] : []));
    this.find(".scroll").hidden = !times;
    this.find(".charts").replaceChildren(...drawn);
    this.find(".none").hidden = Boolean(times);
  }
}
