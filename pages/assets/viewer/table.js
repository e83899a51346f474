/* A table of the document: HTML from the server, shown instead of the pages. */
import { busy } from "../shared/timing.js";
import { button, element } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { addressOf, fetched, problemNode } from "./fetch.js";

/** Sorting, copying and styles of tables are loaded with the first opened table. @type {Promise<typeof import("./data-table.js") | void> | null} */
let prepared = null;

export function prepareTables() {
  if (prepared) return prepared;
  document.head.append(element("link", { rel: "stylesheet", href: new URL("data-table.css", import.meta.url).href }));
  prepared = import("./data-table.js").catch((error) => console.warn(error));
  return prepared;
}

/** @param {HTMLElement} panel @param {() => void} left is called when it was closed */
export function mountTable(panel, left) {
  /** `asked` names the row and the column of a requested cell. @param {string} document_ @param {number} number @param {NamedCell} asked */
  async function open(document_, number, { row, column }) {
    panel.hidden = false;
    panel.replaceChildren(button(t("viewer.back"), close, "quiet"));
    panel.focus();
    const reply = await busy(panel, fetched(addressOf(document_, `tables/${number}`, { row, column })));
    if (panel.hidden) return;
    const body = element("section");
    if (reply.html) body.innerHTML = reply.html;
    else body.append(problemNode(reply.problem));
    panel.append(body);
    (await prepareTables())?.mountTables(panel);
    body.querySelector("[data-asked]")?.scrollIntoView({ block: "center", inline: "center" });
  }

  function close() {
    if (panel.hidden) return;
    panel.hidden = true;
    panel.replaceChildren();
    left();
  }

  return { open, close, closed: () => panel.hidden };
}
