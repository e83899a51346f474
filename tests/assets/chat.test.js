import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

const { nameBegun } = await import("../../pages/assets/chat/mentions.js");
const { groupOf } = await import("../../pages/assets/chat/conversations.js");

test("a name is begun by an @ that begins a word", () => {
  assert.equal(nameBegun("compare @trav"), "trav");
  assert.equal(nameBegun("(@"), "");
  assert.equal(nameBegun("compare @Travel and exp"), "Travel and exp");
  assert.equal(nameBegun("write to me@home"), undefined);
  assert.equal(nameBegun('compare @"Travel" with'), undefined);
  assert.equal(nameBegun("@first\nsecond line"), undefined);
});

test("conversations stand under the day they were last used", () => {
  const now = new Date(2026, 4, 20, 15, 0);
  const at = (day, hour) => new Date(2026, 4, day, hour).getTime() / 1000;
  assert.deepEqual(
    [at(20, 0), at(19, 23), at(15, 9), at(13, 12)].map((each) => groupOf(each, now)),
    ["today", "yesterday", "this_week", "earlier"],
  );
});
