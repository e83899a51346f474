/* The Library tab: documents, their progress, and actions on them. */
import { lead, on, send } from "../shared/bus.js";
import { call, callForEach, Feed } from "../shared/server.js";
import { afterPause, coalesced, during, latest } from "../shared/timing.js";
import { Part, button, element, onClick, showToast, undoable } from "../shared/ui.js";
import { isolated, t, translate } from "../shared/words.js";
import { Arrivals } from "./arrivals.js";
import { DataViewer } from "./data-viewer.js";
import { correctable } from "./document-identity.js";
import { choosesReading } from "./document-reading.js";
import { isBusy, isReadOut } from "./document-words.js";
import { Filters, summary } from "./filters.js";
import { Findings } from "./findings.js";
import { mountLimits } from "./limits.js";
import { DocumentList } from "./list.js";
import { Selection } from "./selection.js";
import { Sets } from "./sets.js";
import { WebPage } from "./web-page.js";

const PAUSE_MS = 400;
/** Minimum number of characters for a text search. */
const LEAST_SEARCHED = 2;

/** @param {DocumentRow[]} documents */
const ids = (documents) => documents.map(({ id }) => ({ id }));

/** @extends {Part<LibraryServer>} */
export class Library extends Part {
  /** @type {DocumentRow[]} */
  documents = [];
  /** @type {DocumentRow[]} */
  shown = [];
  /** @type {Map<string, Found>} */
  places = new Map();
  /** @type {{ id: string, state: string | undefined } | null} the document whose details are open, and its state then */
  open = null;
  mostBytes = Infinity;
  mostTableBytes = Infinity;
  /** @type {string | null} the user's group */
  group = null;
  load = coalesced(() => this.fetchDocuments());
  feed = new Feed();
  /** @type {number | undefined} */
  drawing = undefined;
  opened = 0;
  searching = latest();

  /** @param {Widget<LibraryServer>} widget */
  constructor({ element: widget, server, upload }) {
    super(widget.querySelector(".pal-library"), server);
    this.side = this.find(".side");
    this.search = this.find("[data-search]");
    this.limits = mountLimits(this.root, server, () => this.load());
    this.filters = new Filters(this.find(".filters"), () => this.draw());
    this.sets = new Sets(this.find(".sets"), this);
    this.selection = new Selection(this.find(".selection"), this);
    this.list = new DocumentList(this.find(".rows"), this);
    this.findings = new Findings(this.side, server, () => this.load());
    this.data = new DataViewer(this);
    this.arrivals = new Arrivals(this, upload);
    this.webPage = new WebPage(this.find(".from-web"), this);
    this.searchSoon = afterPause(PAUSE_MS, () => this.searchText());
  }

  /* -- documents ---------------------------------------------------------------------- */
  async fetchDocuments() {
    const [reply] = await Promise.all([call(this.server.documents), this.sets.load()]);
    if (!reply) return;
    this.documents = reply.documents;
    this.mostBytes = reply.most_bytes;
    this.mostTableBytes = reply.most_table_bytes;
    this.group = reply.group;
    this.webPage.offer(reply.reads_web);
    this.drawContradictions(reply);
    this.draw();
    this.renew();
    if (document.body.dataset.tab === "library") this.noteFailuresSeen();
    if (this.documents.some((each) => isBusy(each) || isReadOut(each))) this.watch();
    send("documents-changed");
  }

  /** Lists the figures that documents print differently. @param {{ contradictions: number, contradictions_html: string }} reply */
  drawContradictions({ contradictions, contradictions_html }) {
    const place = this.find(".in-documents");
    place.hidden = !contradictions;
    place.querySelector("summary").textContent = t("library.in_documents", { count: contradictions });
    place.querySelector(".entries").innerHTML = contradictions_html;
  }

  /** Adds a document that was just accepted; the others have not changed. @param {DocumentRow} document */
  accept(document) {
    this.replace(document);
    this.watch();
    this.drawSoon();
  }

  /** Draws once for all updates before the browser's next frame. */
  drawSoon() {
    this.drawing ??= requestAnimationFrame(() => {
      this.drawing = undefined;
      this.draw();
    });
  }

  /** When the user looks at the list, unread files count as seen. */
  noteFailuresSeen() {
    if (this.documents.some((each) => each.failed_unseen)) call(this.server.note_failures_seen);
  }

