/* The Evidence view of the dock: the cited passage in its surroundings. */
import { hold, send } from "../shared/bus.js";
import { call, showToast } from "../shared/notices.js";
import { t } from "../shared/words.js";
import { mountPageCards } from "../viewer/page-card.js";
import { prepareTables } from "../viewer/table.js";

/** `show(run, {number, item, quote, cell})` opens a citation of a run, one of its passages, or a cell of a table. */
export function mountEvidence({ show: view, evidence: dock }, server) {
  let asked = 0;

  async function show(run, { number = null, item = null, quote = "", cell = null }) {
    const mine = (asked += 1);
    view("evidence");
    dock.setAttribute("aria-busy", "true");
    dock.dataset.run = run;
    dock.inert = true; // The card of before answers to no click while the next one is fetched.
    const reply = await call(server.evidence, { run_id: run, number, item_id: item, quote, cell });
    if (mine !== asked) return;
    dock.removeAttribute("aria-busy");
    dock.inert = false;
    if (!reply) return;
    dock.innerHTML = reply.html;
    const shown = dock.querySelector("mark") || dock.querySelector(".chosen");
    const text = shown?.closest(".text");
    if (text) text.scrollTop += shown.getBoundingClientRect().top - text.getBoundingClientRect().top - text.clientHeight / 2;
    dock.parentElement.scrollTop = 0;
    mountPageCards(dock);
    if (dock.querySelector(".data-table")) (await prepareTables())?.mountTables(dock);
  }

  /** The rows that a tool found, as a document of the library. */
  async function keep(button) {
    button.disabled = true;
    const reply = await call(server.keep_found_table, { run_id: dock.dataset.run, number: Number(button.dataset.keep) });
    button.disabled = Boolean(reply);
    if (!reply) return;
    const words = reply.status === "duplicate" ? "chat.kept_already" : "chat.kept_as_document";
    showToast(t(words, { name: reply.document.title }));
  }

  dock.addEventListener("click", (event) => {
    const other = event.target.closest("[data-item]");
    const wanted = event.target.closest("[data-document]");
    const kept = event.target.closest("[data-keep]");
    if (kept) keep(kept);
    if (other) show(dock.dataset.run, { item: other.dataset.item });
    if (wanted) {
      hold("open-document", wanted.dataset.document);
      send("open-document", wanted.dataset.document);
      send("tab", "library");
    }
  });
  return { show };
}

/** The claim in front of a citation: back to the sentence or the citation before it. */
export function sentenceBefore(cited) {
  const block = cited.closest("li, td, p, blockquote, .block");
  if (!block) return "";
  const range = document.createRange();
  range.setStart(block, 0);
  range.setEndBefore(cited);
  const before = [...block.querySelectorAll(".cite")].filter((node) => node !== cited && range.comparePoint(node, 0) === 0);
  const last = before.pop();
  if (last && range.toString().trim() && last.nextSibling !== cited) range.setStartAfter(last);
  const claims = range.toString().split(/(?<=[.!?])\s+(?=\S)/);
  return claims.filter((claim) => claim.trim()).pop()?.trim() || "";
}
