/* "Remember this?": the cards under an answer. */
import { call } from "../shared/notices.js";
import { element } from "../shared/ui.js";

const DOES = { offerAccept: "accept_offer", offerDecline: "decline_offer", offerUndo: "undo_offer" };

export function mountOffers(thread, server) {
  thread.addEventListener("click", (event) => {
    const button = event.target.closest(".offer button");
    const name = Object.keys(DOES).find((key) => button && key in button.dataset);
    if (name) decide(button, DOES[name]);
  });

  async function decide(button, name) {
    const card = button.closest("[data-offer]");
    if (card.dataset.busy) return;
    card.dataset.busy = "true";
    const reply = await call(server[name], { offer_id: card.dataset.offer, language: button.closest(".answer").lang });
    delete card.dataset.busy;
    if (!reply) return;
    const holder = element("ul");
    holder.innerHTML = reply.html;
    const drawn = holder.firstElementChild;
    const focused = card.contains(document.activeElement);
    card.replaceWith(drawn);
    if (focused) drawn.querySelector("button").focus();
  }
}
