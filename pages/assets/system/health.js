/* Health: findings, the worst first, and a summary line above them. */
import { element } from "../shared/ui.js";
import { t } from "../shared/words.js";

const WORST = ["red", "amber", "green"];

/** @param {{ state: string }[]} findings */
export const worst = (findings) => WORST.find((state) => findings.some((each) => each.state === state)) ?? "green";

/** The summary line: it never says that everything works while there are findings. @param {HTMLElement} line @param {SystemFinding[]} findings */
export function summarise(line, findings) {
  const wrong = findings.filter((each) => each.state !== "green").length;
  const state = worst(findings);
  line.dataset.state = state;
  line.textContent = t(`system.summary_${state}`, { count: wrong });
}

/** @param {SystemFinding} each */
const wrongRow = (each) =>
  element(
    `li.${each.state}`,
    { "data-warning": each.warning },
    element(
      "div",
      {},
      element("strong", {}, each.name),
      element("p", {}, each.what),
      each.why && element("p.why", {}, each.why),
      each.remedy && element("p.remedy", {}, `${t("shared.what_to_do")}: ${each.remedy}`),
    ),
  );

/** @param {HTMLElement} card @param {SystemFinding[]} findings */
export function showFindings(card, findings) {
  const wrong = findings.filter((each) => each.state !== "green").sort((a, b) => WORST.indexOf(a.state) - WORST.indexOf(b.state));
  const fine = findings.filter((each) => each.state === "green");
  card.querySelector(".wrong").replaceChildren(...wrong.map(wrongRow));
  card.querySelector(".fine").hidden = fine.length === 0;
  card.querySelector(".fine summary").textContent = t("system.fine", { count: fine.length });
  card.querySelector(".fine ul").replaceChildren(...fine.map((each) => element("li", {}, element("span", {}, `${each.name} `, element("small", {}, each.what)))));
}
