/* Messages between the page's widgets, and the state in the address. */
import { translate } from "./words.js";

const target = new EventTarget();
const held = new Map();

/** @template {keyof Messages} Name @param {Name} name @param {(detail: Messages[Name]) => unknown} listener */
export function on(name, listener) {
  target.addEventListener(name, (event) => listener(/** @type {CustomEvent} */ (event).detail));
  if (held.has(name)) {
    const detail = held.get(name);
    held.delete(name);
    listener(detail);
  }
}

/** @template {keyof Messages} Name @param {Name} name @param {{} extends Messages[Name] ? [Messages[Name]?] : [Messages[Name]]} details */
export function send(name, ...details) {
  target.dispatchEvent(new CustomEvent(name, { detail: details[0] ?? {} }));
}

/** Sends a message to another tab, whether it listens already or not, and opens that tab. @template {keyof Messages} Name @param {string} tab @param {Name} name @param {Messages[Name]} detail */
export function lead(tab, name, detail) {
  held.set(name, detail);
  target.dispatchEvent(new CustomEvent(name, { detail }));
  send("tab", tab);
}

/** @typedef {(go: () => void) => boolean} Guard */
/** @type {Map<string, Guard>} */
const guards = new Map();

/** A tab may ask before it is left: its `guard(go)` returns whether the page stays, and calls go() to leave later. */
export const leaving = {
  /** @param {string} tab @param {Guard} guard */
  guard: (tab, guard) => guards.set(tab, guard),
  /** @param {string} tab @param {() => void} go */
  stays: (tab, go) => Boolean(guards.get(tab)?.(go)),
};

export const address = {
  /** @param {string} key */
  get: (key) => new URLSearchParams(location.search).get(key),
  /** @param {Record<string, string | null>} changes */
  set(changes, { replace = false } = {}) {
    const query = new URLSearchParams(location.search);
    for (const [key, value] of Object.entries(changes)) {
      if (value) query.set(key, value);
      else query.delete(key);
    }
    const url = `${location.pathname}?${query}`;
    if (url === location.pathname + location.search) return;
    history[replace ? "replaceState" : "pushState"]({}, "", url);
  },
};

/** A tab is loaded when the user opens it, and again after a change of language. @param {string} name @param {{ root: HTMLElement, load: () => unknown }} tab */
export function readWhenShown(name, tab) {
  on("tab", (shown) => shown === name && tab.load());
  on("language", () => {
    translate(tab.root);
    tab.load();
  });
  translate(tab.root);
  if (address.get("tab") === name) tab.load();
}
