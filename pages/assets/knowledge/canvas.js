/* Drawings over the graph: names, and the highlighted part above a dimming layer. */
import { style } from "../shared/vendor.js";

/** @type {Record<Colour, string>} */
export const COLOURS = { routing: "#3b82f6", content: "#22c55e", both: "#a855f7", action: "#f97316" };
const LANDMARKS = 14;
const READABLE = 9;

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {{ node: GraphNode, place: Point, pixels: number }} Written a name, its position and its size */

/** @param {string} label */
const short = (label) => (label.length > 34 ? `${label.slice(0, 32)}…` : label);

export class OverGraph {
  /** @param {any} network of vis-network @param {HTMLElement} container */
  constructor(network, container) {
    this.network = network;
    this.container = container;
  }

  /** The corners of the canvas in graph coordinates. @returns {[Point, Point]} */
  corners() {
    const { clientWidth: x, clientHeight: y } = this.container;
    return [this.network.DOMtoCanvas({ x: 0, y: 0 }), this.network.DOMtoCanvas({ x, y })];
  }

  /** Dims everything, and draws the highlighted concepts and their edges above. @param {CanvasRenderingContext2D} context @param {GraphNode[]} lit @param {[string, string][]} edges @param {boolean} isWay */
  drawLit(context, lit, edges, isWay) {
    const [one, other] = this.corners();
    const scale = this.network.getScale();
    /** @type {Record<string, Point>} */
    const places = this.network.getPositions(lit.map(({ id }) => id));
    context.save();
    context.globalAlpha = 0.86;
    context.fillStyle = style("--surface");
    context.fillRect(one.x, one.y, other.x - one.x, other.y - one.y);
    context.globalAlpha = 1;
    for (const [from, to] of edges) {
      if (!places[from] || !places[to]) continue;
      context.strokeStyle = style(isWay ? "--accent" : "--muted");
      context.lineWidth = (isWay ? 4 : 1.6) / Math.max(scale, 0.3);
      context.beginPath();
      context.moveTo(places[from].x, places[from].y);
      context.lineTo(places[to].x, places[to].y);
      context.stroke();
    }
    for (const node of lit) if (places[node.id]) this.drawNode(context, { node, place: places[node.id], pixels: Math.max(13, 12 * scale) }, scale, lit.length <= 60);
    context.restore();
  }

  /** @param {CanvasRenderingContext2D} context @param {Written} written @param {number} scale @param {boolean} named */
  drawNode(context, written, scale, named) {
    const { node, place } = written;
    context.fillStyle = COLOURS[node.colour];
    context.beginPath();
    context.arc(place.x, place.y, Math.max(node.size, 3 / scale), 0, 2 * Math.PI);
    context.fill();
    if (named) this.write(context, written, scale);
  }

  /** @param {CanvasRenderingContext2D} context @param {Written} written @param {number} scale */
  write(context, written, scale) {
    const { node, place } = written;
    const { left, right } = this.nameBox(context, written, scale);
    context.textAlign = "center";
    context.textBaseline = "top";
    context.lineJoin = "round";
    context.lineWidth = 4 / scale;
    context.strokeStyle = style("--surface");
    context.fillStyle = style("--ink");
    context.strokeText(short(node.label), (left + right) / 2, place.y + node.size + 6);
    context.fillText(short(node.label), (left + right) / 2, place.y + node.size + 6);
  }

  /** The position of a name, moved so that the canvas edge does not cut it off. @param {CanvasRenderingContext2D} context @param {Written} written @param {number} scale */
  nameBox(context, { node, place, pixels }, scale) {
    context.font = `${pixels / scale}px system-ui, sans-serif`;
    const half = context.measureText(short(node.label)).width / 2 + 3 / scale;
    const [one, other] = this.corners();
    const [left, right] = [one.x + half, other.x - half];
    const x = left < right ? Math.min(right, Math.max(left, place.x)) : place.x;
    const top = place.y + node.size + 4;
    return { left: x - half, right: x + half, top, bottom: top + (pixels * 1.3) / scale };
  }

  /** Draws names, most important first; a name that would overlap an earlier one is left out. Zoomed out, only landmarks have names. @param {CanvasRenderingContext2D} context @param {GraphNode[]} ranked */
  drawNames(context, ranked) {
    const scale = this.network.getScale();
    const readable = 12 * scale >= READABLE;
    const nodes = readable ? ranked : ranked.slice(0, LANDMARKS);
    const places = this.network.getPositions(nodes.map((node) => node.id));
    /** @type {ReturnType<OverGraph["nameBox"]>[]} */
    const taken = [];
    for (const node of nodes) {
      const place = places[node.id];
      if (!place || !this.inView(place)) continue;
      const written = { node, place, pixels: readable ? Math.min(20, (12 + 8 * node.importance) * Math.max(scale, 0.75)) : 12 };
      const box = this.nameBox(context, written, scale);
      if (taken.some((other) => box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom)) continue;
      taken.push(box);
      this.write(context, written, scale);
    }
  }

  /** @param {Point} place */
  inView(place) {
    const { x, y } = this.network.canvasToDOM(place);
    return x > -100 && y > -40 && x < this.container.clientWidth + 100 && y < this.container.clientHeight + 40;
  }
}
