/* A document's table: a click on a heading sorts, copying works with spreadsheets, and wide tables open in full width. */
import { button, element, onClick, onEscape } from "../shared/ui.js";

/** @type {Record<string, string>} */
const NEXT = { none: "descending", descending: "ascending", ascending: "none" };

/** Reports for each table whether it is wider than its container, whenever either changes. */
const widths = () => (observer ??= new ResizeObserver((seen) => seen.forEach(({ target }) => measure(target.closest(".scroll")))));
/** @type {ResizeObserver | undefined} */
let observer;

/** Handles every current and future table in `root`. @param {HTMLElement} root */
export function mountTables(root) {
  for (const scroll of root.querySelectorAll(".data-table .scroll")) [scroll, scroll.firstElementChild].forEach((each) => each && widths().observe(each));
  if (root.dataset.tables) return;
  root.dataset.tables = "1";
  onClick(root, ".data-table [data-sort]", (asked) => sortBy(asked.closest(".data-table"), Number(asked.dataset.sort), asked.closest("th")));
  onClick(root, ".data-table [data-wide-table]", (asked) => openWide(asked.closest(".data-table")));
  onClick(root, ".data-table [data-copy-table]", (asked) => copyTable(asked.closest(".data-table"), asked));
}

/** @param {HTMLElement | null} scroll */
function measure(scroll) {
  scroll?.closest(".data-table").toggleAttribute("data-sideways", scroll.scrollWidth > scroll.clientWidth + 1);
}

/** Opens it over the whole page; its button, Escape or a click outside closes it. @param {HTMLElement} figure */
function openWide(figure) {
  const close = () => dialog.close();
  const shown = /** @type {HTMLElement} */ (figure.cloneNode(true));
  const dialog = element("dialog.wide-table", { dir: figure.dir, "aria-label": figure.querySelector(".title")?.textContent ?? "", onclose: () => dialog.remove() });
  dialog.append(button(figure.dataset.close ?? "", close), shown);
  dialog.addEventListener("click", (event) => event.target === dialog && close());
  onEscape(dialog, (event) => event.stopPropagation());
  document.body.append(dialog);
  mountTables(dialog);
  dialog.showModal();
}

/** @param {HTMLElement} figure @param {number} place @param {HTMLElement} head */
function sortBy(figure, place, head) {
  const body = figure.querySelector("tbody");
  /** @type {HTMLTableRowElement[]} */
  const rows = [...body.rows];
  rows.forEach((row, number) => (row.dataset.place ??= String(number)));
  const next = NEXT[head.getAttribute("aria-sort") ?? ""];
  for (const each of figure.querySelectorAll("[aria-sort]")) each.setAttribute("aria-sort", "none");
  head.setAttribute("aria-sort", next);
  const sign = next === "descending" ? -1 : 1;
  rows.sort((one, other) => (next === "none" ? 0 : compared(one.cells[place], other.cells[place], sign)) || Number(one.dataset.place) - Number(other.dataset.place));
  body.append(...rows);
}

/** @param {HTMLElement | undefined} cell */
const rank = (cell) => (cell?.dataset.value !== undefined ? 0 : cell?.textContent?.trim() ? 1 : 2);

/** Numbers before words, empty cells last, in either sort order. @param {HTMLElement | undefined} one @param {HTMLElement | undefined} other @param {number} sign */
export function compared(one, other, sign) {
  if (!one || !other || rank(one) !== rank(other)) return rank(one) - rank(other);
  if (rank(one) === 0) return sign * (Number(one.dataset.value) - Number(other.dataset.value));
  return rank(one) === 2 ? 0 : sign * (one.textContent ?? "").localeCompare(other.textContent ?? "", document.documentElement.lang || undefined);
}

/** @param {HTMLElement} figure @param {HTMLElement} button */
function copyTable(figure, button) {
  const lines = [...figure.querySelectorAll("tr")].map((row) => [...row.cells].flatMap(texts).join("\t"));
  const copied = () => {
    const before = button.textContent;
    button.textContent = figure.dataset.copied ?? "";
    setTimeout(() => (button.textContent = before), 1500);
  };
  navigator.clipboard?.writeText(lines.join("\n")).then(copied, () => {});
}

/** A heading over several columns keeps its width; a text that would run as a formula is marked as text. @param {HTMLTableCellElement} cell */
export function texts(cell) {
  const text = (cell.textContent ?? "").replace(/\s+/g, " ").trim();
  const safe = cell.dataset.value === undefined && /^[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text;
  return [safe, ...Array((cell.colSpan || 1) - 1).fill("")];
}
