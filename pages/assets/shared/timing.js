/* When things are done: after a pause, only the last of several, marked as busy meanwhile. */

/** What is given back may be called often: `action` follows once, `ms` after the last call. @template {unknown[]} Given @param {number} ms @param {(...given: Given) => unknown} action */
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

/** Of several that are on their way only the last one counts: each `begin()` gives what says whether it still does. */
export function turns() {
  let last = 0;
  return () => {
    const mine = (last += 1);
    return () => mine === last;
  };
}

/** The same for what is awaited: of all but the last that was begun `undefined` comes. @returns {<Result>(work: Promise<Result> | Result) => Promise<Result | undefined>} */
export function latest() {
  const begin = turns();
  return async (work) => {
    const isLast = begin();
    const result = await work;
    return isLast() ? result : undefined;
  };
}

/** Never done twice at once: who asks while it is under way shares one more round with all who ask until that begins. @template Result @param {() => Promise<Result>} work */
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

/** What is given until `pause()` ms later is worked on together; each gets its own of the results, or `null`. @template Given, Result @param {(given: Given[]) => Promise<Result[] | null | undefined>} work @param {() => number} pause */
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

/** Of what is given to it `most` are done at once, the others in their order. @param {number} most */
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

/** Work whose sizes are at most `most` together is done at once; a larger one is done when nothing else is. @param {number} most */
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

/** @template Result @param {Element} node is marked while the work is done @param {Promise<Result>} work */
export async function busy(node, work) {
  node.setAttribute("aria-busy", "true");
  const result = await work;
  node.removeAttribute("aria-busy");
  return result;
}

/** Its button rests while the work is done. @template Result @param {HTMLButtonElement} control @param {() => Promise<Result>} work */
export async function during(control, work) {
  control.disabled = true;
  const result = await busy(control, work());
  control.disabled = false;
  return result;
}

/** @param {number} ms */
export const afterwards = (ms) => new Promise((done) => setTimeout(done, ms));

/** @param {() => unknown} wanted is looked at before each picture that the browser draws */
export const until = (wanted) =>
  new Promise((/** @type {(value?: undefined) => void} */ done) => {
    const look = () => (wanted() ? done() : requestAnimationFrame(look));
    look();
  });
