/* The Chat tab: the thread, and how its parts work together. */
import { address, on, send } from "../shared/bus.js";
import { call } from "../shared/server.js";
import { Part, drawers, element, onClick, onEscape } from "../shared/ui.js";
import { t, translate } from "../shared/words.js";
import { mountAnswerGraph, showAskedAnswers } from "./answer-graph.js";
import { aimOf, mountAnswerParts } from "./answer-parts.js";
import { Card } from "./card.js";
import { Composer } from "./composer.js";
import { Conversations } from "./conversations.js";
import { copyAnswer } from "./copied.js";
import { mountDataResults } from "./data-result.js";
import { Dock } from "./dock.js";
import { mountEvidence, sentenceBefore } from "./evidence.js";
import { mountFeedback, unscored } from "./feedback.js";
import { LiveAnswer, awaitFull } from "./live.js";
import { Suggestions } from "./suggestions.js";
import { hearOthers, tellOthers } from "./other-tabs.js";
import { Preview } from "./preview.js";
import { Questions } from "./questions.js";
import { Sight } from "./sight.js";
import { welcome } from "./welcome.js";

const ROOM_BESIDE = "(min-width: 1200px)";

/** @extends {Part<ChatServer>} */
export class Chat extends Part {
  /** @type {string | null} the open conversation */
  conversation = null;
  /** @type {string | null} the active run, or "starting" */
  run = null;
  /** @type {LiveAnswer | null} */
  live = null;
  /** Whether the next question is blocked until the last answer is rated. */
  enforced = false;
  /** @type {Map<string, () => void>} functions that stop waiting for a full answer, by the run that it follows */
  owed = new Map();
  suggestions = new Suggestions();

  /** @param {Widget<ChatServer>} widget */
  constructor({ element: widget, server, upload }) {
    super(widget.querySelector(".pal-chat"), server);
    this.upload = upload;
    /** @type {HTMLElement} */
    this.thread = this.find(".thread");
    this.sight = new Sight(this.find(".scroll"), this.thread);
    this.dock = new Dock(this.root, server);
    this.card = new Card(this.find(".card-slot"), this);
    this.conversations = new Conversations(this);
    this.questions = new Questions(this);
    this.showEvidence = mountEvidence(this.dock, server);
    mountAnswerParts(this.thread, server);
    for (const place of [this.thread, this.dock.panels.evidence]) mountDataResults(place, server);
    new Preview(this);
    mountAnswerGraph(this.root, this.dock, server);
    showAskedAnswers(this);
    mountFeedback(this);
    this.composer = new Composer(this);
  }

  /* -- conversations ------------------------------------------------------------------ */
  /** @param {string} id @returns {Promise<void>} */
  async openConversation(id, { remember = true } = {}) {
    this.leave();
    const reply = await call(this.server.open_conversation, { id });
    if (!reply) return this.newConversation();
    this.enforced = reply.scoring_enforced;
    this.turnTo(id, remember);
    this.append(reply.messages);
    this.awaitFullAnswers(new Set(reply.messages.map((message) => message.follows)));
    if (!reply.messages.length) this.showWelcome();
    if (!this.run) this.suggestions.await(this.thread);
    this.showCard();
    this.sight.begin();
    this.showFirstSource();
    return undefined;
  }

  /** Shows an empty thread for a conversation, or for none yet. @param {string | null} id @param {boolean} remember */
  turnTo(id, remember) {
    this.conversation = id;
    if (remember) address.set({ tab: "chat", c: id });
    this.dock.clear();
    this.thread.replaceChildren();
    this.conversations.load();
    this.composer.attachments.load();
  }

  /** Loads questions and answers added since in another tab or on another device. @param {string | null} id the conversation that has changed */
  async catchUp(id) {
    this.conversations.load();
    if (!id || id !== this.conversation || this.run === "starting") return;
    const reply = await call(this.server.open_conversation, { id });
    if (!reply || id !== this.conversation || this.run === "starting") return;
    if (this.questions.differ(reply.messages)) return this.openConversation(id, { remember: false });
    const here = this.thread.querySelectorAll(".question, .holder").length;
    const further = reply.messages.slice(here);
    if (further.length) this.addFurther(further, here === 0);
  }

  /** @param {MessageRow[]} further @param {boolean} first */
  addFurther(further, first) {
    if (first) this.thread.replaceChildren();
    for (const { follows } of further) this.owed.get(follows ?? "")?.();
    this.append(further);
    this.sight.follow();
  }

  newConversation({ remember = true } = {}) {
    this.leave();
    this.turnTo(null, remember);
    this.showWelcome();
    this.composer.text.focus();
  }

  /** Called when a file has created a conversation whose thread is still empty. @param {string} id */
  began(id) {
    this.conversation = id;
    address.set({ tab: "chat", c: id });
    this.conversations.loadSoon();
  }

  leave() {
    this.live?.close();
    for (const stop of this.owed.values()) stop();
    this.owed.clear();
    this.suggestions.stop();
    this.setRunning(null);
    this.closeDrawers();
  }

