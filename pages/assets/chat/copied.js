/* Copying an answer: text that Markdown and HTML editors do not turn into a link, an image or a tag. */

/** @param {string} text as displayed @param {string[]} addresses that the answer links to @param {string[]} code texts that stay unchanged */
export function neutral(text, addresses = [], code = []) {
  const kept = code.filter(Boolean).sort((one, other) => other.length - one.length);
  const pieces = kept.length ? text.split(new RegExp(`(${kept.map(escaped).join("|")})`)) : [text];
  return pieces.map((piece) => (kept.includes(piece) ? piece : neutralPiece(piece, addresses))).join("");
}

/** @param {string} piece @param {string[]} addresses */
function neutralPiece(piece, addresses) {
  return piece
    .replace(/<(?=[a-z/!?])/gi, "&lt;")
    .replace(/\](?=[([:])/g, "]\\")
    .replace(/(?:(?:https?|ftp):\/\/|\bwww\.)[^\s<>`|]+/gi, (found) => {
      const address = found.replace(/[?!.,:;*_~'")\]}]+$/, "");
      return addresses.includes(address) || addresses.includes(found) ? found : `\`${address}\`${found.slice(address.length)}`;
    });
}

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
