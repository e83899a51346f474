/* Truth and index compared and mended, and what is due in the memory: each is looked at first, then done. */
import { call } from "../shared/server.js";
import { during } from "../shared/timing.js";
import { button, element, tally } from "../shared/ui.js";
import { moment, number, t } from "../shared/words.js";

/** A task of upkeep: its name, what is known of it, its buttons, what came of it. @param {HTMLElement} place @param {string} name */
export function task(place, name) {
  const parts = {
    known: element("p"),
    bar: element("progress", { "aria-hidden": true, hidden: true }),
    came: element("p.came", { role: "status" }),
    buttons: element("div.buttons"),
  };
  place.replaceChildren(element("h3", {}, t(name)), parts.known, parts.bar, parts.came, parts.buttons);
  return parts;
}

/** A task that stands there already keeps what came of it and what is under way: only what is known is told anew, and none is given. @param {HTMLElement} place @param {string} name @param {string} known */
function taskOnce(place, name, known) {
  const isDrawn = place.lang === document.documentElement.lang;
  place.lang = document.documentElement.lang;
  const parts = isDrawn ? null : task(place, name);
  place.querySelector("p").textContent = known;
  return parts;
}

/** What differs, as a list of what there is of it. @param {ConsistencyReply} report */
export const differences = (report) =>
  /** @type {const} */ (["missing", "texts", "payload", "vectors", "orphaned"])
    .filter((kind) => report[kind])
    .map((kind) => t(`system.differs_${kind}`, { count: report[kind], n: number(report[kind]) }))
    .join(" · ");

/** @typedef {{ name: string, words: string, work: () => Promise<{ due: boolean, told: string } | null> }} Step `work` gives what came of it, and whether anything is left to be done */

/** A look, and what can be done after it where it found anything. @param {ReturnType<typeof task> | null} parts none of a task that stands there already @param {Step} look @param {Step} act */
function inTwoSteps(parts, look, act) {
  if (!parts) return;
  const step = (/** @type {Step} */ { name, words, work }, kind = "", hidden = false) => {
    const control = button(t(words), () => during(control, take), kind, { hidden, "data-do": name });
    const take = async () => {
      const came = await work();
      if (!came) return;
      parts.came.textContent = came.told;
      second.hidden = !came.due;
    };
    return control;
  };
  const second = step(act, "primary", true);
  parts.buttons.append(step(look), second);
}

/** @param {HTMLElement} place @param {SystemServer} server @param {Upkeep["check"]} last @param {() => unknown} changed */
export function checkTask(place, server, last, changed) {
  const standing = last ? t("system.check_last", { at: moment(last.at), n: number(last.looked_at), found: number(last.found), mended: number(last.changed) }) : t("system.check_never");
  const compare = async () => {
    const report = await call(server.check);
    return report && { due: report.differences > 0, told: report.differences ? t("system.check_differs", { what: differences(report) }) : t("system.check_alike", { n: number(report.checked) }) };
  };
  const repair = async () => {
    const report = await call(server.repair);
    if (report) changed();
    return report && { due: false, told: t("system.check_mended", { n: number(report.repaired) }) };
  };
  inTwoSteps(taskOnce(place, "system.check", standing), { name: "check", words: "system.compare", work: compare }, { name: "repair", words: "system.mend", work: repair });
}

/** How many memories would go which way. @param {Due} due */
export const moves = (due) => [...tally(due.moves.map(({ reason }) => reason))].map(([reason, count]) => `${t(`system.moved_${reason}`)}: ${number(count)}`).join(" · ");

/** @param {HTMLElement} place @param {SystemServer} server @param {Upkeep["promotion"] | undefined} last */
export function promotionTask(place, server, last) {
  const standing = [t("system.promote_hint"), last && t("system.promote_last", { at: moment(last.at), n: number(last.changed) })].filter(Boolean).join(" ");
  const promote = (/** @type {boolean} */ dry_run, /** @type {string} */ words) => async () => {
    const due = await call(server.promote_memory, { dry_run });
    return due && { due: dry_run && due.moves.length > 0, told: due.moves.length ? t(words, { what: moves(due) }) : t("system.promote_none") };
  };
  const look = { name: "promote-look", words: "system.promote_look", work: promote(true, "system.promote_due") };
  inTwoSteps(taskOnce(place, "system.promote", standing), look, { name: "promote", words: "system.promote_do", work: promote(false, "system.promote_done") });
}
