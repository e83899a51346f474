/* Copying an answer as Markdown and as rich text, both written by the server. */
import { call } from "../shared/server.js";
import { showToast } from "../shared/ui.js";
import { t } from "../shared/words.js";

/** @typedef {{ markdown: string, html: string }} Copied */

/** @param {{ answer_text: Action<{ id: string }, Copied> }} server @param {string} run */
export async function copyAnswer(server, run) {
  const asked = call(server.answer_text, { id: run });
  const done = (await offered(asked)) || (await put(asked));
  if (done) showToast(t("chat.copied"));
}

/** Gives the browser a promise, because a click allows copying for a short time only. @param {Promise<Copied | null>} asked */
async function offered(asked) {
  if (!navigator.clipboard?.write || !window.ClipboardItem) return false;
  const part = async (/** @type {"markdown" | "html"} */ name, /** @type {string} */ type) => {
    const reply = await asked;
    if (!reply) throw new Error("no answer");
    return new Blob([reply[name]], { type });
  };
  try {
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": part("markdown", "text/plain"), "text/html": part("html", "text/html") })]);
    return true;
  } catch {
    return false;
  }
}

/** For pages without the clipboard interface, such as those of a server without encryption. @param {Promise<Copied | null>} asked */
async function put(asked) {
  const reply = await asked;
  if (!reply) return false;
  const fill = (/** @type {ClipboardEvent} */ event) => {
    event.clipboardData?.setData("text/plain", reply.markdown);
    event.clipboardData?.setData("text/html", reply.html);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("copy", fill, { capture: true, once: true });
  const done = document.execCommand("copy");
  document.removeEventListener("copy", fill, { capture: true });
  return done;
}
