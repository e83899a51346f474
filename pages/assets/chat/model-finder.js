/* Under a quoted answer: looks for servers of models on this machine, and leads to Settings with the one that is picked. */
import { hold, send } from "../shared/bus.js";
import { call } from "../shared/notices.js";
import { button, element } from "../shared/ui.js";
import { t } from "../shared/words.js";

export function mountModelFinder(thread, server) {
  thread.addEventListener("click", (event) => {
    const asked = event.target.closest("[data-find-models]");
    if (asked) find(asked);
  });

  async function find(asked) {
    asked.disabled = true;
    const reply = await call(server.find_models);
    asked.disabled = false;
    if (!reply) return;
    asked.parentElement.querySelector(".found")?.remove();
    asked.after(element("div.found", { role: "status" }, ...(reply.servers.length ? reply.servers.flatMap(lines) : [t("chat.no_model_found")])));
  }

  const lines = (each) => each.models.map((model) => element("p", {}, button(t("chat.model_found", { server: each.name, model }), () => choose({ address: each.address, model }))));

  function choose(found) {
    hold("found-model", found);
    send("found-model", found);
    send("tab", "settings");
  }
}
