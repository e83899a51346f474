/* Under a quoted answer: looks for servers of models on this machine, and says how to start with one of theirs. */
import { call } from "../shared/notices.js";
import { element } from "../shared/ui.js";
import { t } from "../shared/words.js";

export function mountModelFinder(thread, server) {
  thread.addEventListener("click", (event) => {
    const button = event.target.closest("[data-find-models]");
    if (button) find(button);
  });

  async function find(button) {
    button.disabled = true;
    const reply = await call(server.find_models);
    button.disabled = false;
    if (!reply) return;
    button.parentElement.querySelector(".found")?.remove();
    button.after(element("div.found", { role: "status" }, ...(reply.servers.length ? reply.servers.flatMap(lines) : [t("chat.no_model_found")])));
  }

  const lines = (each) => each.models.map((model) => element("p", {}, t("chat.model_found", { server: each.name, model }), element("code", { dir: "ltr" }, `OPENAI_BASE_URL=${each.address}\nPALIMPSEST_MODEL=${model}`)));
}
