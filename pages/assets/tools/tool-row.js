/* A tool: its description, effects and statistics; switched and tested in place. */
import { button, element } from "../shared/ui.js";
import { number, t } from "../shared/words.js";
import { trialForm } from "./trial-form.js";

/** @typedef {{may: boolean, opened: Set<string>, change: (name: string, on: boolean) => void, attempt: (name: string, given: Record<string, unknown>) => Promise<ToolOutcome | null>}} Desk */

/** The tool's effects, as text keys, the worst first. */
export function effects(/** @type {Tool} */ { reads_only, harmless, sends }) {
  return [harmless ? "reads" : reads_only ? "spends" : "changes", sends && "sends"].filter(Boolean);
}

/** Its state: off, paused after failures, or ready. */
export const state = (/** @type {Tool} */ { on, breaker }) => (!on ? "off" : breaker === "closed" ? "ready" : "resting");

export function toolRow(/** @type {Tool} */ tool, /** @type {Desk} */ desk) {
  const body = element("div.body");
  const fill = () => body.childElementCount || body.append(...details(tool, desk));
  const toggled = () => {
    if (!row.open) return desk.opened.delete(tool.name);
    desk.opened.add(tool.name);
    return fill();
  };
  const row = element(
    "details",
    { open: desk.opened.has(tool.name), ontoggle: toggled },
    element("summary", {}, element("strong", {}, element("bdi", {}, tool.title)), chip(state(tool)), element("small", {}, line(tool.figures))),
    body,
  );
  if (desk.opened.has(tool.name)) fill();
  return element("li", { "data-tool": tool.name }, row);
}

/** The statistics of a row that is not redrawn. */
export function refresh(/** @type {any} */ row, /** @type {Tool} */ tool) {
  row.querySelector("summary small").textContent = line(tool.figures);
  row.querySelector("dl")?.replaceWith(figuresList(tool));
}

const chip = (/** @type {string} */ kind) => element(`span.chip.${kind}`, {}, t(`tools.state_${kind}`));

/** The statistics in one line. */
function line(/** @type {Figures} */ figures) {
  if (!figures.calls) return t("tools.never_called");
  const failed = Object.values(figures.failed).reduce((sum, each) => sum + each, 0);
  const parts = [t("tools.calls", { count: figures.calls }), t("tools.took", { milliseconds: number(figures.last ?? 0) })];
  return [...parts, failed && t("tools.failed", { count: failed })].filter(Boolean).join(" · ");
}

function details(/** @type {Tool} */ tool, /** @type {Desk} */ desk) {
  const may = element("ul.effects", {}, ...effects(tool).map((each) => element("li", {}, t(`tools.may_${each}`))));
  const isFixed = tool.fixed && element("small", {}, t("settings.fixed"));
  const turn = button(t(tool.on ? "tools.switch_off" : "tools.switch_on"), () => desk.change(tool.name, !tool.on), "", { disabled: tool.fixed });
  return [
    element("p.description", { dir: "auto" }, tool.description),
    may,
    figuresList(tool),
    desk.may && element("div.buttons", {}, turn, isFixed),
    desk.may && tool.on && trialForm(tool, (given) => desk.attempt(tool.name, given)),
  ].filter((each) => each instanceof Node);
}

/** Label and value pairs; zeros are left out, except the number of calls. */
export function pairs(/** @type {Tool} */ { figures, seconds, fallbacks }) {
  const failures = Object.entries(figures.failed).map(([category, count]) => `${t(`tools.category_${category}`)} ${number(count)}`);
  return [
    ["calls", number(figures.calls)],
    ["latency", figures.calls ? t("tools.latency_value", { last: number(figures.last ?? 0), p50: number(figures.p50), p95: number(figures.p95) }) : ""],
    ["failures", failures.join(" · ")],
    ["nothing", figures.found_nothing ? number(figures.found_nothing) : ""],
    ["repaired", figures.repaired ? number(figures.repaired) : ""],
    ["fell_back", figures.fell_back ? number(figures.fell_back) : ""],
    ["loops", figures.loops ? number(figures.loops) : ""],
    ["hebrew", figures.hebrew ? t("tools.hebrew_value", { count: number(figures.hebrew), found: number(figures.hebrew_found) }) : ""],
    ["limit", t("tools.seconds", { seconds: number(seconds) })],
    ["fallbacks", fallbacks.join(" → ")],
  ].filter(([, value]) => value);
}

function figuresList(/** @type {Tool} */ tool) {
  return element("dl", {}, ...pairs(tool).flatMap(([name, value]) => [element("dt", {}, t(`tools.figure_${name}`)), element("dd", {}, element("bdi", {}, value))]));
}
