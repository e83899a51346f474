import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

const { sieve } = await import("../../pages/assets/library/findings.js");
const { isReadOut } = await import("../../pages/assets/library/document-words.js");

const entries = [
  { kind: "quote", categories: ["nature"] },
  { kind: "quote", categories: ["law"] },
  { kind: "summary", categories: ["nature"] },
  { kind: "mental_model", categories: [""] },
];

const shown = (chosen) => {
  const { shown: found, more } = sieve(entries, { kind: "", category: "", most: Infinity, ...chosen });
  return [entries.map((each) => found.has(each)), more];
};

test("all are shown until a kind or a category is chosen", () => {
  assert.deepEqual(shown({}), [[true, true, true, true], false]);
  assert.deepEqual(shown({ kind: "quote" }), [[true, true, false, false], false]);
  assert.deepEqual(shown({ category: "nature" }), [[true, false, true, false], false]);
  assert.deepEqual(shown({ kind: "quote", category: "law" }), [[false, true, false, false], false]);
  assert.deepEqual(shown({ kind: "summary", category: "law" }), [[false, false, false, false], false]);
});

test("the first of those that were chosen are shown, and that there are more", () => {
  assert.deepEqual(shown({ most: 1 }), [[true, false, false, false], true]);
  assert.deepEqual(shown({ kind: "summary", most: 1 }), [[false, false, true, false], false]);
});

test("a document is read out while it waits or is read", () => {
  assert.ok(isReadOut({ extraction: { state: "waiting" } }) && isReadOut({ extraction: { state: "reading" } }));
  assert.ok(!isReadOut({}) && !isReadOut({ extraction: null }) && !isReadOut({ extraction: { state: "done" } }));
});
