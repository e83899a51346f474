/* The data viewer: the rows of a dataset page by page, and the summary of a column. The server draws everything.

`gr.Dataframe` is not used: it gets all rows at once and sorts and filters in the browser, says nothing of the order of a
column to screen readers, and has no layout from right to left. */
import { lead, on } from "../shared/bus.js";
import { call } from "../shared/server.js";
import { afterPause, busy, during, latest } from "../shared/timing.js";
import { element, fromMarkup, onClick, showToast, undoable } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { mention } from "./selection.js";

const PAUSE_MS = 300;
const NARROW = "(max-width: 768px)";

const notices = () => /** @type {HTMLElement} */ (document.querySelector(".pal-notices"));

export class DataViewer {
  /** @type {RowsAsked} the rows that are shown */
  asked = { dataset: "" };
  /** @type {Element | null} the element that had the focus before */
  opener = null;
  /** @type {HTMLElement | null} the usual parent of the notices */
  home = null;
  arriving = latest();
  content = element("div.content");
  dialog = /** @type {HTMLDialogElement} */ (element("dialog.pal-widget.pal-data", { "aria-labelledby": "data-view-title" }, this.content));

  /** @param {import("./library.js").Library} library */
  constructor(library) {
    this.library = library;
    this.server = library.server;
    document.body.append(this.dialog);
    this.listen();
  }

  /** @param {string} selector @returns {any} */
  part(selector) {
    return this.dialog.querySelector(selector);
  }

  /* -- drawing ------------------------------------------------------------------------ */
  /** Opens a dataset, at a row of its sheet if one is given. @param {{ dataset: string, row?: number }} wanted */
  async open({ dataset, row }) {
    const opener = document.activeElement;
    if (!(await this.draw({ dataset, row }))) return;
    delete this.asked.row;
    if (this.dialog.open) return this.showRow(row);
    this.opener = opener;
    this.dialog.showModal();
    this.home = notices().parentElement;
    this.dialog.append(notices()); // those outside of an open dialog cannot be clicked
    this.part("[data-dataset-words]").focus();
    this.showRow(row);
  }

  /** Marks a row of the sheet and brings it into sight. @param {number | undefined} row */
  showRow(row) {
    const shown = row && this.part(`tr[data-row="${row}"]`);
    if (!shown) return;
    shown.classList.add("wanted");
    shown.scrollIntoView({ block: "center" });
  }

  /** Draws the whole viewer. @param {RowsAsked} asked */
  async draw(asked) {
    const reply = await this.arriving(call(this.server.data_view, asked));
    if (!reply) return false;
    this.asked = asked;
    this.content.replaceChildren(fromMarkup(reply.html));
    this.part("[data-dataset-words]").value = asked.words ?? "";
    return true;
  }

  /** Shows other rows of the dataset, from the first page unless another is given. @param {Partial<RowsAsked>} changed */
  async turn(changed) {
    const asked = { ...this.asked, offset: 0, ...changed };
    const place = this.part("[data-dataset-page]");
    const reply = await this.arriving(busy(place, call(this.server.data_page, asked)));
    if (!reply) return;
    this.asked = asked;
    const before = place.contains(document.activeElement) ? focusedIn(document.activeElement) : "";
    const sideways = this.part("[data-dataset-page] .table-scroll").scrollLeft;
    place.replaceChildren(fromMarkup(reply.html));
    this.part("[data-dataset-page] .table-scroll").scrollLeft = sideways;
    this.markColumn();
    if (before) (this.part(`${before}:not(:disabled)`) ?? this.part("[data-dataset-page] .table-scroll")).focus();
  }

  /** Shows the summary of a column, or closes it. @param {string} key */
  async showColumn(key) {
    const place = this.part("[data-dataset-column]");
    const reply = key && (await call(this.server.data_column, { dataset: this.asked.dataset, key }));
    place.hidden = !reply;
    place.replaceChildren(...(reply ? [fromMarkup(reply.html)] : []));
    this.markColumn();
    if (reply) place.focus();
  }

  /** Marks the column whose summary is shown. */
  markColumn() {
    const key = this.part(".data-column")?.dataset.key;
    for (const each of this.dialog.querySelectorAll("[data-column]")) each.setAttribute("aria-expanded", String(each.getAttribute("data-column") === key));
  }

  /** Closes the summary; the focus returns to the column. */
  async closeColumn() {
    const key = this.part(".data-column")?.dataset.key;
    await this.showColumn("");
    this.part(`[data-column="${key}"]`)?.focus();
  }

  /* -- sorting and filtering ---------------------------------------------------------- */
  /** The first click sorts upwards, the second downwards, the third as in the sheet. @param {string} key */
  sort(key) {
    const { sort = "", descending = false } = this.asked;
    const isSame = (sort ?? "") === key;
    if (isSame && descending) return this.turn({ sort: null, descending: false });
    return this.turn({ sort: key || null, descending: isSame });
  }

  /** On a narrow screen the summary covers the rows. @param {DataCondition} condition */
  async filter(condition) {
    if (matchMedia(NARROW).matches) this.closeColumn();
    await this.turn({ filters: [...(this.asked.filters ?? []), condition] });
  }

  /** @param {HTMLFormElement} form */
  filterBy(form) {
    const { op, value } = Object.fromEntries(new FormData(form).entries());
    const column = this.part(".data-column").dataset.key;
    const isEmpty = String(op).endsWith("empty");
    if (isEmpty || value !== "") this.filter({ column, op: String(op), value: isEmpty ? null : String(value) });
  }

