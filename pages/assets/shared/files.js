/* Files that the page itself makes. */
import { element } from "./ui.js";

const SOON = 10_000;

/** Let the browser keep `content` as a file; what no file system takes in a name becomes an underscore. @param {string} name @param {BlobPart} content @param {string} type */
export function saveFile(name, content, type) {
  const href = URL.createObjectURL(new Blob([content], { type }));
  element("a", { href, download: name.replace(/[\\/:*?"<>|]+/g, "_") }).click();
  setTimeout(() => URL.revokeObjectURL(href), SOON);
}

/** @param {FileReply} reply */
export const saveReply = ({ name, text, type }) => saveFile(name, text, `${type};charset=utf-8`);