  /** Redraws the open details when reading has progressed, unless a field is being edited. */
  renew() {
    const { open } = this;
    const now = this.documents.find((each) => each.id === open?.id);
    const isCorrected = () => this.side.querySelector(".identity-form:not([hidden]) :is(input, select):focus");
    if (now && open && now.state !== open.state && !isCorrected()) this.fetchDetail(now.id, () => this.open?.id === now.id && !isCorrected());
    else if (now) this.findings.renew(now);
  }

  draw() {
    const inSet = this.sets.filter(this.documents);
    this.shown = this.filters.apply(inSet);
    this.filters.draw(inSet);
    this.sets.draw();
    this.selection.draw();
    this.list.draw(this.shown, this.places);
    this.root.classList.toggle("nothing", !this.documents.length);
    this.count(this.documents.length ? summary(this.shown.length, inSet.length) : "");
    this.find(".empty").hidden = this.shown.length > 0;
    if (!this.shown.length) this.drawEmpty();
  }

  /** @param {string} words */
  count(words) {
    this.find(".count").textContent = words;
  }

  drawEmpty() {
    const narrowed = this.filters.narrows();
    const chosen = this.sets.current();
    const none = !narrowed && !this.documents.length;
    const key = narrowed ? "library.nothing_matches" : chosen ? "library.sets_empty" : "library.empty_title";
    const hints = [!narrowed && chosen && element("p", {}, t("library.sets_empty_hint")), none && element("p", {}, t("library.empty_hint"))];
    const loadSamples = async () => (await call(this.server.load_samples)) && this.load();
    const place = this.find(".empty");
    place.replaceChildren(element("strong", {}, t(key)), ...hints.filter(Boolean), ...(none ? [button(t("shared.load_samples"), loadSamples, "primary")] : []));
  }

  /* -- search ------------------------------------------------------------------------- */
  /** Searches titles immediately; the text after a pause, or immediately with Enter. */
  typed() {
    this.searchSoon.cancel();
    this.searching(null);
    this.places = new Map();
    this.filters.say(this.search.value);
    this.draw();
    if (this.search.value.trim().length >= LEAST_SEARCHED) this.searchSoon();
  }

  async searchText() {
    this.searchSoon.cancel();
    const text = this.search.value.trim();
    if (text.length < LEAST_SEARCHED) return;
    this.count(t("library.searching"));
    const reply = await this.searching(call(this.server.find_text, { search: text.slice(0, 200) }));
    if (reply === undefined) return;
    this.places = new Map((reply?.found || []).map((each) => [each.document, each]));
    this.filters.say(text, this.places);
    this.draw();
  }

  /* -- actions ------------------------------------------------------------------------ */
  /** @param {Action<{ id: string }, {}>} action @param {DocumentRow} each */
  async change(action, { id }) {
    await call(action, { id });
    await this.load();
  }

  /** @param {DocumentRow} each @param {string} title */
  async rename(each, title) {
    const reply = await call(this.server.correct, { id: each.id, field: "title", value: title });
    if (reply) this.replace(reply.document);
    return Boolean(reply);
  }

  /** One undo for all of them. @param {DocumentRow[]} documents */
  async remove(documents) {
    const replies = await callForEach(this.server, "remove", ids(documents));
    const gone = documents.filter((_, place) => replies[place]);
    if (!gone.length) return;
    if (gone.some((each) => each.id === this.open?.id)) this.closeSide();
    undoable(gone.length === 1 ? `${gone[0].title} ${t("shared.removed")}` : t("library.deleted", { n: gone.length }), t("shared.undo"), async () => {
      await callForEach(this.server, "undo_remove", ids(gone));
      await this.load();
    });
    await this.load();
  }

