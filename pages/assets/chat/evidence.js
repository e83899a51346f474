/* The Evidence view of the panel: the cited passage with the text around it. */
import { lead } from "../shared/bus.js";
import { call } from "../shared/server.js";
import { latest } from "../shared/timing.js";
import { onClick, showToast } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { mountPageCard } from "../viewer/page-card.js";
import { prepareTables } from "../viewer/table.js";

/** Returns a function that opens a citation of a run, one of its passages, or a cell of a table. @param {import("./dock.js").Dock} dock @param {ChatServer} server */
export function mountEvidence(dock, server) {
  const panel = dock.panels.evidence;
  const asking = latest();

  /** @param {string} run @param {Aim} aim */
  async function show(run, { number = null, item = null, quote = "", cell = null }) {
    dock.show("evidence");
    panel.setAttribute("aria-busy", "true");
    panel.dataset.run = run;
    panel.inert = true; // The previous card ignores clicks while the next one is loaded.
    const reply = await asking(call(server.evidence, { run_id: run, number, item_id: item, quote, cell }));
    if (reply === undefined) return;
    panel.removeAttribute("aria-busy");
    panel.inert = false;
    if (!reply) return;
    panel.innerHTML = reply.html;
    scrollToShown(panel);
    panel.querySelectorAll("[data-page-card]").forEach(mountPageCard);
    if (panel.querySelector(".data-table")) (await prepareTables())?.mountTables(panel);
  }

  /** Saves the rows that a tool found as a document of the library. @param {HTMLButtonElement} button */
  async function keep(button) {
    button.disabled = true;
    const reply = await call(server.keep_found_table, { run_id: panel.dataset.run ?? "", number: Number(button.dataset.keep) });
    button.disabled = Boolean(reply);
    if (reply) showToast(t(reply.status === "duplicate" ? "chat.kept_already" : "chat.kept_as_document", { name: reply.document.title }));
  }

  onClick(panel, "[data-keep]", keep);
  onClick(panel, "[data-item]", (other) => show(panel.dataset.run ?? "", { item: other.dataset.item }));
  onClick(panel, "[data-open-dataset]", (wanted) => lead("library", "open-dataset", { dataset: wanted.dataset.openDataset ?? "" }));
  onClick(panel, "[data-document]", (wanted) => lead("library", "open-document", wanted.dataset.document));
  return show;
}

/** @param {HTMLElement} panel */
function scrollToShown(panel) {
  const shown = panel.querySelector("mark") || panel.querySelector(".chosen");
  const text = shown?.closest(".text");
  if (text) text.scrollTop += shown.getBoundingClientRect().top - text.getBoundingClientRect().top - text.clientHeight / 2;
  if (panel.parentElement) panel.parentElement.scrollTop = 0;
}

/** The claim before a citation: back to the previous sentence or citation. @param {Element} cited @returns {string} */
export function sentenceBefore(cited) {
  const block = cited.closest("li, td, p, blockquote, .block");
  if (!block) return "";
  const range = document.createRange();
  range.setStart(block, 0);
  range.setEndBefore(cited);
  const before = [...block.querySelectorAll(".cite")].filter((node) => node !== cited && range.comparePoint(node, 0) === 0);
  const last = before.pop();
  if (last && range.toString().trim() && last.nextSibling !== cited) range.setStartAfter(last);
  const claims = range.toString().split(/(?<=[.!?])\s+(?=\S)(?!(?:\([^()\d]{1,8})?\d+(?:[–-]\d+)?\))/); // Not before or in "(p. 12)".
  return claims.filter((claim) => claim.trim()).pop()?.trim() || "";
}
