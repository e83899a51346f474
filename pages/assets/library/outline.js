/* What of a document's detail opens the document: a line of its outline, the page of something found in it. */
import { send } from "../shared/bus.js";

/** `side` holds the detail, whose lines name the passage and the page they lead to. */
export function mountOutline(side) {
  side.addEventListener("click", (event) => {
    const line = event.target.closest("[data-jump]");
    if (!line) return;
    const document = line.closest("[data-document]").dataset.document;
    const { jump, page, quote } = line.dataset;
    send("palimpsest:open", { document, item: jump || null, page: Number(page) || null, ...(quote && { quote }) });
  });
}
