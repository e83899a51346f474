/* The list of conversations next to the thread: search, rename, export, select, delete. */
import { call, saveReply } from "../shared/server.js";
import { afterPause, latest } from "../shared/timing.js";
import { Part, arrange, button, element, foldMenus, fromMarkup, undoable } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { ConversationSelection } from "./conversation-selection.js";

const TYPING_PAUSE = 120;
/** Milliseconds: the list waits while the user searches. */
const ANSWERING_PAUSE = 400;
const DAY = 86_400;
const DOTS = '<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="5" cy="12" r="1.6"/><circle cx="12" cy="12" r="1.6"/><circle cx="19" cy="12" r="1.6"/></svg>';

/** @typedef {{ item: HTMLElement, open: HTMLButtonElement, summary: HTMLElement, pick: HTMLInputElement, title: string }} Entry A conversation in the list; `open` opens it, `summary` is its menu, `pick` selects it */

/** @extends {Part<ChatServer>} */
export class Conversations extends Part {
  asking = latest();
  loadSoon = afterPause(ANSWERING_PAUSE, () => this.load());
  /** @type {Map<string, Entry>} */
  entries = new Map();

  /** @param {import("./chat.js").Chat} tab */
  constructor(tab) {
    super(tab.find(".list"), tab.server);
    this.tab = tab;
    this.search = tab.find("[data-search]");
    this.search.addEventListener("input", afterPause(TYPING_PAUSE, () => this.load()));
    foldMenus(this.root);
    this.selection = new ConversationSelection(this, tab.find(".selection"), tab.find("[data-select]"));
  }

  async load() {
    this.loadSoon.cancel();
    const reply = await this.asking(call(this.server.conversations, { search: this.search.value }));
    if (reply) this.draw(reply.conversations);
  }

  /** @param {ConversationRow[]} conversations */
  draw(conversations) {
    const before = this.entries;
    this.entries = new Map();
    /** @type {HTMLElement[]} */
    const rows = [];
    let group = "";
    for (const row of conversations) {
      const name = groupOf(row.updated_at);
      if (name !== group) rows.push(element("li.group", {}, t(`chat.group_${name}`)));
      group = name;
      const entry = before.get(row.id) ?? this.entry(row.id);
      this.entries.set(row.id, entry);
      this.update(entry, row);
      rows.push(entry.item);
    }
    if (!rows.length) rows.push(element("li.none", {}, t(this.search.value.trim() ? "chat.no_match" : "chat.no_conversations")));
    arrange(this.root, rows);
    this.selection.draw();
  }

  /** @param {string} id @returns {Entry} */
  entry(id) {
    const open = element("button", { onclick: () => (this.selection.on ? this.selection.toggle(id) : this.tab.openConversation(id)) });
    const pick = element("input.pick", { type: "checkbox", onchange: () => this.selection.toggle(id) });
    const item = element("li.conversation", {}, pick, open);
    const entry = { item, open, pick, summary: element("summary", { title: t("chat.more") }, fromMarkup(DOTS)), title: "" };
    item.append(this.menu(entry, id));
    return entry;
  }

  /** @param {Entry} entry @param {ConversationRow} row */
  update(entry, { id, title, snippet }) {
    entry.title = title;
    entry.open.title = title;
    entry.open.setAttribute("aria-current", String(id === this.tab.conversation));
    entry.open.replaceChildren(element("span.title", { dir: "auto" }, title), ...(snippet ? [element("small", { dir: "auto" }, snippet)] : []));
    entry.summary.setAttribute("aria-label", `${t("chat.more")}: ${title}`);
    entry.pick.setAttribute("aria-label", `${t("chat.select")}: ${title}`);
  }

  /* -- actions of a conversation ------------------------------------------------------ */
  /** @param {Entry} entry @param {string} id */
  menu(entry, id) {
    const act = (/** @type {string} */ words, /** @type {() => unknown} */ run) =>
      button(t(words), () => {
        details.open = false;
        run();
      });
    const acts = element(
      "div.acts",
      {},
      act("chat.rename", () => this.rename(entry.item, id, entry.title)),
      act("chat.export_markdown", () => this.save(id, "markdown")),
      act("chat.export_json", () => this.save(id, "json")),
      act("chat.select", () => this.selection.begin(id)),
      act("chat.delete", () => this.remove(id, entry.title)),
    );
    const details = element("details.more", {}, entry.summary, acts);
    details.addEventListener("toggle", () => {
      if (!details.open) return;
      for (const other of this.root.querySelectorAll("details[open]")) if (other !== details) other.open = false;
      if (!acts.contains(document.activeElement)) acts.querySelector("button").focus();
    });
    return details;
  }

  /** @param {HTMLElement} item @param {string} id @param {string} before */
  rename(item, id, before) {
    const field = element("input", { value: before, dir: "auto", maxlength: 200, "aria-label": t("chat.rename") });
    const shown = [...item.children];
    let done = false;
    const finish = async (/** @type {boolean} */ keep) => {
      if (done) return;
      done = true;
      const title = field.value.trim();
      const reply = keep && title !== before ? await call(this.server.rename_conversation, { id, title }) : null;
      item.replaceChildren(...shown);
      if (reply) await this.load();
      this.find('[aria-current="true"]')?.focus();
    };
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") finish(true);
      if (event.key === "Escape") finish(false);
    });
    field.addEventListener("blur", () => finish(true));
    item.replaceChildren(field);
    field.select();
  }

  /** @param {string} id @param {string} format */
  async save(id, format) {
    const reply = await call(this.server.export_conversation, { id, format });
    if (reply) saveReply(reply);
  }

  /** @param {string} id @param {string} title */
  async remove(id, title) {
    const was = this.tab.conversation === id;
    if (!(await call(this.server.delete_conversation, { id }))) return;
    if (was) this.tab.newConversation();
    await this.load();
    undoable(`${t("chat.conversation_deleted")} ${title}`, t("shared.undo"), async () => {
      if (!(await call(this.server.restore_conversation, { id }))) return;
      await this.load();
      if (was) this.tab.openConversation(id);
    });
  }
}

/** The heading for conversations last used at that time. @param {number} seconds @param {Date} [now] */
export function groupOf(seconds, now = new Date()) {
  const midnight = new Date(now).setHours(0, 0, 0, 0) / 1000;
  if (seconds >= midnight) return "today";
  if (seconds >= midnight - DAY) return "yesterday";
  return seconds >= midnight - 6 * DAY ? "this_week" : "earlier";
}
