/* The list of conversations beside the thread: search, rename, export, delete. */
import { saveReply } from "../shared/files.js";
import { call } from "../shared/server.js";
import { afterPause, turns } from "../shared/timing.js";
import { button, element, foldMenus, undoable } from "../shared/ui.js";
import { t } from "../shared/words.js";

const TYPING_PAUSE = 120;
const DAY = 86_400;
const DOTS = '<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="5" cy="12" r="1.6"/><circle cx="12" cy="12" r="1.6"/><circle cx="19" cy="12" r="1.6"/></svg>';

/** @typedef {{ open: (id: string) => unknown, current: () => string | null, gone: () => void }} Thread `open(id)` is called with the one that was chosen, `current()` says which is open, `gone()` that it was deleted */

export class Conversations {
  asking = turns();

  /** @param {HTMLElement} root @param {ChatServer} server @param {Thread} thread */
  constructor(root, server, thread) {
    this.server = server;
    this.thread = thread;
    this.list = root.querySelector(".list");
    this.search = root.querySelector("[data-search]");
    this.search.addEventListener("input", afterPause(TYPING_PAUSE, () => this.load()));
    foldMenus(this.list);
  }

  async load() {
    const isLast = this.asking();
    const reply = await call(this.server.conversations, { search: this.search.value });
    if (reply && isLast()) this.draw(reply.conversations);
  }

  /** @param {ConversationRow[]} conversations */
  draw(conversations) {
    this.list.replaceChildren();
    if (!conversations.length) this.list.append(element("li.none", {}, t(this.search.value.trim() ? "chat.no_match" : "chat.no_conversations")));
    let group = "";
    for (const each of conversations) {
      const name = groupOf(each.updated_at);
      if (name !== group) this.list.append(element("li.group", {}, t(`chat.group_${name}`)));
      group = name;
      this.list.append(this.entry(each));
    }
  }

  /** @param {ConversationRow} each */
  entry({ id, title, snippet }) {
    const open = element("button", { dir: "auto", title, "aria-current": id === this.thread.current(), onclick: () => this.thread.open(id) }, element("span.title", {}, title), snippet && element("small", { dir: "auto" }, snippet));
    const item = element("li.conversation", {}, open);
    item.append(this.menu(item, id, title));
    return item;
  }

  /* -- what can be done with one ------------------------------------------------------ */
  /** @param {HTMLElement} item @param {string} id @param {string} title */
  menu(item, id, title) {
    const summary = element("summary", { title: t("chat.more"), "aria-label": `${t("chat.more")}: ${title}` });
    summary.innerHTML = DOTS;
    const act = (/** @type {string} */ words, /** @type {() => unknown} */ run) =>
      button(t(words), () => {
        details.open = false;
        run();
      });
    const acts = element(
      "div.acts",
      {},
      act("chat.rename", () => this.rename(item, id, title)),
      act("chat.export_markdown", () => this.save(id, "markdown")),
      act("chat.export_json", () => this.save(id, "json")),
      act("chat.delete", () => this.remove(id, title)),
    );
    const details = element("details.more", {}, summary, acts);
    details.addEventListener("toggle", () => {
      if (!details.open) return;
      for (const other of this.list.querySelectorAll("details[open]")) if (other !== details) other.open = false;
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
      this.list.querySelector('[aria-current="true"]')?.focus();
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
    const was = this.thread.current() === id;
    if (!(await call(this.server.delete_conversation, { id }))) return;
    if (was) this.thread.gone();
    await this.load();
    undoable(`${t("chat.conversation_deleted")} ${title}`, t("shared.undo"), async () => {
      if (!(await call(this.server.restore_conversation, { id }))) return;
      await this.load();
      if (was) this.thread.open(id);
    });
  }
}

/** The heading under which a conversation stands that was last used then. @param {number} seconds @param {Date} [now] */
export function groupOf(seconds, now = new Date()) {
  const midnight = new Date(now).setHours(0, 0, 0, 0) / 1000;
  if (seconds >= midnight) return "today";
  if (seconds >= midnight - DAY) return "yesterday";
  return seconds >= midnight - 6 * DAY ? "this_week" : "earlier";
}
