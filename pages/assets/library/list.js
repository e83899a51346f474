/* The list of documents: one line each, redrawn only if something changed; a grid for keyboard use. */
import { button, columnHead, element, onSubmit } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { documentRow, pickBox } from "./row.js";

const COLUMNS = ["title", "kind", "organisation", "period", "language", "pages", "size", "added", "state"];
/** @type {Record<string, string>} */
const CLICKS = { F2: "library.rename", Delete: "library.delete" };
/** @type {Record<string, number>} */
const STEPS = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };

/** @param {Element | null | undefined} node @returns {string | undefined} */
const idAround = (node) => node?.closest(".row")?.dataset.document;

export class DocumentList {
  /** @type {Map<string, { version: string, node: HTMLElement }>} */
  kept = new Map();
  /** @type {string[]} */
  order = [];
  /** @type {string | null} the row with the keyboard focus */
  current = null;

  /** @param {HTMLElement} root @param {import("./library.js").Library} tab */
  constructor(root, tab) {
    this.root = root;
    this.tab = tab;
    /** @type {import("./row.js").Acts} */
    this.acts = {
      cancel: (each) => tab.change(tab.server.cancel, each),
      retry: (each) => tab.change(tab.server.retry, each),
      remove: (each) => tab.remove([each]),
      rename: (each) => this.rename(each),
      pick: (each, event) => tab.selection.toggle(each.id, { range: event.shiftKey }),
    };
    root.addEventListener("keydown", (event) => this.key(event));
    root.addEventListener("click", ({ target }) => target instanceof Element && this.clicked(target));
  }

  /** `places`: the matches in each document's text, by id. @param {DocumentRow[]} documents @param {Map<string, Found>} places */
  draw(documents, places) {
    this.order = documents.map((each) => each.id);
    if (!this.isShown(this.current)) this.current = this.order[0] ?? null;
    this.leaveOut(documents);
    const focused = this.root.contains(document.activeElement) ? idAround(document.activeElement) : null;
    const nodes = documents.map((each) => this.row(each, places.get(each.id)));
    if (this.isShown(idAround(this.root.querySelector("form.rename")))) {
      // The user is typing: only the rest of the row may change.
      for (const node of nodes) if (!node.isConnected) this.root.append(node);
      return;
    }
    this.root.replaceChildren(...(nodes.length ? [this.header(documents), ...nodes] : []));
    this.root.setAttribute("aria-rowcount", String(this.root.children.length));
    if (this.isShown(focused)) this.node(focused)?.focus({ preventScroll: true });
  }

  /** @param {string | null | undefined} id */
  isShown(id) {
    return Boolean(id) && this.order.includes(id ?? "");
  }

  /** @param {string | null | undefined} id */
  node(id) {
    return this.kept.get(id ?? "")?.node;
  }

  /** Columns that would be empty. @param {DocumentRow[]} documents */
  leaveOut(documents) {
    this.root.classList.toggle("no-kind", !documents.some((each) => each.kind && each.kind !== "other"));
    this.root.classList.toggle("no-organisation", !documents.some((each) => each.organisations.length));
    this.root.classList.toggle("no-period", !documents.some((each) => each.periods.length));
  }

  /** @param {DocumentRow} each @param {Found | undefined} found */
  row(each, found) {
    const marks = { picked: this.tab.selection.picked.has(each.id), open: each.id === this.tab.open?.id, reached: each.id === this.current };
    const version = JSON.stringify([document.documentElement.lang, each, found, marks]);
    const known = this.kept.get(each.id);
    if (known?.version === version) return known.node;
    const node = documentRow(each, found, marks, this.acts);
    this.kept.set(each.id, { version, node });
    return node;
  }

  /** @param {DocumentRow[]} documents */
  header(documents) {
    const { filters, selection } = this.tab;
    const every = documents.length > 0 && documents.every((each) => selection.picked.has(each.id));
    const all = pickBox(t("library.pick_all"), every, () => selection.all(!every), { role: "columnheader" });
    all.querySelector("input").tabIndex = 0;
    const heads = COLUMNS.map((column) => {
      const label = t(`library.column_${column}`);
      const sorting = button(label, () => filters.sortBy(column), "sort", { title: `${t("library.sort_by")}: ${label}`, "data-sort": column });
      return columnHead(`span.cell.${column}`, sorting, column, filters.sort);
    });
    return element("div.row.head", { role: "row" }, all, ...heads, element("span.cell.act", { role: "columnheader" }));
  }

  /** In place. @param {DocumentRow} each */
  rename(each) {
    const input = element("input", { value: each.title, maxlength: 200, dir: "auto", "aria-label": t("library.new_title") });
    const form = element("form.rename", { onclick: (/** @type {Event} */ event) => event.stopPropagation() }, input);
    let over = false;
    const end = () => {
      // Removing the form moves the focus, which would end it again.
      if (over) return;
      over = true;
      form.remove();
      this.kept.delete(each.id);
      this.tab.draw();
      this.node(each.id)?.focus();
    };
    const save = async () => {
      const renamed = input.value.trim();
      if (!renamed || renamed === each.title || (await this.tab.rename(each, renamed))) end();
    };
    form.addEventListener("keydown", (event) => event.stopPropagation());
    onSubmit(form, save, end);
    input.addEventListener("blur", () => form.isConnected && !form.contains(document.activeElement) && end());
    this.node(each.id)?.querySelector(".cell.title").replaceChildren(form);
    input.select();
    input.focus();
  }

  /* -- keyboard ------------------------------------------------------------------------- */
  /** @param {string} id */
  reach(id) {
    for (const each of [this.current, id]) this.node(each)?.setAttribute("tabindex", each === id ? "0" : "-1");
    this.current = id;
    this.node(id)?.focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const node = /** @type {HTMLElement} */ (event.target);
    const id = node.dataset.document;
    if (!id || !node.classList.contains("row")) return;
    const { selection } = this.tab;
    if (event.key in STEPS) {
      const next = this.order[Math.min(Math.max(this.order.indexOf(id) + STEPS[event.key], 0), this.order.length - 1)];
      if (event.shiftKey && !selection.picked.has(id)) selection.toggle(id);
      this.reach(next);
      if (event.shiftKey && !selection.picked.has(next)) selection.toggle(next);
    } else if (event.key === " ") selection.toggle(id, { range: event.shiftKey });
    else if (event.key === "Enter") this.tab.show(id);
    else if (CLICKS[event.key]) node.querySelector(`[aria-label="${t(CLICKS[event.key])}"]`)?.click();
    else return;
    event.preventDefault();
  }

  /** @param {Element} target */
  clicked(target) {
    const id = target.closest(".row:not(.head)")?.dataset.document;
    if (!id || target.closest("a, button, input, form")) return;
    this.reach(id);
    this.tab.show(id);
  }
}
