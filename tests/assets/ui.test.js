import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

const { sortedBy, tally } = await import("../../pages/assets/shared/ui.js");
const { afterPause, latest, turns } = await import("../../pages/assets/shared/timing.js");
const { milliseconds, number, size } = await import("../../pages/assets/shared/words.js");
const { limitLabel } = await import("../../pages/assets/library/limits.js");

test("another column is sorted from its own end, the same one the other way", () => {
  const first = sortedBy({ by: "added", down: true }, "title", false);
  assert.deepEqual(first, { by: "title", down: false });
  assert.deepEqual(sortedBy(first, "title", false), { by: "title", down: true });
  assert.deepEqual(sortedBy(first, "size", true), { by: "size", down: true });
});

test("what is typed in one go is acted upon once, with the last that was typed, unless it is given up", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const told = [];
  const soon = afterPause(100, (text) => told.push(text));
  soon("a");
  context.mock.timers.tick(60);
  soon("ab");
  context.mock.timers.tick(60);
  assert.deepEqual(told, []);
  context.mock.timers.tick(40);
  soon("abc");
  soon.cancel();
  context.mock.timers.tick(200);
  assert.deepEqual(told, ["ab"]);
});

test("of several that were asked only the last still counts", () => {
  const begin = turns();
  const first = begin();
  assert.ok(first());
  const second = begin();
  assert.deepEqual([first(), second()], [false, true]);
});

test("of several that were awaited only the last brings something", async () => {
  const asking = latest();
  const first = asking(Promise.resolve("first"));
  const second = asking(Promise.resolve("second"));
  assert.deepEqual([await first, await second], [undefined, "second"]);
  const given = asking(Promise.resolve("third"));
  asking(null);
  assert.equal(await given, undefined);
});

test("each is counted", () => {
  assert.deepEqual([...tally(["a", "b", "a"])], [["a", 2], ["b", 1]]);
});

test("numbers and lengths of time are told as people read them", () => {
  assert.deepEqual([number(1204.4), number(1.26, 1)], ["1,204", "1.3"]);
  assert.deepEqual([milliseconds(4.25), milliseconds(1204)], ["4.3 ms", "1.2 s"]);
});

test("sizes are told as people read them", () => {
  assert.deepEqual([0, 999, 2_621_440, 31_000_000_000].map(size), ["0 B", "999 B", "2.6 MB", "31 GB"]);
});

test("each limit has a name of its own", () => {
  assert.notEqual(limitLabel({ name: "limits.file_bytes" }), limitLabel({ name: "limits.document_pages" }));
});
