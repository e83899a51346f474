/* Interactive parts of an answer: panels below its button row, columns of a wide table, "Remember this?", and models for a quoted answer. */
import { send } from "../shared/bus.js";
import { asChoice, localModelRows, localModels } from "../shared/local-models.js";
import { call } from "../shared/server.js";
import { during } from "../shared/timing.js";
import { element, fromMarkup, onClick } from "../shared/ui.js";
import { isolated, t } from "../shared/words.js";

/** @typedef {import("../shared/local-models.js").LocalModel} LocalModel */

/** @param {Element} thread @param {ChatServer} server */
export function mountAnswerParts(thread, server) {
  onClick(thread, "[data-unfold]", toggle);
  onClick(thread, "[data-columns]", widen);
  onClick(thread, ".offer [data-offer-accept]", (asked) => decide(asked, server.accept_offer));
  onClick(thread, ".offer [data-offer-decline]", (asked) => decide(asked, server.decline_offer));
  onClick(thread, ".offer [data-offer-undo]", (asked) => decide(asked, server.undo_offer));
  onClick(thread, "[data-find-models]", (asked) => findModels(asked, server));
}

/** Opens one panel at a time, so that the row stays one row. @param {HTMLElement} button */
function toggle(button) {
  const under = button.closest(".under");
  const opens = button.getAttribute("aria-expanded") !== "true";
  for (const other of under.querySelectorAll("[data-unfold]")) other.setAttribute("aria-expanded", opens && other === button);
  for (const panel of under.querySelectorAll("[data-unfolded]")) panel.hidden = !opens || panel.dataset.unfolded !== button.dataset.unfold;
}

/** @param {HTMLElement} button */
function widen(button) {
  const open = button.closest("blockquote").classList.toggle("whole");
  const words = button.textContent ?? "";
  button.textContent = button.dataset.less ?? "";
  button.dataset.less = words;
  button.setAttribute("aria-expanded", open);
}

/** Decides an offer to remember something, and redraws its card. @param {Element} button @param {ChatServer["undo_offer"]} action */
async function decide(button, action) {
  const card = button.closest("[data-offer]");
  if (card.dataset.busy) return;
  card.dataset.busy = "true";
  const reply = await call(action, { offer_id: card.dataset.offer, language: button.closest(".answer").lang });
  delete card.dataset.busy;
  if (!reply) return;
  const focused = card.contains(document.activeElement);
  const drawn = fromMarkup(reply.html);
  card.replaceWith(drawn);
  if (focused) drawn.querySelector("button").focus();
}

/** Looks for models on this computer. If none is chosen yet, the best one is set at once; a click sets another. @param {HTMLButtonElement} asked @param {ChatServer} server */
async function findModels(asked, server) {
  const found = await during(asked, () => call(server.find_models));
  if (!found) return;
  asked.parentElement?.querySelector(".found")?.remove();
  const place = element("div.found", { role: "status" });
  asked.after(place);
  /** @param {LocalModel} local */
  const use = async (local) => {
    const reply = await call(server.choose_model, asChoice(local));
    if (!reply) return;
    send("models");
    place.replaceChildren(element("p", {}, t("local_models.in_use", { server: isolated(local.server), model: isolated(local.model) })), ...localModelRows(found, use, local));
  };
  place.replaceChildren(...localModelRows(found, use));
  const [best] = localModels(found);
  if (best && !found.chosen) await use(best);
}

/** The target of a citation: a source, a passage of it, a cell of a table. @param {HTMLElement} cited @param {string} quote @returns {Aim} */
export function aimOf(cited, quote) {
  const { cite, item, inTable, row, column } = cited.dataset;
  const cell = inTable === undefined ? null : { table: Number(inTable), row: Number(row), column: Number(column) };
  return { number: Number(cite), item: item || null, quote: cited.dataset.quote || quote, cell };
}
