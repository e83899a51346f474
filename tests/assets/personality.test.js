import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

const { Drafts, isDirty } = await import("../../pages/assets/personality/drafts.js");
const { coloured } = await import("../../pages/assets/personality/yaml.js");

globalThis.document.createElement = (tag) => ({
  tag,
  append(...text) {
    this.text = text.join("");
  },
});
const seen = { quick: null, prompt: "a prompt", assistant: "Ada", errors: [], warnings: [] };

test("what is typed while the server reads a draft stays, and is read after it", async () => {
  const asked = [];
  const drafts = new Drafts(({ text }) => new Promise((reply) => asked.push({ text, reply })), () => {});
  const draft = drafts.begin("Ada", "one");
  assert.ok(isDirty(draft));
  const settled = drafts.settle(draft);
  assert.equal(drafts.settle(draft), settled, "one request at a time");
  drafts.write(draft, "two", {});
  asked[0].reply({ ...seen, text: "one, tidied" });
  await new Promise(setImmediate);
  assert.equal(draft.text, "two");
  asked[1].reply({ ...seen, text: "two, tidied" });
  assert.equal(await settled, true);
  assert.deepEqual(asked.map((each) => each.text), ["one", "two"]);
  assert.deepEqual([draft.text, draft.prompt], ["two, tidied", "a prompt"]);
});

test("a setting that was changed again while it was on its way is still to be changed", async () => {
  const asked = [];
  const drafts = new Drafts((data) => new Promise((reply) => asked.push({ ...data, reply })), () => {});
  const draft = drafts.keep({ key: "a", slug: "a", kind: "custom", name: "A", text: "t", saved: "t" });
  assert.ok(!isDirty(draft));
  draft.changes.tone = "warm";
  draft.changes.length = "concise";
  draft.version += 1;
  const settled = drafts.settle(draft);
  draft.changes.tone = "direct";
  asked[0].reply({ ...seen, text: "t, warm, concise" });
  await settled;
  assert.deepEqual(draft.changes, { tone: "direct" });
});

test("what is given up is as it was saved, and what never was is gone", () => {
  const drafts = new Drafts(async () => null, () => {});
  const kept = drafts.keep({ key: "a", slug: "a", kind: "custom", name: "A", text: "changed", saved: "saved" });
  const fresh = drafts.begin("B", "text");
  assert.deepEqual(drafts.unsaved(), [kept, fresh]);
  for (const each of [kept, fresh]) drafts.giveUp(each);
  assert.equal(kept.text, "saved");
  assert.deepEqual([...drafts.all.keys()], ["a"]);
});

test("names and comments of a line are told apart from its values", () => {
  const told = (text) => coloured(text).map((part) => (typeof part === "string" ? part : `<${part.className} ${part.text}>`));
  assert.deepEqual(told("  - name: Ada # who"), ["  - ", "<key name>", ":", " Ada", "<comment  # who>"]);
  assert.deepEqual(told('motto: "a # b"'), ["", "<key motto>", ":", ' "a # b"']);
  assert.deepEqual(told("plain words"), ["plain words"]);
  assert.deepEqual(told(""), ["\u200b"]);
});
