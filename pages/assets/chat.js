/* The Chat tab: conversations, thread, composer, evidence. */
import { address, hold, on, send } from "./bus.js";
import { mountCard } from "./card.js";
import { follow } from "./live.js";
import { completeMentions } from "./mentions.js";
import { call, showToast } from "./notices.js";
import { t, translate } from "./words.js";

const ACTIONS = ["auto", "inquire", "summarize", "compare", "audit"];
const MODES = ["quick", "enhanced", "deep"];

export function mount({ element, server }) {
  const root = element.querySelector(".pal-chat");
  const view = {
    thread: root.querySelector(".thread"),
    scroll: root.querySelector(".scroll"),
    list: root.querySelector(".list"),
    search: root.querySelector("[data-search]"),
    form: root.querySelector("form.composer"),
    text: root.querySelector("textarea"),
    sendButton: root.querySelector(".send"),
    hint: root.querySelector("[data-depth-hint]"),
    model: root.querySelector("[data-model]"),
    action: root.querySelector("[data-action]"),
    dock: root.querySelector(".dock .content"),
  };
  const card = mountCard(root.querySelector(".card-slot"), { resume, changed: showCard });
  const state = { conversation: null, run: null, live: null, mode: localStorage.getItem("pal.mode") || "enhanced" };

  /* -- conversations ------------------------------------------------------------------ */
  async function loadConversations() {
    const reply = await call(server.conversations, { search: view.search.value });
    if (reply) drawConversations(reply.conversations);
  }

  function drawConversations(conversations) {
    view.list.replaceChildren();
    if (!conversations.length) {
      const empty = document.createElement("li");
      empty.className = "none";
      empty.textContent = t("no_conversations");
      view.list.append(empty);
    }
    const midnight = new Date().setHours(0, 0, 0, 0) / 1000;
    let group = null;
    for (const conversation of conversations) {
      const name = conversation.updated_at >= midnight ? "today" : "earlier";
      if (name !== group) {
        group = name;
        const heading = document.createElement("li");
        heading.className = "group";
        heading.textContent = t(name);
        view.list.append(heading);
      }
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.dir = "auto";
      button.textContent = conversation.title;
      button.title = conversation.title;
      button.setAttribute("aria-current", conversation.id === state.conversation);
      button.addEventListener("click", () => openConversation(conversation.id));
      item.append(button);
      view.list.append(item);
    }
  }

  async function openConversation(id, { remember = true } = {}) {
    state.live?.close();
    setRunning(null);
    closeDrawers();
    const reply = await call(server.open_conversation, { id });
    if (!reply) return newConversation();
    state.conversation = id;
    if (remember) address.set({ tab: "chat", c: id });
    view.thread.replaceChildren();
    for (const message of reply.messages) {
      if (message.role === "user") addQuestion(message.text, message.language);
      else if (message.running) followRun(message.run, message.language);
      else addHolder().innerHTML = message.html;
    }
    scrollDown(true);
    loadConversations();
    return undefined;
  }

  function newConversation({ remember = true } = {}) {
    state.live?.close();
    setRunning(null);
    closeDrawers();
    state.conversation = null;
    if (remember) address.set({ tab: "chat", c: null });
    view.dock.innerHTML = "";
    showWelcome();
    loadConversations();
    view.text.focus();
  }

  /* -- the empty thread --------------------------------------------------------------- */
  async function showWelcome() {
    const reply = await call(server.starters);
    if (!reply || state.conversation) return;
    fillModels(reply.models);
    const box = document.createElement("div");
    box.className = "welcome";
    const title = document.createElement("h1");
    title.textContent = t("welcome_title");
    const hint = document.createElement("p");
    hint.textContent = t(reply.documents ? "welcome_documents" : "welcome_empty");
    box.append(title, hint);
    const actions = document.createElement("div");
    actions.className = "actions";
    if (!reply.documents) actions.append(action(t("load_samples"), "primary", loadSamples));
    actions.append(action(t("add_documents"), "", () => send("tab", "library")));
    box.append(actions);
    if (reply.documents && reply.questions.length) {
      const heading = document.createElement("h2");
      heading.textContent = t("try_asking");
      const list = document.createElement("div");
      list.className = "questions";
      for (const question of reply.questions) list.append(action(question, "", () => ask(question)));
      box.append(heading, list);
    }
    view.thread.replaceChildren(box);
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

  async function loadSamples(button) {
    button.disabled = true;
    button.textContent = t("loading_samples");
    const reply = await call(server.load_samples);
    if (reply) send("library");
    showWelcome();
  }

  function fillActions() {
    const chosen = view.action.value || "auto";
    view.action.replaceChildren(...ACTIONS.map((name) => new Option(t(`action_${name}`), name, false, name === chosen)));
  }

  function fillModels(models) {
    view.model.hidden = models.length < 1;
    const chosen = view.model.value;
    view.model.replaceChildren(...models.map((model) => new Option(model.label, model.id, false, model.id === chosen)));
  }

  /* -- the thread --------------------------------------------------------------------- */
  function addQuestion(text, language) {
    const node = document.createElement("div");
    node.className = "question";
    node.dir = "auto";
    node.lang = language;
    node.textContent = text;
    view.thread.append(node);
    return node;
  }

  function addHolder() {
    const holder = document.createElement("div");
    holder.className = "holder";
    view.thread.append(holder);
    return holder;
  }

  function followRun(run, language) {
    setRunning(run);
    const holder = addHolder();
    let lost = null;
    state.live = follow(run, language, holder, {
      ended() {
        if (state.run === run) setRunning(null);
        loadConversations();
      },
      asked: (html) => state.run === run && card.show(html),
      titled: loadConversations,
      grew: () => scrollDown(false),
      lost() {
        if (lost) return;
        lost = document.createElement("div");
        lost.className = "notice lost";
        lost.textContent = t("reconnecting");
        holder.before(lost);
      },
      back() {
        lost?.remove();
        lost = null;
      },
    });
  }

  let pinned = true;
  view.scroll.addEventListener("scroll", () => {
    pinned = view.scroll.scrollHeight - view.scroll.scrollTop - view.scroll.clientHeight < 80;
  });

  function scrollDown(force) {
    if (force || pinned) view.scroll.scrollTop = view.scroll.scrollHeight;
  }

  /* -- asking ------------------------------------------------------------------------- */
  async function ask(text, action = view.action.value) {
    if (state.run || !text.trim()) return;
    if (!state.conversation) view.thread.replaceChildren();
    const question = addQuestion(text, "en");
    pinned = true;
    scrollDown(true);
    view.text.value = "";
    grow();
    setRunning("starting");
    const reply = await call(server.ask, {
      text,
      conversation_id: state.conversation,
      mode: state.mode,
      model: view.model.hidden ? null : view.model.value || null,
      action: action === "auto" ? null : action,
    });
    if (!reply) {
      setRunning(null);
      question.remove();
      view.text.value = text;
      grow();
      if (!state.conversation) showWelcome();
      return;
    }
    question.textContent = reply.question;
    question.lang = reply.language;
    state.conversation = reply.conversation.id;
    address.set({ tab: "chat", c: state.conversation });
    view.action.value = "auto";
    followRun(reply.run, reply.language);
    scrollDown(true);
    loadConversations();
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
    view.text.value = "";
    grow();
    if (!(await card.answer({ text }))) {
      view.text.value = text;
      grow();
    }
  }

  function setRunning(run) {
    state.run = run;
    if (!run) card.show("");
    showState();
  }

  /** While PalAssist waits, typing is closed unless words may answer it. */
  function showCard() {
    view.text.disabled = card.open && !card.takesText;
    view.text.placeholder = t(card.open ? (card.takesText ? "answer_placeholder" : "choose_placeholder") : "ask_placeholder");
    showState();
    if (card.takesText && !card.hasChoices) view.text.focus();
    scrollDown(false);
  }

  function showState() {
    const stops = Boolean(state.run) && !card.open;
    view.form.classList.toggle("running", stops);
    view.sendButton.disabled = view.text.disabled;
    view.sendButton.setAttribute("aria-label", t(stops ? "stop" : "send"));
    view.sendButton.title = t(stops ? "stop" : "send");
  }

  function stop() {
    if (card.open) card.cancel();
    else if (state.run && state.run !== "starting") call(server.stop, { id: state.run });
  }

  function grow() {
    view.text.style.height = "auto";
    view.text.style.height = `${Math.min(view.text.scrollHeight, 200)}px`;
  }

  completeMentions(view.text, root.querySelector(".mentions"), async (search) => (await call(server.mentionable, { search }))?.documents);
  view.text.addEventListener("input", grow);
  view.text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      say(view.text.value);
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && document.body.dataset.tab === "chat") {
      if (state.run) stop();
      else closeDrawers();
    }
  });
  view.form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (state.run && !card.open) stop();
    else say(view.text.value);
  });

  function chooseMode(mode) {
    state.mode = MODES.includes(mode) ? mode : "enhanced";
    localStorage.setItem("pal.mode", state.mode);
    for (const button of root.querySelectorAll("[data-mode]")) {
      button.setAttribute("aria-checked", button.dataset.mode === state.mode);
      button.textContent = t(button.dataset.mode);
      button.title = t(`${button.dataset.mode}_hint`);
    }
    view.hint.textContent = t(`${state.mode}_hint`);
  }
  for (const button of root.querySelectorAll("[data-mode]")) button.addEventListener("click", () => chooseMode(button.dataset.mode));

  /* -- evidence ----------------------------------------------------------------------- */
  async function showEvidence(run, { number = null, item = null, quote = "" }) {
    root.dataset.drawer = "dock";
    view.dock.setAttribute("aria-busy", "true");
    const reply = await call(server.evidence, { run_id: run, number, item_id: item, quote });
    view.dock.removeAttribute("aria-busy");
    if (!reply) return;
    view.dock.innerHTML = reply.html;
    view.dock.dataset.run = run;
    (view.dock.querySelector("mark") || view.dock.querySelector(".chosen"))?.scrollIntoView({ block: "center" });
  }

  view.thread.addEventListener("click", (event) => {
    const answer = event.target.closest(".answer");
    const cited = event.target.closest("[data-cite]");
    const run = answer?.dataset.run || state.run;
    if (cited && run) {
      showEvidence(run, { number: Number(cited.dataset.cite), item: cited.dataset.item || null, quote: cited.dataset.quote || sentenceBefore(cited) });
    } else if (event.target.closest("[data-copy]")) {
      navigator.clipboard?.writeText(answer.querySelector(".body, .quoted")?.innerText || "");
      showToast(t("copied"));
    } else if (event.target.closest("[data-retry]")) {
      const asked = questionOf(answer);
      if (asked) ask(asked.textContent);
    } else if (event.target.closest("[data-suggest]")) {
      ask(event.target.closest("[data-suggest]").textContent);
    } else if (event.target.closest("[data-suggest-action]")) {
      const asked = questionOf(answer);
      if (asked) ask(asked.textContent, event.target.closest("[data-suggest-action]").dataset.suggestAction);
    }
  });

  function questionOf(answer) {
    const questions = [...view.thread.querySelectorAll(".question")];
    return questions.filter((node) => node.compareDocumentPosition(answer) & Node.DOCUMENT_POSITION_FOLLOWING).pop();
  }

  /** The claim in front of a citation: back to the sentence or the citation before it. */
  function sentenceBefore(cited) {
    const block = cited.closest("li, td, p, blockquote, .block");
    if (!block) return "";
    const range = document.createRange();
    range.setStart(block, 0);
    range.setEndBefore(cited);
    const before = [...block.querySelectorAll(".cite")].filter((node) => node !== cited && range.comparePoint(node, 0) === 0);
    const last = before.pop();
    if (last && range.toString().trim() && last.nextSibling !== cited) range.setStartAfter(last);
    const claims = range.toString().split(/(?<=[.!?])\s+(?=\S)/);
    return claims.filter((claim) => claim.trim()).pop()?.trim() || "";
  }

  view.dock.addEventListener("click", (event) => {
    const other = event.target.closest("[data-item]");
    const wanted = event.target.closest("[data-document]");
    if (other) showEvidence(view.dock.dataset.run, { item: other.dataset.item });
    if (wanted) {
      hold("open-document", wanted.dataset.document);
      send("open-document", wanted.dataset.document);
      send("tab", "library");
    }
  });

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
  root.querySelector("[data-close-dock]").addEventListener("click", closeDrawers);

  /* -- beginning ---------------------------------------------------------------------- */
  function speak() {
    translate(root);
    chooseMode(state.mode);
    fillActions();
    showCard();
    if (!state.conversation) showWelcome();
    loadConversations();
    view.dock.dataset.empty = t("evidence_empty");
  }

  function fromAddress() {
    const id = address.get("c");
    if (id && id !== state.conversation) openConversation(id, { remember: false });
    else if (!id && state.conversation) newConversation({ remember: false });
  }

  let typing;
  view.search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(loadConversations, 120);
  });
  root.querySelector("[data-new]").addEventListener("click", () => newConversation());
  on("language", speak);
  on("address", fromAddress);
  on("documents-changed", () => !state.conversation && !state.run && showWelcome());
  state.conversation = null;
  speak();
  fromAddress();
}
