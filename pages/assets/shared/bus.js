/* How the widgets of the page tell each other things, and what the address says. */
const target = new EventTarget();
const held = new Map();

export function on(name, listener) {
  target.addEventListener(name, (event) => listener(/** @type {CustomEvent} */ (event).detail));
  if (held.has(name)) {
    const detail = held.get(name);
    held.delete(name);
    listener(detail);
  }
}

export function send(name, detail = {}) {
  target.dispatchEvent(new CustomEvent(name, { detail }));
}

/** For a widget that may not be there yet: it gets the message when it starts to listen. */
export function hold(name, detail) {
  held.set(name, detail);
}

const guards = new Map();

/** A tab may ask before it is left: its `guard(go)` says whether the page stays, and calls go() when it does not after all. */
export const leaving = {
  guard: (tab, guard) => guards.set(tab, guard),
  stays: (tab, go) => Boolean(guards.get(tab)?.(go)),
};

export const address = {
  get: (key) => new URLSearchParams(location.search).get(key),
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
