/* Maintenance: comparing and repairing the index, and promoting memories; each is checked first, then run. */
import { call } from "../shared/server.js";
import { during } from "../shared/timing.js";
import { button, element, tally } from "../shared/ui.js";
import { moment, number, t } from "../shared/words.js";

/** A maintenance task: its name, its state, its buttons, its result. @param {HTMLElement} place @param {string} name */
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

/** If the task is already shown, keeps its result and progress, updates only its state and returns nothing. @param {HTMLElement} place @param {string} name @param {string} known */
function taskOnce(place, name, known) {
  const isDrawn = place.lang === document.documentElement.lang;
  place.lang = document.documentElement.lang;
  const parts = isDrawn ? null : task(place, name);
  place.querySelector("p").textContent = known;
  return parts;
}

/** The differences, as a list with counts. @param {ConsistencyReply} report */
export const differences = (report) =>
  /** @type {const} */ (["missing", "texts", "payload", "vectors", "orphaned"])
    .filter((kind) => report[kind])
    .map((kind) => t(`system.differs_${kind}`, { count: report[kind], n: number(report[kind]) }))
    .join(" · ");

/** @typedef {{ name: string, words: string, work: () => Promise<{ due: boolean, told: string } | null> }} Step `work` returns the result, and whether anything is left to do */

/** A check, and the action available after it if it found anything. @param {ReturnType<typeof task> | null} parts null for a task that is already shown @param {Step} look @param {Step} act */
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

/** The numbers of memories by kind of move. @param {Due} due */
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
