/* How the cards of System write times, and what a task of upkeep is drawn in. */
import { element } from "../shared/ui.js";
import { number, t } from "../shared/words.js";

/** "1,204 ms", "1.2 s". @param {number} value */
export const milliseconds = (value) => (value < 1000 ? t("system.milliseconds", { n: number(value, value < 10 ? 1 : 0) }) : t("system.seconds", { n: number(value / 1000, 1) }));

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
export function taskOnce(place, name, known) {
  const isDrawn = place.lang === document.documentElement.lang;
  place.lang = document.documentElement.lang;
  const parts = isDrawn ? null : task(place, name);
  place.querySelector("p").textContent = known;
  return parts;
}
