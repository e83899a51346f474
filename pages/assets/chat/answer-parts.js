/* What unfolds inside an answer: steps, cost and support beneath its quiet row, and the columns of a wide table. */
import { onClick } from "../shared/ui.js";

/** @param {Element} thread */
export function mountAnswerParts(thread) {
  onClick(thread, "[data-unfold]", toggle);
  onClick(thread, "[data-columns]", widen);
}

/** One panel at a time: the row stays one row. @param {HTMLElement} button */
function toggle(button) {
  const under = button.closest(".under");
  const opens = button.getAttribute("aria-expanded") !== "true";
  for (const other of under.querySelectorAll("[data-unfold]")) other.setAttribute("aria-expanded", opens && other === button);
  for (const panel of under.querySelectorAll("[data-unfolded]")) panel.hidden = !opens || panel.dataset.unfolded !== button.dataset.unfold;
}

/** @param {HTMLElement} button */
function widen(button) {
  const open = button.closest("blockquote").classList.toggle("whole");
  const words = button.textContent ?? "";
  button.textContent = button.dataset.less ?? "";
  button.dataset.less = words;
  button.setAttribute("aria-expanded", open);
}

/** Where a citation leads: a source, a passage of it, a cell of a table. @param {HTMLElement} cited @param {string} quote @returns {Aim} */
export function aimOf(cited, quote) {
  const { cite, item, inTable, row, column } = cited.dataset;
  const cell = inTable === undefined ? null : { table: Number(inTable), row: Number(row), column: Number(column) };
  return { number: Number(cite), item: item || null, quote: cited.dataset.quote || quote, cell };
}
