/* Calls of the server, files for it and from it, and what it tells by itself. */
import { send } from "./bus.js";
import { afterwards } from "./timing.js";
import { element, showProblem, tooMany, unreachable } from "./ui.js";

/** More than a minute, which is how long a limit looks back. */
const AGAIN_MS = 5_000;
const MOST_TRIES = 15;
const MOST_TOGETHER = 100;
const SOON_MS = 10_000;
/** Files that a refusal names. */
const MOST_NAMES = 3;
/** @type {Map<string, { card: HTMLElement, names: string[] }>} by what they say */
const refusals = new Map();

/** What a function of the server replies, or the problem that it did not get through. @param {Action<any, any>} action @param {any} asked @returns {Promise<any>} */
export async function replied(action, asked) {
  try {
    return await action({ ...asked, ui: document.documentElement.lang === "he" ? "he" : "en" });
  } catch (error) {
    console.warn(error);
    send("connection");
    return { problem: isTooMany(error) ? tooMany() : unreachable() };
  }
}

/** Call a server function; a problem is shown and `null` returned. @type {Call} */
export async function call(action, ...asked) {
  const reply = await replied(action, asked[0]);
  if (!reply?.problem) return reply;
  showProblem(reply.problem);
  return null;
}

/** Where the file is now; a problem is shown and `null` returned. @param {Upload} upload @param {File} file */
export async function uploaded(upload, file) {
  try {
    return (await unhurried(() => upload(file))).path;
  } catch (error) {
    console.warn(error);
    const problem = refusal(error);
    if (problem) showRefusal(problem, file.name);
    else showProblem(isTooMany(error) ? tooMany() : unreachable(file.name));
    return null;
  }
}

/** What the server says of an upload that it refuses: Gradio's script passes its reply on as a text. @param {unknown} error @returns {Problem | null} */
function refusal(error) {
  try {
    const { problem, problems } = JSON.parse(/HTTP \d+: (\{.*\})/s.exec(String(error))?.[1] ?? "{}");
    return problems?.[document.documentElement.lang === "he" ? "he" : "en"] ?? problem ?? null;
  } catch {
    return null;
  }
}

/** Files that are refused for the same reason share a card. @param {Problem} problem @param {string} name */
function showRefusal(problem, name) {
  const before = refusals.get(problem.what);
  const names = before?.card.isConnected ? [...before.names, name] : [name];
  before?.card.remove();
  const more = names.length > MOST_NAMES ? ` (+${names.length - MOST_NAMES})` : "";
  const card = showProblem({ ...problem, what: `${names.slice(0, MOST_NAMES).join(", ")}${more}: ${problem.what}` });
  refusals.set(problem.what, { card, names });
}

/** Let the browser keep `content` as a file; what no file system takes in a name becomes an underscore. @param {string} name @param {BlobPart} content @param {string} type */
export function saveFile(name, content, type) {
  const href = URL.createObjectURL(new Blob([content], { type }));
  element("a", { href, download: name.replace(/[\\/:*?"<>|]+/g, "_") }).click();
  setTimeout(() => URL.revokeObjectURL(href), SOON_MS);
}

/** @param {FileReply} reply */
export const saveReply = ({ name, text, type }) => saveFile(name, text, `${type};charset=utf-8`);

/** Asked again while the server says that it is too much in a minute. @template Result @param {() => Promise<Result>} ask @returns {Promise<Result>} */
export async function unhurried(ask) {
  for (let left = MOST_TRIES; ; left -= 1) {
    try {
      return await ask();
    } catch (error) {
      if (!left || !isTooMany(error)) throw error;
      await afterwards(AGAIN_MS);
    }
  }
}

/** What became of each, `null` where it did not get through or something was wrong with it, which is shown. @param {{ for_each: Action<Repeated, Replied> }} server @param {string} action @param {object[]} each @returns {Promise<any[]>} */
export async function callForEach(server, action, each) {
  const replies = [];
  for (let begin = 0; begin < each.length; begin += MOST_TOGETHER) {
    const together = each.slice(begin, begin + MOST_TOGETHER);
    const reply = await call((given) => unhurried(() => server.for_each(given)), { action, each: together });
    replies.push(...(reply?.replies ?? together.map(() => null)));
  }
  for (const reply of replies) if (reply?.problem) showProblem(reply.problem);
  return replies.map((reply) => (reply?.problem ? null : reply));
}

/** @param {unknown} error */
const isTooMany = (error) => /too many requests|\b429\b/i.test(String(error));

/** A live stream, one at a time. */
export class Feed {
  /** @type {EventSource | null} */
  #source = null;

  /** Unless one is open already. @param {string} address @param {(told: any) => unknown} told */
  open(address, told) {
    if (this.#source) return;
    this.#source = new EventSource(address);
    this.#source.onmessage = ({ data }) => told(JSON.parse(data));
  }

  close() {
    this.#source?.close();
    this.#source = null;
  }
}
