import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

const { frames, LiveAnswer, LiveLine } = await import("../../pages/assets/chat/live.js");

class Node {
  children = [];
  dataset = {};
  open = true;
  innerHTML = "";
  classList = { toggle: (name, there) => (this.marked = there ? name : "") };
  get lastChild() {
    return this.children.at(-1);
  }
  append(...nodes) {
    for (const node of nodes) node.remove = () => this.children.splice(this.children.indexOf(node), 1);
    this.children.push(...nodes);
  }
  parts = {};
  querySelector(selector) {
    return (this.parts[selector] ??= new Node());
  }
  replaceChildren(...nodes) {
    this.children = nodes;
  }
  setAttribute() {}
  addEventListener() {}
}
globalThis.document.createElement = () => new Node();

function answer() {
  const parts = {};
  const article = new Node();
  article.querySelector = (selector) => (parts[selector.slice(1)] ??= new Node());
  const told = [];
  const handlers = { grew: () => told.push("grew"), asked: (html) => told.push(html), titled: (text) => told.push(text) };
  const draw = frames(article, { show: (text) => told.push(text) }, handlers);
  return { article, parts, told, draw };
}
const written = (body) => body.children.map((block) => block.innerHTML);

test("blocks are written anew from where a frame begins", () => {
  const { parts, draw } = answer();
  draw.blocks({ begin: 0, html: ["one", "two"] });
  draw.blocks({ begin: 1, html: ["two, longer", "three"] });
  assert.deepEqual(written(parts.body), ["one", "two, longer", "three"]);
  draw.blocks({ begin: 1, html: [] });
  assert.deepEqual(written(parts.body), ["one"]);
});

test("the steps fold away with the first words, unless the reader touched them", () => {
  const [left, touched] = [answer(), answer()];
  touched.article.dataset.touched = "yes";
  for (const { draw } of [left, touched]) draw.blocks({ begin: 0, html: ["one"] });
  assert.deepEqual([left.parts.trace.open, touched.parts.trace.open], [false, true]);
});

test("a frame fills the part it names and says that the answer grew", () => {
  const { parts, told, draw } = answer();
  draw.searched({ html: "about" });
  draw.trail({ html: "trail" });
  draw.offer({ html: "offer" });
  draw.trace({ html: "steps", live: "Searching" });
  assert.deepEqual(["about", "trail", "offer", "inside"].map((name) => parts[name].innerHTML), ["about", "trail", "offer", "steps"]);
  assert.deepEqual(told, ["grew", "grew", "grew", "Searching", "grew"]);
});

test("an answer waits as long as a card is asked", () => {
  const { article, told, draw } = answer();
  draw.card({ html: "which?" });
  assert.equal(article.marked, "waiting");
  draw.card({ html: "" });
  assert.equal(article.marked, "");
  assert.deepEqual(told, ["which?", ""]);
});

test("the live line shows one step after another, no step twice, and drops the oldest of many", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const node = { textContent: "" };
  const line = new LiveLine(node);
  for (const text of ["a", "b", "c", "d", "e", "", "f", "f"]) line.show(text);
  const seen = [node.textContent];
  for (let step = 0; step < 5; step += 1) {
    context.mock.timers.tick(300);
    seen.push(node.textContent);
  }
  assert.deepEqual(seen, ["a", "c", "d", "e", "f", "f"]);
});

class Stream {
  static CLOSED = 2;
  static opened = [];
  readyState = Stream.CLOSED;
  constructor(address) {
    this.address = address;
    Stream.opened.push(this);
  }
  close() {}
}
globalThis.EventSource = Stream;

test("a stream that was refused is opened again, and no more once nobody reads it", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const told = [];
  const answer = new LiveAnswer("run_1", "en", new Node(), { lost: () => told.push("lost"), back: () => told.push("back") });
  Stream.opened[0].onerror();
  context.mock.timers.tick(2000);
  assert.deepEqual(Stream.opened.map((each) => each.address), ["/live/runs/run_1", "/live/runs/run_1"]);
  Stream.opened[1].onopen();
  assert.equal(told.at(-1), "back");
  Stream.opened[1].onerror();
  answer.close();
  context.mock.timers.tick(60_000);
  assert.equal(Stream.opened.length, 2);
});

test("a stream that has gone silent is opened again", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  Stream.opened = [];
  const answer = new LiveAnswer("run_2", "en", new Node(), { lost: () => {}, back: () => {}, grew: () => {} });
  context.mock.timers.tick(20_000);
  Stream.opened[0].onmessage({ data: '[{ "kind": "beat" }]' });
  context.mock.timers.tick(20_000);
  assert.equal(Stream.opened.length, 1);
  context.mock.timers.tick(10_000);
  assert.equal(Stream.opened.length, 2);
  answer.close();
});
