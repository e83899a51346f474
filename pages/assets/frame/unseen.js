/* Files that failed to be read while the user was elsewhere: one line below the header, with possible actions. */
import { address, on, send } from "../shared/bus.js";
import { call } from "../shared/server.js";
import { addProblem, button, element } from "../shared/ui.js";
import { t } from "../shared/words.js";

const MOST_NAMED = 3;

/** For one file also the reason, for many the first names. @param {DocumentRow[]} failed */
export function told(failed) {
  const names = failed.slice(0, MOST_NAMED).map((each) => each.filename).join(", ");
  const why = failed.length === 1 ? (failed[0].problem?.why ?? "") : "";
  return { head: t("frame.unseen", { count: failed.length }), names: names + (failed.length > MOST_NAMED ? " …" : ""), why };
}

/** @param {DocumentRow[]} failed @param {FrameServer} server */
function show(failed, server) {
  const { head, names, why } = told(failed);
  const [only] = failed;
  const seen = () => call(server.note_failures_seen);
  const done = (/** @type {Action<{ id: string }, {}>} */ act) => async () => {
    card.remove();
    await Promise.all([seen(), call(act, { id: only.id })]);
    send("library");
  };
  const retry = failed.length === 1 && only.can_retry && button(t("shared.retry"), done(server.retry));
  const remove = failed.length === 1 && button(t("frame.unseen_remove"), done(server.remove));
  const look = button(t("frame.unseen_look"), () => send("tab", "library"), "look");
  const card = addProblem([head, " ", element("bdi", {}, names), " ", why && element("em", {}, why)], [look, retry, remove], { kind: "unseen", dismissed: seen });
  // The list there shows it too, and marks it as seen.
  on("tab", (tab) => tab === "library" && card.remove());
}

/** @param {FrameServer} server */
async function look(server) {
  if (address.get("tab") === "library") return;
  const reply = await call(server.unseen_failures);
  for (const old of document.querySelectorAll(".pal-notices .unseen")) old.remove();
  if (reply?.documents.length) show(reply.documents, server);
}

/** @param {FrameServer} server */
export function tellUnseenFailures(server) {
  look(server);
  on("documents-changed", () => look(server));
}
