/* Server response time: its longest pauses, and calculations stopped because they took too long. */
import { element } from "../shared/ui.js";
import { milliseconds, moment, t } from "../shared/words.js";

/** @param {Pause} each */
const pauseRow = (each) =>
  element("li", { "data-kind": "pause" }, element("span", {}, t("system.paused", { seconds: milliseconds(1000 * each.seconds) }), " ", each.where && element("bdi", { dir: "ltr" }, each.where)), element("small", {}, moment(each.at)));

/** @param {StoppedWork} each */
const stoppedRow = (each) =>
  element("li", { "data-kind": "stopped" }, element("span", {}, t("system.stopped", { name: each.name, seconds: milliseconds(1000 * each.seconds) })), element("small", {}, moment(each.at)));

/** @param {HTMLElement} card @param {Responsiveness} reply */
export function showResponsiveness(card, reply) {
  card.hidden = false;
  card.querySelector(".hint").textContent = t("system.longest_pause", { time: milliseconds(1000 * reply.longest) });
  card.querySelector("ul").replaceChildren(...reply.stopped.map(stoppedRow), ...reply.pauses.map(pauseRow));
}
