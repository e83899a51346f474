/* Drawing for every tab: elements, buttons, tabs, lists, tables, forms, notices. */
import { forward, t } from "./words.js";

const UNDO_SECONDS = 10;
const MOST_TOASTS = 3;

/** Icons that are used in several places: arguments for `drawing`. */
export const CLIP = "M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.5 3.5 0 0 1 5 5l-8.5 8.5a2 2 0 0 1-3-3L14 7";
export const CROSS = "M6 6l12 12M18 6L6 18";
export const STACK = "M12 4l8 4-8 4-8-4zM4 12l8 4 8-4M4 16l8 4 8-4";

/* -- elements -------------------------------------------------------------------------------- */
/**
 * `element("p.hint", { title }, ...children)`: strings become text, `on…` listeners; null and false are left out.
 * @template {string} What @param {What} what @param {Record<string, any>} [given] @param {...Child} children @returns {Made<What>}
 */
export function element(what, given = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  /** @type {any} */
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  if (tag === "button") node.type = "button";
  for (const [key, value] of Object.entries(given)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key.startsWith("aria-") && typeof value === "boolean") node.setAttribute(key, String(value));
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child || child === 0));
  return node;
}

/** @param {string} text @param {(event: MouseEvent) => unknown} action @param {string} [kind] @param {Record<string, any>} [given] */
export const button = (text, action, kind = "", given = {}) => element("button", { class: kind || null, onclick: action, ...given }, text);

/** The first element of an HTML text. @param {string} html @returns {any} */
export function fromMarkup(html) {
  const holder = element("div");
  holder.innerHTML = html;
  return holder.firstElementChild;
}

/** @param {string} path the `d` of the drawing */
export const drawing = (path) => fromMarkup(`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`);

/** An icon button; screen readers read its label. @param {string} path @param {string} label @param {() => unknown} action @param {string} kind */
export const iconButton = (path, label, action, kind) => element("button", { class: kind, onclick: action, title: label, "aria-label": label }, drawing(path));

/** A button for an irreversible action: it asks for confirmation; `waits(sure, back)` may cancel the confirmation. @param {string} words @param {string} name the object's name @param {string} sureWords @param {() => unknown} action @param {(sure: HTMLElement, back: () => void) => void} waits */
export function sureButton(words, name, sureWords, action, waits) {
  const ask = () => {
    const sure = button(sureWords, action, "sure");
    first.replaceWith(sure);
    sure.focus();
    waits(sure, () => sure.replaceWith(first));
  };
  const first = button(words, ask, "quiet", { "aria-label": `${words} ${name}` });
  return first;
}

/** What happened, why, and what to do, as one paragraph with three parts. @param {Problem} problem @returns {Child[]} */
export const explained = ({ what, why, remedy }) => [element("strong", {}, what), " ", element("span", {}, why), " ", element("em", {}, `${t("shared.what_to_do")}: ${remedy}`), " "];

/** Sets the pressed state of a toggle button. @template {Element} Node @param {Node} node @param {boolean} on */
export function pressed(node, on) {
  node.setAttribute("aria-pressed", String(on));
  return node;
}

/** A part of the page: its root element and its server functions. @template Server @template {HTMLElement} [Root=HTMLElement] */
export class Part {
  /** @param {Root} root @param {Server} server */
  constructor(root, server) {
    this.root = root;
    this.server = server;
  }

  /** @param {string} selector */
  find(selector) {
    return this.root.querySelector(selector);
  }
}

/* -- user actions ---------------------------------------------------------------------------- */
/** Handles clicks on elements that match `selector` in `root`, including those added later. @param {Element} root @param {string} selector @param {(node: any, event: Event) => unknown} act */
export function onClick(root, selector, act) {
  root.addEventListener("click", (event) => {
    const node = /** @type {Element} */ (event.target).closest(selector);
    if (node) act(node, event);
  });
}

/** @param {EventTarget} node @param {(event: KeyboardEvent) => unknown} act */
export function onEscape(node, act) {
  node.addEventListener("keydown", (event) => /** @type {KeyboardEvent} */ (event).key === "Escape" && act(/** @type {KeyboardEvent} */ (event)));
}

/** The option in `list` that the keys of `field` have reached. @param {HTMLElement} field @param {HTMLElement} list @param {number} current */
export function markOption(field, list, current) {
  [...list.children].forEach((node, place) => node.setAttribute("aria-selected", String(place === current)));
  const marked = list.children[current];
  marked?.scrollIntoView({ block: "nearest" });
  if (marked) field.setAttribute("aria-activedescendant", marked.id);
  else field.removeAttribute("aria-activedescendant");
}

