/* Places the names of concepts: the most important first, each where it covers no other name and no dot. */

const CELL = 6;
const GAP = 3;
const HEIGHT = 1.3;
const LONGEST = 34;
const LANDMARKS = 24;

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/** @param {string} label */
export const short = (label) => (label.length > LONGEST ? `${label.slice(0, LONGEST - 2)}…` : label);

/** The cells of the canvas that are taken; a box is free if all its cells are. Sizes are in pixels of the screen. */
export class Taken {
  /** @param {number} width @param {number} height */
  constructor(width, height) {
    this.columns = Math.ceil(width / CELL);
    this.rows = Math.ceil(height / CELL);
    this.cells = new Uint8Array(Math.max(0, this.columns * this.rows));
  }

  /** @param {Box} box */
  range({ left, top, right, bottom }) {
    return { left: Math.floor(left / CELL), top: Math.floor(top / CELL), right: Math.floor(right / CELL), bottom: Math.floor(bottom / CELL) };
  }

  /** Whether the box is within the canvas, and nothing is in it. @param {Box} box */
  free(box) {
    const { left, top, right, bottom } = this.range(box);
    if (left < 0 || top < 0 || right >= this.columns || bottom >= this.rows) return false;
    for (let row = top; row <= bottom; row++) for (let column = left; column <= right; column++) if (this.cells[row * this.columns + column]) return false;
    return true;
  }

  /** The number of cells of the box that are taken. @param {Box} box */
  covered(box) {
    const { left, top, right, bottom } = this.range(box);
    let count = 0;
    for (let row = top; row <= bottom; row++) for (let column = left; column <= right; column++) count += this.cells[row * this.columns + column] ?? 0;
    return count;
  }

  /** @param {Box} box */
  take(box) {
    const { left, top, right, bottom } = this.range(box);
    for (let row = Math.max(0, top); row <= Math.min(bottom, this.rows - 1); row++)
      for (let column = Math.max(0, left); column <= Math.min(right, this.columns - 1); column++) this.cells[row * this.columns + column] = 1;
  }
}

/** The boxes that a name may have, the best first: below its dot, above it, to its right, to its left. @param {Point} place @param {number} radius @param {number} width @param {number} pixels @returns {Box[]} */
export function boxesAround({ x, y }, radius, width, pixels) {
  const high = pixels * HEIGHT;
  const half = width / 2;
  const beyond = radius + GAP;
  const middle = y - high / 2;
  return [
    { left: x - half, top: y + beyond, right: x + half, bottom: y + beyond + high },
    { left: x - half, top: y - beyond - high, right: x + half, bottom: y - beyond },
    { left: x + beyond, top: middle, right: x + beyond + width, bottom: middle + high },
    { left: x - beyond - width, top: middle, right: x - beyond, bottom: middle + high },
  ];
}

/** The box, moved so that the edge of the canvas does not cut it off. @param {Box} box @param {number} width of the canvas @returns {Box} */
function within({ left, top, right, bottom }, width) {
  const moved = Math.max(GAP - left, 0) || Math.min(width - GAP - right, 0);
  return { left: left + moved, top, right: right + moved, bottom };
}

/**
 * The place of each name that has room, in the order of the dots; later names give way. No name covers another one, and
 * none a dot, except the most important names: in a crowd, these may cover dots.
 * @template {{ place: Point, radius: number, width: number, pixels: number }} Dot
 * @param {Dot[]} dots most important first @param {number} width of the canvas @param {number} height of the canvas @param {number} most names
 * @returns {{ dot: Dot, box: Box }[]}
 */
export function placedNames(dots, width, height, most) {
  const names = new Taken(width, height);
  const both = new Taken(width, height);
  for (const { place, radius } of dots) both.take({ left: place.x - radius, top: place.y - radius, right: place.x + radius, bottom: place.y + radius });
  /** @type {{ dot: Dot, box: Box }[]} */
  const placed = [];
  dots.forEach((dot, rank) => {
    if (placed.length >= most) return;
    const boxes = boxesAround(dot.place, dot.radius, dot.width, dot.pixels).map((box, side) => (side < 2 ? within(box, width) : box));
    const box = boxes.find((each) => both.free(each)) ?? (rank < LANDMARKS ? boxes.filter((each) => names.free(each)).sort((one, other) => both.covered(one) - both.covered(other))[0] : undefined);
    if (!box) return;
    const wide = { left: box.left - GAP, top: box.top, right: box.right + GAP, bottom: box.bottom };
    names.take(wide);
    both.take(wide);
    placed.push({ dot, box });
  });
  return placed;
}
