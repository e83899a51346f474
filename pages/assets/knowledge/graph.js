/* The graph: vis-network draws it, with positions from the server. This module only adds highlighting and dimming. */
import { element } from "../shared/ui.js";
import { COLOURS, OverGraph } from "./canvas.js";
import { onLooks, style, visNetwork } from "../shared/vendor.js";

const FOR_NAMES = 120;
const CLOSE = 1.2;
const MOST_WIDENED = 3;
const MANY_LINES = 1500;

/** @typedef {import("./names.js").Point} Point */
/** @typedef {{ hover?: (node: GraphNode | null, place: Point, near: number) => void, hoverEdge?: (edge: GraphEdge | null, place: Point) => void, pick?: (id: string | null, more: boolean) => unknown, expand?: (id: string) => unknown }} Acts */

/** @param {number[]} values */
function span(values) {
  const least = values.reduce((one, other) => Math.min(one, other));
  const most = values.reduce((one, other) => Math.max(one, other));
  return { length: most - least, middle: (least + most) / 2 };
}

/** @param {GraphNode} node @param {string} ink */
function asNode({ id, x, y, size, colour }, ink) {
  const background = COLOURS[colour];
  const touched = { background, border: ink };
  return { id, x, y, size, color: { background, border: "#00000000", highlight: touched, hover: touched } };
}

/** The colours of lines; pale for concepts that are only named together. */
function lineColours() {
  const [plain, hover] = [style("--muted"), style("--accent")];
  return { weak: { color: plain, highlight: plain, hover, opacity: 0.4 }, strong: { color: plain, highlight: plain, hover, opacity: 0.7 } };
}

/** @param {GraphEdge} edge @param {ReturnType<typeof lineColours>} colours @param {number} wider by how much lines are drawn wider */
const asEdge = ({ a, b, width, dashed, directed, weak }, colours, wider) => ({ id: `${a}|${b}`, from: a, to: b, width: width * wider, dashes: dashed, arrows: directed ? { to: { enabled: true, scaleFactor: 0.5 } } : "", color: weak ? colours.weak : colours.strong });

const options = () => ({
  physics: false,
  layout: { improvedLayout: false },
  interaction: { hover: true, multiselect: true, hoverConnectedEdges: false, selectConnectedEdges: false, hideEdgesOnDrag: true, hideEdgesOnZoom: true, keyboard: { enabled: true, bindToWindow: false, autoFocus: false }, tooltipDelay: 0 },
  nodes: { shape: "dot", chosen: { label: false }, borderWidth: 0, borderWidthSelected: 3, scaling: { label: { enabled: false } } },
  edges: { smooth: false, selectionWidth: 0, hoverWidth: 1.5 },
});

export class GraphPicture {
  /** @type {Map<string, GraphNode>} */
  byId = new Map();
  /** @type {Map<string, Set<string>>} neighbours by concept */
  near = new Map();
  /** @type {Map<string, GraphEdge>} by the ids of their ends */
  joined = new Map();
  /** @type {GraphNode[]} most important first */
  ranked = [];
  /** @type {Set<string> | null} */
  lit = null;
  /** @type {string[]} */
  way = [];
  /** @type {string | null} */
  hovered = null;
  /** The scale at which the whole picture is visible. */
  scale = 1;
  /** @type {string[]} the selected concepts */
  chosen = [];
  /** @type {(() => void) | null} called when the latest drawing is visible */
  painted = null;

  /** @param {any} vis @param {HTMLElement} container @param {Acts} on */
  constructor(vis, container, on) {
    this.vis = vis;
    this.container = container;
    this.on = on;
    this.nodes = new vis.DataSet();
    this.edges = new vis.DataSet();
    this.network = new vis.Network(container, { nodes: this.nodes, edges: this.edges }, options());
    this.over = new OverGraph(this.network, container);
    this.listen();
  }

  /* -- drawing ------------------------------------------------------------------------ */
  /** @param {Graph} graph @returns {Promise<void>} resolves when it is visible */
  draw(graph) {
    this.byId = new Map(graph.nodes.map((node) => [node.id, node]));
    this.near = new Map(graph.nodes.map((node) => [node.id, new Set()]));
    this.lit = null;
    this.way = [];
    this.hovered = null;
    this.joined = new Map();
    for (const edge of graph.edges) this.join(edge);
    this.rank();
    this.network.setOptions(options());
    this.scale = this.fitted(graph.nodes)?.scale ?? 1;
    this.nodes = new this.vis.DataSet(this.points(graph.nodes));
    this.edges = new this.vis.DataSet(this.lines(graph.edges));
    this.network.setData({ nodes: this.nodes, edges: this.edges });
    this.fit();
    this.painted?.();
    this.painted = null;
    if (!graph.nodes.length) return Promise.resolve();
    return new Promise((painted) => {
      this.painted = painted;
      this.network.redraw();
    });
  }

