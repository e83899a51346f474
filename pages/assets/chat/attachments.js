/* Attachments of a conversation: chips above the composer. */
import { lead, send } from "../shared/bus.js";
import { accepted, readable } from "../shared/kinds.js";
import { call, Feed, uploaded } from "../shared/server.js";
import { CLIP, button, drawing, element, foldMenus, iconButton, onFiles, showToast, undoable } from "../shared/ui.js";
import { tellUnpacked } from "../shared/unpacked.js";
import { t } from "../shared/words.js";
import { isBusy, isReadable, problemLine } from "../library/document-words.js";

const CROSS = "M6 6l12 12M18 6L6 18";
const MORE = "M6 12h.01M12 12h.01M18 12h.01";

export class Attachments {
  list = element("ul.attachments", { "aria-live": "polite", "data-t-label": "chat.attachments" });
  /** @type {string | null} whose they are */
  of = null;
  /** @type {DocumentRow[]} */
  documents = [];
  /** @type {File[]} on their way */
  sending = [];
  /** Files for which the user must decide, because another one has the same name. */
  asking = new Set();
  /** @type {Map<string, Progress>} */
  progress = new Map();
  feed = new Feed();
  /** @type {Promise<void>} */
  arriving = Promise.resolve();

  /** @param {import("./chat.js").Chat} tab */
  constructor(tab) {
    this.tab = tab;
    this.server = tab.server;
    this.zone = tab.find(".main");
    const box = tab.find("form.composer .box");
    const input = element("input", { type: "file", multiple: true, hidden: true, accept: accepted() });
    this.clip = iconButton(CLIP, t("chat.attach"), () => input.click(), "clip");
    this.clip.dataset.tLabel = "chat.attach";
    box.before(this.list);
    box.prepend(this.clip, input);
    onFiles(input, (files) => this.take(files));
    this.zone.addEventListener("drop", (/** @type {DragEvent} */ event) => {
      if (!event.dataTransfer?.files.length) return;
      event.preventDefault();
      this.take([...event.dataTransfer.files]);
    });
    this.zone.dataset.dropHint = "";
    foldMenus(this.list);
    this.draw();
  }

  /* -- arriving files ----------------------------------------------------------------- */
  /** Uploads one file after another: the first may create the conversation of the others. @param {File[]} files */
  take(files) {
    for (const file of readable(files)) {
      this.sending.push(file);
      this.arriving = this.arriving.then(() => this.takeOne(file)).finally(() => {
        this.sending = this.sending.filter((each) => each !== file);
        this.draw();
      });
    }
    this.draw();
  }

  /** @param {File} file */
  async takeOne(file) {
    const { tab } = this;
    const before = tab.conversation;
    const path = await uploaded(tab.upload, file);
    const reply = path && (await call(this.server.attach, { path, name: file.name, conversation_id: before }));
    if (!reply) return;
    if (reply.status === "unpacked") tellUnpacked(file.name, reply);
    if (reply.status === "duplicate") showToast(`${file.name} ${t("chat.attached_already")}`, { seconds: 8 });
    if (!before && !tab.conversation) tab.began(reply.conversation);
    if (tab.conversation === reply.conversation) await this.load();
  }

  /** Resolves when no upload is in progress. */
  async arrived() {
    while (this.sending.length) await this.arriving;
  }

  /* -- chips -------------------------------------------------------------------------- */
  async load() {
    const id = this.tab.conversation;
    if (id !== this.of) {
      this.feed.close();
      this.documents = [];
      this.asking.clear();
    }
    this.of = id;
    const reply = id ? await call(this.server.attachments, { id }) : { documents: [] };
    if (!reply || this.tab.conversation !== id) return;
    this.documents = reply.documents;
    this.draw();
    if (id && this.documents.some(isBusy)) this.watch(id);
  }

  draw() {
    const sending = this.sending.map(({ name }) => element("li.chip.uploading", { "data-document": "" }, ...named(name), ...onItsWay(t("shared.uploading"))));
    this.list.replaceChildren(...this.documents.map((each) => this.chip(each)), ...sending);
    this.list.hidden = !this.list.children.length;
  }

