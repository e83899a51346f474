/* The empty thread: its purpose, and how to start. */
import { send } from "../shared/bus.js";
import { call } from "../shared/server.js";
import { button, element } from "../shared/ui.js";
import { t } from "../shared/words.js";

const AGAIN_MS = 4_000;

/** The content of the empty thread for `starters`; `ask(text)` sends a question, `again()` redraws it. @param {Starters} starters @param {{ server: ChatServer, ask: (text: string) => unknown, again: () => unknown }} thread */
export function welcome({ documents, questions, more_follow: moreFollow }, { server, ask, again }) {
  const loadSamples = async () => {
    samples.disabled = true;
    samples.textContent = t("shared.loading_samples");
    if (await call(server.load_samples)) send("library");
    again();
  };
  const samples = button(t("shared.load_samples"), loadSamples, "primary", { dir: "auto" });
  const actions = element("div.actions", {}, !documents && samples, button(t("chat.add_documents"), () => send("tab", "library"), "", { dir: "auto" }));
  const box = element("div.welcome", {}, element("h1", {}, t("chat.welcome_title")), element("p", {}, t(documents ? "chat.welcome_documents" : "chat.welcome_empty")), actions);
  // The server is still trying questions; those that it can answer are shown then.
  if (moreFollow) setTimeout(() => box.isConnected && again(), AGAIN_MS);
  if (!documents || !questions.length) return box;
  box.append(element("h2", {}, t("chat.try_asking")), element("div.questions", {}, ...questions.map((question) => button(question, () => ask(question), "", { dir: "auto" }))));
  return box;
}
