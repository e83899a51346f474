/* A document without pages: its text as the server rendered and sanitised it, with the quote marked in it. */
import { element } from "../shared/ui.js";
const PIECES = /\n+|(?<=[.!?…])\s+|\s+\|\s+/u;
const ENOUGH = 0.6;
const SHORTEST = 3;
const AROUND = 60;
const MOST_HITS = 200;

/** Letters and digits alone, as the server compares them (core/library/viewing/locating.py). */
function fold(character) {
  if (character < "\u0080") return /[a-z0-9]/i.test(character) ? character.toLowerCase() : "";
  return character.normalize("NFKD").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

const folded = (text) => [...text].map(fold).join("");

/** The text of `root` as it is compared, and where each character of it stands. */
function readable(root) {
  const nodes = [];
  let plain = "";
  const origin = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = /** @type {Text} */ (walker.nextNode()); node; node = /** @type {Text} */ (walker.nextNode())) {
    nodes.push(node);
    let offset = 0;
    for (const character of node.data) {
      const part = fold(character);
      plain += part;
      for (let count = part.length; count; count -= 1) origin.push([nodes.length - 1, offset]);
      offset += character.length;
    }
  }
  return { nodes, plain, origin };
}

function spansOf(text, quote) {
  const needle = folded(quote);
  if (!needle) return [];
  const whole = text.plain.indexOf(needle);
  if (whole >= 0) return [[whole, whole + needle.length]];
  const spans = [];
  let covered = 0;
  let after = 0;
  for (const piece of quote.split(PIECES).map(folded).filter((each) => each.length >= SHORTEST)) {
    let place = text.plain.indexOf(piece, after);
    if (place < 0) place = text.plain.indexOf(piece);
    if (place < 0) continue;
    after = place + piece.length;
    covered += piece.length;
    spans.push([place, after]);
  }
  return covered >= ENOUGH * needle.length ? spans : [];
}

/** Wrap spans in <mark>, last first, so that what stands before keeps its place. */
function wrap(text, spans, kind) {
  const made = [];
  let before = Infinity;
  for (const [begin, end] of [...spans].sort((one, other) => other[0] - one[0])) {
    if (end > before) continue;
    before = begin;
    const [firstNode, firstOffset] = text.origin[begin];
    const [lastNode, lastOffset] = text.origin[end - 1];
    for (let index = lastNode; index >= firstNode; index -= 1) {
      const node = text.nodes[index];
      const from = index === firstNode ? firstOffset : 0;
      const to = index === lastNode ? lastOffset + 1 : node.data.length;
      if (!node.data.slice(from, to).trim()) continue;
      const part = from ? node.splitText(from) : node;
      if (to - from < part.data.length) part.splitText(to - from);
      const mark = element("mark", { class: kind });
      part.replaceWith(mark);
      mark.append(part);
      made.unshift(mark);
    }
  }
  return made;
}

function unwrap(root, kind) {
  for (const mark of root.querySelectorAll(`mark.${kind}`)) mark.replaceWith(...mark.childNodes);
  root.normalize();
}

export function mountReading(scroller) {
  const state = { root: null };

  function show(html) {
    const holder = element("article.reading");
    holder.innerHTML = html;
    scroller.replaceChildren(holder);
    state.root = holder;
  }

  /** "quote", "passage" or "nothing": what of them could be marked. */
  function mark(passage, quote) {
    const light = wrap(readable(state.root), spansOf(readable(state.root), passage), "passage");
    const text = readable(state.root);
    const strong = wrap(text, spansOf(text, quote), "quote");
    const first = strong[0] || light[0];
    first?.scrollIntoView({ block: "center" });
    return strong.length ? "quote" : light.length ? "passage" : "nothing";
  }

  function find(words) {
    unwrap(state.root, "hit");
    const needle = words.trim();
    if (!needle) return [];
    const hits = [];
    const pattern = new RegExp(needle.split(/\s+/).map(escaped).join("\\s+"), "giu");
    const walker = document.createTreeWalker(state.root, NodeFilter.SHOW_TEXT);
    const nodes = [];
    for (let node = /** @type {Text} */ (walker.nextNode()); node; node = /** @type {Text} */ (walker.nextNode())) nodes.push(node);
    for (const node of nodes) {
      const matches = [...node.data.matchAll(pattern)];
      /** @type {{ before: string, match: string, after: string, node?: Node }[]} */
      const told = matches.map((match) => ({
        before: node.data.slice(Math.max(0, match.index - AROUND), match.index),
        match: match[0],
        after: node.data.slice(match.index + match[0].length, match.index + match[0].length + AROUND),
      }));
      for (const [index, match] of [...matches.entries()].reverse()) told[index].node = wrapOne(node, match.index, match[0].length);
      hits.push(...told);
      if (hits.length >= MOST_HITS) break;
    }
    return hits.slice(0, MOST_HITS);
  }

  function goToHeading(title) {
    const wanted = folded(title);
    const headings = [...state.root.querySelectorAll("h1, h2, h3, h4, h5, h6, strong, p, th, td")];
    const found = headings.find((each) => folded(each.textContent) === wanted) || headings.find((each) => folded(each.textContent).startsWith(wanted));
    found?.scrollIntoView({ block: "start" });
  }

  return { show, mark, find, goToHeading };
}

function wrapOne(node, begin, length) {
  const part = begin ? node.splitText(begin) : node;
  if (length < part.data.length) part.splitText(length);
  const mark = element("mark.hit");
  part.replaceWith(mark);
  mark.append(part);
  return mark;
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
