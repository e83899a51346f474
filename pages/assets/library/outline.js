/* The outline of a document's detail: a line opens the document at its section. */
import { send } from "../shared/bus.js";
import { onClick } from "../shared/ui.js";

/** `side` holds the detail, whose lines name the passage and the page they lead to. @param {Element} side */
export function mountOutline(side) {
  onClick(side, "[data-jump]", (line) => {
    const { document } = line.closest("[data-document]").dataset;
    send("palimpsest:open", { document, item: line.dataset.jump || null, page: Number(line.dataset.page) || null });
  });
}
