/* Words of the Library. */
import { more, t } from "../shared/words.js";

more({
  l_search: ["Search titles and text", "חיפוש בכותרות ובטקסט"],
  l_searching: ["Searching the text…", "מחפש בטקסט…"],
  l_title: ["Title", "כותרת"],
  l_kind: ["Kind", "סוג"],
  l_organisation: ["Organisation", "ארגון"],
  l_period: ["Period", "תקופה"],
  l_language: ["Language", "שפה"],
  l_pages: ["Pages", "עמודים"],
  l_size: ["Size", "גודל"],
  l_added: ["Added", "נוסף"],
  l_state: ["State", "מצב"],
  l_documents: ["Documents", "מסמכים"],
  l_any: ["All", "הכול"],
  l_clear: ["Clear filters", "ניקוי המסננים"],
  l_some: ["{shown} of {all} documents", "{shown} מתוך {all} מסמכים"],
  l_all: ["{all} documents", "{all} מסמכים"],
  l_one: ["1 document", "מסמך אחד"],
  l_reading: ["Reading", "בקריאה"],
  l_queued: ["Waiting", "ממתין"],
  l_by_words: ["Ready by words", "מוכן לפי מילים"],
  l_by_words_hint: ["Can be asked now. Passages that say it in other words are found later.", "אפשר לשאול עליו כבר עכשיו. קטעים שאומרים זאת במילים אחרות יימצאו בהמשך."],
  l_ready: ["Ready", "מוכן"],
  l_failed: ["Could not be read", "לא נקרא"],
  l_cancelled: ["Cancelled", "בוטל"],
  l_counted: ["{done} of {total}", "{done} מתוך {total}"],
  l_soon: ["under a minute left", "נותרה פחות מדקה"],
  l_minutes: ["about {n} min left", "נותרו כ־{n} דקות"],
  l_minute: ["about 1 min left", "נותרה כדקה"],
  l_hours: ["about {n} h left", "נותרו כ־{n} שעות"],
  l_page: ["p. {page}", "עמ׳ {page}"],
  l_more_places: ["and {n} more places", "ועוד {n} מקומות"],
  l_rename: ["Change the title", "שינוי הכותרת"],
  l_new_title: ["New title", "כותרת חדשה"],
  l_pick: ["Select", "בחירה"],
  l_pick_all: ["Select all that are shown", "בחירת כל המוצגים"],
  l_selected: ["{n} selected", "נבחרו {n}"],
  l_ask: ["Ask about these", "לשאול על אלה"],
  l_compare: ["Compare", "השוואה"],
  l_summarize: ["Summarize", "סיכום"],
  l_compare_order: ["Compare {names}", "השווה בין {names}"],
  l_summarize_order: ["Summarize {names}", "סכם את {names}"],
  l_delete: ["Delete", "מחיקה"],
  l_deleted: ["{n} documents were deleted.", "{n} מסמכים נמחקו."],
  l_not_ready: ["Documents that could not be read cannot be asked about.", "אי אפשר לשאול על מסמכים שלא נקראו."],
  l_too_many: ["Choose at most {n} documents to ask about, or make a set of them.", "בחרו עד {n} מסמכים לשאול עליהם, או צרו מהם אוסף."],
  l_sort_by: ["Sort by", "מיון לפי"],
  kind_annual_report: ["Annual report", "דוח שנתי"],
  kind_quarterly_report: ["Quarterly report", "דוח רבעוני"],
  kind_current_report: ["Current report", "דיווח מיידי"],
  kind_earnings_release: ["Earnings release", "הודעת תוצאות"],
  kind_contract: ["Contract", "חוזה"],
  kind_policy: ["Policy", "נוהל"],
  kind_paper: ["Paper", "מאמר"],
  kind_memo: ["Memo", "מזכר"],
  kind_minutes: ["Minutes", "פרוטוקול"],
  kind_invoice: ["Invoice", "חשבונית"],
  kind_other: ["Other", "אחר"],
});

export const fill = (key, values) => Object.entries(values).reduce((text, [name, value]) => text.replace(`{${name}}`, value), t(key));

export const kindName = (kind) => t(`kind_${(kind || "other").replaceAll(" ", "_")}`);

/** "2022-Q2" as people write it; what is no such key stays. */
export function periodName(key) {
  if (!/^\d{4}-\d\d-\d\d$/.test(key)) return key.replace(/^(\d{4})-(Q\d|H\d)$/, "$2 $1");
  const [year, month, day] = key.split("-").map(Number);
  return new Date(year, month - 1, day).toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "short", year: "numeric" });
}

/** How long something still takes, in words. */
export function timeLeft(seconds) {
  if (seconds === null || seconds === undefined) return "";
  if (seconds < 45) return t("l_soon");
  const minutes = Math.ceil(seconds / 60);
  if (minutes === 1) return t("l_minute");
  return minutes < 60 ? fill("l_minutes", { n: minutes }) : fill("l_hours", { n: Math.round(minutes / 60) });
}

/** What a document is to a person: `queued`, `reading`, `by_words`, `ready`, `failed` or `cancelled`. */
export function stateOf(each) {
  if (each.state === "failed" || each.state === "cancelled") return each.state;
  if (each.chunks && each.searchable === each.chunks) return each.embedded >= each.chunks ? "ready" : "by_words";
  return each.standing && each.standing.stage !== "queued" ? "reading" : "queued";
}

export const isBusy = (each) => each.state === "pending" || each.state === "processing";
