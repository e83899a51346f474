/* Explanation of a score: a stacked bar of each step's contribution, and the numbers. */
import { element, onEscape } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { number } from "./draw.js";

/** Negative contributions are hatched. The numbers open by hover, focus or click. @param {MemoryHit} hit */
export function scoreBar(hit) {
  const id = `pal-why-${hit.memory_id}`;
  const final = number(hit.parts.final);
  const open = element("button.score-button", { "aria-expanded": "false", "aria-describedby": id, "aria-label": t("memory.match", { score: final }), onclick: () => open.setAttribute("aria-expanded", String(holder.classList.toggle("open"))) }, stack(hit.segments), element("span", {}, final));
  const lines = hit.segments.flatMap((each) => line(each, hit.parts));
  const sum = [element("dt.sum", {}, t("memory.final")), element("dd.sum", {}, number(hit.parts.final, 3))];
  const legend = element("div.legend", { id, role: "group", "aria-label": t("memory.why") }, element("strong", {}, t("memory.why")), element("dl", {}, ...lines, ...sum));
  const holder = element("div.why", {}, open, legend);
  onEscape(holder, () => holder.classList.remove("open"));
  return holder;
}

/** @param {Segment[]} segments */
function stack(segments) {
  const given = segments.filter((each) => each.amount > 0);
  const taken = segments.filter((each) => each.amount < 0).reduce((sum, each) => sum - each.amount, 0);
  const total = given.reduce((sum, each) => sum + each.amount, 0);
  const share = (/** @type {number} */ amount) => `${(100 * amount) / Math.max(1, total)}%`;
  const pieces = given.map(({ part, amount }) => element(`i.${part}`, { style: `inline-size: ${share(amount)}` }));
  const lost = taken > 0 && element("i.lost", { style: `inline-size: ${share(Math.min(taken, total))}; inset-inline-end: calc(100% - ${share(total)})` });
  return element("span.stack", { "aria-hidden": "true" }, ...pieces, lost);
}

/** @param {Segment} segment @param {ScoreParts} parts */
function line({ part, amount }, parts) {
  const raw = rawOf(part, parts);
  return [element("dt", {}, element(`i.${part}`), t(`memory.share_${part}`), raw && element("small", {}, ` ${raw}`)), element("dd", { dir: "ltr" }, (amount > 0 ? "+" : "−") + number(Math.abs(amount), 3))];
}

/** The inputs of a step. @param {string} part @param {ScoreParts} parts */
function rawOf(part, parts) {
  if (part === "cross_encoder") return number(parts.cross_encoder);
  if (part === "learned") return `${number(parts.learned)} × ${number(parts.learned_weight)}`;
  if (part === "boosts") return Object.entries(parts.boosts).filter(([, value]) => value !== 1).map(([name, value]) => `${name.replaceAll("_", " ")} × ${number(value)}`).join(", ");
  const rank = part === "dense" ? parts.dense_rank : part === "lexical" ? parts.lexical_rank : null;
  return rank ? t("memory.rank", { rank }) : "";
}