  /** Buttons that share documents with the user's group, or stop sharing them. @param {DocumentRow[]} own */
  sharing(own) {
    const { group, server } = this;
    const [shared, private_] = [own.filter((each) => each.group), own.filter((each) => !each.group)];
    const change = async (/** @type {DocumentRow[]} */ documents, /** @type {string} */ action, /** @type {string} */ words) => {
      const replies = await callForEach(server, action, ids(documents));
      if (replies.some(Boolean)) showToast(words);
      await this.load();
    };
    const told = group ? t(private_.length === 1 ? "library.shared" : "library.shared_some", { group: isolated(group), n: private_.length }) : "";
    return [
      group && private_.length && button(t("library.share", { group: isolated(group) }), () => change(private_, "share", told), "quiet", { "data-share": "" }),
      shared.length && button(t("library.take_back"), () => change(shared, "take_back", t("library.taken_back")), "quiet", { "data-take-back": "" }),
    ].filter((each) => each instanceof Node);
  }

  /** @param {DocumentRow} changed */
  replace(changed) {
    const at = this.documents.findIndex((each) => each.id === changed.id);
    if (at >= 0) this.documents[at] = changed;
    else this.documents.unshift(changed);
  }

  /* -- live --------------------------------------------------------------------------- */
  watch() {
    this.feed.open(`/live/library?ui=${document.documentElement.lang}`, (/** @type {DocumentsUpdate} */ { documents, idle }) => {
      for (const each of documents) this.replace(each);
      this.draw();
      const open = this.documents.find((each) => each.id === this.open?.id);
      if (open) this.findings.renew(open);
      if (!idle) return;
      this.feed.close();
      this.load();
    });
  }

  /* -- detail ------------------------------------------------------------------------- */
  /** @param {string} id */
  async show(id) {
    this.opened += 1;
    await this.fetchDetail(id, () => true);
  }

  /** Drawn when it arrives, unless another one was opened or it is no longer `wanted`. @param {string} id @param {() => unknown} wanted */
  async fetchDetail(id, wanted) {
    const mine = this.opened;
    const reply = await call(this.server.document_detail, { id });
    if (!reply || mine !== this.opened || !wanted()) return;
    const content = this.side.querySelector(".content");
    const known = this.documents.find((each) => each.id === id);
    this.open = { id, state: known?.state };
    this.side.hidden = false;
    content.innerHTML = reply.html;
    correctable(content, id, this.server, () => Promise.all([this.load(), this.show(id)]));
    choosesReading(content, id, this.server, () => this.load());
    this.findings.show(known ?? { id });
    this.draw();
  }

  /** @param {HTMLButtonElement} asked */
  async rememberTranscript(asked) {
    if (!this.open) return;
    const { id } = this.open;
    const reply = await during(asked, () => call(this.server.remember_transcript, { id }));
    if (!reply) return;
    const [first] = Object.keys(reply.speakers);
    showToast(t("library.transcript_remembered", { count: reply.turns }), { label: t("library.transcript_find"), seconds: 8, action: () => lead("memory", "search-memory", first) });
  }

  closeSide() {
    this.open = null;
    this.side.hidden = true;
    this.draw();
  }

  /* -- beginning ---------------------------------------------------------------------- */
  listen() {
    this.search.addEventListener("input", () => this.typed());
    this.search.addEventListener("keydown", (/** @type {KeyboardEvent} */ { key }) => {
      if (key === "Enter") this.searchText();
      if (key === "ArrowDown") this.find('.rows .row[tabindex="0"]')?.focus();
    });
    onClick(this.root, "[data-close]", () => this.closeSide());
    onClick(this.side, "[data-open-dataset]", (asked) => this.data.open({ dataset: asked.dataset.openDataset }));
    onClick(this.side, "[data-update-page]", (asked) => this.open && this.webPage.update(asked, this.open.id));
    onClick(this.side, "[data-remember-transcript]", (asked) => this.rememberTranscript(asked));
    on("language", () => {
      this.begin();
      if (this.open) this.show(this.open.id);
    });
    on("library", () => this.load());
    on("tab", (tab) => {
      if (tab !== "library") return;
      this.noteFailuresSeen();
      // Documents shared by others in the group can appear and disappear without an event.
      if (this.group) this.load();
    });
    on("open-dataset", (wanted) => this.data.open(wanted));
    on("open-document", (id) => this.show(id));
  }

  begin() {
    translate(this.root);
    this.limits.load();
    this.load();
  }
}

/** @param {Widget<LibraryServer>} widget */
export function mount(widget) {
  const tab = new Library(widget);
  tab.listen();
  // The user may have typed before this script was loaded.
  if (tab.search.value) tab.typed();
  tab.begin();
}
