/* The same concepts as a table, for keyboard use and reading: sorted by any column, Enter opens one. */
import { button, columnHead, element, onClick, sortedBy } from "../shared/ui.js";
import { t } from "../shared/words.js";

/** @type {Record<string, (node: GraphNode) => string | number>} */
const COLUMNS = {
  label: (node) => node.label,
  kind: (node) => node.kind_words,
  graph: (node) => t(`knowledge.colour_${node.colour}`),
  importance: (node) => node.importance,
  mentions: (node) => node.mentions,
  answers: (node) => node.answers,
  worked: (node) => node.worked,
  failed: (node) => node.failed,
  seen: (node) => node.last_seen,
};
const NUMBERS = ["importance", "mentions", "answers", "worked", "failed", "seen"];

/** Sorts concepts by one column: numbers by size, words by the page's alphabet. @param {GraphNode[]} nodes @param {string} column @param {boolean} down */
export function inOrder(nodes, column, down) {
  const keyed = nodes.map((node) => ({ node, value: COLUMNS[column](node) }));
  const sign = down ? -1 : 1;
  const order = (/** @type {string | number} */ one, /** @type {string | number} */ other) => (typeof one === "number" ? one - Number(other) : one.localeCompare(String(other), document.documentElement.lang));
  return keyed.sort((one, other) => sign * order(one.value, other.value)).map(({ node }) => node);
}

export class ConceptTable {
  /** @type {GraphNode[]} */
  nodes = [];
  /** @type {Sort} */
  sort = { by: null, down: true };
  /** @type {string | null} */
  marked = null;

  /** @param {HTMLElement} root @param {(id: string, how?: { focus: boolean }) => unknown} open */
  constructor(root, open) {
    this.root = root;
    this.open = open;
    onClick(root, ".row[data-id]", (row) => open(row.dataset.id));
    root.addEventListener("keydown", (event) => this.key(event, /** @type {Element} */ (event.target).closest(".row[data-id]")));
  }

  /** @param {GraphNode[]} nodes */
  draw(nodes) {
    this.nodes = nodes;
    const sorted = this.sort.by ? inOrder(nodes, this.sort.by, this.sort.down) : nodes;
    this.root.replaceChildren(...(nodes.length ? [this.head(), ...sorted.map(row)] : []));
    this.mark(this.marked);
  }

  head() {
    const heads = Object.keys(COLUMNS).map((name) => columnHead(`div.cell.c-${name}`, button(t(`knowledge.col_${name}`), () => this.sortBy(name), "", { "data-sort": name }), name, this.sort));
    return element("div.row.head", { role: "row" }, ...heads);
  }

  /** @param {string} column */
  sortBy(column) {
    this.sort = sortedBy(this.sort, column, NUMBERS.includes(column));
    this.draw(this.nodes);
    this.root.querySelector(`[data-sort=${column}]`).focus();
  }

  /** @param {string | null} id */
  mark(id) {
    this.marked = id;
    for (const node of this.root.querySelectorAll(".row[data-id]")) node.setAttribute("aria-current", node.dataset.id === id);
  }

  /** @param {KeyboardEvent} event @param {HTMLElement | null} row */
  key(event, row) {
    if (!row) return;
    const other = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling }[event.key];
    if (event.key === "Enter") this.open(row.dataset.id ?? "", { focus: true });
    else if (other instanceof HTMLElement && other.dataset.id) other.focus();
    else return;
    event.preventDefault();
  }
}

/** @param {GraphNode} each */
function row(each) {
  const cells = Object.entries(COLUMNS).map(([name, value]) => {
    const text = shown(name, value(each));
    const inside = name === "label" ? [element(`i.dot.${each.colour}`), element("bdi", {}, text)] : [element("span", {}, text)];
    return element(`div.cell.c-${name}`, { role: "cell" }, ...inside);
  });
  return element("div.row", { tabindex: 0, "data-id": each.id, role: "row" }, ...cells);
}

/** @param {string} name @param {string | number} value */
function shown(name, value) {
  if (typeof value === "string") return value;
  if (name === "importance") return value.toFixed(2);
  if (name === "seen") return value ? new Date(value * 1000).toLocaleDateString(document.documentElement.lang) : "";
  return value ? String(value) : "";
}
