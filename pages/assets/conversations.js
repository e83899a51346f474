/* The list of conversations beside the thread. */
import { call } from "./notices.js";
import { t } from "./words.js";

const TYPING_PAUSE = 120;

/** `open(id)` is called with the one that was chosen, `current()` says which is open. */
export function mountConversations(root, server, { open, current }) {
  const list = root.querySelector(".list");
  const search = root.querySelector("[data-search]");

  async function load() {
    const reply = await call(server.conversations, { search: search.value });
    if (reply) draw(reply.conversations);
  }

  function draw(conversations) {
    list.replaceChildren();
    if (!conversations.length) list.append(line("none", t("no_conversations")));
    const midnight = new Date().setHours(0, 0, 0, 0) / 1000;
    let group = null;
    for (const conversation of conversations) {
      const name = conversation.updated_at >= midnight ? "today" : "earlier";
      if (name !== group) list.append(line("group", t(name)));
      group = name;
      list.append(entry(conversation));
    }
  }

  function line(kind, text) {
    const item = document.createElement("li");
    item.className = kind;
    item.textContent = text;
    return item;
  }

  function entry(conversation) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.dir = "auto";
    button.textContent = conversation.title;
    button.title = conversation.title;
    button.setAttribute("aria-current", conversation.id === current());
    button.addEventListener("click", () => open(conversation.id));
    item.append(button);
    return item;
  }

  let typing;
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(load, TYPING_PAUSE);
  });
  return { load };
}
