/* What is attached to a conversation: chips above the composer. */
import { hold, send } from "../shared/bus.js";
import { call, showProblem, showToast } from "../shared/notices.js";
import { button, element } from "../shared/ui.js";
import { t } from "../shared/words.js";

const BUSY = ["pending", "processing"];
const UNDO_SECONDS = 10;
const CLIP = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.5 3.5 0 0 1 5 5l-8.5 8.5a2 2 0 0 1-3-3L14 7"/></svg>';
const CROSS = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18"/></svg>';
const MORE = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 12h.01M12 12h.01M18 12h.01"/></svg>';

/** `conversation()` says which is open, `began(id)` is told when a file has begun one. */
export function mountAttachments(root, server, { upload, conversation, began }) {
  const form = root.querySelector("form.composer");
  const zone = root.querySelector(".main");
  const list = element("ul");
  const input = element("input", { type: "file", multiple: true, hidden: true });
  const clip = drawn("clip", "chat.attach", CLIP, () => input.click());
  const state = { of: null, documents: [], sending: [], asking: new Map(), progress: new Map(), feed: null };
  list.className = "attachments";
  list.setAttribute("aria-live", "polite");
  form.querySelector(".box").before(list);
  form.querySelector(".box").prepend(clip, input);

  /* -- arriving files ----------------------------------------------------------------- */
  let arriving = Promise.resolve();

  /** One after the other: the first may begin the conversation of the others. */
  function take(files) {
    for (const file of files) {
      const sent = { name: file.name };
      state.sending.push(sent);
      arriving = arriving.then(() => takeOne(file)).finally(() => {
        state.sending = state.sending.filter((each) => each !== sent);
        draw();
      });
    }
    draw();
  }

  async function takeOne(file) {
    const before = conversation();
    let path;
    try {
      ({ path } = await upload(file));
    } catch (error) {
      console.warn(error);
      showProblem({ what: `${file.name}: ${t("shared.network_what")}`, why: t("shared.network_why"), remedy: t("shared.network_remedy") });
      return;
    }
    const reply = await call(server.attach, { path, name: file.name, conversation_id: before });
    if (!reply) return;
    if (reply.status === "duplicate") showToast(`${file.name} ${t("chat.attached_already")}`, { seconds: 8 });
    if (!before && !conversation()) began(reply.conversation);
    if (conversation() === reply.conversation) await load();
  }

  /* -- chips -------------------------------------------------------------------------- */
  async function load() {
    const id = conversation();
    if (id !== state.of) {
      closeFeed();
      state.documents = [];
      state.asking.clear();
    }
    state.of = id;
    const reply = id ? await call(server.attachments, { id }) : { documents: [] };
    if (!reply || conversation() !== id) return;
    state.documents = reply.documents;
    draw();
    if (state.documents.some((each) => BUSY.includes(each.state))) watch(id);
  }

  function draw() {
    const sending = state.sending.map((each) => chip({ filename: each.name, state: "uploading" }));
    list.replaceChildren(...state.documents.map(chip), ...sending);
    list.hidden = !list.children.length;
    list.setAttribute("aria-label", t("chat.attachments"));
  }

  function chip(each) {
    const node = element("li", { class: `chip ${each.state}`, "data-document": each.id || "" });
    const name = element("bdi.name");
    name.textContent = name.title = each.filename;
    node.innerHTML = CLIP;
    node.append(name);
    if (state.asking.has(each.id)) node.append(...namesake(each));
    else if (each.problem) node.append(...failed(each));
    else if (each.state !== "completed" && !readable(each)) node.append(...reading(each));
    else if (each.id) node.append(menu(each));
    if (each.id) node.append(drawn("off", "chat.detach", CROSS, () => detach(each)));
    return node;
  }

  const readable = (each) => Boolean(each.chunks) && each.searchable === each.chunks;

  function reading(each) {
    const progress = state.progress.get(each.id);
    const bar = element("progress");
    bar.max = 1;
    if (progress?.total) bar.value = progress.done / progress.total;
    const words = { uploading: "shared.uploading", cancelled: "chat.cancelled" }[each.state] || "chat.waiting";
    const parts = [span("stage", progress?.text || t(words))];
    if (each.state === "cancelled") parts.push(button(t("shared.retry"), () => act(server.retry_attachment, each)));
    else parts.push(bar);
    return parts;
  }

  function failed(each) {
    const words = element("p.why", { role: "alert" }, `${each.problem.what} ${each.problem.why} ${each.problem.remedy}`);
    return each.can_retry ? [words, button(t("shared.retry"), () => act(server.retry_attachment, each))] : [words];
  }

  function menu(each) {
    const details = element("details");
    const summary = element("summary");
    summary.innerHTML = MORE;
    summary.setAttribute("aria-label", `${t("chat.more")}: ${each.filename}`);
    details.append(summary, button(t("chat.publish"), () => publish(each)));
    return details;
  }

  function namesake(each) {
    const choose = (choice) => () => publish(each, choice);
    const words = element("p.why", { role: "alert" }, `${each.filename} ${t("shared.namesake")}`);
    return [
      words,
      button(t("shared.replace"), choose("replace")),
      button(t("shared.keep_both"), choose("keep_both")),
      button(t("shared.cancel"), () => {
        state.asking.delete(each.id);
        draw();
      }),
    ];
  }

  /* -- what a chip can do ------------------------------------------------------------- */
  async function act(fn, each) {
    await call(fn, { id: each.id });
    await load();
  }

  async function detach(each) {
    if (!(await call(server.detach, { id: each.id }))) return;
    showToast(`${each.filename} ${t("chat.detached")}`, {
      label: t("shared.undo_detach"),
      action: () => act(server.undo_detach, each),
      seconds: UNDO_SECONDS,
    });
    await load();
  }

  async function publish(each, choice = "ask") {
    const reply = await call(server.publish, { id: each.id, choice });
    state.asking.delete(each.id);
    if (reply?.status === "namesake") state.asking.set(each.id, true);
    if (reply?.status === "duplicate") showToast(`${each.filename} ${t("shared.duplicate")}`, { seconds: 8 });
    if (reply?.status === "accepted") {
      send("library");
      showToast(`${each.filename} ${t("chat.published")}`, { label: t("chat.show"), action: () => shown(each), seconds: 8 });
    }
    await load();
  }

  function shown(each) {
    hold("open-document", each.id);
    send("open-document", each.id);
    send("tab", "library");
  }

  /* -- live --------------------------------------------------------------------------- */
  function watch(id) {
    if (state.feed) return;
    state.feed = new EventSource(`/live/library?ui=${document.documentElement.lang}&conversation=${id}`);
    state.feed.onmessage = (message) => {
      const update = JSON.parse(message.data);
      for (const each of update.documents) {
        if (each.progress) state.progress.set(each.id, each.progress);
        const index = state.documents.findIndex((known) => known.id === each.id);
        if (index >= 0) state.documents[index] = each;
      }
      draw();
      if (update.idle) {
        closeFeed();
        load();
      }
    };
  }

  function closeFeed() {
    state.feed?.close();
    state.feed = null;
  }

  /* -- pieces ------------------------------------------------------------------------- */
  function drawn(kind, words, drawing, action) {
    const node = button("", action);
    node.className = kind;
    node.dataset.tLabel = words;
    node.title = t(words);
    node.setAttribute("aria-label", t(words));
    node.innerHTML = drawing;
    return node;
  }

  function span(kind, text) {
    return element("span", { class: kind }, text);
  }

  /* -- beginning ---------------------------------------------------------------------- */
  input.addEventListener("change", () => {
    take([...input.files]);
    input.value = "";
  });
  zone.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    take([...event.dataTransfer.files]);
  });
  zone.dataset.dropHint = "";
  document.addEventListener("click", (event) => {
    for (const open of list.querySelectorAll("details[open]")) if (!open.contains(/** @type {Node} */ (event.target))) open.open = false;
  });
  list.addEventListener("keydown", (event) => {
    const open = event.key === "Escape" && list.querySelector("details[open]");
    if (!open) return;
    event.stopPropagation();
    open.open = false;
    open.querySelector("summary").focus();
  });
  draw();

  return {
    load,
    /** Resolves when no file is on its way. */
    arrived: async () => {
      while (state.sending.length) await arriving;
    },
    speak() {
      zone.dataset.dropHint = t("chat.drop_to_attach");
      clip.title = t("chat.attach");
      clip.setAttribute("aria-label", t("chat.attach"));
      closeFeed();
      load();
    },
  };
}
