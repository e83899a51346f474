/* The panel's width: its edge is moved by pointer or keys, and the width is remembered. */
import { forward } from "../shared/words.js";

const [LEAST, MOST, FIRST, STEP] = [240, 520, 372, 16];
const KEPT = "pal.dock";

/** @param {number} width in pixels */
export const within = (width) => Math.min(MOST, Math.max(LEAST, Math.round(width)));

/** @param {HTMLElement} root @param {HTMLElement} edge the separator @param {HTMLElement} dock */
export function mountWidth(root, edge, dock) {
  let width = within(Number(localStorage.getItem(KEPT)) || FIRST);
  edge.setAttribute("aria-valuemin", String(LEAST));
  edge.setAttribute("aria-valuemax", String(MOST));
  const put = (/** @type {number} */ wanted) => {
    width = within(wanted);
    root.style.setProperty("--dock", `${width}px`);
    edge.setAttribute("aria-valuenow", String(width));
  };
  const keep = () => localStorage.setItem(KEPT, String(width));
  /** @type {Record<string, () => number>} */
  const keys = {
    ArrowLeft: () => width + forward() * STEP,
    ArrowRight: () => width - forward() * STEP,
    Home: () => LEAST,
    End: () => MOST,
  };
  edge.addEventListener("keydown", (event) => {
    if (!keys[event.key]) return;
    event.preventDefault();
    put(keys[event.key]());
    keep();
  });
  edge.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    edge.setPointerCapture(event.pointerId);
  });
  edge.addEventListener("pointermove", (event) => {
    if (!edge.hasPointerCapture(event.pointerId)) return;
    const { left, right } = dock.getBoundingClientRect();
    put(forward() > 0 ? right - event.clientX : event.clientX - left);
  });
  edge.addEventListener("lostpointercapture", keep);
  put(width);
}
