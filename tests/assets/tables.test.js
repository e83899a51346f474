import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

const { compared, texts } = await import("../../pages/assets/viewer/data-table.js");
const { inOrder } = await import("../../pages/assets/knowledge/table.js");
const { folded } = await import("../../pages/assets/shared/words.js");

const figure = (value) => ({ dataset: { value: String(value) }, textContent: `${value}` });
const words = (textContent, colSpan = 1) => ({ dataset: {}, textContent, colSpan });

test("figures stand before words, and what is empty last, whichever way it is sorted", () => {
  const cells = [words(""), words("beta"), figure(9), words("alpha"), figure(10)];
  const sorted = (sign) => [...cells].sort((one, other) => compared(one, other, sign)).map((each) => each.textContent);
  assert.deepEqual(sorted(1), ["9", "10", "alpha", "beta", ""]);
  assert.deepEqual(sorted(-1), ["10", "9", "beta", "alpha", ""]);
});

test("what a spreadsheet would run is copied as text, and a wide heading keeps its columns", () => {
  assert.deepEqual(texts(words("=SUM(A1)")), ["'=SUM(A1)"]);
  assert.deepEqual(texts({ ...figure(-5), colSpan: 1 }), ["-5"]);
  assert.deepEqual(texts(words(" In  2031 ", 3)), ["In 2031", "", ""]);
});

test("concepts are sorted by figures and by words", () => {
  const nodes = [{ label: "b", mentions: 2 }, { label: "a", mentions: 10 }];
  assert.deepEqual(inOrder(nodes, "label", false).map((each) => each.label), ["a", "b"]);
  assert.deepEqual(inOrder(nodes, "mentions", true).map((each) => each.mentions), [10, 2]);
});

test("entries are found whatever their accents and capitals", () => {
  assert.equal(folded("Café"), "cafe");
});
