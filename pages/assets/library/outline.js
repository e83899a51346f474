/* What of a document's detail opens the document: a line of its outline, the page of something found in it. */
import { send } from "../shared/bus.js";
import { onClick } from "../shared/ui.js";

/** `side` holds the detail, whose lines name the passage and the page they lead to. @param {Element} side */
export function mountOutline(side) {
  onClick(side, "[data-jump]", (line) => {
    const { document } = line.closest("[data-document]").dataset;
    const { jump, page, quote } = line.dataset;
    send("palimpsest:open", { document, item: jump || null, page: Number(page) || null, ...(quote && { quote }) });
  });
}
