/* The Knowledge tab: filters, the graph, and how they work together. */
import { address, on } from "../shared/bus.js";
import { call, Feed, saveFile, saveReply } from "../shared/server.js";
import { latest, until } from "../shared/timing.js";
import { Part, button, drawers, element, onClick, onEscape, showToast, tabs } from "../shared/ui.js";
import { isolated, t, translate } from "../shared/words.js";
import { mountCharts } from "./charts.js";
import { GraphFilters } from "./filters.js";
import { mountGraph } from "./graph.js";
import { mountPanel } from "./panel.js";
import { Selection } from "./selection.js";
import { ConceptTable } from "./table.js";
import { Timeline } from "./timeline.js";
import { Way } from "./way.js";

const PATIENCE_MS = 300;
/** Views that do not show the graph's concepts. */
const STANDALONE = ["charts", "timeline"];
/** The message shown instead of a graph. */
const STATES = {
  empty: ["knowledge.empty_title", "knowledge.empty_1", "knowledge.empty_2", "knowledge.empty_3"],
  none: ["knowledge.none_title", "knowledge.none_hint"],
  error: ["knowledge.error_title", "knowledge.error_hint"],
};

/** @extends {Part<KnowledgeServer>} */
class Knowledge extends Part {
  /** @type {import("./graph.js").GraphPicture | null} */
  graph = null;
  /** @type {Promise<import("./graph.js").GraphPicture> | null} */
  painting = null;
  /** @type {GraphReply | null} the server's latest reply */
  drawn = null;
  /** @type {GraphReply | null} the graph that is displayed */
  painted = null;
  version = "";
  view = "graph";
  /** @type {string | null} the open concept */
  opened = null;
  samples = false;
  begun = false;
  feed = new Feed();
  asking = latest();

  /** @param {Widget<KnowledgeServer>} widget */
  constructor({ element: widget, server }) {
    super(widget.querySelector(".pal-knowledge"), server);
    this.filters = new GraphFilters(this.find(".filters"), () => this.load({ whole: true }));
    this.panel = mountPanel(this.root, server, { open: (id) => this.open(id), startWay: (first) => this.way.start(first), choose: (id) => this.choose(id), closed: () => this.unpin() });
    this.selection = new Selection(this.find(".chosen"), (ids) => this.graph?.lightChosen(ids));
    this.table = new ConceptTable(this.find(".rows"), (id, how) => this.open(id, how));
    this.timeline = new Timeline(this.find(".times-view"), server, { chosen: () => this.filters.documents(), open: (id) => this.open(id) });
    this.drawCharts = mountCharts(this.find(".charts"), server);
    this.way = new Way(this.root, server, { light: (id) => this.graph?.light(id ?? this.opened), show: (found) => this.showWay(found) });
    this.mark = tabs(this.root, "viewTab", (view) => this.show(view));
  }

  /* -- loading ------------------------------------------------------------------------ */
  visible() {
    return this.root.clientWidth > 0;
  }

  /** @returns {Promise<void>} */
  async load({ whole = false } = {}) {
    if (!this.visible()) return;
    const began = performance.now();
    const waiting = setTimeout(() => (this.root.dataset.busy = "true"), PATIENCE_MS);
    const reply = await this.asking(call(this.server.graph, { ...this.filters.chosen(), surroundings: true, version: whole ? "" : this.version }));
    clearTimeout(waiting);
    if (reply === undefined) return;
    if (reply && !reply.unchanged) await this.take(reply, began);
    delete this.root.dataset.busy;
    if (reply) this.tell(reply.pending);
    else this.showState("error");
  }

