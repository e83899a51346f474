/* Documents that are selected, and what can be done with them together. */
import { hold, send } from "../shared/bus.js";
import { element } from "../shared/ui.js";
import { stateOf } from "./document-words.js";
import { showToast } from "../shared/notices.js";
import { t } from "../shared/words.js";

const MOST_ASKED = 20;
/** More mentions than a question can hold; sets are for more. */

/** `shown()` are the documents in their order, `known()` all of them; `remove(documents)` deletes some, `tools(ids)` are
    buttons of the sets, as they are at `version()`. */
export function mountSelection(bar, { shown, known, remove, tools, version, redraw }) {
  const picked = new Set();
  let drawn = "";
  let anchor = null;

  const chosen = () => shown().filter((each) => picked.has(each.id));
  const ids = () => chosen().map((each) => each.id);

  /** With `range` all between this and the one picked before it are picked, or dropped, with it. */
  function toggle(id, { range = false } = {}) {
    const on = !picked.has(id);
    for (const each of range ? between(id) : [id]) {
      if (on) picked.add(each);
      else picked.delete(each);
    }
    anchor = id;
    changed();
  }

  function between(id) {
    const order = shown().map((each) => each.id);
    const [from, to] = [order.indexOf(anchor), order.indexOf(id)].sort((one, other) => one - other);
    return from < 0 ? [id] : order.slice(from, to + 1);
  }

  function all(on) {
    picked.clear();
    if (on) for (const each of shown()) picked.add(each.id);
    changed();
  }

  function clear() {
    picked.clear();
    changed();
  }

  function changed() {
    redraw();
  }

  /** What is not shown is not selected: nobody acts on what they do not see. */
  function draw() {
    const visible = new Set(shown().map((each) => each.id));
    for (const id of picked) if (!visible.has(id)) picked.delete(id);
    const said = `${version()} ${[...picked]}`;
    if (said === drawn) return undefined;
    bar.hidden = !picked.size;
    const more = tools(ids());
    drawn = `${version()} ${[...picked]}`;
    if (bar.hidden) return bar.replaceChildren();
    const count = element("span.count", {}, t("library.selected", { n: picked.size }));
    const [first, ...rest] = actions();
    return bar.replaceChildren(count, first, ...rest, ...more, plain(t("library.delete"), () => remove(chosen())), plain(t("library.sets_clear"), clear));
  }

  function actions() {
    const parts = [plain(t("library.ask"), () => take(""), "primary"), plain(t("library.summarize"), () => take("summarize"))];
    if (picked.size > 1) parts.splice(1, 0, plain(t("library.compare"), () => take("compare")));
    return parts;
  }

  /** To the composer of a new conversation: mentions to go on from, or a whole order. */
  function take(action) {
    const readable = chosen().filter((each) => !["failed", "cancelled"].includes(stateOf(each)));
    if (!readable.length) return showToast(t("library.not_ready"));
    if (readable.length > MOST_ASKED) return showToast(t("library.too_many", { n: MOST_ASKED }), { seconds: 8 });
    const names = readable.map((each) => mention(each, known())).join(" ");
    const text = action ? t(`library.${action}_order`, { names }) : `${names} `;
    hold("compose", { text, action });
    send("compose", { text, action });
    return send("tab", "chat");
  }

  return { has: (id) => picked.has(id), size: () => picked.size, toggle, all, clear, draw };
}

/** As `@` completes it; where another document has the same title, its id goes with it. */
export function mention(each, documents) {
  const alone = documents.filter((other) => other.title.toLowerCase() === each.title.toLowerCase()).length === 1;
  return alone ? `@"${each.title.replaceAll('"', "'")}"` : `@[${each.title.replace(/[\][\n]/g, " ")}](${each.id})`;
}

export function plain(text, action, kind = "quiet") {
  const node = element("button", { class: kind }, text);
  node.addEventListener("click", (event) => {
    event.stopPropagation();
    action();
  });
  return node;
}