/** Menus in `list`: a click elsewhere or Escape closes them. @param {HTMLElement} list */
export function foldMenus(list) {
  document.addEventListener("click", (event) => {
    for (const open of list.querySelectorAll("details[open]")) if (!open.contains(event.target)) open.open = false;
  });
  onEscape(list, (event) => {
    const open = list.querySelector("details[open]");
    if (!open) return;
    event.stopPropagation();
    open.open = false;
    open.querySelector("summary").focus();
  });
}

/** On narrow screens a side part opens as a drawer; its button closes it. @param {HTMLElement} root @param {string} name the buttons' attribute */
export function drawers(root, name) {
  for (const each of root.querySelectorAll(`[data-${name}]`)) {
    const drawer = each.getAttribute(`data-${name}`);
    each.addEventListener("click", () => {
      if (root.dataset.drawer === drawer) delete root.dataset.drawer;
      else root.dataset.drawer = drawer;
    });
  }
}

/** The tabs in `root`, named by the `data-…` attribute `name`; arrow keys follow the reading direction. Returns a function that marks one. @param {Element} root @param {string} name @param {(chosen: string) => unknown} choose */
export function tabs(root, name, choose) {
  const all = [...root.querySelectorAll("[role=tab]")];
  /** @type {Record<string, number>} */
  const steps = { ArrowRight: 1, ArrowLeft: -1 };
  for (const tab of all) {
    tab.addEventListener("click", () => choose(tab.dataset[name]));
    tab.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const step = steps[event.key] * forward();
      if (!step) return;
      const next = all[(all.indexOf(tab) + step + all.length) % all.length];
      choose(next.dataset[name]);
      next.focus();
    });
  }
  return (/** @type {string} */ chosen) => {
    for (const tab of all) {
      tab.setAttribute("aria-selected", String(tab.dataset[name] === chosen));
      tab.tabIndex = tab.dataset[name] === chosen ? 0 : -1;
    }
    return all.find((tab) => tab.dataset[name] === chosen);
  };
}

/* -- lists and tables ------------------------------------------------------------------------ */
/** Counts the values. @template Value @param {Value[]} values */
export function tally(values) {
  /** @type {Map<Value, number>} */
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Replaces the children and keeps the focus on the matching one: `name` is the `data-…` attribute that both have. Returns whether one had the focus. @param {Element} place @param {Node[]} nodes @param {string} name */
export function replaceFocused(place, nodes, name) {
  const held = place.querySelector(":focus")?.getAttribute(`data-${name}`);
  place.replaceChildren(...nodes);
  if (held) place.querySelector(`[data-${name}="${held}"]`)?.focus();
  return Boolean(held);
}

/** Shows rows, or a message if there are none. @param {Element} place @param {Node[]} rows @param {...(Node | string)} none */
export function fill(place, rows, ...none) {
  place.replaceChildren(...(rows.length ? rows : none));
}

/** Makes `nodes` the children of `parent`; children already in the right place stay untouched, with their focus and open parts. @param {Element} parent @param {Element[]} nodes */
export function arrange(parent, nodes) {
  const wanted = new Set(nodes);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  nodes.forEach((node, place) => {
    if (parent.children[place] !== node) parent.insertBefore(node, parent.children[place] ?? null);
  });
}

/** @param {Child[]} heads @param {Node[]} rows */
export const table = (heads, rows) => element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));

/** A column header; a click sorts by it. @param {string} what @param {HTMLButtonElement} sorting @param {string} column @param {Sort} sort */
export const columnHead = (what, sorting, column, sort) =>
  element(what, { role: "columnheader", "aria-sort": sort.by !== column ? "none" : sort.down ? "descending" : "ascending" }, sorting);

/** Sorts by another column, or reverses the current one. @param {Sort} sort @param {string} by @param {boolean} fromTheEnd */
export const sortedBy = (sort, by, fromTheEnd) => ({ by, down: sort.by === by ? !sort.down : fromTheEnd });

/* -- forms ----------------------------------------------------------------------------------- */
/** A form that stays on the page: Enter or its button saves, Escape cancels. @param {HTMLFormElement} form @param {(event: SubmitEvent) => unknown} save @param {() => unknown} [cancel] */
export function onSubmit(form, save, cancel) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    save(event);
  });
  if (cancel) onEscape(form, cancel);
  return form;
}

