/* Drawing shared by all parts of the Memory tab: times, foldable texts, states, histories. */
import { element, offer, undoable } from "../shared/ui.js";
import { isolated, t, ui } from "../shared/words.js";

/** @type {Tier[]} */
export const TIERS = ["working", "history", "patterns", "books", "memory_bank"];
export const LETTERS = { working: "W", history: "H", patterns: "P", books: "B", memory_bank: "M" };
/** Kinds of findings that a model extracted from books. */
export const TAKEN_OUT = ["quote", "mental_model", "summary"];
const LONG = 260;
const BRIEF = 80;

/** @param {number | null} value */
export const number = (value, digits = 2) => Number(value).toLocaleString(ui.language, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [["day", 86_400], ["hour", 3_600], ["minute", 60]];

/** The largest unit with at least one whole unit, otherwise minutes. @param {number} seconds */
const unitOf = (seconds) => UNITS.find(([, size]) => seconds >= size) ?? UNITS[2];

/** "5 days ago", "in 3 hours": in the reader's language. @param {number} at */
export function ago(at) {
  const seconds = at - Date.now() / 1000;
  const [unit, size] = unitOf(Math.abs(seconds));
  return new Intl.RelativeTimeFormat(ui.language, { numeric: "auto" }).format(Math.trunc(seconds / size), unit).replace(" (1)", "");
}

/** A duration in one unit. @param {number | null} seconds */
export function lasting(seconds) {
  const [unit, size] = unitOf(seconds ?? 0);
  const count = Math.max(1, Math.round((seconds ?? 0) / size));
  return count === 1 ? t(`memory.one_${unit}`) : new Intl.NumberFormat(ui.language, { style: "unit", unit, unitDisplay: "long" }).format(count);
}

/** @param {number} at */
export function when(at) {
  const date = new Date(at * 1000);
  return element("time", { datetime: date.toISOString(), title: date.toLocaleString(ui.language) }, ago(at));
}

/** @param {Tier} tier */
export const badge = (tier) => element(`span.tier.${tier}`, { title: t(`memory.tier_${tier}`) }, element("b", { "aria-hidden": "true" }, LETTERS[tier]), element("span", {}, t(`memory.tier_${tier}`)));

/** The full text as sentences, folded to a few lines; for an exchange, the question above the answer. @param {{ text: string | null, said: SaidText | null }} memory */
export function whole({ text, said }) {
  if (!said?.question) return folding(said?.text ?? text ?? "");
  return element("div.pair", {}, element("p.question", { dir: "auto" }, said.question), folding(said.text));
}

/** @param {string} text */
function folding(text) {
  const words = element("p.text", { dir: "auto" }, text);
  if (text.length <= LONG && text.split("\n").length <= 3) return words;
  words.classList.add("folded");
  const fold = element("button.quiet.fold", { "aria-expanded": "false" }, t("memory.more"));
  fold.addEventListener("click", () => {
    const folded = words.classList.toggle("folded");
    fold.textContent = t(folded ? "memory.more" : "memory.less");
    fold.setAttribute("aria-expanded", String(!folded));
  });
  return element("div", {}, words, fold);
}

/** @param {...Child} parts */
export const facts = (...parts) => element("p.facts", {}, ...parts.filter(Boolean).map((part) => element("span", {}, part)));

/** The outcome of its last use. @param {Outcome | null} outcome */
export const lastly = (outcome) => outcome && outcome !== "unknown" && t({ worked: "memory.worked", failed: "memory.failed_last", partial: "memory.partial" }[outcome]);

/** @param {{ uses: number, last_outcome: Outcome | null }} item */
export function used(item) {
  if (!item.uses) return t("memory.unused");
  return [t("memory.uses", { count: item.uses }), lastly(item.last_outcome)].filter(Boolean).join(" · ");
}

/** One place for loading, empty and error states: `states(root)` returns functions that set it. @param {Element} place */
export function states(place) {
  return {
    clear: () => place.replaceChildren(),
    loading: () => place.replaceChildren(element("div.skeleton", { "aria-busy": "true" }, element("i"), element("i"), element("i"))),
    empty: (/** @type {string} */ title, hint = "", /** @type {Node[]} */ ...more) => place.replaceChildren(element("div.empty", {}, element("strong", {}, title), hint && element("span", {}, hint), ...more)),
    failed: (/** @type {() => unknown} */ again) => place.replaceChildren(element("div.empty.failed", {}, element("strong", {}, t("memory.failed")), element("button", { onclick: () => again() }, t("shared.retry")))),
    say: (/** @type {Node[]} */ ...lines) => place.replaceChildren(...lines),
  };
}

/** `did` says what was done, `text` names the object, with its own text direction. @param {string} did @param {string} text @param {() => unknown} action */
export function undoableOf(did, text, action) {
  const named = text.length > BRIEF ? `${text.slice(0, BRIEF).trimEnd()}…` : text;
  undoable(named ? `${did} ${isolated(named)}` : did, t("memory.undo"), action);
}

/** @param {HTMLSelectElement} node @param {string[]} keys @param {() => unknown} changed */
export function sorts(node, keys, changed) {
  offer(node, keys.map((key) => [key, t(`memory.sort_${key}`)]));
  node.onchange = changed;
}

/** A foldable part that is loaded when it is first opened; `read` returns its rows. @param {string} title @param {() => Promise<Node[] | undefined>} read @param {string} none */
export function unfolding(title, read, none) {
  const body = element("div.past");
  const details = element("details.history", {}, element("summary", {}, title), body);
  details.addEventListener("toggle", async () => {
    if (!details.open || body.children.length) return;
    const rows = await read();
    if (rows) body.replaceChildren(...(rows.length ? rows : [element("p", {}, none)]));
  });
  return details;
}

/** Earlier texts, outcomes and tier changes of a memory, newest first. @param {() => Promise<MemoryHistory | null>} read */
export function historyOf(read, archiveBelow = "0.20") {
  const rows = async () => {
    const reply = await read();
    const lines = reply && [
      ...reply.outcomes.map((each) => ({ at: each.at, words: `${t(`memory.outcome_${each.outcome}`)}${because(each.why)}: `, text: each.question })),
      ...reply.moves.map((each) => ({ at: each.at, words: `${moved(each)} · ${t(`memory.reason_${each.reason}`, { score: archiveBelow })}`, text: "" })),
      ...reply.versions.map((each) => ({ at: each.at, words: `${t("memory.earlier_text")} (${t(`memory.reason_${each.reason}`)}): `, text: each.text })),
    ];
    return lines?.sort((one, other) => other.at - one.at).map(({ at, words, text }) => element("p", {}, words, element("bdi", {}, text), " ", when(at)));
  };
  return unfolding(t("memory.history"), rows, t("memory.no_history"));
}

/** " (outdated: in your own words)", if the user gave a reason. @param {{ reason: string | null, words: string } | null} why */
function because(why) {
  const parts = [why?.reason && t(`memory.because_${why.reason}`), why?.words].filter(Boolean);
  return parts.length ? ` (${parts.join(": ")})` : "";
}

/** @param {Move} move */
export function moved(move) {
  const to = move.to_status === "archived" ? t("memory.to_archive") : t(`memory.tier_${move.to_tier}`);
  return `${t(`memory.tier_${move.from_tier}`)} ${ui.language === "he" ? "←" : "→"} ${to}`;
}
