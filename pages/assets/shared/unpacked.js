/* The result for the files of an archive: a short notice if all were accepted, otherwise a card that stays. */
import { addProblem, element, showToast } from "./ui.js";
import { t } from "./words.js";

/** The numbers of files that were added, already existed and were left out, in one sentence. @param {string} name @param {UnpackedReply} reply */
export function summary(name, { documents, known, left_out }) {
  const parts = [t("shared.unpacked_added", { count: documents.length })];
  if (known.length) parts.push(t("shared.unpacked_known", { count: known.length }));
  if (left_out.length) parts.push(t("shared.unpacked_left_out", { count: left_out.length }));
  return `${name}: ${parts.join(", ")}`;
}

/** @param {string} name @param {UnpackedReply} reply */
export function tellUnpacked(name, reply) {
  if (!reply.left_out.length) return showToast(summary(name, reply), { seconds: 8 });
  const rows = reply.left_out.map(({ problem: { what, why, remedy } }) => element("li", {}, element("span", { dir: "auto" }, `${what} ${why}`), " ", element("em", {}, remedy)));
  addProblem([element("strong", {}, summary(name, reply))], [element("ul", { tabindex: 0 }, ...rows)], { kind: "unpacked" });
}
