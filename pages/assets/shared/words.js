/* The page's own texts, from the server's catalogue, and the format of numbers, times and sizes; texts about runs, errors and steps come with those. */
/** @type {Record<string, Record<string, string | Record<string, string>>>} */
const TEXTS = await (await fetch(new URL("../texts.json", import.meta.url))).json();
/** @type {Record<number, string>} */
const FORMS = { 1: "one", 2: "two" };
const UNITS = ["B", "kB", "MB", "GB", "TB"];

export const ui = {
  language: localStorage.getItem("pal.ui") || ((navigator.language || "").startsWith("he") ? "he" : "en"),
};

/** The text of `key` in the current language, filled in; `count` selects its plural form. @param {string} key @param {Record<string, any>} [values] */
export function t(key, values) {
  const text = TEXTS[ui.language][key];
  if (!text) throw new Error(`no words for ${key}`);
  const chosen = typeof text === "string" ? text : text[FORMS[values?.count]] || text.other;
  return values ? chosen.replace(/\{(\w+)\}/g, (_, name) => values[name]) : chosen;
}

/** Fills every element that names its text: data-t (text), data-t-placeholder, data-t-label. @param {HTMLElement} root */
export function translate(root) {
  root.dir = ui.language === "he" ? "rtl" : "ltr";
  for (const node of root.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of root.querySelectorAll("[data-t-placeholder]")) node.placeholder = t(node.dataset.tPlaceholder);
  for (const node of root.querySelectorAll("[data-t-label]")) {
    node.setAttribute("aria-label", t(node.dataset.tLabel));
    if (node.tagName === "BUTTON") node.title = t(node.dataset.tLabel);
  }
}

/** A date and time. @param {number} seconds since 1970 */
export const moment = (seconds) => new Date(seconds * 1000).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });

/** A number in the language's format, with a maximum number of decimals. @param {number} value */
export const number = (value, digits = 0) => value.toLocaleString(document.documentElement.lang, { maximumFractionDigits: digits });

/** "1,204 ms", "1.2 s". @param {number} value */
export const milliseconds = (value) => (value < 1000 ? t("system.milliseconds", { n: number(value, value < 10 ? 1 : 0) }) : t("system.seconds", { n: number(value / 1000, 1) }));

/** `2_621_440` → "2.6 MB", a readable file size. @param {number} bytes */
export function size(bytes) {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const value = bytes / 1000 ** power;
  return `${value.toLocaleString(undefined, { maximumFractionDigits: value < 10 && power ? 1 : 0 })} ${UNITS[power]}`;
}

/** Text for comparison: without vowel points, accents and capitals. @param {string} text */
export const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** The reading direction: 1 to the right, -1 to the left. */
export const forward = () => (document.documentElement.dir === "rtl" ? -1 : 1);

/** A name in a sentence, with its own text direction. @param {string} text */
export const isolated = (text) => `\u2068${text}\u2069`;
