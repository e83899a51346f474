/* What all parts of the Memory tab draw: elements, times, whole texts that fold, states, undo. */
import { showToast } from "../shared/notices.js";
import { element } from "../shared/ui.js";
import { t, ui } from "../shared/words.js";

export const TIERS = ["working", "history", "patterns", "books", "memory_bank"];
export const LETTERS = { working: "W", history: "H", patterns: "P", books: "B", memory_bank: "M" };
/** Kinds of what a model took out of books. */
export const TAKEN_OUT = ["quote", "mental_model", "summary"];
const UNDO_SECONDS = 10;
const LONG = 260;
const BRIEF = 80;

export const number = (value, digits = 2) => Number(value).toLocaleString(ui.language, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [["day", 86_400], ["hour", 3_600], ["minute", 60]];

/** "5 days ago", "in 3 hours": in the reader's language. */
export function ago(at) {
  const seconds = at - Date.now() / 1000;
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) || UNITS.at(-1);
  const words = new Intl.RelativeTimeFormat(ui.language, { numeric: "auto" }).format(Math.trunc(seconds / size), unit);
  return words.replace(" (1)", "");
}

/** A length of time in one unit. */
export function lasting(seconds) {
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) || UNITS.at(-1);
  const count = Math.max(1, Math.round(seconds / size));
  if (count === 1) return t(`memory.one_${unit}`);
  return new Intl.NumberFormat(ui.language, { style: "unit", unit, unitDisplay: "long" }).format(count);
}

export function when(at) {
  const date = new Date(at * 1000);
  return element("time", { datetime: date.toISOString(), title: date.toLocaleString(ui.language) }, ago(at));
}

export function badge(tier) {
  return element(`span.tier.${tier}`, { title: t(`memory.tier_${tier}`) }, element("b", { "aria-hidden": "true" }, LETTERS[tier]), element("span", {}, t(`memory.tier_${tier}`)));
}

/** The whole of it as sentences: a few lines until one asks for more; of an exchange, its question above its answer. */
export function whole({ text, said }) {
  if (!said?.question) return folding(said ? said.text : text);
  return element("div.pair", {}, element("p.question", { dir: "auto" }, said.question), folding(said.text));
}

function folding(text) {
  const words = element("p.text", { dir: "auto" }, text);
  if (text.length <= LONG && text.split("\n").length <= 3) return words;
  words.classList.add("folded");
  const button = element("button.quiet.fold", { "aria-expanded": "false" }, t("memory.more"));
  button.addEventListener("click", () => {
    const folded = words.classList.toggle("folded");
    button.textContent = t(folded ? "memory.more" : "memory.less");
    button.setAttribute("aria-expanded", !folded);
  });
  return element("div", {}, words, button);
}

export function facts(...parts) {
  return element("p.facts", {}, ...parts.filter(Boolean).map((part) => element("span", {}, part)));
}

export function used(item) {
  if (!item.uses) return t("memory.unused");
  const last = { worked: "memory.worked", failed: "memory.failed_last", partial: "memory.partial" }[item.last_outcome];
  const count = t("memory.uses", { count: item.uses });
  return last ? `${count} · ${t(last)}` : count;
}

/** One place for loading, empty and error: `states(root)` gives what sets it. */
export function states(place) {
  return {
    clear: () => place.replaceChildren(),
    loading: () => place.replaceChildren(element("div.skeleton", { "aria-busy": "true" }, element("i"), element("i"), element("i"))),
    empty: (title, hint = "", ...more) => place.replaceChildren(element("div.empty", {}, element("strong", {}, title), hint ? element("span", {}, hint) : null, ...more)),
    failed: (again) => place.replaceChildren(element("div.empty.failed", {}, element("strong", {}, t("memory.failed")), element("button", { onclick: again }, t("memory.again")))),
    say: (...lines) => place.replaceChildren(...lines),
  };
}

/** `did` says what was done, `text` names what it was done to, in a direction of its own. */
export function undoable(did, text, action) {
  const named = text.length > BRIEF ? `${text.slice(0, BRIEF).trimEnd()}…` : text;
  showToast(named ? `${did} \u2068${named}\u2069` : did, { label: t("memory.undo"), seconds: UNDO_SECONDS, action });
}

/** Buttons of which one is pressed, or any when `several`. */
export function pressed(node, on) {
  node.setAttribute("aria-pressed", Boolean(on));
  return node;
}

export function select(node, keys, changed) {
  const chosen = node.value;
  node.replaceChildren(...keys.map((key) => element("option", { value: key }, t(`memory.sort_${key}`))));
  node.value = keys.includes(chosen) ? chosen : keys[0];
  node.onchange = changed;
}

/** Earlier texts, outcomes and moves of a memory, read when it is opened. */
export function historyOf(memoryId, read, archiveBelow = "0.20") {
  const body = element("div.past");
  const details = element("details.history", {}, element("summary", {}, t("memory.history")), body);
  details.addEventListener("toggle", async () => {
    if (!details.open || body.children.length) return;
    const reply = await read({ memory_id: memoryId });
    if (!reply) return;
    const rows = [
      ...reply.outcomes.map((each) => [each.at, `${t(`memory.outcome_${each.outcome}`)}${because(each.why)}: `, each.question]),
      ...reply.moves.map((each) => [each.at, `${moved(each)} · ${t(`memory.reason_${each.reason}`, { score: archiveBelow })}`, ""]),
      ...reply.versions.map((each) => [each.at, `${t("memory.earlier_text")} (${t(`memory.reason_${each.reason}`)}): `, each.text]),
    ].sort((one, other) => other[0] - one[0]);
    body.replaceChildren(...(rows.length ? rows.map(([at, words, text]) => element("p", {}, words, element("bdi", {}, text), " ", when(at))) : [element("p", {}, t("memory.no_history"))]));
  });
  return details;
}

/** " (outdated: in your own words)", where somebody said why. */
function because(why) {
  const parts = [why?.reason && t(`memory.because_${why.reason}`), why?.words].filter(Boolean);
  return parts.length ? ` (${parts.join(": ")})` : "";
}

export function moved(move) {
  const to = move.to_status === "archived" ? t("memory.to_archive") : t(`memory.tier_${move.to_tier}`);
  return `${t(`memory.tier_${move.from_tier}`)} ${ui.language === "he" ? "←" : "→"} ${to}`;
}
