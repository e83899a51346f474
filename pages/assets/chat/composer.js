/* The composer: the typed text and the options for its answer. */
import { on, send } from "../shared/bus.js";
import { call } from "../shared/server.js";
import { offer, onClick, onSubmit, pressed } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { Attachments } from "./attachments.js";
import { Mentions } from "./mentions.js";

const ACTIONS = ["auto", "inquire", "summarize", "compare", "audit"];
const MODES = ["quick", "enhanced", "deep"];
const TALLEST = 200;

export class Composer {
  mode = localStorage.getItem("pal.mode");
  /** @type {string | null} A model that the user chose here; otherwise the server uses the current one, which may have changed since it was offered. */
  picked = null;

  /** @param {import("./chat.js").Chat} tab */
  constructor(tab) {
    this.tab = tab;
    this.form = tab.find("form.composer");
    /** @type {HTMLTextAreaElement} */
    this.text = tab.find("textarea");
    this.button = tab.find(".send");
    this.model = tab.find("[data-model]");
    this.action = tab.find("[data-action]");
    this.web = tab.find("[data-web]");
    this.attachments = new Attachments(tab);
    this.mentions = new Mentions(this.text, tab.find(".mentions"), async (search) => (await call(tab.server.mentionable, { search, conversation_id: tab.conversation }))?.mentions ?? []);
    this.listen();
  }

  grow() {
    this.text.style.height = "auto";
    this.text.style.height = `${Math.min(this.text.scrollHeight, TALLEST)}px`;
  }

  /** @param {string} words */
  put(words) {
    this.text.value = words;
    this.grow();
  }

  /** @param {string | null} name */
  chooseMode(name) {
    const mode = name && MODES.includes(name) ? name : "enhanced";
    this.mode = mode;
    localStorage.setItem("pal.mode", mode);
    for (const each of this.tab.root.querySelectorAll("[data-mode]")) {
      each.setAttribute("aria-checked", each.dataset.mode === mode);
      each.title = t(`chat.mode_${each.dataset.mode}_hint`);
    }
    this.tab.root.querySelector("[data-depth-hint]").textContent = t(`chat.mode_${mode}_hint`);
  }

  speak() {
    this.chooseMode(this.mode);
    this.attachments.speak();
    offer(this.action, ACTIONS.map((name) => [name, t(`chat.action_${name}`)]));
  }

  /** @param {Offered[]} models */
  offerModels(models) {
    this.model.hidden = models.length < 1;
    this.picked = models.some(({ id }) => id === this.picked) ? this.picked : null;
    this.model.replaceChildren(...models.map(({ id, label }) => new Option(label, id, false, id === this.picked)));
  }

  /** If the web cannot be searched, the button says what is missing. @param {Starters["web"]} web */
  offerWeb({ ready, needs }) {
    this.web.disabled = !ready;
    this.web.title = ready ? t("chat.web_hint") : needs;
  }

  /** While PalAssist waits, typing is disabled unless free text is allowed, or while an answer must be rated (`owed`). @param {import("./card.js").Card} card @param {boolean} owed */
  awaitCard(card, owed) {
    this.text.disabled = owed || (card.open && !card.takesText);
    const asks = card.open ? (card.takesText ? "chat.answer_placeholder" : "chat.choose_placeholder") : "chat.ask_placeholder";
    this.text.placeholder = t(owed ? "chat.score_first" : asks);
    const word = t(this.tab.stops() ? "chat.stop" : "chat.send");
    this.form.classList.toggle("running", this.tab.stops());
    this.button.disabled = this.text.disabled;
    this.button.setAttribute("aria-label", word);
    this.button.title = word;
    if (card.takesText && !card.choices().length) this.text.focus();
  }

  /** A file that is being uploaded belongs to the next question. */
  async send() {
    await this.attachments.arrived();
    this.tab.say(this.text.value);
  }

  /** The options for the next question. */
  chosen() {
    const { mode, picked, action, web } = this;
    return { mode, model: picked, action: action.value === "auto" ? null : action.value, web: web.getAttribute("aria-pressed") === "true" };
  }

  /** Fills in a text to continue from, and the action that it needs. @param {string} words @param {string} name */
  begin(words, name) {
    this.put(words);
    this.action.value = name || "auto";
    this.text.focus();
    this.text.setSelectionRange(words.length, words.length);
  }

  /** Begins a question about a document with its mention; `here`: in the conversation that is open. @param {Messages["mention"]} document */
  async about({ id, title, here }) {
    if (!here) this.tab.newConversation();
    const reply = await call(this.tab.server.mentionable, { search: title, conversation_id: this.tab.conversation });
    const alike = (reply?.mentions ?? []).filter((each) => each.kind === "document" && each.title === title);
    const meant = alike.find(({ insert }) => insert.includes(id)) ?? (alike.length === 1 ? alike[0] : null);
    this.put(`${meant?.insert ?? `@[${title.replace(/[\][\n]/g, " ")}](${id})`} ${here ? this.text.value : ""}`);
    this.text.focus();
    this.text.setSelectionRange(this.text.value.length, this.text.value.length);
  }

  /** An action is selected for one question. */
  forgetAction() {
    this.action.value = "auto";
    pressed(this.web, false);
  }

  listen() {
    this.text.addEventListener("input", () => this.grow());
    this.text.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.send();
    });
    this.model.addEventListener("change", () => (this.picked = this.model.value));
    onSubmit(this.form, () => (this.tab.stops() ? this.tab.stop() : this.send()));
    onClick(this.tab.root, "[data-web]", () => pressed(this.web, this.web.getAttribute("aria-pressed") !== "true"));
    onClick(this.tab.root, "[data-mode]", (asked) => send("preferred", { mode: asked.dataset.mode }));
    on("mention", (document) => this.about(document));
    on("mode", (mode) => this.chooseMode(mode));
  }
}