  /** @param {GraphNode[]} nodes */
  points(nodes) {
    const ink = style("--ink");
    return nodes.map((node) => asNode(node, ink));
  }

  /** Lines stay visible in a small picture. @param {GraphEdge[]} edges */
  lines(edges) {
    const colours = lineColours();
    const wider = Math.min(this.joined.size > MANY_LINES ? MOST_WIDENED / 2 : MOST_WIDENED, 1 / this.scale);
    return edges.map((edge) => asEdge(edge, colours, wider));
  }

  /** The position and scale at which all of these are visible; null if there are none. @param {Point[]} places */
  fitted(places) {
    if (!places.length) return null;
    const across = span(places.map((place) => place.x));
    const down = span(places.map((place) => place.y));
    const scale = Math.min(1, this.container.clientWidth / (across.length + FOR_NAMES), this.container.clientHeight / (down.length + FOR_NAMES));
    return { position: { x: across.middle, y: down.middle }, scale: scale || 1 };
  }

  /** Uses only the positions: vis-network fits to what it has drawn, and a new graph is not drawn yet. */
  fit() {
    const view = this.fitted(Object.values(this.network.getPositions()));
    if (view) this.network.moveTo({ ...view, animation: false });
  }

  /** @param {GraphEdge} edge */
  join(edge) {
    const { a, b } = edge;
    this.joined.set(`${a}|${b}`, edge);
    this.near.get(a)?.add(b);
    this.near.get(b)?.add(a);
  }

  rank() {
    this.ranked = [...this.byId.values()].sort((one, other) => other.importance - one.importance);
  }

  /** Places new concepts around the concept that they belong to. @param {Graph} graph @param {string | null} [around] */
  add(graph, around = null) {
    const middle = around && this.has(around) ? this.network.getPosition(around) : { x: 0, y: 0 };
    const fresh = graph.nodes.filter((node) => !this.has(node.id));
    fresh.forEach((node, place) => {
      const angle = (2 * Math.PI * place) / fresh.length - Math.PI / 2;
      node.x = middle.x + 130 * Math.cos(angle);
      node.y = middle.y + 130 * Math.sin(angle);
      this.byId.set(node.id, node);
      this.near.set(node.id, new Set());
    });
    this.nodes.add(this.points(fresh));
    for (const edge of graph.edges) {
      if (!this.has(edge.a) || !this.has(edge.b) || this.near.get(edge.a)?.has(edge.b)) continue;
      this.join(edge);
      this.edges.add(this.lines([edge]));
    }
    this.rank();
    return fresh.length;
  }

  /** @param {string} id */
  has(id) {
    return this.byId.has(id);
  }

  /* -- light -------------------------------------------------------------------------- */
  /** @param {string} id */
  around(id) {
    return new Set([id, ...(this.near.get(id) ?? [])]);
  }

  /** Highlights a concept and its neighbours; null removes the highlight. @param {string | null} id */
  light(id) {
    this.lit = id && this.has(id) ? this.around(id) : null;
    this.way = [];
    this.network.redraw();
  }

  /** Highlights the concepts that were searched for and moves them into the middle; one of them with its neighbours. @param {string[]} ids */
  lightFound(ids) {
    const known = ids.filter((id) => this.has(id));
    if (!known.length) return void this.light(null);
    this.way = [];
    this.lit = known.length === 1 ? this.around(known[0]) : new Set(known);
    if (known.length === 1) this.network.moveTo({ position: this.network.getPosition(known[0]), scale: CLOSE, animation: false });
    else this.network.fit({ nodes: known, animation: false, maxZoomLevel: CLOSE });
    this.network.redraw();
  }

  /** Highlights what was selected to ask about. @param {string[]} ids */
  lightChosen(ids) {
    this.chosen = ids;
    this.way = [];
    this.lit = ids.length ? new Set(ids.filter((id) => this.has(id))) : null;
    this.network.selectNodes(ids.filter((id) => this.has(id)));
    this.network.redraw();
  }