  /** @param {DocumentRow} each */
  chip(each) {
    return element("li", { class: `chip ${each.state}`, "data-document": each.id }, ...named(each.filename), ...this.parts(each), iconButton(CROSS, t("chat.detach"), () => this.detach(each), "off"));
  }

  /** The text next to a file's name. @param {DocumentRow} each @returns {Child[]} */
  parts(each) {
    const retry = () => button(t("shared.retry"), () => this.act(this.server.retry_attachment, each));
    if (this.asking.has(each.id)) return this.namesake(each);
    if (each.problem) return [element("p.why", { role: "alert" }, problemLine(each.problem)), each.can_retry && retry()];
    if (each.state === "completed" || (isReadable(each) && !each.recognition)) return [this.menu(each)];
    const progress = this.progress.get(each.id);
    if (each.state === "cancelled") return [element("span.stage", {}, progress?.text || t("chat.cancelled")), retry()];
    return onItsWay(progress?.text || t("chat.waiting"), progress);
  }

  /** @param {DocumentRow} each */
  menu(each) {
    const summary = element("summary", { "aria-label": `${t("chat.more")}: ${each.filename}` }, drawing(MORE));
    return element("details", {}, summary, button(t("chat.publish"), () => this.publish(each)));
  }

  /** @param {DocumentRow} each */
  namesake(each) {
    const cancel = () => {
      this.asking.delete(each.id);
      this.draw();
    };
    return [
      element("p.why", { role: "alert" }, `${each.filename} ${t("shared.namesake")}`),
      button(t("shared.replace"), () => this.publish(each, "replace")),
      button(t("shared.keep_both"), () => this.publish(each, "keep_both")),
      button(t("shared.cancel"), cancel),
    ];
  }

  /* -- actions of a chip -------------------------------------------------------------- */
  /** @param {Action<{ id: string }, {}>} action @param {DocumentRow} each */
  async act(action, each) {
    await call(action, { id: each.id });
    await this.load();
  }

  /** @param {DocumentRow} each */
  async detach(each) {
    if (!(await call(this.server.detach, { id: each.id }))) return;
    undoable(`${each.filename} ${t("chat.detached")}`, t("shared.undo_detach"), () => this.act(this.server.undo_detach, each));
    await this.load();
  }

  /** @param {DocumentRow} each @param {Choice} [choice] */
  async publish(each, choice = "ask") {
    const reply = await call(this.server.publish, { id: each.id, choice });
    this.asking.delete(each.id);
    if (reply?.status === "namesake") this.asking.add(each.id);
    if (reply?.status === "duplicate") showToast(`${each.filename} ${t("shared.duplicate")}`, { seconds: 8 });
    if (reply?.status === "accepted") {
      send("library");
      showToast(`${each.filename} ${t("chat.published")}`, { label: t("chat.show"), action: () => lead("library", "open-document", each.id), seconds: 8 });
    }
    await this.load();
  }

  /* -- live --------------------------------------------------------------------------- */
  /** @param {string} id */
  watch(id) {
    this.feed.open(`/live/library?ui=${document.documentElement.lang}&conversation=${id}`, (/** @type {DocumentsUpdate} */ { documents, idle }) => {
      for (const each of documents) {
        if (each.progress) this.progress.set(each.id, each.progress);
        const index = this.documents.findIndex((known) => known.id === each.id);
        if (index >= 0) this.documents[index] = each;
      }
      this.draw();
      if (!idle) return;
      this.feed.close();
      this.load();
    });
  }

  speak() {
    this.zone.dataset.dropHint = t("chat.drop_to_attach");
    this.feed.close();
    this.load();
  }
}

/* -- pieces --------------------------------------------------------------------------- */
/** @param {string} filename */
const named = (filename) => [drawing(CLIP), element("bdi.name", { title: filename }, filename)];

/** @param {string} stage @param {Progress} [progress] */
const onItsWay = (stage, progress) => [element("span.stage", {}, stage), element("progress", { max: 1, value: progress?.total ? (progress.done ?? 0) / progress.total : null })];