  /** @param {GraphReply} reply @param {number} began */
  async take(reply, began) {
    this.drawn = reply;
    if (reply.version !== this.version) this.offerChoices();
    this.version = reply.version;
    this.filters.count(reply.totals.colours);
    this.way.ends.learn(reply.nodes);
    const listed = this.listed(reply);
    if (listed.length) this.samples = this.samples && reply.pending > 0;
    this.showState(listed.length ? null : this.filters.scope || this.filters.narrows() ? "none" : "empty");
    this.table.draw(listed);
    this.find(".count").textContent = this.counted(reply, listed);
    this.find(".canvas").setAttribute("aria-label", `${t("knowledge.graph")}: ${this.find(".count").textContent}`);
    if (this.opened) this.panel.show(this.opened, { gone: true });
    if (this.view === "timeline") this.timeline.draw();
    if (!listed.length) return;
    await this.drawGraph(reply);
    this.root.dataset.painted = String(Math.round(performance.now() - began));
    this.root.dataset.nodes = String(listed.length);
    this.relight();
  }

  /** @param {GraphReply} reply @param {GraphNode[]} listed */
  counted(reply, listed) {
    const values = { shown: listed.length, found: listed.length, all: reply.totals.concepts, edges: reply.edges.length };
    if (this.filters.searches()) return t("knowledge.found", values);
    const alone = listed.filter((node) => !node.linked).length;
    return t("knowledge.count", values) + (alone ? ` · ${t("knowledge.count_alone", { count: alone })}` : "");
  }

  async offerChoices() {
    const reply = await call(this.server.choices);
    if (reply) this.filters.choices.offer(reply);
  }

  /** What the table lists: the concepts that were searched for, or all of the picture. @param {GraphReply} reply */
  listed(reply) {
    if (!this.filters.searches()) return reply.nodes;
    const byId = new Map(reply.nodes.map((node) => [node.id, node]));
    return reply.found.flatMap((id) => byId.get(id) ?? []);
  }

  /** A hidden graph has no size, so it is drawn when its view is opened. Concepts without links are in a list, not in the picture. @param {GraphReply} reply */
  async drawGraph(reply) {
    if (this.view !== "graph") return;
    this.painting ??= mountGraph(this.find(".canvas"), { hover: (...over) => this.hover(...over), hoverEdge: (...over) => this.hoverEdge(...over), pick: (id, more) => (id && more ? this.choose(id) : this.pick(id)), expand: (id) => this.expand(id) });
    this.graph = await this.painting;
    if (this.drawn !== reply || this.painted === reply) return;
    this.painted = reply;
    const list = this.find(".unlinked");
    list.innerHTML = reply.unlinked;
    list.hidden = !reply.unlinked;
    const found = new Set(reply.found);
    const nodes = reply.nodes.filter((node) => node.linked || found.has(node.id));
    this.find(".bare").hidden = nodes.length > 0;
    this.graph.resize();
    await this.graph.draw({ nodes, edges: reply.edges });
  }

  /** While the tab is open, the server reports new content; known content is not requested again. */
  watch() {
    if (this.visible()) this.feed.open(`/live/knowledge?version=${encodeURIComponent(this.version)}`, ({ version }) => version !== this.version && this.load());
  }

  /** After a change, the open concept stays open if it still exists. */
  relight() {
    if (this.way.found) this.lightWay();
    else if (this.filters.searches() && this.drawn) this.graph?.lightFound(this.drawn.found);
    else if (this.opened && this.graph?.has(this.opened)) {
      this.graph.focus(this.opened);
      this.graph.light(this.opened);
    }
  }

  /** @param {number} pending */
  tell(pending) {
    const words = pending ? t("knowledge.pending", { count: pending }) : this.samples ? t("shared.loading_samples") : "";
    this.find(".partial").hidden = !words;
    this.find(".partial").textContent = words;
  }

  /** @param {keyof typeof STATES | null} name */
  showState(name) {
    this.root.dataset.state = name || "ready";
    const node = this.find(".stage > .state");
    node.hidden = !name || STANDALONE.includes(this.view);
    node.replaceChildren();
    if (!name) return;
    const actions = {
      empty: button(t("shared.load_samples"), () => this.loadSamples(), "primary"),
      none: button(t("knowledge.reset"), () => this.filters.reset(), "primary"),
      error: button(t("shared.retry"), () => this.load({ whole: true }), "primary"),
    };
    node.append(...STATES[name].map((key, place) => element(place ? "p" : "strong", {}, t(key))), actions[name]);
  }

