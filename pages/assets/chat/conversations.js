/* The list of conversations beside the thread: search, rename, export, delete. */
import { saveFile } from "../shared/files.js";
import { call, showToast } from "../shared/notices.js";
import { element } from "../shared/ui.js";
import { t } from "../shared/words.js";

const TYPING_PAUSE = 120;
const UNDO_SECONDS = 10;
const DAY = 86_400;

/** `open(id)` is called with the one that was chosen, `current()` says which is open, `gone(id)` that it was deleted. */
export function mountConversations(root, server, { open, current, gone }) {
  const list = root.querySelector(".list");
  const search = root.querySelector("[data-search]");
  let asked = 0;

  async function load() {
    const turn = (asked += 1);
    const reply = await call(server.conversations, { search: search.value });
    if (reply && turn === asked) draw(reply.conversations);
  }

  function draw(conversations) {
    list.replaceChildren();
    if (!conversations.length) list.append(line("none", t(search.value.trim() ? "chat.no_match" : "chat.no_conversations")));
    let group = null;
    for (const conversation of conversations) {
      const name = groupOf(conversation.updated_at);
      if (name !== group) list.append(line("group", t(`chat.group_${name}`)));
      group = name;
      list.append(entry(conversation));
    }
  }

  function line(kind, text) {
    return element("li", { class: kind }, text);
  }

  function entry(conversation) {
    const item = element("li.conversation");
    const button = element("button", { dir: "auto", title: conversation.title }, element("span.title", {}, conversation.title));
    if (conversation.snippet) button.append(element("small", { dir: "auto" }, conversation.snippet));
    button.setAttribute("aria-current", conversation.id === current());
    button.addEventListener("click", () => open(conversation.id));
    item.append(button, menu(item, conversation));
    return item;
  }

  /* -- what can be done with one ------------------------------------------------------ */
  function menu(item, conversation) {
    const details = element("details.more");
    const summary = element("summary", { title: t("chat.more") });
    summary.setAttribute("aria-label", `${t("chat.more")}: ${conversation.title}`);
    summary.innerHTML = '<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="5" cy="12" r="1.6"/><circle cx="12" cy="12" r="1.6"/><circle cx="19" cy="12" r="1.6"/></svg>';
    const acts = element("div.acts");
    const act = (word, run) => {
      const button = element("button", {}, t(word));
      button.addEventListener("click", () => {
        details.open = false;
        run();
      });
      acts.append(button);
    };
    act("chat.rename", () => rename(item, conversation));
    act("chat.export_markdown", () => save(conversation, "markdown"));
    act("chat.export_json", () => save(conversation, "json"));
    act("chat.delete", () => remove(conversation));
    details.append(summary, acts);
    details.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !details.open) return;
      event.stopPropagation();
      details.open = false;
      summary.focus();
    });
    details.addEventListener("toggle", () => {
      if (!details.open) return;
      for (const other of list.querySelectorAll("details[open]")) if (other !== details) other.open = false;
      if (!acts.contains(document.activeElement)) acts.querySelector("button").focus();
    });
    return details;
  }

  function rename(item, conversation) {
    const field = element("input", { value: conversation.title, dir: "auto", maxlength: 200 });
    field.setAttribute("aria-label", t("chat.rename"));
    const shown = [...item.children];
    item.replaceChildren(field);
    field.select();
    let done = false;
    const finish = async (keep) => {
      if (done) return;
      done = true;
      const title = field.value.trim();
      const reply = keep && title !== conversation.title ? await call(server.rename_conversation, { id: conversation.id, title }) : null;
      item.replaceChildren(...shown);
      if (reply) await load();
      list.querySelector('[aria-current="true"]')?.focus();
    };
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") finish(true);
      if (event.key === "Escape") finish(false);
    });
    field.addEventListener("blur", () => finish(true));
  }

  async function save(conversation, format) {
    const reply = await call(server.export_conversation, { id: conversation.id, format });
    if (reply) saveFile(reply.name, reply.text, `${reply.type};charset=utf-8`);
  }

  async function remove(conversation) {
    const was = current() === conversation.id;
    if (!(await call(server.delete_conversation, { id: conversation.id }))) return;
    if (was) gone();
    await load();
    showToast(`${t("chat.conversation_deleted")} ${conversation.title}`, {
      label: t("shared.undo"),
      seconds: UNDO_SECONDS,
      async action() {
        if (!(await call(server.restore_conversation, { id: conversation.id }))) return;
        await load();
        if (was) open(conversation.id);
      },
    });
  }

  let typing;
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(load, TYPING_PAUSE);
  });
  document.addEventListener("click", (event) => {
    for (const details of list.querySelectorAll("details[open]")) if (!details.contains(event.target)) details.open = false;
  });
  return { load };
}

/** The heading under which a conversation stands that was last used then. */
export function groupOf(seconds, now = new Date()) {
  const midnight = new Date(now).setHours(0, 0, 0, 0) / 1000;
  if (seconds >= midnight) return "today";
  if (seconds >= midnight - DAY) return "yesterday";
  return seconds >= midnight - 6 * DAY ? "this_week" : "earlier";
}
