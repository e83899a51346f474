import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

const { extensionOf, isReadable, unreadable } = await import("../../pages/assets/shared/kinds.js");
const { summary } = await import("../../pages/assets/shared/unpacked.js");

test("what has no extension is tried, what has an unknown one is not", () => {
  const kinds = ["pdf", "csv"];
  const names = ["Report.PDF", "rates.csv ", "README", ".env", "Letter to Dr. Smith of March", "film.mp4", "a.pdf.exe", "old."];
  assert.deepEqual(names.map((name) => isReadable(name, kinds)), [true, true, true, true, true, false, false, true]);
  assert.equal(extensionOf("folder.d/README"), "");
});

test("a refusal names the files, their kinds and what can be read", () => {
  const one = unreadable(["film.mp4"]);
  assert.equal(one.what, "film.mp4 cannot be read.");
  assert.match(one.why, /\.mp4/);
  assert.match(one.remedy, /PDF/);
  const many = unreadable(["a.mp4", "b.mp4", "c.exe", "d.exe", "e.exe", "f.exe"]);
  assert.match(many.what, /6 files.*\(\+1\)/);
  assert.match(many.why, /\.mp4, \.exe/);
});

test("what became of an archive is one sentence", () => {
  const reply = { documents: [{}, {}, {}], known: [{}], left_out: [{}, {}] };
  assert.equal(summary("all.zip", reply), "all.zip: 3 documents added, one was already there, two skipped");
  assert.equal(summary("all.zip", { documents: [{}], known: [], left_out: [] }), "all.zip: one document added");
});
