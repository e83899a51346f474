/* Truth and index compared and mended, and what is due in the memory: each is looked at first, then done. */
import { call } from "../shared/server.js";
import { during } from "../shared/timing.js";
import { button } from "../shared/ui.js";
import { moment, number, t } from "../shared/words.js";
import { taskOnce } from "./telling.js";

/** What differs, as a list of what there is of it. @param {ConsistencyReply} report */
export const differences = (report) =>
  /** @type {const} */ (["missing", "texts", "payload", "vectors", "orphaned"])
    .filter((kind) => report[kind])
    .map((kind) => t(`system.differs_${kind}`, { count: report[kind], n: number(report[kind]) }))
    .join(" · ");

/** @param {HTMLElement} place @param {SystemServer} server @param {Upkeep["check"]} last @param {() => unknown} changed */
export function checkTask(place, server, last, changed) {
  const standing = last ? t("system.check_last", { at: moment(last.at), n: number(last.looked_at), found: number(last.found), mended: number(last.changed) }) : t("system.check_never");
  const parts = taskOnce(place, "system.check", standing);
  if (!parts) return;
  const { came, buttons } = parts;
  const mend = button(t("system.mend"), () => during(mend, repair), "primary", { hidden: true, "data-do": "repair" });
  const look = button(t("system.compare"), () => during(look, compare), "", { "data-do": "check" });
  const compare = async () => {
    const report = await call(server.check);
    if (!report) return;
    came.textContent = report.differences ? t("system.check_differs", { what: differences(report) }) : t("system.check_alike", { n: number(report.checked) });
    mend.hidden = report.differences === 0;
  };
  const repair = async () => {
    const report = await call(server.repair);
    if (!report) return;
    came.textContent = t("system.check_mended", { n: number(report.repaired) });
    mend.hidden = true;
    changed();
  };
  buttons.append(look, mend);
}

/** How many memories would go which way. @param {Due} due */
export function moves(due) {
  /** @type {Map<string, number>} */
  const counted = new Map();
  for (const { reason } of due.moves) counted.set(reason, (counted.get(reason) ?? 0) + 1);
  return [...counted].map(([reason, count]) => `${t(`system.moved_${reason}`)}: ${number(count)}`).join(" · ");
}

/** @param {HTMLElement} place @param {SystemServer} server @param {Upkeep["promotion"] | undefined} last */
export function promotionTask(place, server, last) {
  const standing = [t("system.promote_hint"), last && t("system.promote_last", { at: moment(last.at), n: number(last.changed) })].filter(Boolean).join(" ");
  const parts = taskOnce(place, "system.promote", standing);
  if (!parts) return;
  const { came, buttons } = parts;
  const move = button(t("system.promote_do"), () => during(move, promote), "primary", { hidden: true, "data-do": "promote" });
  const look = button(t("system.promote_look"), () => during(look, preview), "", { "data-do": "promote-look" });
  const preview = async () => {
    const due = await call(server.promote_memory, { dry_run: true });
    if (!due) return;
    came.textContent = due.moves.length ? t("system.promote_due", { what: moves(due) }) : t("system.promote_none");
    move.hidden = due.moves.length === 0;
  };
  const promote = async () => {
    const done = await call(server.promote_memory, { dry_run: false });
    if (!done) return;
    came.textContent = done.moves.length ? t("system.promote_done", { what: moves(done) }) : t("system.promote_none");
    move.hidden = true;
  };
  buttons.append(look, move);
}
