/* Other tabs of this browser: each tab announces its questions and results to the others, which may show the same conversation. */
const channel = new BroadcastChannel("pal.conversations");

/** @param {string | null} conversation that changed here */
export const tellOthers = (conversation) => channel.postMessage(conversation);

const said = new BroadcastChannel("pal.feedback");

/** A rating of an answer, and its effect. @typedef {{ message: string, outcome: string | undefined, html: string }} Said */

/** @param {Said} word */
export const tellSaid = (word) => said.postMessage(word);

/** @param {(word: Said) => unknown} heard */
export const hearSaid = (heard) => said.addEventListener("message", ({ data }) => heard(data));

/** @param {(conversation: string | null) => unknown} changed */
export const hearOthers = (changed) => channel.addEventListener("message", ({ data }) => changed(data));
