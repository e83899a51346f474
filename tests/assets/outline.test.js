import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

const { on } = await import("../../pages/assets/shared/bus.js");
const { mountOutline } = await import("../../pages/assets/library/findings.js");

let click;
mountOutline({ addEventListener: (_name, listener) => (click = listener) });
const opened = [];
on("palimpsest:open", (where) => opened.push(where));

const line = (dataset) => ({ dataset, closest: () => ({ dataset: { document: "doc" } }) });

test("a line of the outline opens its document at the passage and the page it names", () => {
  click({ target: { closest: () => line({ jump: "item", page: "7" }) } });
  click({ target: { closest: () => line({ jump: "", page: "" }) } });
  assert.deepEqual(opened.splice(0), [
    { document: "doc", item: "item", page: 7 },
    { document: "doc", item: null, page: null },
  ]);
});

test("a click beside the lines opens nothing", () => {
  click({ target: { closest: () => null } });
  assert.deepEqual(opened, []);
});
