/* Selected documents, and actions on all of them. */
import { lead } from "../shared/bus.js";
import { button, element, showToast } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { stateOf } from "./document-words.js";

/** The maximum number of mentions in a question; for more there are sets. */
const MOST_ASKED = 20;

export class Selection {
  /** @type {Set<string>} */
  picked = new Set();
  /** @type {string | null} the one selected last */
  anchor = null;
  drawn = "";

  /** @param {HTMLElement} bar @param {import("./library.js").Library} tab */
  constructor(bar, tab) {
    this.bar = bar;
    this.tab = tab;
  }

  chosen() {
    return this.tab.shown.filter((each) => this.picked.has(each.id));
  }

  /** With `range`, all documents between this one and the previous one are selected or deselected too. @param {string} id */
  toggle(id, { range = false } = {}) {
    const on = !this.picked.has(id);
    for (const each of range ? this.between(id) : [id]) {
      if (on) this.picked.add(each);
      else this.picked.delete(each);
    }
    this.anchor = id;
    this.tab.draw();
  }

  /** @param {string} id */
  between(id) {
    const order = this.tab.shown.map((each) => each.id);
    const [from, to] = [order.indexOf(this.anchor ?? ""), order.indexOf(id)].sort((one, other) => one - other);
    return from < 0 ? [id] : order.slice(from, to + 1);
  }

  /** @param {boolean} on */
  all(on) {
    this.picked = new Set(on ? this.tab.shown.map((each) => each.id) : []);
    this.tab.draw();
  }

  /** Hidden documents are never selected, so that users act only on what they see. */
  draw() {
    const chosen = this.chosen();
    this.picked = new Set([...this.picked].filter((id) => chosen.some((each) => each.id === id)));
    if (this.version() === this.drawn) return;
    this.bar.hidden = !this.picked.size;
    const tools = this.tab.sets.tools(chosen.map((each) => each.id));
    this.drawn = this.version();
    this.bar.replaceChildren(...(this.bar.hidden ? [] : [element("span.count", {}, t("library.selected", { n: this.picked.size })), ...this.actions(), ...tools]));
    if (this.bar.hidden) return;
    const own = chosen.filter((each) => !each.owner);
    if (own.length) this.bar.append(...this.tab.sharing(own), button(t("library.delete"), () => this.tab.remove(own), "quiet"));
    this.bar.append(button(t("library.sets_clear"), () => this.all(false), "quiet"));
  }

  version() {
    return `${this.tab.sets.version()} ${this.chosen().map((each) => `${each.id} ${each.group}`)}`;
  }

  actions() {
    const compare = this.picked.size > 1 ? [button(t("library.compare"), () => this.take("compare"), "quiet")] : [];
    return [button(t("library.ask"), () => this.take(""), "primary"), ...compare, button(t("library.summarize"), () => this.take("summarize"), "quiet")];
  }

  /** Opens the composer of a new conversation with mentions to continue from, or with a complete action. @param {string} action */
  take(action) {
    const readable = this.chosen().filter((each) => !["failed", "cancelled"].includes(stateOf(each)));
    if (!readable.length) return showToast(t("library.not_ready"));
    if (readable.length > MOST_ASKED) return showToast(t("library.too_many", { n: MOST_ASKED }), { seconds: 8 });
    const names = readable.map((each) => mention(each, this.tab.documents)).join(" ");
    return lead("chat", "compose", { text: action ? t(`library.${action}_order`, { names }) : `${names} `, action });
  }
}

/** A mention as `@` completes it; if another document has the same title, the id is added. @param {{ id: string, title: string }} each @param {{ title: string }[]} documents */
export function mention(each, documents) {
  const alone = documents.filter((other) => other.title.toLowerCase() === each.title.toLowerCase()).length === 1;
  return alone ? `@"${each.title.replaceAll('"', "'")}"` : `@[${each.title.replace(/[\][\n]/g, " ")}](${each.id})`;
}
