/* The list of documents: one line each, drawn anew only where something changed; a grid for the keyboard. */
import { send } from "../shared/bus.js";
import { element } from "../shared/ui.js";
import { isBusy, kindName, periodName, stateOf, timeLeft } from "./document-words.js";
import { plain } from "./selection.js";
import { t } from "../shared/words.js";

const COLUMNS = ["title", "kind", "organisation", "period", "language", "pages", "size", "added", "state"];
const PENCIL = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 20l1-5L16 4l4 4L9 19l-5 1z"/></svg>';
const BIN = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5"/></svg>';

/** `act` has cancel, retry, remove, rename and open, each of a document; `filters` and `selection` are the tab's. */
export function mountList(root, { act, filters, selection, openId }) {
  const kept = new Map();
  let order = [];
  let current = null;
  root.setAttribute("role", "grid");
  root.setAttribute("aria-multiselectable", "true");

  /** `places` are what was found in the text of each, by id. */
  function draw(documents, places = new Map()) {
    order = documents.map((each) => each.id);
    if (!order.includes(current)) current = order[0] ?? null;
    mark(documents);
    const focused = root.contains(document.activeElement) ? idAround(document.activeElement) : null;
    const nodes = documents.map((each) => row(each, places.get(each.id)));
    const fresh = nodes.length ? [header(documents), ...nodes] : [];
    if (order.includes(idAround(root.querySelector("form.rename")))) {
      // Somebody is typing: only what stands around them may change.
      for (const node of nodes) if (!node.isConnected) root.append(node);
      return;
    }
    root.replaceChildren(...fresh);
    root.setAttribute("aria-label", t("library.documents"));
    root.setAttribute("aria-rowcount", fresh.length);
    if (focused && order.includes(focused)) kept.get(focused).node.focus({ preventScroll: true });
  }

  const idAround = (node) => node?.closest(".row")?.dataset.document;

  /** Columns that would be empty are left out. */
  function mark(documents) {
    root.classList.toggle("no-kind", !documents.some((each) => each.kind && each.kind !== "other"));
    root.classList.toggle("no-organisation", !documents.some((each) => each.organisations.length));
    root.classList.toggle("no-period", !documents.some((each) => each.periods.length));
  }

  function row(each, found) {
    const marks = [selection.has(each.id), each.id === openId(), each.id === current];
    const said = JSON.stringify([document.documentElement.lang, each, found, marks]);
    const known = kept.get(each.id);
    if (known?.said === said) return known.node;
    const node = build(each, found, marks);
    kept.set(each.id, { said, node });
    return node;
  }

  function build(each, found, /** @type {boolean[]} */ [picked, open, reached]) {
    const state = stateOf(each);
    return element(
      "div",
      { class: `row ${state}${isBusy(each) ? " busy" : ""}`, tabindex: reached ? 0 : -1, "data-document": each.id, role: "row", "aria-selected": picked, "aria-current": open },
      pick(each, picked),
      title(each),
      cell("kind", each.kind && each.kind !== "other" ? kindName(each.kind) : ""),
      cell("organisation", each.organisations.join(", ")),
      cell("period", each.periods.map(periodName).join(", ")),
      cell("language", state === "ready" || state === "by_words" ? t(`library.lang_${each.language}`) : ""),
      cell("pages", each.pages ?? ""),
      size(each),
      cell("added", new Date(each.added_at * 1000).toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "short", year: "numeric" })),
      stateCell(each, state),
      buttons(each),
      each.problem && why(each.problem),
      found && placesOf(each, found),
    );
  }

  function cell(name, text, role = "gridcell") {
    const node = element("span", { class: `cell ${name}`, role });
    // Names keep their own direction: the full stop of "Inc." stays behind it in Hebrew.
    if (text !== "") node.append(element("bdi", {}, text));
    if (text !== "") node.title = text;
    return node;
  }

  function size(each) {
    const node = cell("size", "");
    node.append(element("bdi", { dir: "ltr" }, each.size));
    return node;
  }

  function title(each) {
    const node = cell("title", "");
    const name = element("bdi", {}, each.title);
    node.append(name);
    node.title = `${each.title}\n${each.filename}`;
    if (each.filename !== each.title && each.filename.replace(/\.[^.]+$/, "") !== each.title) {
      const file = element("small", { dir: "ltr" }, each.filename);
      node.append(file);
    }
    return node;
  }

  function stateCell(each, state) {
    const node = cell("state", "");
    const word = element("b", {}, t(`library.state_${state}`));
    node.append(word);
    const standing = isBusy(each) ? each.standing : null;
    const counted = standing && state === "reading" && standing.total > 1 && standing.done < standing.total;
    const left = standing ? timeLeft(state === "by_words" ? standing.meaning : standing.words) : "";
    const said = [counted ? t("library.counted", standing) : "", left].filter(Boolean).join(" · ");
    if (said) node.append(element("small", {}, said));
    node.title = [t(`library.state_${state}`), said, state === "by_words" ? t("library.state_by_words_hint") : ""].filter(Boolean).join("\n");
    if (counted) {
      const bar = element("progress");
      bar.max = standing.total;
      bar.value = standing.done;
      bar.setAttribute("aria-label", t("library.state_reading"));
      node.append(bar);
    }
    return node;
  }

  function buttons(each) {
    const node = cell("act", "");
    if (isBusy(each) && stateOf(each) !== "by_words") node.append(plain(t("shared.cancel"), () => act.cancel(each)));
    else {
      if (each.can_retry && ["failed", "cancelled"].includes(each.state)) node.append(plain(t("shared.retry"), () => act.retry(each)));
      else node.append(icon(PENCIL, t("library.rename"), () => rename(each)));
      node.append(icon(BIN, t("library.delete"), () => act.remove(each)));
    }
    return node;
  }

  function icon(svg, label, action) {
    const node = plain("", action, "quiet icon");
    node.innerHTML = svg;
    node.title = label;
    node.setAttribute("aria-label", label);
    return node;
  }

  function why(problem) {
    return element("p.why", { role: "alert" }, `${problem.what} ${problem.why} ${problem.remedy}`);
  }

  function pick(each, picked) {
    return box(`${t("library.pick")}: ${each.title}`, picked, (event) => selection.toggle(each.id, { range: event.shiftKey }));
  }

  function box(label, checked, change) {
    const node = element("label");
    const input = element("input");
    node.className = "cell pick";
    node.setAttribute("role", "gridcell");
    input.type = "checkbox";
    input.tabIndex = -1;
    input.checked = checked;
    input.setAttribute("aria-label", label);
    input.addEventListener("click", (event) => {
      event.stopPropagation();
      change(event);
    });
    node.addEventListener("click", (event) => event.stopPropagation());
    node.append(input);
    return node;
  }

  /* -- found in the text ---------------------------------------------------------------- */
  function placesOf(each, found) {
    const list = element("ul.places", {}, ...found.places.map((place) => placeRow(each, place)));
    if (found.more) list.append(element("li.more", {}, t("library.more_places", { n: found.more })));
    return list;
  }

  function placeRow(each, place) {
    const item = element("li");
    const button = plain("", () => send("palimpsest:open", { document: each.id, page: place.page, item: place.item, quote: textOf(place) }), "place");
    const where = element("small", {}, place.page ? t("library.page", { page: place.page }) : place.section || "");
    const text = element("span", { dir: "auto" });
    for (const [piece, marked] of place.pieces) text.append(marked ? element("mark", {}, piece) : piece.replaceAll("|", "·"));
    button.append(where, text);
    item.append(button);
    return item;
  }

  const textOf = (place) => place.pieces.map(([piece]) => piece).filter((piece) => piece !== "…").join("").trim();

  /* -- the head ------------------------------------------------------------------------- */
  function header(documents) {
    const node = element("div.row.head", { role: "row" });
    const every = documents.length > 0 && documents.every((each) => selection.has(each.id));
    const whole = box(t("library.pick_all"), every, () => selection.all(!every));
    whole.querySelector("input").tabIndex = 0;
    whole.setAttribute("role", "columnheader");
    node.append(whole, ...COLUMNS.map(headCell), cell("act", "", "columnheader"));
    return node;
  }

  function headCell(column) {
    const node = cell(column, "", "columnheader");
    const sort = filters.sorted();
    const mine = sort.by === column;
    const button = plain(t(`library.column_${column}`), () => filters.sortBy(column), "sort");
    button.title = `${t("library.sort_by")}: ${t(`library.column_${column}`)}`;
    button.dataset.sort = column;
    node.setAttribute("aria-sort", mine ? (sort.down ? "descending" : "ascending") : "none");
    node.append(button);
    return node;
  }

  /* -- renaming in place ---------------------------------------------------------------- */
  function rename(each) {
    const place = kept.get(each.id)?.node.querySelector(".cell.title");
    if (!place) return;
    const form = element("form");
    const input = element("input");
    form.className = "rename";
    input.value = each.title;
    input.maxLength = 200;
    input.dir = "auto";
    input.setAttribute("aria-label", t("library.new_title"));
    form.append(input);
    let over = false;
    const end = () => {
      // Taking the form away moves the focus, which would end it once more.
      if (over) return;
      over = true;
      form.remove();
      kept.delete(each.id);
      act.redraw();
      kept.get(each.id)?.node.focus();
    };
    form.addEventListener("click", (event) => event.stopPropagation());
    form.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") end();
    });
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const renamed = input.value.trim();
      if (!renamed || renamed === each.title || (await act.rename(each, renamed))) end();
    });
    input.addEventListener("blur", () => form.isConnected && !form.contains(document.activeElement) && end());
    place.replaceChildren(form);
    input.select();
    input.focus();
  }

  /* -- keyboard ------------------------------------------------------------------------- */
  function reach(id) {
    for (const each of [current, id]) kept.get(each)?.node.setAttribute("tabindex", each === id ? "0" : "-1");
    current = id;
    kept.get(id)?.node.focus();
  }

  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };

  root.addEventListener("keydown", (event) => {
    const node = event.target;
    if (!node.classList.contains("row") || node.classList.contains("head")) return;
    const at = order.indexOf(node.dataset.document);
    if (event.key in steps) {
      const next = order[Math.min(Math.max(at + steps[event.key], 0), order.length - 1)];
      if (event.shiftKey && !selection.has(node.dataset.document)) selection.toggle(node.dataset.document);
      reach(next);
      if (event.shiftKey && !selection.has(next)) selection.toggle(next);
    } else if (event.key === " ") selection.toggle(node.dataset.document, { range: event.shiftKey });
    else if (event.key === "Enter") act.open(node.dataset.document);
    else if (event.key === "F2") node.querySelector(`[aria-label="${t("library.rename")}"]`)?.click();
    else return;
    event.preventDefault();
  });
  root.addEventListener("click", (event) => {
    const node = event.target.closest(".row:not(.head)");
    if (!node || event.target.closest("a, button, input, form")) return;
    reach(node.dataset.document);
    act.open(node.dataset.document);
  });

  return { draw };
}
