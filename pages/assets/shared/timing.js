/* Timing of actions: after a pause, only the last of several, marked as busy while they run. */

/** Debounces: `action` runs once, `ms` after the last call. @template {unknown[]} Given @param {number} ms @param {(...given: Given) => unknown} action */
export function afterPause(ms, action) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const cancel = () => clearTimeout(timer);
  const soon = (/** @type {Given} */ ...given) => {
    cancel();
    timer = setTimeout(action, ms, ...given);
  };
  return Object.assign(soon, { cancel });
}

/** Of several concurrent requests only the last one counts: each `begin()` returns a function that says whether it is still the last. */
export function turns() {
  let last = 0;
  return () => {
    const mine = (last += 1);
    return () => mine === last;
  };
}

/** The same for promises: all but the last one started resolve to `undefined`. @returns {<Result>(work: Promise<Result> | Result) => Promise<Result | undefined>} */
export function latest() {
  const begin = turns();
  return async (work) => {
    const isLast = begin();
    const result = await work;
    return isLast() ? result : undefined;
  };
}

/** Never runs twice at the same time: calls during a run share one further run after it. @template Result @param {() => Promise<Result>} work */
export function coalesced(work) {
  /** @type {Promise<unknown>} */
  let current = Promise.resolve();
  /** @type {Promise<Result> | null} */
  let next = null;
  const begin = () => {
    next = null;
    const round = work();
    current = round.catch(() => {});
    return round;
  };
  return () => (next ??= current.then(begin));
}

/** Batches the items given until `pause()` ms later; each call gets its own result, or `null`. @template Given, Result @param {(given: Given[]) => Promise<Result[] | null | undefined>} work @param {() => number} pause */
export function batched(work, pause) {
  /** @type {{ given: Given, done: (result: Result | null) => void }[]} */
  let waiting = [];
  const together = async () => {
    const batch = waiting;
    waiting = [];
    const results = await work(batch.map(({ given }) => given));
    batch.forEach(({ done }, place) => done(results?.[place] ?? null));
  };
  return (/** @type {Given} */ given) =>
    new Promise((/** @type {(result: Result | null) => void} */ done) => {
      if (!waiting.length) setTimeout(together, pause());
      waiting.push({ given, done });
    });
}

/** Runs at most `most` tasks at the same time, the others in their order. @param {number} most */
export function atMost(most) {
  let free = most;
  /** @type {(() => void)[]} */
  const waiting = [];
  const turn = () => new Promise((/** @type {(value?: undefined) => void} */ begin) => waiting.push(begin));
  return async (/** @type {() => Promise<any>} */ work) => {
    if (free) free -= 1;
    else await turn();
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/** Runs tasks at the same time if their sizes add up to at most `most`; a larger one runs when no other does. @param {number} most */
export function within(most) {
  let taken = 0;
  /** @type {(() => void)[]} */
  let waiting = [];
  return async (/** @type {number} */ size, /** @type {() => Promise<any>} */ work) => {
    while (taken && taken + size > most) await new Promise((/** @type {(value?: undefined) => void} */ begin) => waiting.push(begin));
    taken += size;
    try {
      return await work();
    } finally {
      taken -= size;
      const all = waiting;
      waiting = [];
      for (const begin of all) begin();
    }
  };
}

/** @template Result @param {Element} node is marked as busy during the work @param {Promise<Result>} work */
export async function busy(node, work) {
  node.setAttribute("aria-busy", "true");
  const result = await work;
  node.removeAttribute("aria-busy");
  return result;
}

/** Disables its button during the work. @template Result @param {HTMLButtonElement} control @param {() => Promise<Result>} work */
export async function during(control, work) {
  control.disabled = true;
  const result = await busy(control, work());
  control.disabled = false;
  return result;
}

/** @param {number} ms */
export const afterwards = (ms) => new Promise((done) => setTimeout(done, ms));

/** @param {() => unknown} wanted is called before each frame that the browser draws */
export const until = (wanted) =>
  new Promise((/** @type {(value?: undefined) => void} */ done) => {
    const look = () => (wanted() ? done() : requestAnimationFrame(look));
    look();
  });
