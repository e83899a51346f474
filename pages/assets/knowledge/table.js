/* The same concepts as rows, for the keyboard and for reading: sorted by any column, Enter opens. */
import { element } from "../shared/ui.js";
import { t } from "../shared/words.js";

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

/** Concepts by one column, figures by size and words by the alphabet of the page. */
export function inOrder(nodes, column, down) {
  const value = COLUMNS[column];
  const order = (one, other) => (typeof value(one) === "number" ? value(one) - value(other) : value(one).localeCompare(value(other), document.documentElement.lang));
  return [...nodes].sort((one, other) => (down ? -order(one, other) : order(one, other)));
}

export function mountTable(root, { open }) {
  const state = { nodes: [], by: null, down: true, marked: null };

  function draw(nodes = state.nodes) {
    state.nodes = nodes;
    root.replaceChildren(...(nodes.length ? [head(), ...sorted().map(row)] : []));
    mark(state.marked);
  }

  function sorted() {
    return state.by ? inOrder(state.nodes, state.by, state.down) : state.nodes;
  }

  function head() {
    const node = element("div.row.head", { role: "row" });
    for (const name of Object.keys(COLUMNS)) {
      const cell = element("div", { class: `cell c-${name}`, role: "columnheader", "aria-sort": state.by === name ? (state.down ? "descending" : "ascending") : "none" });
      const button = element("button", {}, t(`knowledge.col_${name}`));
      button.dataset.sort = name;
      cell.append(button);
      node.append(cell);
    }
    return node;
  }

  function row(each) {
    const node = element("div.row", { tabindex: 0, "data-id": each.id, role: "row" });
    for (const [name, value] of Object.entries(COLUMNS)) node.append(cell(name, value(each), each));
    return node;
  }

  function cell(name, value, each) {
    const node = element("div", { class: `cell c-${name}`, role: "cell" });
    if (name === "label") node.innerHTML = `<i class="dot ${each.colour}"></i>`;
    const text = element(name === "label" ? "bdi" : "span", {}, shown(name, value));
    node.append(text);
    return node;
  }

  function shown(name, value) {
    if (name === "importance") return value.toFixed(2);
    if (name === "seen") return value ? new Date(value * 1000).toLocaleDateString(document.documentElement.lang) : "";
    return NUMBERS.includes(name) ? String(value || "") : value;
  }

  function mark(id) {
    state.marked = id;
    for (const node of root.querySelectorAll(".row[data-id]")) node.setAttribute("aria-current", node.dataset.id === id);
  }

  root.addEventListener("click", (event) => {
    const by = event.target.dataset.sort;
    const id = event.target.closest(".row")?.dataset.id;
    if (by) {
      state.down = state.by === by ? !state.down : NUMBERS.includes(by);
      state.by = by;
      draw();
      root.querySelector(`[data-sort=${by}]`).focus();
    } else if (id) open(id);
  });
  root.addEventListener("keydown", (event) => {
    const row = event.target.closest(".row[data-id]");
    if (!row) return;
    const other = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling }[event.key];
    if (event.key === "Enter") open(row.dataset.id, { from: row });
    else if (other?.dataset.id) other.focus();
    else return;
    event.preventDefault();
  });
  return { draw, mark };
}
