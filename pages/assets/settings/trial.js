/* What a trial of a model has shown: a mark a check, and why where something failed. */
import { element, explained } from "../shared/ui.js";
import { number, t } from "../shared/words.js";

/** @param {Check} check */
export const mark = ({ works }) => (works === null ? "untried" : works ? "works" : "fails");

/** @param {Trial} trial */
export function trialResult({ checks, first_token, trouble }) {
  const rows = checks.map((each) => {
    const kind = mark(each);
    return element(`li.${kind}`, { title: t(`settings.mark_${kind}`) }, t(`settings.check_${each.name}`));
  });
  return [
    element("ul", {}, ...rows),
    first_token !== null && element("p", {}, t("settings.first_token", { seconds: number(first_token, first_token < 10 ? 1 : 0) })),
    trouble && element("p.trouble", {}, ...explained(trouble)),
  ].filter((each) => each instanceof Node);
}
