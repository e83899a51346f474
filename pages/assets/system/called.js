/* What is called: whether it is left alone, how often it was called, how long it took. */
import { element } from "../shared/ui.js";
import { number, t } from "../shared/words.js";
import { milliseconds } from "./telling.js";

const NUMBERS = ["calls", "failed", "last", "p50", "p95"];

/** @param {DependencyRow} each */
function row(each) {
  const numbers = [number(each.calls), number(each.failed + each.refused), ...[each.last, each.p50, each.p95].map(milliseconds)];
  return element(
    "tr",
    {},
    element("td", {}, element("bdi", {}, each.name)),
    element(`td.${each.breaker}`, {}, t(`system.breaker_${each.breaker}`)),
    ...numbers.map((text) => element("td.number", {}, element("bdi", {}, text))),
  );
}

/** @param {HTMLElement} card @param {DependencyRow[]} rows */
export function showCalled(card, rows) {
  card.hidden = false;
  const head = element("tr", {}, element("th", {}, t("system.head_name")), element("th", {}, t("system.head_state")), ...NUMBERS.map((name) => element("th.number", {}, t(`system.head_${name}`))));
  const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows.map(row)));
  card.querySelector(".scroll").replaceChildren(rows.length ? table : element("p.none", {}, t("system.called_none")));
}
