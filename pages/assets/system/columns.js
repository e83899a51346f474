/* Bar charts by day: each day's counts as a stacked column. */
import { element } from "../shared/ui.js";
import { isolated, number, t } from "../shared/words.js";

/** @typedef {{ label: string, values: number[], shown?: number[], bad?: boolean }} Part `shown`: the displayed value, if it is not the height; `bad`: something that should not happen */
/** @typedef {{ title: string, days: string[], parts: Part[], told?: (value: number) => string }} Chart `told`: formats a value */

/** @param {string} day as "2026-11-25" */
export const dated = (day) => new Date(`${day}T12:00:00Z`).toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "short", timeZone: "UTC" });

/** The sum of all parts, by day. @param {Part[]} parts @param {number} count */
export const heights = (parts, count) => Array.from({ length: count }, (_, at) => parts.reduce((sum, each) => sum + each.values[at], 0));

/** The difference to the values below, so that p95 is stacked on top of p50. @param {number[]} below @param {number[]} above */
export const beyond = (below, above) => above.map((value, at) => Math.max(0, value - below[at]));

/** @param {Part} part @param {number} place */
const shade = ({ bad }, place) => (bad ? "bad" : `part-${place}`);

/** @param {Chart} chart @param {number} at @param {number} most @param {(value: number) => string} told */
function column({ days, parts }, at, most, told) {
  const words = parts.map((each) => (parts.length > 1 ? `${each.label} ${told((each.shown ?? each.values)[at])}` : told((each.shown ?? each.values)[at]))).join(" · ");
  const pieces = parts.map((each, place) => each.values[at] > 0 && element(`i.${shade(each, place)}`, { style: `block-size: ${(100 * each.values[at]) / most}%` }));
  return element("span", { title: `${dated(days[at])}: ${words}` }, ...pieces.reverse());
}

/** @param {Chart} chart parts without any values are not drawn */
export function columns(chart) {
  const { title, days, parts, told = number } = chart;
  const all = heights(parts, days.length);
  const most = Math.max(...all);
  if (!(most > 0)) return null;
  const last = days.length - 1;
  const summary = t("system.chart_told", { title, first: dated(days[0]), last: dated(days[last]), most: told(most), now: told(all[last]) });
  return element(
    "figure",
    {},
    element("figcaption", {}, element("strong", {}, title), element("small", {}, t("system.chart_most", { most: isolated(told(most)) }))),
    element("div.columns", { role: "img", "aria-label": summary }, ...days.map((_, at) => column(chart, at, most, told))),
    element("div.span", { "aria-hidden": true }, element("small", {}, dated(days[0])), element("small", {}, dated(days[last]))),
    parts.length > 1 && element("div.legend", { "aria-hidden": true }, ...parts.map((each, place) => element("small", {}, element(`i.${shade(each, place)}`), each.label))),
  );
}
