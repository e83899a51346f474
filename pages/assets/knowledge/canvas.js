/* Drawings over the graph: names, and the highlighted part above a dimming layer. */
import { style } from "../shared/vendor.js";
import { placedNames, short } from "./names.js";

/** @type {Record<Colour, string>} */
export const COLOURS = { routing: "#3b82f6", content: "#22c55e", both: "#a855f7", action: "#f97316" };
const MOST_NAMES = 120;
const SMALLEST = 12;
const LARGEST = 15;

/** @typedef {import("./names.js").Point} Point */
/** @typedef {{ node: GraphNode, place: Point, radius: number, width: number, pixels: number }} Dot a concept in pixels of the screen */
/** @typedef {{ lit: GraphNode[], edges: [string, string][], isWay: boolean }} Lit the highlighted part */

export class OverGraph {
  /** Widths of names at one pixel. @type {Map<string, number>} */
  widths = new Map();

  /** @param {any} network of vis-network @param {HTMLElement} container */
  constructor(network, container) {
    this.network = network;
    this.container = container;
  }

  /** Draws in pixels of the screen, so that names have the same size at any zoom. @param {CanvasRenderingContext2D} context @param {() => void} draw */
  onScreen(context, draw) {
    const ratio = context.canvas.width / this.container.clientWidth;
    context.save();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw();
    context.restore();
  }

  /** The dots in view. @param {CanvasRenderingContext2D} context @param {GraphNode[]} nodes most important first @returns {Dot[]} */
  dots(context, nodes) {
    const scale = this.network.getScale();
    const most = Math.max(...nodes.map((node) => node.size), 1);
    const places = this.network.getPositions(nodes.map((node) => node.id));
    return nodes.flatMap((node) => {
      const place = places[node.id] && this.network.canvasToDOM(places[node.id]);
      if (!place || !this.inView(place)) return [];
      const pixels = Math.round(SMALLEST + (LARGEST - SMALLEST) * (node.size / most) ** 2);
      return [{ node, place, radius: Math.max(node.size * scale, 2), width: this.widthOf(context, short(node.label)) * pixels, pixels }];
    });
  }

  /** @param {CanvasRenderingContext2D} context @param {string} words */
  widthOf(context, words) {
    let width = this.widths.get(words);
    if (width === undefined) {
      context.font = font(100);
      width = context.measureText(words).width / 100;
      this.widths.set(words, width);
    }
    return width;
  }

  /** Draws names, most important first, where they cover nothing. @param {CanvasRenderingContext2D} context @param {GraphNode[]} ranked */
  drawNames(context, ranked) {
    this.onScreen(context, () => this.write(context, this.dots(context, ranked)));
  }

  /** Dims everything, and draws the highlighted concepts and their edges above. @param {CanvasRenderingContext2D} context @param {Lit} part */
  drawLit(context, { lit, edges, isWay }) {
    this.onScreen(context, () => {
      context.globalAlpha = 0.82;
      context.fillStyle = style("--surface");
      context.fillRect(0, 0, this.container.clientWidth, this.container.clientHeight);
      context.globalAlpha = 1;
      context.strokeStyle = style(isWay ? "--accent" : "--muted");
      context.lineWidth = isWay ? 4 : 1.6;
      const places = this.network.getPositions([...new Set(edges.flat())].filter((id) => this.network.body.nodes[id]));
      for (const [from, to] of edges) {
        if (!places[from] || !places[to]) continue;
        const [one, other] = [from, to].map((id) => this.network.canvasToDOM(places[id]));
        context.beginPath();
        context.moveTo(one.x, one.y);
        context.lineTo(other.x, other.y);
        context.stroke();
      }
      const dots = this.dots(context, lit);
      for (const { node, place, radius } of dots) {
        context.fillStyle = COLOURS[node.colour];
        context.beginPath();
        context.arc(place.x, place.y, Math.max(radius, 3), 0, 2 * Math.PI);
        context.fill();
      }
      this.write(context, dots);
    });
  }

  /** @param {CanvasRenderingContext2D} context @param {Dot[]} dots */
  write(context, dots) {
    const { clientWidth: width, clientHeight: height } = this.container;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 4;
    context.strokeStyle = style("--surface");
    context.fillStyle = style("--ink");
    for (const { dot, box } of placedNames(dots, width, height, MOST_NAMES)) {
      const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      context.font = font(dot.pixels);
      context.strokeText(short(dot.node.label), x, y);
      context.fillText(short(dot.node.label), x, y);
    }
  }

  /** @param {Point} place */
  inView({ x, y }) {
    return x > -20 && y > -20 && x < this.container.clientWidth + 20 && y < this.container.clientHeight + 20;
  }
}

/** @param {number} pixels */
const font = (pixels) => `${pixels}px system-ui, sans-serif`;
