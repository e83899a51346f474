/* Other tabs of this browser: what is asked or ended in one is told to the rest, which may show the same conversation. */
const channel = new BroadcastChannel("pal.conversations");

/** @param {string | null} conversation that has changed here */
export const tellOthers = (conversation) => channel.postMessage(conversation);

/** @param {(conversation: string | null) => unknown} changed */
export const hearOthers = (changed) => channel.addEventListener("message", ({ data }) => changed(data));
