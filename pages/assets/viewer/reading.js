/* A document without pages: its text, rendered and sanitised by the server, with the quotation marked. */
import { element } from "../shared/ui.js";

const PIECES = /\n+|(?<=[.!?…])\s+|\s+\|\s+/u;
const ENOUGH = 0.6;
const SHORTEST = 3;
const AROUND = 60;
const MOST_HITS = 1_000;
const BREAK = "\u0000";
const BLOCKS = "p, li, td, th, h1, h2, h3, h4, h5, h6, pre, blockquote, div, section, caption, figcaption, dt, dd";

/** @typedef {{ nodes: Text[], plain: string, origin: [node: number, offset: number][] }} Readable the text for comparison, and the position of each of its characters */
/** @typedef {[begin: number, end: number]} Span */

/** Only letters and digits, as the server compares them (core/library/viewing/locating.py). @param {string} character */
function fold(character) {
  if (character < "\u0080") return /[a-z0-9]/i.test(character) ? character.toLowerCase() : "";
  return character.normalize("NFKD").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** @param {string} text */
const folded = (text) => [...text].map(fold).join("");

/** @param {Node} root */
function textsIn(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  /** @type {Text[]} */
  const nodes = [];
  while (walker.nextNode()) nodes.push(/** @type {Text} */ (walker.currentNode));
  return nodes;
}

/** @param {Node} root @returns {Readable} */
function readable(root) {
  const nodes = textsIn(root);
  /** @type {Readable["origin"]} */
  const origin = [];
  let plain = "";
  nodes.forEach((node, number) => {
    let offset = 0;
    for (const character of node.data) {
      const part = fold(character);
      plain += part;
      for (let count = part.length; count; count -= 1) origin.push([number, offset]);
      offset += character.length;
    }
  });
  return { nodes, plain, origin };
}

/** The position of a quotation; otherwise of those of its parts that exist, if they are most of it. @param {Readable} text @param {string} quote @returns {Span[]} */
function spansOf(text, quote) {
  const needle = folded(quote);
  if (!needle) return [];
  const whole = text.plain.indexOf(needle);
  if (whole >= 0) return [[whole, whole + needle.length]];
  /** @type {Span[]} */
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

/** Wraps a part of a text node in <mark>. @param {Text} node @param {number} from @param {number} to @param {string} kind */
function marked(node, from, to, kind) {
  const part = from ? node.splitText(from) : node;
  if (to - from < part.data.length) part.splitText(to - from);
  const mark = element("mark", { class: kind });
  part.replaceWith(mark);
  mark.append(part);
  return mark;
}

/** Marks spans, last first, so that earlier positions stay valid. Returns the marks of each span; a match over several elements has several. @param {Readable} text @param {Span[]} spans @param {string} kind */
function wrap(text, spans, kind) {
  /** @type {HTMLElement[][]} */
  const made = [];
  let before = Infinity;
  for (const [begin, end] of [...spans].sort((one, other) => other[0] - one[0])) {
    if (end > before) continue;
    before = begin;
    /** @type {HTMLElement[]} */
    const marks = [];
    const [firstNode, firstOffset] = text.origin[begin];
    const [lastNode, lastOffset] = text.origin[end - 1];
    for (let index = lastNode; index >= firstNode; index -= 1) {
      const node = text.nodes[index];
      const from = index === firstNode ? firstOffset : 0;
      const to = index === lastNode ? lastOffset + 1 : node.data.length;
      if (node.data.slice(from, to).trim()) marks.unshift(marked(node, from, to, kind));
    }
    if (marks.length) made.unshift(marks);
  }
  return made;
}

/** The text as it is printed: blocks are separated by a line break, which no search word matches. @param {Node} root @returns {Readable} */
function printed(root) {
  const nodes = textsIn(root);
  /** @type {Readable["origin"]} */
  const origin = [];
  let plain = "";
  /** @type {Element | null | undefined} */
  let block;
  nodes.forEach((node, number) => {
    const around = node.parentElement?.closest(BLOCKS);
    if (around !== block && plain) {
      plain += BREAK;
      origin.push([number, 0]);
    }
    block = around;
    plain += node.data;
    for (let offset = 0; offset < node.data.length; offset += 1) origin.push([number, offset]);
  });
  return { nodes, plain, origin };
}

/** @param {string} text */
const around = (text) => text.replaceAll(BREAK, " ");

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

export class Reading {
  root = element("article.reading");

  /** @param {Element} scroller */
  constructor(scroller) {
    this.scroller = scroller;
  }

  /** @param {string} html */
  show(html) {
    this.root.innerHTML = html;
    this.scroller.replaceChildren(this.root);
  }

  /** There is no text to read, or no longer this one. */
  clear() {
    this.root.replaceChildren();
  }

  /** The marks that were possible. @param {string} passage @param {string} quote @returns {Place["found"]} */
  mark(passage, quote) {
    const light = wrap(readable(this.root), spansOf(readable(this.root), passage), "passage");
    const text = readable(this.root);
    const strong = wrap(text, spansOf(text, quote), "quote");
    const [first] = strong[0] || light[0] || [];
    first?.scrollIntoView({ block: "center" });
    return strong.length ? "quote" : light.length ? "passage" : "nothing";
  }

  /** Whether the server left out the end of a text or of a table. */
  get isCut() {
    return Boolean(this.root.querySelector(".cut"));
  }

  /** Marks all matches; the first ones are listed with the text around them. @param {string} words @returns {SearchHits} */
  find(words) {
    for (const mark of this.root.querySelectorAll("mark.hit")) mark.replaceWith(...mark.childNodes);
    this.root.normalize();
    const needle = words.trim();
    if (!needle) return { hits: [], total: 0 };
    const pattern = new RegExp(needle.split(/\s+/).map(escaped).join("\\s+"), "giu");
    const text = printed(this.root);
    const matches = [...text.plain.matchAll(pattern)];
    const listed = matches.slice(0, MOST_HITS);
    const marks = wrap(text, listed.map(({ index, 0: match }) => [index, index + match.length]), "hit");
    const hits = listed.map(({ index, 0: match }, place) => ({
      before: around(text.plain.slice(Math.max(0, index - AROUND), index)),
      match,
      after: around(text.plain.slice(index + match.length, index + match.length + AROUND)),
      node: marks[place][0],
    }));
    return { hits, total: matches.length };
  }

  /** Shows one match, and marks it as the current one. @param {Element} mark */
  goToHit(mark) {
    for (const other of this.root.querySelectorAll("mark.current")) other.classList.remove("current");
    mark.classList.add("current");
    mark.scrollIntoView({ block: "center" });
  }

  /** @param {string} title */
  goToHeading(title) {
    const wanted = folded(title);
    const headings = [...this.root.querySelectorAll("h1, h2, h3, h4, h5, h6, strong, p, th, td")];
    const found = headings.find((each) => folded(each.textContent) === wanted) || headings.find((each) => folded(each.textContent).startsWith(wanted));
    found?.scrollIntoView({ block: "start" });
  }
}
