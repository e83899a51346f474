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

/** @template Result @param {Element} node is marked while the work is done @param {Promise<Result>} work */
export async function busy(node, work) {
  node.setAttribute("aria-busy", "true");
  const result = await work;
  node.removeAttribute("aria-busy");
  return result;
}

/** Its button rests while the work is done. @param {HTMLButtonElement} control @param {() => Promise<unknown>} work */
export async function during(control, work) {
  control.disabled = true;
  await busy(control, work());
  control.disabled = false;
}

/** @param {() => unknown} wanted is looked at before each picture that the browser draws */
export const until = (wanted) =>
  new Promise((/** @type {(value?: undefined) => void} */ done) => {
    const look = () => (wanted() ? done() : requestAnimationFrame(look));
    look();
  });
