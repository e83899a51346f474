/* What a document is to a person, in words: its kind, its period, its state, the time it still takes. */
import { t } from "../shared/words.js";

export const kindName = (kind) => t(`library.kind_${(kind || "other").replaceAll(" ", "_")}`);

/** "2022-Q2" as people write it; what is no such key stays. */
export function periodName(key) {
  if (!/^\d{4}-\d\d-\d\d$/.test(key)) return key.replace(/^(\d{4})-(Q\d|H\d)$/, "$2 $1");
  const [year, month, day] = key.split("-").map(Number);
  return new Date(year, month - 1, day).toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "short", year: "numeric" });
}

/** How long something still takes, in words. */
export function timeLeft(seconds) {
  if (seconds === null || seconds === undefined) return "";
  if (seconds < 45) return t("library.soon");
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? t("library.minutes", { count: minutes }) : t("library.hours", { n: Math.round(minutes / 60) });
}

/** What a document is to a person: `queued`, `reading`, `by_words`, `ready`, `failed` or `cancelled`. */
export function stateOf(each) {
  if (each.state === "failed" || each.state === "cancelled") return each.state;
  if (each.chunks && each.searchable === each.chunks) return each.embedded >= each.chunks ? "ready" : "by_words";
  return each.standing && each.standing.stage !== "queued" ? "reading" : "queued";
}

export const isBusy = (each) => each.state === "pending" || each.state === "processing";

/** Whether a model is taking something out of it, or will. */
export const isReadOut = (each) => ["waiting", "reading"].includes(each.extraction?.state);