  async showWelcome() {
    const reply = await call(this.server.starters);
    if (!reply || this.isBegun()) return;
    this.enforced = reply.scoring_enforced;
    this.composer.offerModels(reply.models);
    this.composer.offerWeb(reply.web);
    this.thread.replaceChildren(welcome(reply, { server: this.server, ask: (text) => this.ask(text), again: () => this.showWelcome() }));
  }

  /** The selected option may no longer be available. */
  async offerModels() {
    const reply = await call(this.server.starters);
    if (reply) this.composer.offerModels(reply.models);
  }

  isBegun() {
    return Boolean(this.thread.querySelector(".question"));
  }

  /* -- the thread --------------------------------------------------------------------- */
  /** @param {MessageRow[]} messages */
  append(messages) {
    for (const message of messages) {
      if (message.role === "user") this.questions.equip(this.addQuestion(message.text, message.language), message);
      else if (message.running) this.follow(message.run, message.language);
      else this.addHolder().innerHTML = message.html;
    }
  }

  /** @param {string} text @param {string} language */
  addQuestion(text, language) {
    const node = element("div.question", { dir: "auto", lang: language }, text);
    this.thread.append(node);
    return node;
  }

  addHolder() {
    const holder = element("div.holder");
    this.thread.append(holder);
    return holder;
  }

  /** @param {string} run @param {string} language */
  follow(run, language) {
    this.setRunning(run);
    const holder = this.addHolder();
    /** @type {Element | null} */
    let lost = null;
    this.live = new LiveAnswer(run, language, holder, {
      ended: () => {
        if (this.run === run) this.setRunning(null);
        if (holder === this.thread.lastElementChild) this.showFirstSource();
        this.conversations.load();
        this.awaitFullAnswers();
        this.suggestions.await(this.thread);
        send("answered");
      },
      asked: (html) => this.run === run && this.card.show(html),
      titled: () => this.conversations.loadSoon(),
      grew: () => this.sight.follow(),
      lost() {
        if (lost) return;
        lost = element("div.notice.lost", {}, t("chat.reconnecting"));
        holder.before(lost);
        send("connection");
      },
      back() {
        if (!lost) return;
        lost.remove();
        lost = null;
        send("connection");
      },
    });
  }

  /** Waits for the full answers that follow partial ones automatically; those in `known` exist already. @param {Set<string | null>} [known] */
  awaitFullAnswers(known = new Set()) {
    for (const note of this.thread.querySelectorAll("[data-awaits]")) {
      const run = note.dataset.awaits;
      if (this.owed.has(run) || known.has(run)) continue;
      const never = () => (note.textContent = t("chat.full_never"));
      this.owed.set(run, awaitFull(run, (full, language) => this.follow(full, language), never));
    }
  }

  /* -- asking ------------------------------------------------------------------------- */
  /** @param {string} text @param {string | null} [action] @param {string[]} [without] chips that the question should ignore */
  async ask(text, action = null, without = []) {
    if (this.run || !text.trim()) return;
    if (!this.isBegun()) this.thread.replaceChildren();
    const question = this.addQuestion(text, "en");
    this.sight.begin();
    const chosen = this.composer.chosen();
    this.composer.put("");
    this.setRunning("starting");
    const reply = await call(this.server.ask, { ...chosen, text, conversation_id: this.conversation, action: action || chosen.action, without });
    if (!reply) {
      this.setRunning(null);
      question.remove();
      this.composer.put(text);
      this.showWelcome();
      return;
    }
    question.textContent = reply.question;
    question.lang = reply.language;
    this.questions.equip(question, { run: reply.run, versions: [reply.run] });
    this.began(reply.conversation.id);
    this.composer.forgetAction();
    this.follow(reply.run, reply.language);
    this.sight.begin();
    tellOthers(this.conversation);
  }

  /** Sends the typed text as a question, or as the answer to one. @param {string} text */
  say(text) {
    return this.card.open ? this.answerWith(text) : this.ask(text);
  }

  /** When the reply arrives, a cancelled run has ended: the next question need not wait for the stream. @param {CardAnswer & { run_id: string, interrupt_id: string }} answer */
  async resume(answer) {
    const reply = await call(this.server.resume, answer);
    if (reply && answer.cancel && this.run === answer.run_id) this.setRunning(null);
    return reply;
  }

  /** @param {string} text */
  async answerWith(text) {
    if (!this.card.takesText || !text.trim()) return;
    this.composer.put("");
    if (!(await this.card.answer({ text }))) this.composer.put(text);
  }

  /** @param {string | null} run */
  setRunning(run) {
    this.run = run;
    if (!run) this.card.show("");
    this.showCard();
  }

  showCard() {
    const owed = this.enforced && !this.run ? unscored(this.thread) : null;
    for (const row of this.thread.querySelectorAll(".owed")) row.classList.remove("owed");
    owed?.classList.add("owed");
    this.composer.awaitCard(this.card, Boolean(owed));
    this.sight.follow();
  }