  async loadSamples() {
    this.samples = true;
    this.tell(0);
    if (!(await call(this.server.load_samples))) this.samples = false;
    this.load();
  }

  /* -- views -------------------------------------------------------------------------- */
  /** @param {string} view */
  show(view) {
    this.view = view;
    this.root.dataset.view = view;
    this.mark(view);
    this.find(".picture").hidden = view !== "graph";
    this.find(".rows").hidden = view !== "table";
    this.find(".charts").hidden = view !== "charts";
    this.find(".times-view").hidden = view !== "timeline";
    if (view === "timeline") this.timeline.draw();
    this.find(".stage > .state").hidden = STANDALONE.includes(view) || this.root.dataset.state === "ready";
    if (view === "charts") this.drawCharts();
    if (view === "graph" && this.drawn?.nodes.length) this.drawGraph(this.drawn).then(() => this.relight());
  }

  /* -- one concept -------------------------------------------------------------------- */
  /** @param {string} id @returns {Promise<void>} */
  async open(id, { focus = false } = {}) {
    if (this.way.picked) return this.way.pick(id);
    this.opened = id;
    this.table.mark(id);
    address.set({ concept: id }, { replace: true });
    if (this.graph && !this.graph.has(id) && !this.drawn?.nodes.some((node) => node.id === id)) await this.narrow({ focus: [id], label: "" });
    if (this.view === "graph") this.relight();
    this.root.dataset.drawer = "panel";
    return this.panel.show(id, { focus });
  }

  /** Shows a part: around an answer, or a concept that the filters hide. @param {import("./filters.js").Scope} scope */
  async narrow(scope) {
    this.filters.narrow(scope);
    await this.load({ whole: true });
  }

  /** Adds a concept to the selection, or removes it. @param {string} id */
  choose(id) {
    const node = this.graph?.byId.get(id) ?? this.drawn?.nodes.find((each) => each.id === id);
    if (node) this.selection.toggle(node);
  }

  /** Enter in the search field opens the first concept that was found. */
  openFirst() {
    const first = this.drawn && this.filters.searches() && this.listed(this.drawn)[0];
    if (first) this.open(first.id, { focus: true });
  }

  unpin() {
    this.opened = null;
    this.table.mark(null);
    delete this.root.dataset.drawer;
    address.set({ concept: null }, { replace: true });
    this.graph?.light(null);
  }

  /** @param {string | null} id */
  pick(id) {
    if (!id && !this.way.picked && this.opened) this.panel.close();
    else if (id && (id !== this.opened || this.way.picked)) this.open(id);
  }

  /** @param {string} id */
  async expand(id) {
    const reply = await call(this.server.neighbours, { id });
    if (!reply || !this.graph) return;
    const fresh = this.graph.add(reply, id);
    this.graph.light(id);
    if (!fresh) showToast(t("knowledge.no_more"));
  }

  /** @param {GraphNode | null} node @param {{ x: number, y: number }} place @param {number} near */
  hover(node, { x, y }, near) {
    const card = this.find(".hover");
    card.hidden = !node;
    if (!node) return;
    const { label, kind_words, mentions, answers, worked, failed, partial } = node;
    const lines = [kind_words, t("knowledge.hover", { mentions, answers, near })];
    if (worked + failed + partial) lines.push(t("knowledge.hover_outcomes", { worked, partial, failed }));
    this.showHover([element("strong", { dir: "auto" }, label), ...lines.map((line) => element("span", { dir: "auto" }, line))], { x, y });
  }

  /** Says why two concepts are linked. @param {GraphEdge | null} edge @param {{ x: number, y: number }} place */
  hoverEdge(edge, place) {
    const names = edge && [edge.a, edge.b].map((id) => this.graph?.byId.get(id)?.label ?? "");
    if (!edge || !names || this.graph?.hovered) return void (this.find(".hover").hidden = !this.graph?.hovered);
    const between = edge.directed ? " → " : " – ";
    this.showHover([element("strong", { dir: "auto" }, names.map(isolated).join(between)), element("span", { dir: "auto" }, edge.words)], place);
  }

