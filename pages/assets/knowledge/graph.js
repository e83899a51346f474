/* The picture of the graph: vis-network draws, the server has laid out. Beside the picture it only lights and veils. */

const COLOURS = { routing: "#3b82f6", content: "#22c55e", both: "#a855f7", action: "#f97316" };
const LANDMARKS = 14;
const READABLE = 9;
const FOR_NAMES = 170;

let library = null;

/** vis-network, from the package that carries it; loaded when a graph is first drawn. */
export function loadLibrary() {
  library ??= loadScript("/page/vendor/vis-network.js", () => window.vis);
  return library;
}

export function loadScript(source, given) {
  return new Promise((done, fail) => {
    if (given()) return done(given());
    const script = document.createElement("script");
    script.src = source;
    script.onload = () => done(given());
    script.onerror = () => fail(new Error(source));
    return document.head.append(script);
  });
}

/** `on` holds hover(id | null, point), pick(id | null), expand(id). */
export async function mountGraph(container, on = {}) {
  const vis = await loadLibrary();
  let nodes = new vis.DataSet();
  let edges = new vis.DataSet();
  const network = new vis.Network(container, { nodes, edges }, options());
  const state = { byId: new Map(), near: new Map(), lit: null, way: [], hovered: null, ranked: [], painted: null };

  /* -- what is drawn ------------------------------------------------------------------ */
  function draw(graph, { fit = true } = {}) {
    state.byId = new Map(graph.nodes.map((node) => [node.id, node]));
    state.near = new Map(graph.nodes.map((node) => [node.id, new Set()]));
    state.lit = null;
    state.way = [];
    state.hovered = null;
    for (const edge of graph.edges) join(edge);
    rank();
    network.setOptions(options());
    nodes = new vis.DataSet(graph.nodes.map(asNode));
    edges = new vis.DataSet(graph.edges.map(asEdge));
    network.setData({ nodes, edges });
    if (fit) whole();
    state.painted?.();
    return new Promise((painted) => {
      state.painted = painted;
      network.redraw();
    });
  }

  /** By the places alone: vis-network fits to what it has drawn, and nothing of a new graph is drawn yet. */
  function whole() {
    const places = Object.values(network.getPositions());
    if (!places.length) return;
    const across = span(places.map((place) => place.x));
    const down = span(places.map((place) => place.y));
    const scale = Math.min(1, container.clientWidth / (across.length + FOR_NAMES), container.clientHeight / (down.length + FOR_NAMES));
    network.moveTo({ position: { x: across.middle, y: down.middle }, scale: scale || 1, animation: false });
  }

  function span(values) {
    const least = values.reduce((one, other) => Math.min(one, other));
    const most = values.reduce((one, other) => Math.max(one, other));
    return { length: most - least, middle: (least + most) / 2 };
  }

  function join(edge) {
    state.near.get(edge.a)?.add(edge.b);
    state.near.get(edge.b)?.add(edge.a);
  }

  function rank() {
    state.ranked = [...state.byId.values()].sort((one, other) => other.importance - one.importance);
  }

  /** What is new comes around the concept that it belongs to. */
  function add(graph, around = null) {
    const middle = around && state.byId.has(around) ? network.getPosition(around) : { x: 0, y: 0 };
    const fresh = graph.nodes.filter((node) => !state.byId.has(node.id));
    fresh.forEach((node, place) => {
      const angle = (2 * Math.PI * place) / fresh.length - Math.PI / 2;
      node.x = middle.x + 130 * Math.cos(angle);
      node.y = middle.y + 130 * Math.sin(angle);
      state.byId.set(node.id, node);
      state.near.set(node.id, new Set());
    });
    nodes.add(fresh.map(asNode));
    for (const edge of graph.edges) {
      if (!state.byId.has(edge.a) || !state.byId.has(edge.b) || state.near.get(edge.a).has(edge.b)) continue;
      join(edge);
      edges.add(asEdge(edge));
    }
    rank();
    return fresh.length;
  }

  function asNode(node) {
    return {
      id: node.id,
      x: node.x,
      y: node.y,
      size: node.size,
      color: { background: COLOURS[node.colour], border: "#00000000", highlight: { background: COLOURS[node.colour], border: ink() }, hover: { background: COLOURS[node.colour], border: ink() } },
    };
  }

  function asEdge(edge) {
    return { id: `${edge.a}|${edge.b}`, from: edge.a, to: edge.b, width: edge.width, dashes: edge.dashed, arrows: edge.directed ? { to: { enabled: true, scaleFactor: 0.5 } } : "" };
  }

  /* -- light -------------------------------------------------------------------------- */
  function around(id) {
    return new Set([id, ...(state.near.get(id) || [])]);
  }

  /** A concept and its neighbours; nothing, to take the light away. */
  function light(id) {
    state.lit = id && state.byId.has(id) ? around(id) : null;
    state.way = [];
    network.redraw();
  }

  function lightWay(ids) {
    state.way = ids;
    state.lit = new Set(ids);
    network.selectNodes([]);
    if (ids.length) network.fit({ nodes: ids, animation: false, maxZoomLevel: 1.4 });
    network.redraw();
  }

  network.on("afterDrawing", (context) => {
    const lit = state.hovered && !state.way.length ? around(state.hovered) : state.lit;
    if (lit?.size) drawLit(context, lit);
    else drawNames(context);
    if (state.painted && state.byId.size) {
      const painted = state.painted;
      state.painted = null;
      requestAnimationFrame(() => painted());
    }
  });

  function drawLit(context, lit) {
    const one = network.DOMtoCanvas({ x: 0, y: 0 });
    const other = network.DOMtoCanvas({ x: container.clientWidth, y: container.clientHeight });
    const places = network.getPositions([...lit].filter((id) => state.byId.has(id)));
    const scale = network.getScale();
    context.save();
    context.globalAlpha = 0.86;
    context.fillStyle = style("--surface");
    context.fillRect(one.x, one.y, other.x - one.x, other.y - one.y);
    context.globalAlpha = 1;
    for (const [from, to] of litEdges(lit)) {
      if (!places[from] || !places[to]) continue;
      context.strokeStyle = state.way.length ? style("--accent") : style("--muted");
      context.lineWidth = (state.way.length ? 4 : 1.6) / Math.max(scale, 0.3);
      context.beginPath();
      context.moveTo(places[from].x, places[from].y);
      context.lineTo(places[to].x, places[to].y);
      context.stroke();
    }
    for (const id of Object.keys(places)) drawNode(context, state.byId.get(id), places[id], scale, lit.size <= 60);
    context.restore();
  }

  function litEdges(lit) {
    if (state.way.length) return state.way.slice(1).map((id, place) => [state.way[place], id]);
    const middle = state.hovered || [...lit][0];
    return [...lit].filter((id) => id !== middle).map((id) => [middle, id]);
  }

  function drawNode(context, node, place, scale, named) {
    context.fillStyle = COLOURS[node.colour];
    context.beginPath();
    context.arc(place.x, place.y, Math.max(node.size, 3 / scale), 0, 2 * Math.PI);
    context.fill();
    if (named) name(context, node, place, scale, Math.max(13, 12 * scale));
  }

  function short(label) {
    return label.length > 34 ? `${label.slice(0, 32)}…` : label;
  }

  function name(context, node, place, scale, pixels) {
    context.font = `${pixels / scale}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "top";
    context.lineJoin = "round";
    context.lineWidth = 4 / scale;
    context.strokeStyle = style("--surface");
    context.fillStyle = ink();
    const text = short(node.label);
    const x = within(place.x, context.measureText(text).width / 2 + 3 / scale);
    context.strokeText(text, x, place.y + node.size + 6);
    context.fillText(text, x, place.y + node.size + 6);
  }

  /** The middle of a name that is `half` to each side, moved so that no end of it is cut off by the edge of the picture. */
  function within(x, half) {
    const left = network.DOMtoCanvas({ x: 0, y: 0 }).x + half;
    const right = network.DOMtoCanvas({ x: container.clientWidth, y: 0 }).x - half;
    return left < right ? Math.min(right, Math.max(left, x)) : x;
  }

  /** Each name once, the most important first; where two would lie on each other, the second is left out. From afar
      only the landmarks have one. */
  function drawNames(context) {
    const scale = network.getScale();
    const readable = 12 * scale >= READABLE;
    const nodes = readable ? state.ranked : state.ranked.slice(0, LANDMARKS);
    const places = network.getPositions(nodes.map((node) => node.id));
    const taken = [];
    for (const node of nodes) {
      const place = places[node.id];
      if (!place || !inView(place)) continue;
      const pixels = readable ? Math.min(20, (12 + 8 * node.importance) * Math.max(scale, 0.75)) : 12;
      const box = nameBox(context, node, place, scale, pixels);
      if (taken.some((other) => box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom)) continue;
      taken.push(box);
      name(context, node, place, scale, pixels);
    }
  }

  function inView(place) {
    const { x, y } = network.canvasToDOM(place);
    return x > -100 && y > -40 && x < container.clientWidth + 100 && y < container.clientHeight + 40;
  }

  function nameBox(context, node, place, scale, pixels) {
    context.font = `${pixels / scale}px system-ui, sans-serif`;
    const half = context.measureText(short(node.label)).width / 2 + 3 / scale;
    const top = place.y + node.size + 4;
    const x = within(place.x, half);
    return { left: x - half, right: x + half, top, bottom: top + (pixels * 1.3) / scale };
  }

  /* -- what people do ----------------------------------------------------------------- */
  network.on("hoverNode", ({ node }) => hover(node));
  network.on("blurNode", () => hover(null));
  network.on("dragStart", () => hover(null));
  network.on("zoom", () => hover(null));
  network.on("click", ({ nodes: picked }) => on.pick?.(picked[0] || null));
  network.on("doubleClick", ({ nodes: picked }) => picked[0] && on.expand?.(picked[0]));

  function hover(id) {
    if (state.hovered === id) return;
    state.hovered = id;
    on.hover?.(id ? state.byId.get(id) : null, id ? network.canvasToDOM(network.getPosition(id)) : null, id ? state.near.get(id).size : 0);
    network.redraw();
  }

  /* -- looks -------------------------------------------------------------------------- */
  function style(name) {
    return getComputedStyle(document.body).getPropertyValue(name).trim();
  }

  function ink() {
    return style("--ink");
  }

  function options() {
    return {
      physics: false,
      layout: { improvedLayout: false },
      interaction: { hover: true, hoverConnectedEdges: false, selectConnectedEdges: false, hideEdgesOnDrag: true, hideEdgesOnZoom: true, keyboard: { enabled: true, bindToWindow: false, autoFocus: false }, tooltipDelay: 0 },
      nodes: { shape: "dot", chosen: { label: false }, borderWidth: 0, borderWidthSelected: 3, scaling: { label: { enabled: false } } },
      edges: { smooth: false, selectionWidth: 0, hoverWidth: 0, color: { color: style("--muted"), highlight: style("--muted"), hover: style("--muted"), opacity: 0.28 } },
    };
  }

  new MutationObserver(() => {
    network.setOptions(options());
    nodes.update([...state.byId.values()].map((node) => ({ id: node.id, color: asNode(node).color })));
  }).observe(document.body, { attributes: true, attributeFilter: ["class"] });

  function png() {
    const drawn = container.querySelector("canvas");
    const whole = Object.assign(document.createElement("canvas"), { width: drawn.width, height: drawn.height });
    const context = whole.getContext("2d");
    context.fillStyle = style("--surface");
    context.fillRect(0, 0, whole.width, whole.height);
    context.drawImage(drawn, 0, 0);
    return new Promise((done) => whole.toBlob(done, "image/png"));
  }

  return {
    draw,
    add,
    light,
    lightWay,
    png,
    fit: whole,
    has: (id) => state.byId.has(id),
    shown: () => [...state.byId.values()],
    where: (id) => network.canvasToDOM(network.getPosition(id)),
    focus(id) {
      network.selectNodes([id]);
      const place = network.canvasToDOM(network.getPosition(id));
      const inside = place.x > 40 && place.y > 40 && place.x < container.clientWidth - 40 && place.y < container.clientHeight - 40;
      if (!inside) network.moveTo({ position: network.getPosition(id), animation: false });
    },
    destroy: () => network.destroy(),
  };
}
