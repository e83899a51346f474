/* Server calls, uploads, downloads, and live updates. */
import { send } from "./bus.js";
import { afterwards } from "./timing.js";
import { element, showProblem, tooMany, unreachable } from "./ui.js";

/** More than a minute, the window of a rate limit. */
const AGAIN_MS = 5_000;
const MOST_TRIES = 15;
const MOST_TOGETHER = 100;
const SOON_MS = 10_000;
/** Number of files named in an error message. */
const MOST_NAMES = 3;
/** @type {Map<string, { card: HTMLElement, names: string[] }>} by their text */
const refusals = new Map();

/** @typedef {(problem: Problem) => HTMLElement} Shows shows a problem and returns its card */

/** The reply of a server function, or the problem that it could not be reached. @param {Action<any, any>} action @param {any} asked @returns {Promise<any>} */
export async function replied(action, asked) {
  try {
    return await action({ ...asked, ui: document.documentElement.lang === "he" ? "he" : "en" });
  } catch (error) {
    console.warn(error);
    send("connection");
    return { problem: isTooMany(error) ? tooMany() : unreachable() };
  }
}

/** Calls a server function; a problem is shown and `null` returned. @type {Call} */
export async function call(action, ...asked) {
  const reply = await replied(action, asked[0]);
  if (!reply?.problem) return reply;
  showProblem(reply.problem);
  return null;
}

/** Uploads a file and returns its path; a problem is shown and `null` returned. @param {Upload} upload @param {File} file @param {Shows} [refuse] */
export async function uploaded(upload, file, refuse = showProblem) {
  try {
    return (await unhurried(() => upload(file))).path;
  } catch (error) {
    console.warn(error);
    const problem = refusal(error);
    if (problem) showRefusal(problem, file.name, refuse);
    else refuse(isTooMany(error) ? tooMany() : unreachable(file.name));
    return null;
  }
}

/** The server's message about a refused upload: Gradio's script passes the reply on as text. @param {unknown} error @returns {Problem | null} */
function refusal(error) {
  try {
    const { problem, problems } = JSON.parse(/HTTP \d+: (\{.*\})/s.exec(String(error))?.[1] ?? "{}");
    return problems?.[document.documentElement.lang === "he" ? "he" : "en"] ?? problem ?? null;
  } catch {
    return null;
  }
}

/** Files that are refused for the same reason share a card. @param {Problem} problem @param {string} name @param {Shows} refuse */
function showRefusal(problem, name, refuse) {
  const before = refusals.get(problem.what);
  const names = before?.card.isConnected ? [...before.names, name] : [name];
  before?.card.remove();
  const more = names.length > MOST_NAMES ? ` (+${names.length - MOST_NAMES})` : "";
  const card = refuse({ ...problem, what: `${names.slice(0, MOST_NAMES).join(", ")}${more}: ${problem.what}` });
  refusals.set(problem.what, { card, names });
}

/** Saves `content` as a file in the browser; characters that file systems do not allow in a name become underscores. @param {string} name @param {BlobPart} content @param {string} type */
export function saveFile(name, content, type) {
  const href = URL.createObjectURL(new Blob([content], { type }));
  element("a", { href, download: name.replace(/[\\/:*?"<>|]+/g, "_") }).click();
  setTimeout(() => URL.revokeObjectURL(href), SOON_MS);
}

/** @param {FileReply} reply */
export const saveReply = ({ name, text, type }) => saveFile(name, text, `${type};charset=utf-8`);

/** Repeats the request while the server answers that the rate limit is exceeded. @template Result @param {() => Promise<Result>} ask @returns {Promise<Result>} */
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

/** The result of each; `null` if it failed, and the problem is shown. @param {{ for_each: Action<Repeated, Replied> }} server @param {string} action @param {object[]} each @param {Shows} [refuse] @returns {Promise<any[]>} */
export async function callForEach(server, action, each, refuse = showProblem) {
  const replies = [];
  for (let begin = 0; begin < each.length; begin += MOST_TOGETHER) {
    const together = each.slice(begin, begin + MOST_TOGETHER);
    const reply = await call((given) => unhurried(() => server.for_each(given)), { action, each: together });
    replies.push(...(reply?.replies ?? together.map(() => null)));
  }
  for (const reply of replies) if (reply?.problem) refuse(reply.problem);
  return replies.map((reply) => (reply?.problem ? null : reply));
}

/** @param {unknown} error */
const isTooMany = (error) => /too many requests|\b429\b/i.test(String(error));

/** A live stream, one at a time. */
export class Feed {
  /** @type {EventSource | null} */
  #source = null;

  /** Opens a stream, unless one is already open. @param {string} address @param {(told: any) => unknown} told */
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
