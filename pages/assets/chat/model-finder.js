/* Under a quoted answer: looks for servers of models on this machine, and leads to Settings with the one that is picked. */
import { lead } from "../shared/bus.js";
import { call } from "../shared/server.js";
import { during } from "../shared/timing.js";
import { button, element, onClick } from "../shared/ui.js";
import { t } from "../shared/words.js";

/** @param {Element} thread @param {ChatServer} server */
export function mountModelFinder(thread, server) {
  onClick(thread, "[data-find-models]", async (asked) => {
    const reply = await during(asked, () => call(server.find_models));
    if (!reply) return;
    const rows = reply.servers.flatMap(({ name, address, models }) => models.map((model) => element("p", {}, button(t("chat.model_found", { server: name, model }), () => lead("settings", "found-model", { address, model })))));
    asked.parentElement.querySelector(".found")?.remove();
    asked.after(element("div.found", { role: "status" }, ...(rows.length ? rows : [t("chat.no_model_found")])));
  });
}