  /** @param {Node[]} lines @param {{ x: number, y: number }} place on the canvas */
  showHover(lines, { x, y }) {
    const card = this.find(".hover");
    card.hidden = false;
    card.replaceChildren(...lines);
    const box = this.find(".picture");
    const across = x + this.find(".canvas").offsetLeft;
    card.style.left = `${Math.max(8, Math.min(across + 14, box.clientWidth - card.offsetWidth - 8))}px`;
    card.style.top = `${Math.max(8, Math.min(y + 14, box.clientHeight - card.offsetHeight - 8))}px`;
  }

  /* -- a path between two concepts ----------------------------------------------------- */
  /** @param {import("./way.js").Found} found */
  showWay(found) {
    this.panel.put(found.html);
    this.root.dataset.drawer = "panel";
    this.lightWay();
  }

  /** A hidden graph has nothing to highlight. */
  lightWay() {
    const { found } = this.way;
    if (!this.graph || !found || this.view !== "graph") return;
    this.graph.add(found);
    this.graph.lightWay(found.nodes.map((node) => node.id));
  }

  /* -- export -------------------------------------------------------------------------- */
  /** @param {string} format */
  async export(format) {
    this.find(".export").open = false;
    if (format === "csv") return this.timeline.save();
    if (format === "png") {
      const picture = await this.graph?.png();
      if (picture) saveFile("concepts.png", picture, "image/png");
      return;
    }
    const reply = await call(this.server.export_graph, { ...this.filters.chosen(), format });
    if (reply) saveReply(reply);
  }

  /* -- from elsewhere ------------------------------------------------------------------ */
  /** @param {Messages["open-concept"]} wanted */
  async openConcept({ name, id, answer }) {
    await until(() => this.visible());
    const found = id ? { id } : await call(this.server.find_concept, { name, answer });
    if (!found) return;
    this.show("graph");
    if (answer) await this.narrow({ answer, label: t("knowledge.of_answer") });
    if (found.id) await this.open(found.id);
    else showToast(t("knowledge.not_known", { name }));
  }

  /** @param {Messages["open-answer-graph"]} wanted */
  async openAnswer({ answer }) {
    await until(() => this.visible());
    this.show("graph");
    await this.narrow({ answer, label: t("knowledge.of_answer") });
  }

  speak() {
    translate(this.root);
    this.filters.speak();
    this.offerChoices();
    this.panel.speak();
  }

  /* -- beginning ----------------------------------------------------------------------- */
  async shown() {
    await this.load();
    this.watch();
    if (this.view === "charts") this.drawCharts();
    const wanted = address.get("concept");
    if (wanted && wanted !== this.opened && !this.begun) await this.open(wanted);
    this.begun = true;
  }

  listen() {
    drawers(this.root, "drawer-open");
    onClick(this.root, "[data-close-drawer]", () => delete this.root.dataset.drawer);
    onClick(this.find(".unlinked"), "[data-id]", (asked) => this.open(asked.dataset.id));
    this.filters.search.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && this.openFirst());
    onClick(this.root, "[data-fit]", () => this.graph?.fit());
    onClick(this.root, "[data-export]", (asked) => this.export(asked.dataset.export));
    onEscape(this.root, () => {
      if (this.way.picked) this.way.end();
      else if (this.selection.chosen.size) this.selection.clear();
      else if (this.opened) this.panel.close();
      else delete this.root.dataset.drawer;
    });
    on("open-concept", (wanted) => this.openConcept(wanted));
    on("open-answer-graph", (wanted) => this.openAnswer(wanted));
    on("documents-changed", () => this.load());
    on("language", () => {
      this.speak();
      this.load({ whole: true });
      if (this.opened) this.panel.show(this.opened);
      if (this.view === "charts") this.drawCharts();
    });
    let was = false;
    new ResizeObserver(() => {
      const is = this.visible();
      if (is && !was) this.shown();
      if (!is) this.feed.close();
      was = is;
    }).observe(this.root);
  }
}

/** @param {Widget<KnowledgeServer>} widget */
export function mount(widget) {
  const tab = new Knowledge(widget);
  tab.listen();
  tab.speak();
  tab.show("graph");
}