  /* -- corrections -------------------------------------------------------------------- */
  /** @param {HTMLFormElement} form */
  async correct(form) {
    const { key, name: oldName = "", type: oldType = "", corrected } = this.part(".data-column").dataset;
    const { name, type } = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form).entries()));
    if (name.trim() === oldName && type === oldType) return;
    const changes = { ...(name.trim() !== oldName && { name: name.trim() }), ...(type !== oldType && { type }) };
    const { dataset } = this.asked;
    const taken = await during(form.querySelector("[type=submit]"), () => call(this.server.correct_data_column, { dataset, key, ...changes }));
    if (!taken) return;
    await this.redrawn(key);
    // A column that was as in the file is so again; an earlier correction comes back.
    const undo = () => (corrected === undefined ? call(this.server.restore_data_column, { dataset, key }) : call(this.server.correct_data_column, { dataset, key, name: oldName, type: oldType }));
    undoable(t("library.column_corrected", { name: name.trim() }), t("shared.undo"), async () => (await undo()) && this.asked.dataset === dataset && this.redrawn(key));
  }

  /** @param {HTMLButtonElement} asked */
  async restore(asked) {
    const { key } = this.part(".data-column").dataset;
    const taken = await during(asked, () => call(this.server.restore_data_column, { dataset: this.asked.dataset, key }));
    if (!taken) return;
    await this.redrawn(key);
    showToast(t("library.column_restored"));
  }

  /** Draws the dataset after a correction; filters of the old type no longer fit. @param {string} key */
  async redrawn(key) {
    const filters = (this.asked.filters ?? []).filter(({ column }) => column !== key);
    if (this.dialog.open && (await this.draw({ ...this.asked, filters }))) await this.showColumn(key);
  }

  /** Begins a question in the chat about the document of the dataset. */
  ask() {
    const { document: id } = this.part(".data-view").dataset;
    const known = this.library.documents.find((each) => each.id === id);
    this.dialog.close();
    if (known) lead("chat", "compose", { text: `${mention(known, this.library.documents)} `, action: "" });
  }

  /* -- clicks and keys ---------------------------------------------------------------- */
  listen() {
    const { dialog } = this;
    /** @type {Record<string, (node: any) => unknown>} */
    const clicks = {
      "[data-close-dataset]": () => dialog.close(),
      "[data-ask-dataset]": () => this.ask(),
      "[data-sort-dataset]": ({ dataset }) => this.sort(dataset.sortDataset),
      "[data-column]": (node) => this.showColumn(node.getAttribute("aria-expanded") === "true" ? "" : node.dataset.column),
      "[data-close-column]": () => this.closeColumn(),
      "[data-dataset-offset]": ({ dataset }) => this.turn({ offset: Number(dataset.datasetOffset) }),
      "[data-drop-filter]": ({ dataset }) => this.turn({ filters: (this.asked.filters ?? []).filter((_, place) => place !== Number(dataset.dropFilter)) }),
      "[data-only-value]": ({ dataset }) => this.filter({ column: this.part(".data-column").dataset.key, op: "=", value: dataset.onlyValue }),
      "[data-restore-column]": (node) => this.restore(node),
    };
    for (const [selector, act] of Object.entries(clicks)) onClick(dialog, selector, act);
    const search = afterPause(PAUSE_MS, () => this.turn({ words: this.part("[data-dataset-words]").value.trim() }));
    dialog.addEventListener("input", ({ target }) => target instanceof Element && target.matches("[data-dataset-words]") && search());
    dialog.addEventListener("change", ({ target }) => this.changed(/** @type {HTMLInputElement} */ (target)));
    dialog.addEventListener("submit", (event) => {
      event.preventDefault();
      const form = /** @type {HTMLFormElement} */ (event.target);
      return form.matches("[data-filter-column]") ? this.filterBy(form) : this.correct(form);
    });
    dialog.addEventListener("keydown", (event) => event.stopPropagation()); // the page behind has its own keys
    dialog.addEventListener("cancel", (event) => {
      if (this.part("[data-dataset-column]")?.hidden !== false) return;
      event.preventDefault();
      this.closeColumn();
    });
    dialog.addEventListener("close", () => this.closed());
    on("language", () => dialog.open && this.draw(this.asked));
  }

  /** @param {HTMLInputElement} field */
  changed(field) {
    if (field.matches("[data-other-dataset]")) this.draw({ dataset: field.value });
    if (!field.matches("[data-dataset-number]")) return;
    const number = Math.min(Number(field.max), Math.max(1, Math.round(Number(field.value)) || 1));
    this.turn({ offset: (number - 1) * Number(field.dataset.pageSize) });
  }

  closed() {
    this.home?.append(notices());
    this.content.replaceChildren();
    if (this.opener instanceof HTMLElement && this.opener.isConnected) this.opener.focus();
  }
}

/** A selector of the control that has the focus, for the same control of another page. @param {any} node */
function focusedIn({ dataset }) {
  if (dataset.sortDataset !== undefined) return `[data-sort-dataset="${dataset.sortDataset}"]`;
  if (dataset.turn) return `[data-turn="${dataset.turn}"]`;
  return dataset.pageSize ? "[data-dataset-number]" : ".table-scroll";
}
