/* What is being worked on: a row each, the oldest first. */
import { element, fill } from "../shared/ui.js";
import { moment, t } from "../shared/words.js";

/** @param {WorkRow} each */
function row({ kind, about, mine, user_id, since, waits }) {
  const whose = mine ? about : t("system.work_of", { name: user_id });
  return element(
    "li",
    { "data-kind": kind },
    element("span", {}, t(`system.kind_${kind}`), " ", whose && element("bdi", {}, whose)),
    element("small", {}, waits ? `${t("system.waits")} · ` : "", t("system.since", { at: moment(since) })),
  );
}

/** @param {HTMLElement} card @param {WorkRow[]} rows */
export const showWork = (card, rows) => fill(card.querySelector("ul"), rows.map(row), element("li.none", {}, t("system.work_none")));
