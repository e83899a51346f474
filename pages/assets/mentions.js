/* `@` in the composer completes the titles of documents. */

const OPENED = /(^|[\s(])@([^\s@"][^@"\n]{0,60})?$/;
const PAUSE_MS = 60;

/** suggest(text) gives [{ title, filename }]; call it before other listeners of the field's keys are added. */
export function completeMentions(field, list, suggest) {
  let offered = [];
  let current = 0;
  let timer;
  let asked = 0;

  const before = () => field.value.slice(0, field.selectionStart);
  const opened = () => field.selectionStart === field.selectionEnd && before().match(OPENED);

  function close() {
    clearTimeout(timer);
    asked += 1;
    offered = [];
    list.replaceChildren();
    list.hidden = true;
    field.removeAttribute("aria-activedescendant");
    field.setAttribute("aria-expanded", "false");
  }

  async function look() {
    const match = opened();
    if (!match) return close();
    asked += 1;
    const mine = asked;
    const found = await suggest(match[2] || "");
    if (mine !== asked) return undefined;
    offered = found || [];
    current = 0;
    if (!offered.length) return close();
    return draw();
  }

  function draw() {
    list.replaceChildren(...offered.map((document_, place) => option(document_, place)));
    list.hidden = false;
    field.setAttribute("aria-expanded", "true");
    mark();
  }

  function option(document_, place) {
    const node = document.createElement("li");
    node.id = `pal-mention-${place}`;
    node.setAttribute("role", "option");
    const title = document.createElement("bdi");
    title.textContent = document_.title;
    const file = document.createElement("small");
    file.textContent = document_.filename;
    node.append(title, file);
    node.addEventListener("mousedown", (event) => {
      event.preventDefault();
      take(place);
    });
    return node;
  }

  function mark() {
    [...list.children].forEach((node, place) => node.setAttribute("aria-selected", place === current));
    list.children[current]?.scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", `pal-mention-${current}`);
  }

  function take(place) {
    const match = opened();
    const document_ = offered[place];
    if (!match || !document_) return close();
    const start = field.selectionStart - (match[2] || "").length - 1;
    field.setRangeText(`@"${document_.title.replaceAll('"', "'")}" `, start, field.selectionStart, "end");
    close();
    return field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  const keys = {
    ArrowDown: () => (current = (current + 1) % offered.length),
    ArrowUp: () => (current = (current - 1 + offered.length) % offered.length),
    Enter: () => take(current),
    Tab: () => take(current),
    Escape: close,
  };

  field.addEventListener("keydown", (event) => {
    if (!offered.length || !keys[event.key] || event.isComposing) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    keys[event.key]();
    if (offered.length) mark();
  });
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(look, PAUSE_MS);
  });
  field.addEventListener("blur", close);
  field.setAttribute("role", "combobox");
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", list.id);
  close();
}
