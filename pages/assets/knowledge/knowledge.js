/* The Knowledge tab: filters, the picture, and what they do to one another. */
import { address, on } from "../shared/bus.js";
import { element, tabs } from "../shared/ui.js";
import { mountCharts } from "./charts.js";
import { mountEnds } from "./ends.js";
import { mountFilters } from "./filters.js";
import { mountGraph } from "./graph.js";
import { mountPanel } from "./panel.js";
import { mountTable } from "./table.js";
import { saveFile } from "../shared/files.js";
import { call, showToast } from "../shared/notices.js";
import { t, translate } from "../shared/words.js";

const PATIENCE_MS = 300;

export function mount({ element: widget, server }) {
  const root = widget.querySelector(".pal-knowledge");
  const part = (selector) => root.querySelector(selector);
  const state = { graph: null, drawn: null, version: "", asked: 0, view: "graph", open: null, way: null, samples: false, feed: null, painting: null };
  const filters = mountFilters(part(".filters"), { changed: () => load({ whole: true }) });
  const panel = mountPanel(root, server, { open, startWay, closed: unpin });
  const table = mountTable(part(".rows"), { open });
  const charts = mountCharts(part(".charts"), server);

  const ends = mountEnds(part(".asking"), server, { picked: pickEnd });

  /* -- loading ------------------------------------------------------------------------ */
  const visible = () => root.clientWidth > 0;

  async function load({ whole = false } = {}) {
    if (!visible()) return;
    const mine = (state.asked += 1);
    const began = performance.now();
    const waiting = setTimeout(() => (root.dataset.busy = "true"), PATIENCE_MS);
    const reply = await call(server.graph, { ...filters.chosen(), version: whole ? "" : state.version });
    clearTimeout(waiting);
    if (mine !== state.asked) return;
    if (!reply) {
      delete root.dataset.busy;
      showState("error");
      return;
    }
    if (!reply.unchanged) await take(reply, began);
    delete root.dataset.busy;
    tell(reply.pending);
  }

  async function take(reply, began) {
    state.drawn = reply;
    state.version = reply.version;
    filters.count(reply.totals.colours);
    ends.learn(reply.nodes);
    if (reply.nodes.length) state.samples = state.samples && reply.pending > 0;
    showState(reply.nodes.length ? null : filters.active() ? "none" : "empty");
    table.draw(reply.nodes);
    part(".count").textContent = t("knowledge.count", { shown: reply.nodes.length, all: reply.totals.concepts, edges: reply.edges.length });
    part(".canvas").setAttribute("aria-label", `${t("knowledge.graph")}: ${part(".count").textContent}`);
    if (state.open) panel.show(state.open, { gone: true });
    if (!reply.nodes.length) return;
    await drawGraph(reply);
    root.dataset.painted = String(Math.round(performance.now() - began));
    root.dataset.nodes = String(reply.nodes.length);
    relight();
  }

  /** Hidden, a picture has no size: it is drawn when its view is opened. */
  async function drawGraph(reply) {
    if (state.view !== "graph") return;
    state.painting ??= mountGraph(part(".canvas"), { hover, pick, expand });
    state.graph = await state.painting;
    if (state.drawn !== reply || state.painted === reply) return;
    state.painted = reply;
    await state.graph.draw(reply);
  }

  /** What is learned and read while the tab is seen is told by the server; what is told already is not asked for again. */
  function watch() {
    if (state.feed || !visible()) return;
    state.feed = new EventSource(`/live/knowledge?version=${encodeURIComponent(state.version)}`);
    state.feed.onmessage = ({ data }) => JSON.parse(data).version !== state.version && load();
  }

  function unwatch() {
    state.feed?.close();
    state.feed = null;
  }

  /** After a change, what is open stays open if it is still there. */
  function relight() {
    if (state.found) lightWay();
    else if (state.graph?.has(state.open)) {
      state.graph.focus(state.open);
      state.graph.light(state.open);
    }
  }

  function tell(pending) {
    const words = pending ? t("knowledge.pending", { count: pending }) : state.samples ? t("shared.loading_samples") : "";
    part(".partial").hidden = !words;
    part(".partial").textContent = words;
  }

  function showState(name) {
    root.dataset.state = name || "ready";
    const node = part(".stage > .state");
    node.hidden = !name || state.view === "charts";
    node.replaceChildren();
    if (!name) return;
    const words = { empty: ["knowledge.empty_title", "knowledge.empty_1", "knowledge.empty_2", "knowledge.empty_3"], none: ["knowledge.none_title", "knowledge.none_hint"], error: ["knowledge.error_title", "knowledge.error_hint"] }[name];
    words.forEach((key, place) => node.append(element(place ? "p" : "strong", {}, t(key))));
    const [label, action] = { empty: ["shared.load_samples", loadSamples], none: ["knowledge.reset", filters.reset], error: ["shared.retry", () => load({ whole: true })] }[name];
    const button = element("button.primary", {}, t(label));
    button.addEventListener("click", action);
    node.append(button);
  }

  async function loadSamples() {
    state.samples = true;
    tell(0);
    if (!(await call(server.load_samples))) state.samples = false;
    load();
  }

  /* -- views -------------------------------------------------------------------------- */
  function show(view) {
    state.view = view;
    root.dataset.view = view;
    mark(view);
    part(".picture").hidden = view !== "graph";
    part(".rows").hidden = view !== "table";
    part(".charts").hidden = view !== "charts";
    part(".stage > .state").hidden = view === "charts" || root.dataset.state === "ready";
    if (view === "charts") charts.draw();
    if (view === "graph" && state.drawn?.nodes.length) drawGraph(state.drawn).then(relight);
  }

  const mark = tabs(root, "viewTab", show);

  /* -- one concept -------------------------------------------------------------------- */
  async function open(id, { from = null } = {}) {
    if (state.way) return pickForWay(id);
    state.open = id;
    table.mark(id);
    address.set({ concept: id }, { replace: true });
    if (state.graph && !state.graph.has(id)) await bring(id);
    if (state.view === "graph") relight();
    root.dataset.drawer = "panel";
    return panel.show(id, { focus: Boolean(from) });
  }

  /** A concept that the filters leave out comes with its neighbours. */
  async function bring(id) {
    filters.scope({ focus: [id], label: "" });
    await load({ whole: true });
  }

  function unpin() {
    state.open = null;
    table.mark(null);
    delete root.dataset.drawer;
    address.set({ concept: null }, { replace: true });
    state.graph?.light(null);
  }

  function pick(id) {
    if (!id && !state.way && state.open) panel.close();
    else if (id && (id !== state.open || state.way)) open(id);
  }

  async function expand(id) {
    const reply = await call(server.neighbours, { id });
    if (!reply) return;
    const fresh = state.graph.add(reply, id);
    state.graph.light(id);
    if (!fresh) showToast(t("knowledge.no_more"));
  }

  function hover(node, place, near) {
    const card = part(".hover");
    card.hidden = !node;
    if (!node) return;
    const parts = [["strong", node.label], ["span", node.kind_words], ["span", t("knowledge.hover", { mentions: node.mentions, answers: node.answers, near })]];
    if (node.worked + node.failed + node.partial) parts.push(["span", t("knowledge.hover_outcomes", { worked: node.worked, partial: node.partial, failed: node.failed })]);
    card.replaceChildren(...parts.map(([tag, text]) => element(tag, { dir: "auto" }, text)));
    const box = part(".picture");
    card.style.left = `${Math.max(8, Math.min(place.x + 14, box.clientWidth - card.offsetWidth - 8))}px`;
    card.style.top = `${Math.max(8, Math.min(place.y + 14, box.clientHeight - card.offsetHeight - 8))}px`;
  }

  /* -- a way between two --------------------------------------------------------------- */
  function startWay(first = null) {
    state.way = first ? [first] : [];
    part("[data-path]").setAttribute("aria-pressed", "true");
    ends.show(state.way);
    askForWay();
  }

  function endWay() {
    state.way = null;
    state.found = null;
    ends.clear();
    part("[data-path]").setAttribute("aria-pressed", "false");
    part(".asking").hidden = true;
    state.graph?.light(state.open);
  }

  function askForWay() {
    part(".asking").hidden = false;
    say(state.way.length ? t("knowledge.way_second", { first: ends.name(state.way[0]) }) : t("knowledge.way_first"));
  }

  function say(words) {
    part(".asking p").textContent = words;
  }

  async function pickForWay(id) {
    if (state.way.length >= 2) {
      state.way = [];
      state.found = null;
    }
    if (state.way[0] === id) return;
    state.way.push(id);
    ends.show(state.way);
    if (state.way.length < 2) {
      state.graph?.light(id);
      askForWay();
      return;
    }
    const [a, b] = state.way;
    const reply = await call(server.path, { a, b });
    if (!reply) return endWay();
    ends.learn(reply.nodes);
    ends.show(state.way);
    say(t(reply.found ? "knowledge.way_found" : "knowledge.way_none"));
    panel.put(reply.html);
    root.dataset.drawer = "panel";
    state.found = reply.found ? reply : null;
    lightWay();
    return undefined;
  }

  /** An end by its name: of the first the second stays, and the way is looked for again. */
  function pickEnd(place, id) {
    const kept = state.way[1 - place];
    const wanted = place === 0 ? [id, kept] : [kept, id];
    state.way = [];
    state.found = null;
    const [first, second] = wanted;
    if (first) pickForWay(first);
    if (second && second !== first) pickForWay(second);
  }

  /** In a hidden picture there is nothing to light. */
  function lightWay() {
    if (!state.graph || !state.found || state.view !== "graph") return;
    state.graph.add(state.found);
    state.graph.lightWay(state.found.nodes.map((node) => node.id));
  }

  part("[data-path]").addEventListener("click", () => (state.way ? endWay() : startWay()));
  part("[data-fit]").addEventListener("click", () => state.graph?.fit());
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    if (state.way) endWay();
    else if (state.open) panel.close();
    else delete root.dataset.drawer;
  });

  /* -- taking it away ------------------------------------------------------------------ */
  part(".export").addEventListener("click", async (event) => {
    const format = event.target.dataset.export;
    if (!format) return;
    part(".export").open = false;
    if (format === "png") return state.graph && saveFile("concepts.png", await state.graph.png(), "image/png");
    const reply = await call(server.export_graph, { ...filters.chosen(), format });
    if (reply) saveFile(reply.name, reply.text, `${reply.type};charset=utf-8`);
    return undefined;
  });

  /* -- narrow screens ------------------------------------------------------------------ */
  for (const button of root.querySelectorAll("[data-drawer-open]")) {
    button.addEventListener("click", () => {
      if (root.dataset.drawer === button.dataset.drawerOpen) delete root.dataset.drawer;
      else root.dataset.drawer = button.dataset.drawerOpen;
    });
  }
  part("[data-close-drawer]").addEventListener("click", () => delete root.dataset.drawer);

  /* -- from elsewhere ------------------------------------------------------------------ */
  async function openConcept({ name, id = null, answer = null }) {
    await untilVisible();
    const found = id ? { id } : await call(server.find_concept, { name, answer });
    if (!found) return;
    show("graph");
    if (answer) filters.scope({ answer, label: t("knowledge.of_answer") });
    if (answer) await load({ whole: true });
    if (found.id) await open(found.id);
    else showToast(t("knowledge.not_known", { name }));
  }

  async function openAnswer({ answer }) {
    await untilVisible();
    show("graph");
    filters.scope({ answer, label: t("knowledge.of_answer") });
    await load({ whole: true });
  }

  function untilVisible() {
    return new Promise((done) => {
      const look = () => (visible() ? done() : requestAnimationFrame(look));
      look();
    });
  }

  on("open-concept", openConcept);
  on("open-answer-graph", openAnswer);
  on("documents-changed", load);
  on("language", () => {
    speak();
    load({ whole: true });
    if (state.open) panel.show(state.open);
    if (state.view === "charts") charts.draw();
  });

  function speak() {
    translate(root);
    filters.speak();
    panel.speak();
  }

  let was = false;
  new ResizeObserver(() => {
    const is = visible();
    if (is && !was) shown();
    if (!is) unwatch();
    was = is;
  }).observe(root);

  async function shown() {
    await load();
    watch();
    if (state.view === "charts") charts.draw();
    const wanted = address.get("concept");
    if (wanted && wanted !== state.open && !state.begun) await open(wanted);
    state.begun = true;
  }

  speak();
  show("graph");
}
