/* What every tab draws with: elements, buttons, tabs, problems. */
import { t } from "./words.js";

/** `element("p.hint", { title }, ...children)`: strings become text, `on…` listeners; what is null or false is left out. */
export function element(/** @type {string} */ what, /** @type {Record<string, any>} */ given = {}, /** @type {any[]} */ ...children) {
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

/** What happened, why, and what to do, as one paragraph of three parts. */
export const explained = ({ what, why, remedy }) => [element("strong", {}, what), " ", element("span", {}, why), " ", element("em", {}, `${t("shared.what_to_do")}: ${remedy}`), " "];

export const button = (text, action, kind = "", given = {}) => element("button", { class: kind || null, onclick: action, ...given }, text);

/** The tabs in `root`, named by `data-…` as `name` says; arrows walk in the direction of reading. Returns what marks one. */
export function tabs(root, name, choose) {
  const all = [...root.querySelectorAll("[role=tab]")];
  const step = (event) => ({ ArrowRight: 1, ArrowLeft: -1 })[event.key] * (document.documentElement.dir === "rtl" ? -1 : 1);
  for (const tab of all) {
    tab.addEventListener("click", () => choose(tab.dataset[name]));
    tab.addEventListener("keydown", (event) => {
      if (!step(event)) return;
      const next = all.at((all.indexOf(tab) + step(event)) % all.length);
      choose(next.dataset[name]);
      next.focus();
    });
  }
  return (chosen) => {
    for (const tab of all) {
      tab.setAttribute("aria-selected", String(tab.dataset[name] === chosen));
      tab.tabIndex = tab.dataset[name] === chosen ? 0 : -1;
    }
    return all.find((tab) => tab.dataset[name] === chosen);
  };
}
