/* The composer: what is typed, and how it is to be answered. */
import { mountAttachments } from "./attachments.js";
import { on, send } from "../shared/bus.js";
import { completeMentions } from "./mentions.js";
import { call } from "../shared/notices.js";
import { t } from "../shared/words.js";

const ACTIONS = ["auto", "inquire", "summarize", "compare", "audit"];
const MODES = ["quick", "enhanced", "deep"];
const TALLEST = 200;

/** `say(text)` is called with what is sent, `stop()` where the button stops; `stops()` says which of the two it does.
    The others are what attaching needs. */
export function mountComposer(root, server, { say, stop, stops, ...attaching }) {
  const form = root.querySelector("form.composer");
  const text = root.querySelector("textarea");
  const button = root.querySelector(".send");
  const model = root.querySelector("[data-model]");
  const action = root.querySelector("[data-action]");
  const web = root.querySelector("[data-web]");
  const attachments = mountAttachments(root, server, /** @type {any} */ (attaching));
  let mode = localStorage.getItem("pal.mode");

  function grow() {
    text.style.height = "auto";
    text.style.height = `${Math.min(text.scrollHeight, TALLEST)}px`;
  }

  function put(words) {
    text.value = words;
    grow();
  }

  function chooseMode(name) {
    mode = MODES.includes(name) ? name : "enhanced";
    localStorage.setItem("pal.mode", mode);
    for (const each of root.querySelectorAll("[data-mode]")) {
      each.setAttribute("aria-checked", each.dataset.mode === mode);
      each.textContent = t(`chat.mode_${each.dataset.mode}`);
      each.title = t(`chat.mode_${each.dataset.mode}_hint`);
    }
    root.querySelector("[data-depth-hint]").textContent = t(`chat.mode_${mode}_hint`);
  }

  function speak() {
    chooseMode(mode);
    attachments.speak();
    const chosen = action.value || "auto";
    action.replaceChildren(...ACTIONS.map((name) => new Option(t(`chat.action_${name}`), name, false, name === chosen)));
  }

  function offerModels(models) {
    model.hidden = models.length < 1;
    const chosen = model.value;
    model.replaceChildren(...models.map((each) => new Option(each.label, each.id, false, each.id === chosen)));
  }

  /** Where the web cannot be searched, the button says what that would need. */
  function offerWeb({ ready, needs }) {
    web.disabled = !ready;
    web.title = ready ? t("chat.web_hint") : needs;
  }

  /** While PalAssist waits, typing is closed unless words may answer it; and while an answer is `owed` a word. */
  function awaitCard(card, owed) {
    text.disabled = owed || (card.open && !card.takesText);
    const asks = card.open ? (card.takesText ? "chat.answer_placeholder" : "chat.choose_placeholder") : "chat.ask_placeholder";
    text.placeholder = t(owed ? "chat.score_first" : asks);
    showState();
    if (card.takesText && !card.hasChoices) text.focus();
  }

  function showState() {
    const word = t(stops() ? "chat.stop" : "chat.send");
    form.classList.toggle("running", stops());
    button.disabled = text.disabled;
    button.setAttribute("aria-label", word);
    button.title = word;
  }

  /** A file on its way belongs to what is asked after it. */
  async function sendQuestion() {
    await attachments.arrived();
    say(text.value);
  }

  completeMentions(text, root.querySelector(".mentions"), async (search) => {
    const reply = await call(server.mentionable, { search, conversation_id: attaching.conversation() });
    return reply?.mentions;
  });
  text.addEventListener("input", grow);
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      sendQuestion();
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (stops()) stop();
    else sendQuestion();
  });
  web.addEventListener("click", () => web.setAttribute("aria-pressed", web.getAttribute("aria-pressed") !== "true"));
  for (const each of root.querySelectorAll("[data-mode]")) each.addEventListener("click", () => send("preferred", { mode: each.dataset.mode }));
  on("mode", chooseMode);

  return {
    put,
    speak,
    showState,
    offerModels,
    offerWeb,
    awaitCard,
    /** Another conversation is open now, or none. */
    opened: attachments.load,
    focus: () => text.focus(),
    /** How the next question is to be answered. */
    chosen: () => ({ mode, model: model.hidden ? null : model.value || null, action: action.value === "auto" ? null : action.value, web: web.getAttribute("aria-pressed") === "true" }),
    /** Words to go on from, and an action that they need. */
    begin(words, name) {
      put(words);
      action.value = name || "auto";
      text.focus();
      text.setSelectionRange(words.length, words.length);
    },
    /** An action is picked for one question. */
    forgetAction() {
      action.value = "auto";
      web.setAttribute("aria-pressed", "false");
    },
  };
}
