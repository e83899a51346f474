/* A document's properties as words: kind, period, state, remaining time. */
import { t } from "../shared/words.js";

/** @param {string} kind */
export const kindName = (kind) => t(`library.kind_${(kind || "other").replaceAll(" ", "_")}`);

/** @param {Date} date */
export const dayName = (date) => date.toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "short", year: "numeric" });

/** "2022-Q2" as users write it; other keys stay unchanged. @param {string} key */
export function periodName(key) {
  if (!/^\d{4}-\d\d-\d\d$/.test(key)) return key.replace(/^(\d{4})-(Q\d|H\d)$/, "$2 $1");
  const [year, month, day] = key.split("-").map(Number);
  return dayName(new Date(year, month - 1, day));
}

/** The remaining time, in words. @param {number | null | undefined} seconds */
export function timeLeft(seconds) {
  if (seconds === null || seconds === undefined) return "";
  if (seconds < 45) return t("library.soon");
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? t("library.minutes", { count: minutes }) : t("library.hours", { n: Math.round(minutes / 60) });
}

/** A document's state for the user: `queued`, `reading`, `recognising`, `by_words`, `ready`, `failed` or `cancelled`. @param {DocumentRow} each */
export function stateOf(each) {
  if (each.state === "failed" || each.state === "cancelled") return each.state;
  if (each.recognition && isBusy(each)) return "recognising";
  if (isReadable(each)) return each.embedded + (each.without_vectors ?? 0) >= each.chunks ? "ready" : "by_words";
  return each.standing && each.standing.stage !== "queued" ? "reading" : "queued";
}

/** Whether all of it can be found by keyword search. @param {DocumentRow} each */
export const isReadable = (each) => Boolean(each.chunks) && each.searchable === each.chunks;

/** @param {DocumentRow} each */
export const isBusy = (each) => each.state === "pending" || each.state === "processing";

/** Whether a model is extracting from it, or will. @param {Pick<DocumentRow, "extraction">} each */
export const isReadOut = ({ extraction }) => ["waiting", "reading"].includes(extraction?.state ?? "");

/** Its error, in one line. @param {Problem} problem */
export const problemLine = ({ what, why, remedy }) => `${what} ${why} ${remedy}`;
