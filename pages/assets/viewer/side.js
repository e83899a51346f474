/* Beside the pages: search with its hits, and the outline, which jumps. */
import { element } from "../shared/ui.js";
import { addressOf, fetched, problemNode } from "./fetch.js";
import { t } from "../shared/words.js";

const PAUSE_MS = 200;
const MOST_HITS = 200;

/** `goTo(heading)`, `hits(words)`, `chosen(hit)` and `tabled(number)` are the viewer's. */
export function mountSide(dialog, { goTo, hits, chosen, tabled }) {
  const side = dialog.querySelector(".side");
  const button = dialog.querySelector("[data-side]");
  const field = side.querySelector("[data-find]");
  const list = side.querySelector("[data-hits]");
  const count = side.querySelector("[data-count]");
  const contents = side.querySelector("[data-contents]");
  const tables = side.querySelector("[data-tables]");
  const tablesTitle = side.querySelector("[data-tables-title]");
  const state = { view: null, outline: [], asked: 0, typing: null };

  function show(view) {
    state.view = view;
    tables.replaceChildren();
    tablesTitle.hidden = true;
    if (!side.hidden) showTables();
    field.value = "";
    list.replaceChildren();
    count.textContent = "";
    state.outline = view.outline.filter((each) => each.page || view.kind === "reading");
    contents.replaceChildren(...state.outline.map(line));
    if (!state.outline.length) contents.append(element("li.none", {}, t("viewer.no_contents")));
  }

  /** Their list is asked for when somebody looks. */
  async function showTables() {
    const { view } = state;
    if (!view?.tables || tables.children.length) return;
    const found = await fetched(addressOf(view.id, "tables"));
    if (view !== state.view || !Array.isArray(found) || tables.children.length) return;
    tables.replaceChildren(...found.map(tableLine));
    tablesTitle.hidden = !found.length;
  }

  function tableLine(each) {
    const item = element("li");
    const name = each.caption || each.sheet || t("viewer.nameless_table", { number: each.number + 1 });
    item.append(row([name], each.page, () => tabled(each.number)));
    return item;
  }

  function line(heading) {
    const item = element("li");
    item.style.setProperty("--level", String(Math.min(heading.level, 5) - 1));
    item.append(row([heading.title], heading.page, () => goTo(heading)));
    return item;
  }

  function row(parts, page, action) {
    const node = element("button");
    const words = element("bdi", {}, ...parts);
    node.append(words);
    if (page) node.append(element("small", {}, page));
    node.addEventListener("click", action);
    return node;
  }

  async function search() {
    const mine = (state.asked += 1);
    const reply = await hits(field.value);
    if (!reply || mine !== state.asked) return;
    if (reply.problem) {
      list.replaceChildren(problemNode(reply.problem, search));
      return;
    }
    list.replaceChildren(...reply.hits.map(hitLine));
    count.textContent = field.value.trim() ? counted(reply.hits.length) : "";
  }

  function counted(found) {
    if (!found) return t("viewer.no_hits");
    return found >= MOST_HITS ? t("viewer.most_hits", { count: MOST_HITS }) : t("viewer.hits", { count: found });
  }

  function hitLine(hit) {
    const item = element("li");
    const match = element("mark", {}, hit.match);
    item.append(row([`…${hit.before}`, match, `${hit.after}…`], hit.page, () => chosen(hit)));
    return item;
  }

  /** The section of the page that is looked at. */
  function at(page) {
    const before = state.outline.filter((each) => each.page && each.page <= page);
    const here = state.outline.indexOf(before[before.length - 1]);
    for (const [index, node] of [...contents.children].entries()) {
      node.firstElementChild?.setAttribute("aria-current", index === here);
    }
  }

  function toggle(open = side.hidden) {
    side.hidden = !open;
    button.setAttribute("aria-expanded", open);
    if (!open) return;
    field.focus();
    showTables();
  }

  field.addEventListener("input", () => {
    clearTimeout(state.typing);
    state.typing = setTimeout(search, PAUSE_MS);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    clearTimeout(state.typing);
    search().then(() => list.querySelector("button")?.click());
  });
  return { show, at, toggle };
}
