import assert from "node:assert/strict";
import { mock, test } from "node:test";
import "./page.js";

const { atMost, batched, coalesced, within } = await import("../../pages/assets/shared/timing.js");
const { unhurried } = await import("../../pages/assets/shared/server.js");

/** A promise, and the functions that settle it. */
function open() {
  const held = {};
  held.promise = new Promise((done, fail) => Object.assign(held, { done, fail }));
  return held;
}
const settled = () => new Promise((done) => setImmediate(done));

test("who asks while work is under way shares one more round, which begins when it has ended", async () => {
  const rounds = [];
  const load = coalesced(() => (rounds.push(open()), rounds.at(-1).promise));
  const first = load();
  await settled();
  const [second, third] = [load(), load()];
  await settled();
  assert.equal(rounds.length, 1);
  rounds[0].done("old");
  await settled();
  assert.equal(rounds.length, 2);
  rounds[1].done("new");
  assert.deepEqual(await Promise.all([first, second, third]), ["old", "new", "new"]);
});

test("a round that failed keeps back no other", async () => {
  const rounds = [];
  const load = coalesced(() => (rounds.push(open()), rounds.at(-1).promise));
  const [first] = [load()];
  await settled();
  const second = load();
  rounds[0].fail(new Error("away"));
  await assert.rejects(first, /away/);
  rounds[1].done("there");
  assert.equal(await second, "there");
});

test("what is given within a moment is worked on together, and each gets its own", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const batches = [];
  const double = batched(async (numbers) => (batches.push(numbers), numbers.map((each) => each * 2)), () => 50);
  const replies = Promise.all([double(1), double(2)]);
  mock.timers.tick(50);
  assert.deepEqual(await replies, [2, 4]);
  const alone = double(3);
  mock.timers.tick(50);
  assert.equal(await alone, 6);
  assert.deepEqual(batches, [[1, 2], [3]]);
  mock.timers.reset();
});

test("of much so many are done at once, in their order, and one that fails gives its place away", async () => {
  const inTurn = atMost(2);
  const works = [open(), open(), open()];
  const begun = [];
  const all = works.map((work, place) => inTurn(() => (begun.push(place), work.promise)));
  await settled();
  assert.deepEqual(begun, [0, 1]);
  works[1].fail(new Error("broken"));
  await assert.rejects(all[1], /broken/);
  await settled();
  assert.deepEqual(begun, [0, 1, 2]);
});

test("what is too much in a minute is asked again, anything else is not", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const refusals = [new Error("HTTP 429: {}"), new Error("Too Many Requests")];
  let asked = 0;
  const reply = unhurried(async () => {
    asked += 1;
    if (refusals.length) throw refusals.pop();
    return "taken";
  });
  for (let round = 0; round < 2; round += 1) {
    await settled();
    mock.timers.tick(5_000);
  }
  assert.equal(await reply, "taken");
  assert.equal(asked, 3);
  await assert.rejects(unhurried(async () => { throw new Error("gone"); }), /gone/);
  mock.timers.reset();
});

test("work waits while what is under way is too large, and one that is larger by itself is done alone", async () => {
  const room = within(10);
  const [first, second, third, huge] = [open(), open(), open(), open()];
  const begun = [];
  const work = (name, size, held) => room(size, () => (begun.push(name), held.promise));
  const all = [work("first", 6, first), work("second", 4, second), work("third", 4, third), work("huge", 99, huge)];
  await settled();
  assert.deepEqual(begun, ["first", "second"]);
  second.done();
  await settled();
  assert.deepEqual(begun, ["first", "second", "third"]);
  first.done();
  third.done();
  await settled();
  assert.deepEqual(begun, ["first", "second", "third", "huge"]);
  huge.done("sent");
  assert.equal((await Promise.all(all)).at(-1), "sent");
});
