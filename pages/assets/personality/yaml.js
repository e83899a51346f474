/* The editor of the text: numbered, coloured lines lie under a transparent field of the same letters. */
import { element } from "../shared/ui.js";

const LINE = /^(\s*(?:-\s+)*)([\w-]+)(:)(?=\s|$)(.*)$/;

export function mountYaml(root, { typed }) {
  const paper = root.querySelector(".paper");
  const field = root.querySelector("textarea");
  let flawed = new Map();

  function draw() {
    paper.replaceChildren(...field.value.split("\n").map(drawLine));
  }

  function drawLine(text, index) {
    const line = element("div");
    const flaw = flawed.get(index + 1);
    line.className = `line${flaw ? ` ${flaw}` : ""}`;
    const [, indent, key, colon, rest] = text.match(LINE) || [];
    if (key) line.append(indent, part("key", key), colon, ...valued(rest));
    else line.append(...valued(text));
    if (!text) line.append("\u200b");
    return line;
  }

  function valued(text) {
    const at = text.search(/(^|\s)#/);
    if (at < 0 || /["']/.test(text.slice(0, at))) return [text];
    return [text.slice(0, at), part("comment", text.slice(at))];
  }

  function part(name, text) {
    return element("span", { class: name }, text);
  }

  /** A new line begins where the one above does, and further in below a section's name. */
  function indent(event) {
    if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const before = field.value.slice(0, field.selectionStart).split("\n").pop();
    const deeper = /:\s*[|>]?[-+]?\s*$/.test(before) && before.trim() ? "  " : "";
    const spaces = before.match(/^ */)[0] + deeper;
    if (!spaces) return;
    event.preventDefault();
    document.execCommand("insertText", false, `\n${spaces}`);
  }

  field.addEventListener("keydown", indent);
  field.addEventListener("input", () => {
    draw();
    typed(field.value);
  });

  return {
    show(text) {
      if (field.value !== text) field.value = text;
      draw();
    },
    mark(errors, warnings) {
      flawed = new Map([...warnings.map((each) => [each.line, "odd"]), ...errors.map((each) => [each.line, "wrong"])]);
      field.setAttribute("aria-invalid", errors.length > 0);
      draw();
    },
    goTo(line, column) {
      const lines = field.value.split("\n");
      const at = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + Math.max(0, column - 1);
      field.focus({ preventScroll: true });
      field.setSelectionRange(at, at);
      paper.children[Math.min(line, lines.length) - 1]?.scrollIntoView({ block: "center" });
    },
  };
}