/** Handles chosen files, including those chosen before this script was loaded. @param {HTMLInputElement} input @param {(files: File[]) => unknown} take */
export function onFiles(input, take) {
  const chosen = () => {
    const files = [...(input.files ?? [])];
    input.value = "";
    if (files.length) take(files);
  };
  input.addEventListener("change", chosen);
  chosen();
}

/** A radio button in the group `name`. @param {string} name @param {string} value @param {string} words @param {boolean} checked @param {() => unknown} choose */
export const radio = (name, value, words, checked, choose) => element("label", {}, element("input", { type: "radio", name, value, checked, onchange: choose }), words);

/** The options of a select or a suggestion list; the selected value stays if it is still offered. @param {HTMLSelectElement | HTMLDataListElement} list @param {[value: string, words: string][]} choices @param {string} [first] */
export function offer(list, choices, first) {
  const before = list instanceof HTMLSelectElement && list.value;
  list.replaceChildren(...choices.map(([value, words]) => new Option(words, value)));
  const kept = choices.some(([value]) => value === before) ? before : first;
  if (list instanceof HTMLSelectElement && kept) list.value = kept;
}

/** A multiple choice: a toggle button that is pressed while `value` is in `wanted`. @template Value @param {string} what @param {Record<string, any>} given @param {Set<Value>} wanted @param {Value} value @param {Child[]} words @param {() => unknown} [changed] */
export function choice(what, given, wanted, value, words, changed = () => {}) {
  const node = element(what, given, ...words);
  node.addEventListener("click", () => {
    if (!wanted.delete(value)) wanted.add(value);
    pressed(node, wanted.has(value));
    changed();
  });
  return pressed(node, wanted.has(value));
}

/* -- notices --------------------------------------------------------------------------------- */
/** A line in the strip of problems, until it is dismissed. The rest of its words and its `parts` are shown on demand. @param {Child[]} words @param {Child[]} parts @param {{ kind?: string, dismissed?: () => unknown, stays?: boolean, short?: boolean }} [given] `stays`: only its owner removes it; `short`: it has no details */
export function addProblem(words, parts, { kind = "", dismissed, stays = false, short = stays } = {}) {
  const said = element("p", {}, ...words);
  const card = element(`div.card.problem${kind && `.${kind}`}`, { role: "alert" }, said);
  const dismiss = () => {
    card.remove();
    dismissed?.();
  };
  if (!short) card.append(button(t("shared.details"), () => more.setAttribute("aria-expanded", String(card.classList.toggle("whole"))), "details", { "aria-expanded": false }));
  const more = card.querySelector(".details");
  card.append(...parts.filter((each) => each instanceof Node));
  if (!stays) card.append(iconButton(CROSS, t("shared.dismiss"), dismiss, "icon dismiss"));
  document.querySelector(".pal-notices .strip").append(card);
  return card;
}

/** Shows a problem until it is dismissed; the same problem is shown once. @param {Problem} problem */
export function showProblem(problem) {
  const text = `${problem.what}\n${problem.why}\n${problem.remedy}`;
  for (const old of document.querySelectorAll(".pal-notices .problem")) if (old.dataset.text === text) old.remove();
  const card = addProblem(explained(problem), [button(t("shared.copy_details"), () => navigator.clipboard?.writeText(text), "copy")]);
  card.dataset.text = text;
  return card;
}

/** @param {string} text @param {{ action?: () => unknown, label?: string, seconds?: number, undoes?: boolean }} [offered] the button next to the text */
export function showToast(text, { action, label = "", seconds = 4, undoes = false } = {}) {
  const region = document.querySelector(".pal-notices .toasts");
  const act = () => {
    card.remove();
    action?.();
  };
  const card = element("div.card.toast", {}, element("p", {}, text), action && button(label, act, "", { "data-undo": undoes }));
  region.append(card);
  for (const old of [...region.querySelectorAll(".toast")].slice(0, -MOST_TOASTS)) old.remove();
  setTimeout(() => card.remove(), seconds * 1000);
}

/** Shows what was done, with an undo button. @param {string} text @param {string} label @param {() => unknown} action */
export const undoable = (text, label, action) => showToast(text, { label, action, seconds: UNDO_SECONDS, undoes: true });

/** @param {string} [file] the file that failed */
export const unreachable = (file) => ({ what: (file ? `${file}: ` : "") + t("shared.network_what"), why: t("shared.network_why"), remedy: t("shared.network_remedy") });

/** The rate limit of a session was exceeded. @returns {Problem} */
export const tooMany = () => ({ what: t("shared.too_many_what"), why: t("shared.too_many_why"), remedy: t("shared.too_many_remedy") });
