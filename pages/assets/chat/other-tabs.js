/* Other tabs of this browser: what is asked or ended in one is told to the rest, which may show the same conversation. */
const channel = new BroadcastChannel("pal.conversations");

/** @param {string | null} conversation that has changed here */
export const tellOthers = (conversation) => channel.postMessage(conversation);

const said = new BroadcastChannel("pal.feedback");

/** What was said of an answer, and what that moved. @typedef {{ message: string, outcome: string | undefined, html: string }} Said */

/** @param {Said} word */
export const tellSaid = (word) => said.postMessage(word);

/** @param {(word: Said) => unknown} heard */
export const hearSaid = (heard) => said.addEventListener("message", ({ data }) => heard(data));

/** @param {(conversation: string | null) => unknown} changed */
export const hearOthers = (changed) => channel.addEventListener("message", ({ data }) => changed(data));
