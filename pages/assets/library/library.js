/* The Library tab: what is there, how far it is, and what can be done with it. */
import { hold, on, send } from "../shared/bus.js";
import { element } from "../shared/ui.js";
import { correctable } from "./document-identity.js";
import { mountLimits } from "./limits.js";
import { mountArrivals } from "./arrivals.js";
import { mountFilters } from "./filters.js";
import { mountList } from "./list.js";
import { mountSelection, plain } from "./selection.js";
import { isBusy, isReadOut } from "./document-words.js";
import { mountFindings } from "./findings.js";
import { call, showToast } from "../shared/notices.js";
import { mountOutline } from "./outline.js";
import { mountSets } from "./sets.js";
import { t, translate } from "../shared/words.js";

const UNDO_SECONDS = 10;
const PAUSE_MS = 400;
const LEAST_SEARCHED = 2;
/** Characters from which the text is searched. */

export function mount({ element: widget, server, upload }) {
  const root = widget.querySelector(".pal-library");
  const view = {
    rows: root.querySelector(".rows"),
    empty: root.querySelector(".empty"),
    count: root.querySelector(".count"),
    search: root.querySelector("[data-search]"),
    side: root.querySelector(".side"),
  };
  const limits = mountLimits(root, server, { changed: load });
  const state = { documents: [], shown: [], places: new Map(), open: null, feed: null, asked: 0, opened: 0, searched: 0, mostBytes: Infinity };
  const filters = mountFilters(root.querySelector(".filters"), { changed: draw });
  const sets = mountSets(root.querySelector(".sets"), server, { redraw: draw, any: () => state.documents.length > 0, filled: () => selection.clear() });
  const selection = mountSelection(root.querySelector(".selection"), { shown: () => state.shown, known: () => state.documents, remove, tools: sets.tools, version: sets.version, redraw: draw });
  const act = {
    cancel: (each) => change(server.cancel, each),
    retry: (each) => change(server.retry, each),
    remove: (each) => remove([each]),
    rename,
    open: show,
    redraw: draw,
  };
  const list = mountList(view.rows, { act, filters, selection, openId: () => state.open });
  const findings = mountFindings(view.side, server, { changed: load });
  mountArrivals(root, server, { upload, load, mostBytes: () => limits.bytes() ?? state.mostBytes });

  /* -- what is there ------------------------------------------------------------------ */
  async function load() {
    const mine = (state.asked += 1);
    const [reply] = await Promise.all([call(server.documents), sets.load()]);
    if (!reply || mine !== state.asked) return;
    state.documents = reply.documents;
    state.mostBytes = reply.most_bytes;
    draw();
    renew();
    if (state.documents.some((each) => isBusy(each) || isReadOut(each))) watch();
    send("documents-changed");
  }

  /** What is open is shown again when its reading has come further, unless something is being corrected in it. */
  function renew() {
    const open = state.documents.find((each) => each.id === state.open);
    if (open && open.state !== state.openState && !isCorrected()) fetchDetail(open.id, () => state.open === open.id && !isCorrected());
    else if (open) findings.renew(open);
  }

  const isCorrected = () => view.side.querySelector(".identity-form:not([hidden]) :is(input, select):focus");

  function draw() {
    const inSet = sets.filter(state.documents);
    state.shown = filters.apply(inSet);
    filters.draw(inSet);
    sets.draw();
    selection.draw();
    list.draw(state.shown, state.places);
    root.classList.toggle("nothing", !state.documents.length);
    view.count.textContent = state.documents.length ? filters.summary(state.shown.length, inSet.length) : "";
    view.empty.hidden = state.shown.length > 0;
    if (!state.shown.length) drawEmpty();
  }

  function drawEmpty() {
    const narrowed = filters.narrows();
    const key = narrowed ? "library.nothing_matches" : sets.chosen() ? "library.sets_empty" : "library.empty_title";
    view.empty.replaceChildren(element("strong", {}, t(key)));
    const say = (text) => view.empty.append(element("p", {}, text));
    if (sets.chosen() && !narrowed) say(t("library.sets_empty_hint"));
    if (narrowed || state.documents.length) return;
    say(t("library.empty_hint"));
    view.empty.append(plain(t("shared.load_samples"), loadSamples, "primary"));
  }

  async function loadSamples() {
    const reply = await call(server.load_samples);
    if (reply) await load();
  }

  /* -- search ------------------------------------------------------------------------- */
  let typing;

  /** Titles at once; the text after a pause, or at once with Enter. */
  function typed() {
    clearTimeout(typing);
    state.searched += 1;
    state.places = new Map();
    filters.say(view.search.value);
    draw();
    if (view.search.value.trim().length >= LEAST_SEARCHED) typing = setTimeout(searchText, PAUSE_MS);
  }

  async function searchText() {
    clearTimeout(typing);
    const text = view.search.value.trim();
    if (text.length < LEAST_SEARCHED) return;
    const mine = (state.searched += 1);
    view.count.textContent = t("library.searching");
    const reply = await call(server.find_text, { search: text.slice(0, 200) });
    if (mine !== state.searched) return;
    state.places = new Map((reply?.found || []).map((each) => [each.document, each]));
    filters.say(text, state.places);
    draw();
  }

  /* -- what is done ------------------------------------------------------------------- */
  async function change(fn, each) {
    await call(fn, { id: each.id });
    await load();
  }

  async function rename(each, title) {
    const reply = await call(server.correct, { id: each.id, field: "title", value: title });
    if (reply) replace(reply.document);
    return Boolean(reply);
  }

  /** One undo for all of them. */
  async function remove(documents) {
    const replies = await Promise.all(documents.map((each) => call(server.remove, { id: each.id })));
    const gone = documents.filter((_, place) => replies[place]);
    if (!gone.length) return;
    if (gone.some((each) => each.id === state.open)) closeSide();
    const said = gone.length === 1 ? `${gone[0].title} ${t("shared.removed")}` : t("library.deleted", { n: gone.length });
    const undo = async () => {
      await Promise.all(gone.map((each) => call(server.undo_remove, { id: each.id })));
      await load();
    };
    showToast(said, { label: t("shared.undo"), action: undo, seconds: UNDO_SECONDS });
    await load();
  }

  function replace(changed) {
    const at = state.documents.findIndex((each) => each.id === changed.id);
    if (at >= 0) state.documents[at] = changed;
    else state.documents.unshift(changed);
  }

  /* -- live --------------------------------------------------------------------------- */
  function watch() {
    if (state.feed) return;
    state.feed = new EventSource(`/live/library?ui=${document.documentElement.lang}`);
    state.feed.onmessage = (message) => {
      const update = JSON.parse(message.data);
      update.documents.forEach(replace);
      draw();
      const open = state.documents.find((each) => each.id === state.open);
      if (open) findings.renew(open);
      if (!update.idle) return;
      state.feed.close();
      state.feed = null;
      load();
    };
  }

  /* -- detail ------------------------------------------------------------------------- */
  async function show(id) {
    state.opened += 1;
    await fetchDetail(id, () => true);
  }

  /** Drawn when it comes, unless another was opened meanwhile or it is not `wanted` any more. */
  async function fetchDetail(id, wanted) {
    const mine = state.opened;
    const reply = await call(server.document_detail, { id });
    if (!reply || mine !== state.opened || !wanted()) return;
    state.open = id;
    state.openState = state.documents.find((each) => each.id === id)?.state;
    view.side.hidden = false;
    view.side.querySelector(".content").innerHTML = reply.html;
    view.side.querySelector("[data-remember-transcript]")?.addEventListener("click", ({ currentTarget }) => rememberTranscript(id, currentTarget));
    correctable(view.side.querySelector(".content"), id, server, () => Promise.all([load(), show(id)]));
    findings.show(state.documents.find((each) => each.id === id) || { id });
    draw();
  }

  async function rememberTranscript(id, button) {
    button.disabled = true;
    const reply = await call(server.remember_transcript, { id });
    button.disabled = false;
    if (!reply) return;
    const [first] = Object.keys(reply.speakers);
    const find = () => {
      hold("search-memory", first);
      send("search-memory", first);
      send("tab", "memory");
    };
    showToast(t("library.transcript_remembered", { count: reply.turns }), { label: t("library.transcript_find"), seconds: 8, action: find });
  }

  function closeSide() {
    state.open = null;
    view.side.hidden = true;
    draw();
  }

  /* -- beginning ---------------------------------------------------------------------- */
  view.search.addEventListener("input", typed);
  view.search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") searchText();
    if (event.key === "ArrowDown") view.rows.querySelector('.row[tabindex="0"]')?.focus();
  });
  root.querySelector("[data-close]").addEventListener("click", closeSide);
  mountOutline(view.side);
  on("language", () => {
    translate(root);
    limits.load();
    load();
    if (state.open) show(state.open);
  });
  on("library", load);
  on("open-document", show);
  translate(root);
  limits.load();
  // Something may have been typed before this script was there.
  if (view.search.value) typed();
  load();
}
