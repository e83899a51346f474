import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

const { matching } = await import("../../pages/assets/tools/tools.js");
const { effects, pairs, state } = await import("../../pages/assets/tools/tool-row.js");
const { given } = await import("../../pages/assets/tools/trial-form.js");

const figures = { calls: 0, succeeded: 0, found_nothing: 0, failed: {}, fell_back: 0, repaired: 0, loops: 0, hebrew: 0, hebrew_found: 0, last: null, p50: 0, p95: 0 };
const tool = { name: "fetch", title: "Read a page", description: "Reads it.", server: "web", on: true, breaker: "closed", reads_only: true, harmless: true, sends: false, seconds: 60, fallbacks: [], figures };

test("tools are found by title, name, server and what they do", () => {
  const tools = [tool, { ...tool, name: "ask", title: "Ask", server: "other", description: "Answers." }];
  assert.deepEqual(matching(tools, " PAGE ").map((each) => each.name), ["fetch"]);
  assert.deepEqual(matching(tools, "answers").map((each) => each.name), ["ask"]);
  assert.equal(matching(tools, "").length, 2);
});

test("what a tool may do is said at its worst", () => {
  assert.deepEqual(effects(tool), ["reads"]);
  assert.deepEqual(effects({ ...tool, harmless: false, sends: true }), ["spends", "sends"]);
  assert.deepEqual(effects({ ...tool, reads_only: false, harmless: false }), ["changes"]);
});

test("a tool is off before it rests, and rests before it is ready", () => {
  assert.equal(state(tool), "ready");
  assert.equal(state({ ...tool, breaker: "open" }), "resting");
  assert.equal(state({ ...tool, breaker: "open", on: false }), "off");
});

test("figures that are nothing are left out", () => {
  assert.deepEqual(pairs(tool).map(([name]) => name), ["calls", "limit"]);
  const used = { ...tool, figures: { ...figures, calls: 3, failed: { timeout: 1 }, hebrew: 2, hebrew_found: 1, last: 12 } };
  assert.deepEqual(pairs(used).map(([name]) => name), ["calls", "latency", "failures", "hebrew", "limit"]);
});

test("what is typed goes under the argument's name, lists as lists", () => {
  const typed = { query: " x ", ids: "[1, 2]", more: "", odd: "[1" };
  const form = { elements: { namedItem: (name) => ({ value: typed[name] }) } };
  const kinds = { query: "string", ids: "array", more: "string", odd: "array" };
  const parameters = Object.entries(kinds).map(([name, kind]) => ({ name, kind, description: "", required: false, default: null, choices: [] }));
  assert.deepEqual(given(form, parameters), { query: "x", ids: [1, 2], odd: "[1" });
});

const { standing, told } = await import("../../pages/assets/tools/open-data.js");
const map = { address: "x", built_at: null, old: false, datasets: 1200, announced: 1200, resources: 90, looked_at: 9, building: false, done: 0, to_do: 0, taken_in: 0 };

test("the map of open data says when it was built, that it is old, and how far it is", () => {
  assert.match(standing(map).join(" "), /no local catalogue/);
  assert.match(standing({ ...map, built_at: 1 }).join(" "), /1970.*1,200 data sets, 9 of 90 files/);
  assert.equal(standing({ ...map, built_at: 1, old: true }).length, 2);
  assert.deepEqual(standing({ ...map, building: true }), ["Listing the data sets…"]);
  assert.deepEqual(standing({ ...map, building: true, done: 3, to_do: 81 }), ["Checking files: 3 of 81"]);
});

test("of what was taken in, what is nothing is not said", () => {
  assert.equal(told({ added: 0, changed: 2, kept: 51, removed: 0 }), "2 changed · 51 unchanged");
});
