/* The empty thread: what it is for, and how to begin. */
import { send } from "../shared/bus.js";
import { call } from "../shared/notices.js";
import { t } from "../shared/words.js";

/** What the empty thread shows for `starters`; `ask(text)` puts a question, `again()` draws it anew. */
export function welcome(starters, { server, ask, again }) {
  const box = document.createElement("div");
  box.className = "welcome";
  const title = document.createElement("h1");
  title.textContent = t("chat.welcome_title");
  const hint = document.createElement("p");
  hint.textContent = t(starters.documents ? "chat.welcome_documents" : "chat.welcome_empty");
  const actions = document.createElement("div");
  actions.className = "actions";
  if (!starters.documents) actions.append(action(t("shared.load_samples"), "primary", loadSamples));
  actions.append(action(t("chat.add_documents"), "", () => send("tab", "library")));
  box.append(title, hint, actions);
  if (starters.documents && starters.questions.length) {
    const heading = document.createElement("h2");
    heading.textContent = t("chat.try_asking");
    const list = document.createElement("div");
    list.className = "questions";
    list.append(...starters.questions.map((question) => action(question, "", () => ask(question))));
    box.append(heading, list);
  }
  return box;

  async function loadSamples(button) {
    button.disabled = true;
    button.textContent = t("shared.loading_samples");
    if (await call(server.load_samples)) send("library");
    again();
  }
}

function action(text, kind, run) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = kind;
  button.dir = "auto";
  button.textContent = text;
  button.addEventListener("click", () => run(button));
  return button;
}
