/* The outline of a document's detail: a line opens the document at its section. */
import { send } from "../shared/bus.js";

/** `side` holds the detail, whose lines name the passage and the page they lead to. */
export function mountOutline(side) {
  side.addEventListener("click", (event) => {
    const line = event.target.closest("[data-jump]");
    if (!line) return;
    const document = line.closest("[data-document]").dataset.document;
    send("palimpsest:open", { document, item: line.dataset.jump || null, page: Number(line.dataset.page) || null });
  });
}
