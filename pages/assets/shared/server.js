/* Calls of the server, files for it, and what it tells by itself. */
import { send } from "./bus.js";
import { showProblem, tooMany, unreachable } from "./ui.js";

/** Call a server function; a problem is shown and `null` returned. @type {Call} */
export async function call(action, ...asked) {
  /** @type {any} */
  let reply;
  try {
    reply = await action({ .../** @type {any} */ (asked[0]), ui: document.documentElement.lang === "he" ? "he" : "en" });
  } catch (error) {
    console.warn(error);
    send("connection");
    reply = { problem: /too many requests/i.test(String(error)) ? tooMany() : unreachable() };
  }
  if (!reply?.problem) return reply;
  showProblem(reply.problem);
  return null;
}

/** Where the file is now; a problem is shown and `null` returned. @param {Upload} upload @param {File} file */
export async function uploaded(upload, file) {
  try {
    return (await upload(file)).path;
  } catch (error) {
    console.warn(error);
    showProblem(unreachable(file.name));
    return null;
  }
}

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
