/* A table of a document: a click on a heading sorts, and it is copied as a spreadsheet takes it. */

/** Listen in `root` for every table that it will ever hold. */
export function mountTables(root) {
  if (root.dataset.tables) return;
  root.dataset.tables = "1";
  root.addEventListener("click", (event) => {
    const sort = event.target.closest("[data-sort]");
    const copy = event.target.closest("[data-copy-table]");
    const figure = event.target.closest(".data-table");
    if (!figure) return;
    if (sort) sortBy(figure, Number(sort.dataset.sort), sort.closest("th"));
    if (copy) copyTable(figure, copy);
  });
}

function sortBy(figure, place, head) {
  const body = figure.querySelector("tbody");
  const rows = [...body.rows];
  rows.forEach((row, number) => { row.dataset.place ??= number; });
  const next = { none: "descending", descending: "ascending", ascending: "none" }[head.getAttribute("aria-sort")];
  for (const each of figure.querySelectorAll("[aria-sort]")) each.setAttribute("aria-sort", "none");
  head.setAttribute("aria-sort", next);
  const sign = next === "descending" ? -1 : 1;
  rows.sort((one, other) => (next === "none" ? 0 : compared(one.cells[place], other.cells[place], sign)) || one.dataset.place - other.dataset.place);
  body.append(...rows);
}

/** Figures before words, what is empty last, whichever way it is sorted. */
export function compared(one, other, sign) {
  const rank = (cell) => (cell?.dataset.value !== undefined ? 0 : cell?.textContent.trim() ? 1 : 2);
  if (rank(one) !== rank(other)) return rank(one) - rank(other);
  if (rank(one) === 0) return sign * (Number(one.dataset.value) - Number(other.dataset.value));
  return rank(one) === 2 ? 0 : sign * one.textContent.localeCompare(other.textContent, document.documentElement.lang || undefined);
}

function copyTable(figure, button) {
  const lines = [...figure.querySelectorAll("tr")].map((row) => [...row.cells].flatMap(texts).join("\t"));
  navigator.clipboard?.writeText(lines.join("\n")).then(() => {
    const before = button.textContent;
    button.textContent = figure.dataset.copied;
    setTimeout(() => { button.textContent = before; }, 1500);
  }, () => {});
}

/** A heading over several columns keeps its width; a text that would run as a formula is marked as text. */
export function texts(cell) {
  const text = cell.textContent.replace(/\s+/g, " ").trim();
  const safe = cell.dataset.value === undefined && /^[=+\-@]/.test(text) ? `'${text}` : text;
  return [safe, ...Array((cell.colSpan || 1) - 1).fill("")];
}
