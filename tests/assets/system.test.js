import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

const { summarise, worst } = await import("../../pages/assets/system/health.js");
const { counted } = await import("../../pages/assets/system/backups.js");
const { offered, standing } = await import("../../pages/assets/system/rebuild.js");
const { differences } = await import("../../pages/assets/system/upkeep.js");

const finding = (state) => ({ check: "x", name: "x", warning: null, state, what: "", why: null, remedy: null });

test("all is well only where nothing is amber", () => {
  const line = { dataset: {}, textContent: "" };
  summarise(line, [finding("green"), finding("amber")]);
  assert.deepEqual([line.dataset.state, line.textContent], ["amber", "One thing needs attention."]);
  summarise(line, [finding("green")]);
  assert.equal(line.textContent, "Everything works.");
  assert.equal(worst([finding("amber"), finding("red"), finding("green")]), "red");
});

test("records that go with others stand together in what a backup holds", () => {
  const counts = (total, added) => ({ total, added, replaced: 0, skipped: total - added });
  const rows = counted({ runs: counts(2, 1), run_events: counts(7, 7), documents: counts(3, 0), sets: counts(0, 0) });
  assert.deepEqual(rows, [["documents", [3, 0, 0]], ["others", [9, 8, 0]]]);
});

test("an index that is built is paused, one that rests goes on, and one that is done can be taken back", () => {
  const last = { state: "running", previous: "a", copied: 5, total: 10, updated_at: 1, keep_until: null };
  assert.deepEqual(offered({ active: true, last }), ["pause"]);
  assert.deepEqual(offered({ active: false, last }), ["resume"]);
  assert.deepEqual(offered({ active: false, last: { ...last, state: "completed", keep_until: 2 } }), ["begin", "roll_back", "keep"]);
  assert.deepEqual(offered({ active: false, last: null }), ["begin"]);
  assert.match(standing({ active: true, last }), /^5 of 10/);
});

test("of what differs, what does not is not said", () => {
  assert.equal(differences({ checked: 9, missing: 3, texts: 0, payload: 0, vectors: 0, orphaned: 1, repaired: 0, differences: 4 }), "3 are missing · one has no record");
});

const { beyond, heights, columns } = await import("../../pages/assets/system/columns.js");

test("what is drawn on top of each other ends where the greatest ends", () => {
  const [p50, p95] = [[1, 4, 0], [3, 2, 0]];
  assert.deepEqual(beyond(p50, p95), [2, 0, 0]);
  assert.deepEqual(heights([{ label: "a", values: p50 }, { label: "b", values: beyond(p50, p95) }], 3), [3, 4, 0]);
});

test("of what never happened nothing is drawn", () => {
  assert.equal(columns({ title: "x", days: ["2026-11-24", "2026-11-25"], parts: [{ label: "x", values: [0, 0] }] }), null);
});
