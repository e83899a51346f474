import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

const { isBusy, kindName, periodName, stateOf, timeLeft } = await import("../../pages/assets/library/document-words.js");
const { told } = await import("../../pages/assets/frame/unseen.js");
const { mention } = await import("../../pages/assets/library/selection.js");

test("a period is written as people write it", () => {
  assert.equal(periodName("2022-Q2"), "Q2 2022");
  assert.equal(periodName("2024-03-18"), "Mar 18, 2024");
  assert.equal(periodName("FY 2021"), "FY 2021");
});

test("a kind has a name, and what has none is other", () => {
  assert.equal(kindName("annual report"), "Annual report");
  assert.equal(kindName(""), "Other");
});

test("the time left is rounded up to what is said", () => {
  assert.deepEqual([null, 10, 46, 61, 7200].map(timeLeft), ["", "under a minute left", "about 1 min left", "about 2 min left", "about 2 h left"]);
});

test("a document is ready when its meanings are, and by words before", () => {
  const read = { state: "ready", chunks: 4, searchable: 4, embedded: 4 };
  assert.equal(stateOf(read), "ready");
  assert.equal(stateOf({ ...read, embedded: 3 }), "by_words");
  assert.equal(stateOf({ ...read, searchable: 2, standing: { stage: "storing" } }), "reading");
  assert.equal(stateOf({ ...read, chunks: 0, standing: { stage: "queued" } }), "queued");
  assert.equal(stateOf({ ...read, state: "processing", recognition: { done: 12, total: 95 } }), "recognising");
  assert.equal(stateOf({ ...read, state: "failed" }), "failed");
  assert.ok(isBusy({ state: "processing" }) && !isBusy(read));
});

test("a title that two documents have is mentioned with its id", () => {
  const [one, other, third] = [{ id: "a", title: "Policy [new]" }, { id: "b", title: "policy [NEW]" }, { id: "c", title: 'A "good" one' }];
  assert.equal(mention(one, [one, other, third]), "@[Policy  new ](a)");
  assert.equal(mention(third, [one, other, third]), "@\"A 'good' one\"");
});

test("of one file that could not be read also why is told, of many the first names", () => {
  const failed = (filename) => ({ filename, failed_unseen: true, problem: { why: "It is damaged." } });
  const all = ["a.pdf", "b.pdf", "c.pdf", "d.pdf"].map(failed);
  assert.deepEqual(told(all.slice(0, 1)), { head: "This file could not be read:", names: "a.pdf", why: "It is damaged." });
  assert.deepEqual(told(all), { head: "4 files could not be read:", names: "a.pdf, b.pdf, c.pdf …", why: "" });
});
