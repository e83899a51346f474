import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

const { neutral } = await import("../../pages/assets/chat/copied.js");

test("an address is code unless the answer links to it", () => {
  assert.equal(neutral("See http://evil.example/?q=SECRET, www.evil.example."), "See `http://evil.example/?q=SECRET`, `www.evil.example`.");
  assert.equal(neutral("See https://good.example/a.", ["https://good.example/a"]), "See https://good.example/a.");
});

test("text that looks like a tag, a link or a picture stays text where it is pasted", () => {
  const copied = neutral("<img src=x> ![x](//evil.example) [1]: //evil.example 3 < 4 [1]");
  assert.equal(copied, "&lt;img src=x> ![x]\\(//evil.example) [1]\\: //evil.example 3 < 4 [1]");
});

test("a block of code keeps its text", () => {
  assert.equal(neutral("Run\n<b>$1</b>\n<b>", [], ["<b>$1</b>"]), "Run\n<b>$1</b>\n&lt;b>");
});
