/* Selecting several conversations in the list, and deleting them together. */
import { callForEach } from "../shared/server.js";
import { button, element, onEscape, undoable } from "../shared/ui.js";
import { t } from "../shared/words.js";

export class ConversationSelection {
  on = false;
  /** @type {Set<string>} */
  picked = new Set();

  /** @param {import("./conversations.js").Conversations} list @param {HTMLElement} bar @param {HTMLElement} starter the button that begins a selection */
  constructor(list, bar, starter) {
    this.list = list;
    this.bar = bar;
    this.starter = starter;
    starter.addEventListener("click", () => this.begin());
    for (const place of [bar, list.root]) onEscape(place, () => this.on && this.end());
  }

  /** @param {string} [id] the conversation to select first */
  begin(id) {
    this.on = true;
    this.picked = new Set(id ? [id] : []);
    this.draw();
    (id ? this.list.entries.get(id)?.pick : this.list.find("input.pick"))?.focus();
  }

  end() {
    this.on = false;
    this.picked.clear();
    this.draw();
    this.starter.focus();
  }

  /** @param {string} id */
  toggle(id) {
    if (!this.picked.delete(id)) this.picked.add(id);
    this.draw();
  }

  /** Conversations that a search hides are never selected, so that users delete only what they see. */
  draw() {
    const { entries } = this.list;
    this.picked = new Set([...this.picked].filter((id) => entries.has(id)));
    this.bar.hidden = !this.on;
    this.starter.hidden = this.on || !entries.size;
    this.list.root.classList.toggle("selecting", this.on);
    for (const [id, entry] of entries) {
      entry.pick.hidden = !this.on;
      entry.pick.checked = this.picked.has(id);
    }
    if (!this.on) return;
    const all = entries.size > 0 && this.picked.size === entries.size;
    const count = element("span.count", { role: "status" }, t("chat.selected", { n: this.picked.size }));
    const whole = button(t(all ? "chat.select_none" : "chat.select_all"), () => this.all(!all), "quiet");
    const remove = button(t("chat.delete"), () => this.remove(), "primary", { disabled: !this.picked.size });
    const focused = this.bar.contains(document.activeElement);
    this.bar.replaceChildren(count, button(t("chat.select_end"), () => this.end(), "quiet"), element("span.acts", {}, whole, remove));
    if (focused) whole.focus();
  }

  /** @param {boolean} on */
  all(on) {
    this.picked = new Set(on ? this.list.entries.keys() : []);
    this.draw();
  }

  async remove() {
    const ids = [...this.picked];
    const open = this.list.tab.conversation;
    const titles = ids.map((id) => this.list.entries.get(id)?.title);
    const replies = await callForEach(this.list.server, "delete_conversation", ids.map((id) => ({ id })));
    const gone = ids.filter((_, place) => replies[place]);
    this.end();
    const wasOpen = open && gone.includes(open);
    if (wasOpen) this.list.tab.newConversation();
    await this.list.load();
    if (!gone.length) return;
    const words = gone.length > 1 ? t("chat.conversations_deleted", { n: gone.length }) : `${t("chat.conversation_deleted")} ${titles[ids.indexOf(gone[0])]}`;
    undoable(words, t("shared.undo"), async () => {
      await callForEach(this.list.server, "restore_conversation", gone.map((id) => ({ id })));
      await this.list.load();
      if (wasOpen) this.list.tab.openConversation(open);
    });
  }
}
