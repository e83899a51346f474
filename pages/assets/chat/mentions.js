/* `@` in the composer completes the titles of documents and the names of sets. */
import { element } from "../shared/ui.js";
import { t } from "../shared/words.js";

const OPENED = /(^|[\s(])@([^\s@"][^@"\n]{0,60})?$/;
const PAUSE_MS = 60;
const MARKS = {
  set: '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 4l8 4-8 4-8-4zM4 12l8 4 8-4M4 16l8 4 8-4"/></svg>',
  attachment: '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.5 3.5 0 0 1 5 5l-8.5 8.5a2 2 0 0 1-3-3L14 7"/></svg>',
};

/** What of a name is typed behind an `@` that is still open at the end of `text`; undefined where there is none. */
export function nameBegun(text) {
  const match = text.match(OPENED);
  return match ? match[2] || "" : undefined;
}

/** suggest(text) gives [{ kind, title, hint | count, insert }]; call it before other listeners of the field's keys are added. */
export function completeMentions(field, list, suggest) {
  let offered = [];
  let current = 0;
  let timer;
  let asked = 0;

  const before = () => field.value.slice(0, field.selectionStart);
  const opened = () => (field.selectionStart === field.selectionEnd ? nameBegun(before()) : undefined);

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
    const name = opened();
    if (name === undefined) return close();
    asked += 1;
    const mine = asked;
    const found = await suggest(name);
    if (mine !== asked) return undefined;
    offered = found || [];
    current = 0;
    if (!offered.length) return close();
    return draw();
  }

  function draw() {
    list.replaceChildren(...offered.map((each, place) => option(each, place)));
    list.hidden = false;
    field.setAttribute("aria-expanded", "true");
    mark();
  }

  function option(each, place) {
    const node = element("li", { id: `pal-mention-${place}`, role: "option" });
    const title = element("bdi", {}, each.title);
    const hint = element("small", {}, each.kind === "set" ? `${each.count} ${t("chat.documents_count")}` : each.hint);
    node.dataset.kind = each.kind;
    if (MARKS[each.kind]) node.innerHTML = `<span class="kind" title="${t(`chat.kind_${each.kind}`)}">${MARKS[each.kind]}</span>`;
    node.append(title, hint);
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
    const name = opened();
    const each = offered[place];
    if (name === undefined || !each) return close();
    const start = field.selectionStart - name.length - 1;
    field.setRangeText(`${each.insert} `, start, field.selectionStart, "end");
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
