/* The text editor: numbered, coloured lines below a transparent field with the same letters. */
import { element } from "../shared/ui.js";

const LINE = /^(\s*(?:-\s+)*)([\w-]+)(:)(?=\s|$)(.*)$/;

export class YamlEditor {
  /** @type {Map<number | null, "odd" | "wrong">} by line */
  flawed = new Map();

  /** @param {HTMLElement} root @param {(text: string) => void} typed */
  constructor(root, typed) {
    this.paper = root.querySelector(".paper");
    /** @type {HTMLTextAreaElement} */
    this.field = root.querySelector("textarea");
    this.field.addEventListener("keydown", (event) => this.indent(event));
    this.field.addEventListener("input", () => {
      this.draw();
      typed(this.field.value);
    });
  }

  draw() {
    this.paper.replaceChildren(...this.field.value.split("\n").map((text, index) => element("div", { class: `line ${this.flawed.get(index + 1) ?? ""}`.trim() }, ...coloured(text))));
  }

  /** A new line is indented like the one above, and one level more below a section's name. @param {KeyboardEvent} event */
  indent(event) {
    if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const before = this.field.value.slice(0, this.field.selectionStart).split("\n").pop() ?? "";
    const deeper = /:\s*[|>]?[-+]?\s*$/.test(before) && before.trim() ? "  " : "";
    const spaces = before.slice(0, before.search(/[^ ]|$/)) + deeper;
    if (!spaces) return;
    event.preventDefault();
    document.execCommand("insertText", false, `\n${spaces}`);
  }

  /** @param {string} text */
  show(text) {
    if (this.field.value !== text) this.field.value = text;
    this.draw();
  }

  /** @param {Flaw[]} errors @param {Flaw[]} warnings */
  mark(errors, warnings) {
    this.flawed = new Map([...warnings.map((each) => /** @type {const} */ ([each.line, "odd"])), ...errors.map((each) => /** @type {const} */ ([each.line, "wrong"]))]);
    this.field.setAttribute("aria-invalid", String(errors.length > 0));
    this.draw();
  }

  /** @param {number} line @param {number | null} column */
  goTo(line, column) {
    const lines = this.field.value.split("\n");
    const at = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + Math.max(0, (column ?? 1) - 1);
    this.field.focus({ preventScroll: true });
    this.field.setSelectionRange(at, at);
    this.paper.children[Math.min(line, lines.length) - 1]?.scrollIntoView({ block: "center" });
  }
}

/** A line in its parts; an empty one keeps its height. @param {string} text @returns {Child[]} */
export function coloured(text) {
  const [, indent, key, colon, rest] = text.match(LINE) || [];
  if (!key) return text ? valued(text) : ["\u200b"];
  return [indent, element("span.key", {}, key), colon, ...valued(rest)];
}

/** @param {string} text @returns {Child[]} */
function valued(text) {
  const at = text.search(/(^|\s)#/);
  if (at < 0 || /["']/.test(text.slice(0, at))) return [text];
  return [text.slice(0, at), element("span.comment", {}, text.slice(at))];
}
