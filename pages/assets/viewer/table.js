/* A table of the document as a table: the fragment that the server draws of it, in place of the pages. */
import { send } from "../shared/bus.js";
import { element } from "../shared/ui.js";
import { addressOf, fetched, problemNode } from "./fetch.js";
import { t } from "../shared/words.js";

/** Sorting, copying and the looks of tables come with the first table that is opened. */
let prepared = null;

export function prepareTables() {
  if (prepared) return prepared;
  document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/page/viewer/data-table.css" }));
  prepared = import("/page/viewer/data-table.js").catch((error) => console.warn(error));
  return prepared;
}

export function mountTable(panel, { closed: left }) {
  /** `asked` names the row and the column of a cell that is wanted. */
  async function open(document_, number, asked = {}) {
    panel.hidden = false;
    panel.setAttribute("aria-busy", "true");
    panel.replaceChildren(back());
    panel.focus();
    const reply = await fetched(addressOf(document_, `tables/${number}`, asked));
    panel.removeAttribute("aria-busy");
    if (!reply || panel.hidden) return;
    const body = element("section");
    if (reply.html) body.innerHTML = reply.html;
    else body.append(problemNode(reply.problem || missing()));
    panel.append(body);
    send("palimpsest:table", body);
    (await prepareTables())?.mountTables(panel);
    body.querySelector("[data-asked]")?.scrollIntoView({ block: "center", inline: "center" });
  }

  function missing() {
    return { what: t("viewer.no_table_what"), why: t("viewer.no_table_why"), remedy: t("viewer.no_table_remedy") };
  }

  function back() {
    const button = element("button.quiet", {}, t("viewer.back"));
    button.addEventListener("click", close);
    return button;
  }

  function close() {
    if (panel.hidden) return;
    panel.hidden = true;
    panel.replaceChildren();
    left();
  }

  return { open, close, closed: () => panel.hidden };
}
