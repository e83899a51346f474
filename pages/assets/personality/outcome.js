/* The result of a text: its errors, and the prompt. */
import { element } from "../shared/ui.js";
import { t } from "../shared/words.js";

/** Errors, then warnings; one with a line number links to it. @param {{ errors: Flaw[], warnings: Flaw[] }} view @param {(line: number, column: number | null) => void} goTo */
export const flawRows = ({ errors, warnings }, goTo) => [...errors.map((each) => flaw(each, "wrong", goTo)), ...warnings.map((each) => flaw(each, "odd", goTo))];

/** @param {Flaw} each @param {string} kind @param {(line: number, column: number | null) => void} goTo */
function flaw({ line, column, text }, kind, goTo) {
  const parts = [element("b", {}, line && t("personality.line", { line, column })), " ", element("span", { dir: "auto" }, text)];
  if (!line) return element(`p.flaw.${kind}`, {}, ...parts);
  return element(`button.flaw.${kind}`, { onclick: () => goTo(line, column) }, ...parts);
}

/** The paragraphs of a prompt; new ones are marked. @param {HTMLElement} place @param {string} key the prompt's draft @param {string | null} prompt */
export function drawPrompt(place, key, prompt) {
  const same = place.dataset.key === key;
  const before = new Set([...place.children].map((node) => node.textContent));
  const parts = (prompt || "").split("\n\n").filter(Boolean);
  place.dataset.key = key;
  if (same && parts.every((part) => before.has(part)) && parts.length === place.children.length) return;
  place.replaceChildren(...parts.map((part) => element("p", { dir: "auto", class: same && !before.has(part) ? "changed" : null }, part)));
}