  /** @param {string[]} ids */
  lightWay(ids) {
    this.way = ids;
    this.lit = new Set(ids);
    this.network.selectNodes([]);
    if (ids.length) this.network.fit({ nodes: ids, animation: false, maxZoomLevel: 1.4 });
    this.network.redraw();
  }

  /** @param {CanvasRenderingContext2D} context */
  drawOver(context) {
    const lit = this.hovered && !this.way.length ? this.around(this.hovered) : this.lit;
    if (lit?.size) this.over.drawLit(context, { lit: this.ranked.filter(({ id }) => lit.has(id)), edges: this.litEdges(lit), isWay: this.way.length > 0 });
    else this.over.drawNames(context, this.ranked);
    if (!this.painted || !this.byId.size) return;
    requestAnimationFrame(this.painted);
    this.painted = null;
  }

  /** The edges of a path, or those among highlighted concepts. @param {Set<string>} lit @returns {[string, string][]} */
  litEdges(lit) {
    if (this.way.length) return this.way.slice(1).map((id, place) => [this.way[place], id]);
    return [...lit].flatMap((id) => [...(this.near.get(id) ?? [])].filter((other) => id < other && lit.has(other)).map((other) => /** @type {[string, string]} */ ([id, other])));
  }

  /* -- user actions ------------------------------------------------------------------- */
  listen() {
    const { network, on } = this;
    network.on("afterDrawing", (/** @type {CanvasRenderingContext2D} */ context) => this.drawOver(context));
    network.on("hoverNode", (/** @type {{ node: string }} */ { node }) => this.hover(node));
    for (const left of ["blurNode", "dragStart", "zoom"]) network.on(left, () => this.hover(null));
    network.on("hoverEdge", (/** @type {{ edge: string, event: { center?: Point, offsetX: number, offsetY: number } }} */ { edge, event }) => on.hoverEdge?.(this.joined.get(edge) ?? null, { x: event.offsetX, y: event.offsetY }));
    network.on("blurEdge", () => on.hoverEdge?.(null, { x: 0, y: 0 }));
    network.on("click", (/** @type {{ pointer: { DOM: Point }, event: { srcEvent: MouseEvent } }} */ { pointer, event }) => on.pick?.(network.getNodeAt(pointer.DOM) ?? null, event.srcEvent.ctrlKey || event.srcEvent.metaKey || event.srcEvent.shiftKey));
    network.on("doubleClick", (/** @type {{ nodes: string[] }} */ { nodes }) => nodes[0] && on.expand?.(nodes[0]));
    onLooks(() => {
      network.setOptions(options());
      this.nodes.update(this.points([...this.byId.values()]).map(({ id, color }) => ({ id, color })));
      this.edges.update(this.lines([...this.joined.values()]));
    });
  }

  /** @param {string | null} id */
  hover(id) {
    if (this.hovered === id) return;
    this.hovered = id;
    const node = id && this.byId.get(id);
    this.on.hover?.(node || null, node ? this.place(node.id) : { x: 0, y: 0 }, node ? (this.near.get(node.id)?.size ?? 0) : 0);
    this.network.redraw();
  }

  /** The position on the canvas. @param {string} id @returns {Point} */
  place(id) {
    return this.network.canvasToDOM(this.network.getPosition(id));
  }

  /** @param {string} id */
  focus(id) {
    const { x, y } = this.place(id);
    this.network.selectNodes([id]);
    const inside = x > 40 && y > 40 && x < this.container.clientWidth - 40 && y < this.container.clientHeight - 40;
    if (!inside) this.network.moveTo({ position: this.network.getPosition(id), animation: false });
  }

  /** After the size of its place has changed. */
  resize() {
    this.network.setSize("100%", "100%");
  }

  destroy() {
    this.network.destroy();
  }

  /** @returns {Promise<Blob | null>} null if the browser has not enough memory for it */
  png() {
    const drawn = this.container.querySelector("canvas");
    const whole = element("canvas", { width: drawn.width, height: drawn.height });
    const context = whole.getContext("2d");
    if (!context) return Promise.resolve(null);
    context.fillStyle = style("--surface");
    context.fillRect(0, 0, whole.width, whole.height);
    context.drawImage(drawn, 0, 0);
    return new Promise((done) => whole.toBlob(done, "image/png"));
  }
}

/** @param {HTMLElement} container @param {Acts} on */
export const mountGraph = async (container, on) => new GraphPicture(await visNetwork(), container, on);
