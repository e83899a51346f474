/* "Remember this?": the cards under an answer. */
import { call } from "../shared/server.js";
import { fromMarkup, onClick } from "../shared/ui.js";

/** @param {Element} thread @param {ChatServer} server */
export function mountOffers(thread, server) {
  onClick(thread, ".offer [data-offer-accept]", (button) => decide(button, server.accept_offer));
  onClick(thread, ".offer [data-offer-decline]", (button) => decide(button, server.decline_offer));
  onClick(thread, ".offer [data-offer-undo]", (button) => decide(button, server.undo_offer));
}

/** @param {Element} button @param {ChatServer["undo_offer"]} action */
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
