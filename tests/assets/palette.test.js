import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

const { matching } = await import("../../pages/assets/frame/palette.js");
const { within } = await import("../../pages/assets/chat/dock-width.js");

const commands = [
  { group: "Go to", label: "Chat" },
  { group: "Go to", label: "Library" },
  { group: "Open", label: "Café policy 2024" },
  { group: "Open", label: "Policy of libraries" },
];
const labels = (typed) => matching(commands, typed).map(({ label }) => label);

test("a palette shows all in their order, and what holds every word that is typed, in any case and with no accent", () => {
  assert.deepEqual(labels(""), commands.map(({ label }) => label));
  assert.deepEqual(labels("cafe POL"), ["Café policy 2024"]);
  assert.deepEqual(labels("go ch"), ["Chat"]);
  assert.deepEqual(labels("nothing"), []);
});

test("what begins with the words comes before what merely holds them", () => {
  assert.deepEqual(labels("policy"), ["Policy of libraries", "Café policy 2024"]);
});

test("the dock is never narrower or wider than it may be", () => {
  assert.deepEqual([100, 300.4, 900].map(within), [240, 300, 520]);
});
