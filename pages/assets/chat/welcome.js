/* The empty thread: what it is for, and how to begin. */
import { send } from "../shared/bus.js";
import { call } from "../shared/notices.js";
import { element } from "../shared/ui.js";
import { t } from "../shared/words.js";

/** What the empty thread shows for `starters`; `ask(text)` puts a question, `again()` draws it anew. */
export function welcome(starters, { server, ask, again }) {
  const box = element("div.welcome");
  const title = element("h1", {}, t("chat.welcome_title"));
  const hint = element("p", {}, t(starters.documents ? "chat.welcome_documents" : "chat.welcome_empty"));
  const actions = element("div.actions");
  if (!starters.documents) actions.append(action(t("shared.load_samples"), "primary", loadSamples));
  actions.append(action(t("chat.add_documents"), "", () => send("tab", "library")));
  box.append(title, hint, actions);
  if (starters.documents && starters.questions.length) {
    const heading = element("h2", {}, t("chat.try_asking"));
    const list = element("div.questions", {}, ...starters.questions.map((question) => action(question, "", () => ask(question))));
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
  const button = element("button", { class: kind, dir: "auto" }, text);
  button.addEventListener("click", () => run(button));
  return button;
}
