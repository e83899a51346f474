/* The Chat tab: the thread, and what its parts do to one another. */
import { address, on, send } from "../shared/bus.js";
import { element } from "../shared/ui.js";
import { mountAnswerGraph } from "./answer-graph.js";
import { aimOf, mountAnswerParts } from "./answer-parts.js";
import { mountCard } from "./card.js";
import { mountComposer } from "./composer.js";
import { mountConversations } from "./conversations.js";
import { mountDock } from "./dock.js";
import { mountEvidence, sentenceBefore } from "./evidence.js";
import { mountFeedback, unscored } from "./feedback.js";
import { mountModelFinder } from "./model-finder.js";
import { mountOffers } from "./offers.js";
import { awaitFull, follow } from "./live.js";
import { call, showToast } from "../shared/notices.js";
import { mountPreview } from "./preview.js";
import { welcome } from "./welcome.js";
import { t, translate } from "../shared/words.js";

const NEAR_THE_END = 80;
const ROOM_BESIDE = "(min-width: 1200px)";

export function mount({ element: widget, server, upload }) {
  const root = widget.querySelector(".pal-chat");
  const thread = root.querySelector(".thread");
  const scroll = root.querySelector(".scroll");
  const dock = mountDock(root, server);
  const state = { conversation: null, run: null, live: null, enforced: false, owed: new Map() };
  const card = mountCard(root.querySelector(".card-slot"), { resume, changed: showCard });
  const conversations = mountConversations(root, server, { open: openConversation, current: () => state.conversation, gone: newConversation });
  const evidence = mountEvidence(dock, server);
  mountOffers(thread, server);
  mountAnswerParts(thread);
  mountModelFinder(thread, server);
  mountPreview(thread, server, { runOf, claimOf: sentenceBefore });
  mountAnswerGraph(root, dock, server, { open: openConversation, current: () => state.conversation });
  mountFeedback(thread, server, { known: dock.known, said: showCard });
  const composer = mountComposer(root, server, {
    say,
    stop,
    stops: () => Boolean(state.run) && !card.open,
    upload,
    conversation: () => state.conversation,
    began,
  });

  /* -- conversations ------------------------------------------------------------------ */
  async function openConversation(id, { remember = true } = {}) {
    leave();
    const reply = await call(server.open_conversation, { id });
    if (!reply) return newConversation();
    state.conversation = id;
    state.enforced = reply.scoring_enforced;
    if (remember) address.set({ tab: "chat", c: id });
    dock.clear();
    thread.replaceChildren();
    for (const message of reply.messages) {
      if (message.role === "user") addQuestion(message.text, message.language);
      else if (message.running) followRun(message.run, message.language);
      else addHolder().innerHTML = message.html;
    }
    awaitFullAnswers(new Set(reply.messages.map((message) => message.follows)));
    if (!reply.messages.length) showWelcome();
    showCard();
    scrollDown(true);
    showFirstSource();
    conversations.load();
    composer.opened();
    return undefined;
  }

  function newConversation({ remember = true } = {}) {
    leave();
    state.conversation = null;
    if (remember) address.set({ tab: "chat", c: null });
    dock.clear();
    thread.replaceChildren();
    showWelcome();
    conversations.load();
    composer.opened();
    composer.focus();
  }

  /** A file has begun a conversation; the thread is still empty. */
  function began(id) {
    state.conversation = id;
    address.set({ tab: "chat", c: id });
    conversations.load();
  }

  function leave() {
    state.live?.close();
    for (const stop of state.owed.values()) stop();
    state.owed.clear();
    setRunning(null);
    closeDrawers();
  }

  async function showWelcome() {
    const reply = await call(server.starters);
    if (!reply || thread.querySelector(".question")) return;
    state.enforced = reply.scoring_enforced;
    composer.offerModels(reply.models);
    composer.offerWeb(reply.web);
    thread.replaceChildren(welcome(reply, { server, ask, again: showWelcome }));
  }

  /** What was picked may be offered no longer. */
  async function offerModels() {
    const reply = await call(server.starters);
    if (reply) composer.offerModels(reply.models);
  }

  /* -- the thread --------------------------------------------------------------------- */
  function addQuestion(text, language) {
    const node = element("div.question", { dir: "auto" });
    node.lang = language;
    node.textContent = text;
    thread.append(node);
    return node;
  }

  function addHolder() {
    const holder = element("div.holder");
    thread.append(holder);
    return holder;
  }

  function followRun(run, language) {
    setRunning(run);
    const holder = addHolder();
    let lost = null;
    state.live = follow(run, language, holder, {
      ended() {
        if (state.run === run) setRunning(null);
        if (holder === thread.lastElementChild) showFirstSource();
        conversations.load();
        awaitFullAnswers();
        send("answered");
      },
      asked: (html) => state.run === run && card.show(html),
      titled: conversations.load,
      grew: () => scrollDown(false),
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

  /** Answers from part of the documents are followed by full ones, which begin by themselves; `known` are there. */
  function awaitFullAnswers(known = new Set()) {
    for (const note of thread.querySelectorAll("[data-awaits]")) {
      const run = note.dataset.awaits;
      if (state.owed.has(run) || known.has(run)) continue;
      const never = () => (note.textContent = t("chat.full_never"));
      state.owed.set(run, awaitFull(run, (full, language) => followRun(full, language), never));
    }
  }

  /* What the thread keeps in sight: the beginning of the last turn, its end once a person has gone there, or nothing. */
  let keeps = "beginning";
  let here = -1;
  scroll.addEventListener("scroll", () => {
    if (Math.abs(scroll.scrollTop - here) < 2) return;
    const left = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight;
    keeps = left < NEAR_THE_END ? "end" : "nothing";
  });

  /** Towards the end, but not past the first line of an answer: it is read from there on. */
  function scrollDown(force) {
    if (force) keeps = "beginning";
    if (keeps === "nothing") return;
    const last = thread.lastElementChild;
    const asked = last?.previousElementSibling;
    const first = last?.matches(".holder") && (asked?.matches(".question") ? asked : last);
    const top = first ? first.getBoundingClientRect().top - thread.getBoundingClientRect().top : scroll.scrollHeight;
    scroll.scrollTop = keeps === "end" ? scroll.scrollHeight : top;
    here = scroll.scrollTop;
  }

  /* -- asking ------------------------------------------------------------------------- */
  async function ask(text, action = null, without = []) {
    if (state.run || !text.trim()) return;
    if (!thread.querySelector(".question")) thread.replaceChildren();
    const question = addQuestion(text, "en");
    scrollDown(true);
    const chosen = composer.chosen();
    composer.put("");
    setRunning("starting");
    const reply = await call(server.ask, {
      ...chosen,
      text,
      conversation_id: state.conversation,
      action: action || chosen.action,
      without,
    });
    if (!reply) {
      setRunning(null);
      question.remove();
      composer.put(text);
      showWelcome();
      return;
    }
    question.textContent = reply.question;
    question.lang = reply.language;
    state.conversation = reply.conversation.id;
    address.set({ tab: "chat", c: state.conversation });
    composer.forgetAction();
    followRun(reply.run, reply.language);
    scrollDown(true);
    conversations.load();
  }

  /** What is typed is a question, or the answer to one. */
  function say(text) {
    return card.open ? answerWith(text) : ask(text);
  }

  /** A cancelled run has ended when the reply is there: the next question need not wait for the stream to say so. */
  async function resume(answer) {
    const reply = await call(server.resume, answer);
    if (reply && answer.cancel && state.run === answer.run_id) setRunning(null);
    return reply;
  }

  async function answerWith(text) {
    if (!card.takesText || !text.trim()) return;
    composer.put("");
    if (!(await card.answer({ text }))) composer.put(text);
  }

  function setRunning(run) {
    state.run = run;
    if (!run) card.show("");
    showCard();
  }

  function showCard() {
    const owed = state.enforced && !state.run ? unscored(thread) : null;
    for (const row of thread.querySelectorAll(".owed")) row.classList.remove("owed");
    owed?.classList.add("owed");
    composer.awaitCard(card, Boolean(owed));
    scrollDown(false);
  }

  function stop() {
    if (card.open) card.cancel();
    else if (state.run && state.run !== "starting") call(server.stop, { id: state.run });
  }

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && document.body.dataset.tab === "chat") {
      if (state.run) stop();
      else closeDrawers();
    }
  });

  /* -- what an answer offers ---------------------------------------------------------- */
  thread.addEventListener("click", (event) => {
    const answer = event.target.closest(".answer");
    const cited = event.target.closest("[data-cite]");
    const suggested = event.target.closest("[data-suggest]");
    const done = event.target.closest("[data-suggest-action]");
    const without = event.target.closest("[data-without]");
    if (cited && runOf(cited)) {
      dock.reveal();
      evidence.show(runOf(cited), aimOf(cited, sentenceBefore(cited)));
    } else if (event.target.closest("[data-copy]")) {
      navigator.clipboard?.writeText(textOf(answer));
      showToast(t("chat.copied"));
    } else if (event.target.closest("[data-answer-now]")) {
      event.target.disabled = true;
      call(server.answer_now, { id: state.run });
    } else if (event.target.closest("[data-retry]")) askAgain(answer);
    else if (suggested) ask(suggested.textContent);
    else if (done) askAgain(answer, done.dataset.suggestAction);
    else if (without) askAgain(answer, null, [...takenOff(answer), without.dataset.without]);
    else if (event.target.closest("[data-as-asked]")) askAgain(answer, null, []);
  });

  function runOf(node) {
    return node.closest(".answer")?.dataset.run || state.run;
  }

  /** The chips of an answer that were taken off before it was given. */
  function takenOff(answer) {
    return JSON.parse(answer.querySelector(".searched")?.dataset.off || "[]");
  }

  /** `without`: the chips that the question is not to be about. */
  function askAgain(answer, action = null, without = takenOff(answer)) {
    const questions = [...thread.querySelectorAll(".question")];
    const asked = questions.filter((node) => node.compareDocumentPosition(answer) & Node.DOCUMENT_POSITION_FOLLOWING).pop();
    if (asked) ask(asked.textContent, action, without);
  }

  /** Where there is room, what the last answer rests on first stands open beside it, unless it was closed here. */
  function showFirstSource() {
    const answer = [...thread.querySelectorAll(".answer:not(.live)")].pop();
    const first = answer?.querySelector(".first-line .cite, blockquote .cite, .body .cite:not(th .cite)");
    if (!first || dock.closed() || !matchMedia(ROOM_BESIDE).matches) return;
    if (dock.evidence.dataset.run === answer.dataset.run) return; // Somebody was quicker.
    evidence.show(answer.dataset.run, aimOf(first, sentenceBefore(first)));
  }

  /** The first line and what stands under it, as text. */
  function textOf(answer) {
    return [...answer.querySelectorAll(".first-line, .body, .quoted")].map((part) => part.innerText.trim()).join("\n\n");
  }

  /* -- narrow screens ----------------------------------------------------------------- */
  function closeDrawers() {
    delete root.dataset.drawer;
  }
  for (const button of root.querySelectorAll("[data-drawer]")) {
    button.addEventListener("click", () => {
      if (root.dataset.drawer === button.dataset.drawer) closeDrawers();
      else root.dataset.drawer = button.dataset.drawer;
    });
  }
  root.querySelector("[data-close-dock]").addEventListener("click", () => {
    closeDrawers();
    dock.close();
  });

  /* -- beginning ---------------------------------------------------------------------- */
  function speak() {
    translate(root);
    composer.speak();
    showCard();
    if (!state.conversation) showWelcome();
    conversations.load();
    dock.speak();
  }

  function fromAddress() {
    const id = address.get("c");
    if (id && id !== state.conversation) openConversation(id, { remember: false });
    else if (!id && state.conversation) newConversation({ remember: false });
  }

  root.querySelector("[data-new]").addEventListener("click", () => newConversation());
  on("language", speak);
  on("address", fromAddress);
  on("models", offerModels);
  on("compose", ({ text, action }) => {
    newConversation();
    requestAnimationFrame(() => composer.begin(text, action));
  });
  on("documents-changed", () => !state.run && !thread.querySelector(".question") && showWelcome());
  speak();
  fromAddress();
}
