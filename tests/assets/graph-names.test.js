import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

const { placedNames } = await import("../../pages/assets/knowledge/names.js");

const dot = (name, x, y, radius = 6) => ({ name, place: { x, y }, radius, width: 80, pixels: 12 });
const overlap = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

test("no two names overlap in a crowd, and the most important ones are there", () => {
  const crowd = Array.from({ length: 300 }, (_, n) => dot(`n${n}`, 40 + ((n * 97) % 720), 40 + ((n * 53) % 420)));
  const placed = placedNames(crowd, 800, 500, 120);
  assert.ok(placed.length > 20 && placed.length <= 120);
  placed.forEach((one, place) => placed.slice(place + 1).forEach((other) => assert.ok(!overlap(one.box, other.box))));
  assert.deepEqual(placed.slice(0, 3).map(({ dot: { name } }) => name), ["n0", "n1", "n2"]);
});

test("a name gives way to a more important one by moving to another side of its dot", () => {
  const [first, second] = placedNames([dot("first", 400, 200), dot("second", 400, 222)], 800, 500, 10);
  assert.ok(first.box.bottom <= 200 - 6 || first.box.left >= 406, "not over the second dot");
  assert.ok(!overlap(first.box, second.box));
});

test("the edge of the canvas cuts no name off", () => {
  for (const { box } of placedNames([dot("left", 4, 100), dot("right", 796, 300)], 800, 500, 10)) assert.ok(box.left >= 0 && box.right <= 800);
});
