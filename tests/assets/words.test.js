import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import "./page.js";

const { t, ui } = await import("../../pages/assets/shared/words.js");

beforeEach(() => (ui.language = "en"));

test("a text is filled in", () => {
  assert.equal(t("library.some", { shown: 3, all: 12 }), "3 of 12 documents");
});

test("a number chooses the form, in the language that is read now", () => {
  assert.equal(t("memory.found", { count: 1 }), "1 found");
  assert.equal(t("memory.found", { count: 5 }), "5 found");
  ui.language = "he";
  assert.doesNotMatch(t("memory.found", { count: 1 }), /1/);
  assert.match(t("memory.found", { count: 5 }), /5/);
});

test("a key that nobody wrote is an error", () => {
  assert.throws(() => t("library.nothing_of_this_name"), /nothing_of_this_name/);
});