  /** The composer's button: stops a run, or sends. */
  stops() {
    return Boolean(this.run) && !this.card.open;
  }

  stop() {
    if (this.card.open) this.card.answer({ cancel: true });
    else if (this.run && this.run !== "starting") call(this.server.stop, { id: this.run });
  }

  /* -- actions of an answer ----------------------------------------------------------- */
  /** @param {Element} node @returns {string | null} */
  runOf(node) {
    return node.closest(".answer")?.dataset.run || this.run;
  }

  /** @param {Element} cited */
  open(cited) {
    const run = this.runOf(cited);
    if (!run) return;
    this.dock.reveal();
    this.showEvidence(run, aimOf(/** @type {HTMLElement} */ (cited), sentenceBefore(cited)));
  }

  /** Asks an answer's question again. @param {Element} answer @param {{ action?: string, without?: string[] }} [how] */
  askAgain(answer, { action, without = takenOff(answer) } = {}) {
    const questions = [...this.thread.querySelectorAll(".question")];
    const asked = questions.filter((node) => node.compareDocumentPosition(answer) & Node.DOCUMENT_POSITION_FOLLOWING).pop();
    if (asked) this.ask(asked.textContent, action, without);
  }

  /** On wide screens, opens the last answer's first source next to it, unless the user closed it here. */
  showFirstSource() {
    const answer = [...this.thread.querySelectorAll(".answer:not(.live)")].pop();
    const first = answer?.querySelector(".first-line .cite, blockquote .cite, .body .cite:not(th .cite)");
    if (!first || this.dock.closed() || !matchMedia(ROOM_BESIDE).matches) return;
    if (this.dock.panels.evidence.dataset.run === answer.dataset.run) return; // The user was faster.
    this.showEvidence(answer.dataset.run, aimOf(first, sentenceBefore(first)));
  }

  closeDrawers() {
    delete this.root.dataset.drawer;
  }

  /* -- beginning ---------------------------------------------------------------------- */
  speak() {
    translate(this.root);
    this.composer.speak();
    this.showCard();
    if (!this.conversation) this.showWelcome();
    this.conversations.load();
    this.dock.speak();
  }

  fromAddress() {
    const id = address.get("c");
    if (id && id !== this.conversation) this.openConversation(id, { remember: false });
    else if (!id && this.conversation) this.newConversation({ remember: false });
  }

  listen() {
    const within = (/** @type {Element} */ node) => node.closest(".answer");
    /** @type {Record<string, (node: any) => unknown>} */
    const clicks = {
      "[data-cite]": (cited) => this.open(cited),
      "[data-copy]": (asked) => copyAnswer(this.server, within(asked).dataset.run),
      "[data-answer-now]": (asked) => {
        asked.disabled = true;
        if (this.run) call(this.server.answer_now, { id: this.run });
      },
      "[data-choose-again]": (asked) => this.questions.again(within(asked).dataset.run),
      "[data-retry]": (asked) => this.askAgain(within(asked)),
      "[data-suggest]": (asked) => this.ask(asked.textContent),
      "[data-suggest-action]": (asked) => this.askAgain(within(asked), { action: asked.dataset.suggestAction }),
      "[data-without]": (chip) => this.askAgain(within(chip), { without: [...takenOff(within(chip)), chip.dataset.without] }),
      "[data-as-asked]": (asked) => this.askAgain(within(asked), { without: [] }),
    };
    for (const [selector, act] of Object.entries(clicks)) onClick(this.thread, selector, act);
    onEscape(document, () => {
      if (document.body.dataset.tab !== "chat") return;
      if (this.run) this.stop();
      else this.closeDrawers();
    });
    drawers(this.root, "drawer");
    onClick(this.root, "[data-close-dock]", () => {
      this.closeDrawers();
      this.dock.close();
    });
    onClick(this.root, "[data-new]", () => this.newConversation());
    onClick(this.root, "[data-open-conversation]", (cited) => this.openConversation(cited.dataset.openConversation ?? ""));
    on("language", () => this.speak());
    on("address", () => this.fromAddress());
    on("models", () => this.offerModels());
    hearOthers((changed) => this.catchUp(changed));
    on("back", () => this.catchUp(this.conversation));
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.catchUp(this.conversation));
    on("compose", ({ text, action }) => {
      this.newConversation();
      requestAnimationFrame(() => this.composer.begin(text, action));
    });
    on("memory-dock", () => this.dock.remembered());
    on("ask", (text) => {
      if (!this.run) return this.ask(text);
      this.composer.put(text);
      return this.composer.text.focus();
    });
    on("documents-changed", () => !this.run && !this.isBegun() && this.showWelcome());
  }
}

/** The chips that were removed from a question before its answer. @param {Element} answer @returns {string[]} */
function takenOff(answer) {
  return JSON.parse(answer.querySelector(".searched")?.dataset.off || "[]");
}

/** @param {Widget<ChatServer>} widget */
export function mount(widget) {
  const tab = new Chat(widget);
  tab.listen();
  tab.speak();
  tab.fromAddress();
}
