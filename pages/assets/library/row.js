/* A document as a line of the list: its cells, its actions, and the matches of the search in it. */
import { send } from "../shared/bus.js";
import { button, element, iconButton } from "../shared/ui.js";
import { isolated, t } from "../shared/words.js";
import { dayName, isBusy, kindName, periodName, problemLine, stateOf, timeLeft } from "./document-words.js";

const PENCIL = "M4 20l1-5L16 4l4 4L9 19l-5 1z";
const BIN = "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5";

/** @typedef {Record<"cancel" | "retry" | "remove" | "rename", (each: DocumentRow) => unknown> & { pick: (each: DocumentRow, event: MouseEvent) => void }} Acts */
const HINTED = new Set(["by_words", "recognising"]);

/** @typedef {{ picked: boolean, open: boolean, reached: boolean }} RowMarks */

/** @param {DocumentRow} each @param {Found | undefined} found @param {RowMarks} marks @param {Acts} act */
export function documentRow(each, found, { picked, open, reached }, act) {
  const state = stateOf(each);
  return element(
    "div",
    { class: `row ${state}${isBusy(each) ? " busy" : ""}`, tabindex: reached ? 0 : -1, "data-document": each.id, role: "row", "aria-selected": picked, "aria-current": open },
    pickBox(`${t("library.pick")}: ${each.title}`, picked, (event) => act.pick(each, event)),
    titleCell(each),
    textCell("kind", each.kind && each.kind !== "other" ? kindName(each.kind) : ""),
    textCell("organisation", each.organisations.join(", ")),
    textCell("period", each.periods.map(periodName).join(", ")),
    textCell("language", state === "ready" || state === "by_words" ? t(`library.lang_${each.language}`) : ""),
    textCell("pages", String(each.pages ?? "")),
    element("span.cell.size", { role: "gridcell" }, element("bdi", { dir: "ltr" }, each.size)),
    textCell("added", dayName(new Date(each.added_at * 1000))),
    stateCell(each, state),
    element("span.cell.act", { role: "gridcell" }, ...buttons(each, act)),
    each.problem && element("p.why", { role: "alert" }, problemLine(each.problem)),
    found && placesOf(each, found),
  );
}

/** Names keep their own direction: the full stop of "Inc." stays after it in Hebrew. @param {string} name @param {string} text */
const textCell = (name, text) => element(`span.cell.${name}`, { role: "gridcell", title: text || null }, text && element("bdi", {}, text));

/** @param {DocumentRow} each */
function titleCell({ title, filename, owner, group, differing }) {
  return element("span.cell.title", { role: "gridcell", title: `${title}\n${filename}` }, element("bdi", {}, title), filename !== title && element("small", { dir: "ltr" }, filename), (owner || group) && sharing(owner, group), differing > 0 && element("small.differing", {}, t("library.differing", { count: differing })));
}

/** Its owner, or the group that its owner shares it with. @param {string | null} owner @param {string | null} group */
export function sharing(owner, group) {
  const title = owner && t("library.of_owner_hint", { owner: isolated(owner) });
  return element("small.sharing", { title }, owner ? t("library.of_owner", { owner: isolated(owner) }) : t("library.shared_with", { group: isolated(group ?? "") }));
}

/** A file's progress, if it can be counted. @param {DocumentRow} each @param {string} state */
function progressOf({ standing, recognition }, state) {
  if (state === "recognising") return standing?.total ? standing : recognition;
  return state === "reading" && standing && standing.total > 1 && standing.done < standing.total ? standing : null;
}

/** @param {DocumentRow} each @param {string} state */
function stateCell(each, state) {
  const standing = isBusy(each) ? each.standing : null;
  const counted = standing && progressOf(each, state);
  const left = standing ? timeLeft(state === "by_words" ? standing.meaning : standing.words) : "";
  const name = t(`library.state_${state}`);
  const detail = [counted ? t(state === "recognising" ? "library.page_of" : "library.counted", counted) : "", left].filter(Boolean).join(" · ");
  const title = [name, detail, HINTED.has(state) ? t(`library.state_${state}_hint`) : ""].filter(Boolean).join("\n");
  const bar = counted && element("progress", { max: counted.total, value: counted.done, "aria-label": name });
  return element("span.cell.state", { role: "gridcell", title }, element("b", {}, name), detail && element("small", {}, detail), bar);
}

/** @param {DocumentRow} each @param {Acts} act */
function buttons(each, act) {
  if (each.owner) return [];
  if (isBusy(each) && stateOf(each) !== "by_words") return [button(t("shared.cancel"), () => act.cancel(each), "quiet")];
  const again = each.can_retry && ["failed", "cancelled"].includes(each.state);
  const first = again ? button(t("shared.retry"), () => act.retry(each), "quiet") : iconButton(PENCIL, t("library.rename"), () => act.rename(each), "quiet icon");
  return [first, iconButton(BIN, t("library.delete"), () => act.remove(each), "quiet icon")];
}

/** @param {string} label @param {boolean} checked @param {(event: MouseEvent) => void} change @param {Record<string, any>} [given] of the cell around it */
export function pickBox(label, checked, change, given = { role: "gridcell" }) {
  const input = element("input", { type: "checkbox", tabindex: -1, "aria-label": label, checked, onclick: change });
  return element("label.cell.pick", { ...given, onclick: (/** @type {Event} */ event) => event.stopPropagation() }, input);
}

/* -- matches in the text ---------------------------------------------------------------------- */
/** @param {DocumentRow} each @param {Found} found */
const placesOf = (each, { places, more }) => element("ul.places", {}, ...places.map((place) => placeRow(each, place)), more > 0 && element("li.more", {}, t("library.more_places", { n: more })));

/** @param {DocumentRow} each @param {FoundPlace} place */
function placeRow(each, { page, item, section, pieces }) {
  const quote = pieces.map(([piece]) => piece).filter((piece) => piece !== "…").join("").trim();
  const line = button("", () => send("palimpsest:open", { document: each.id, page, item, quote }), "place");
  const text = pieces.map(([piece, marked]) => (marked ? element("mark", {}, piece) : piece.replaceAll("|", "·")));
  line.append(element("small", {}, page ? t("library.page", { page }) : section || ""), element("span", { dir: "auto" }, ...text));
  return element("li", {}, line);
}
