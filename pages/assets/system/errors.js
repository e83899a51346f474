/* The latest errors, each with its run; for administrators also those in the log. */
import { address, lead, send } from "../shared/bus.js";
import { call } from "../shared/server.js";
import { latest } from "../shared/timing.js";
import { Part, button, element, fill } from "../shared/ui.js";
import { moment, t } from "../shared/words.js";

/** A link to where it happened, for the owner. @param {ErrorRow} each */
function way({ conversation_id, document_id }) {
  if (document_id) return button(t("system.error_document"), () => lead("library", "open-document", document_id), "", { "data-do": "open" });
  if (!conversation_id) return null;
  const go = () => {
    address.set({ tab: "chat", c: conversation_id });
    send("tab", "chat");
    send("address");
  };
  return button(t("system.error_conversation"), go, "", { "data-do": "open" });
}

/** @param {ErrorRow} each */
function row(each) {
  const whose = each.mine ? each.asked : t("system.work_of", { name: each.user_id });
  return element(
    "li",
    { "data-run": each.run_id },
    element(
      "div.facts",
      {},
      element("strong", {}, each.what),
      element("span", {}, each.why),
      element("small", {}, moment(each.at), " · ", t(`system.kind_${each.kind}`), " ", whose && element("bdi", {}, whose)),
    ),
    element("div.buttons", {}, way(each)),
  );
}

/** @param {LoggedRow} each */
const loggedRow = (each) => element("li", {}, element("small", {}, moment(each.at), " · ", element("bdi", { dir: "ltr" }, each.module), each.run_id && " · ", each.run_id && element("bdi", { dir: "ltr" }, each.run_id)), element("p", { dir: "auto" }, each.text));

/** @extends {Part<SystemServer>} */
export class Errors extends Part {
  loading = latest();

  /** @param {HTMLElement} card @param {SystemServer} server */
  constructor(card, server) {
    super(card, server);
    card.querySelector("[data-errors-again]").addEventListener("click", () => this.load());
  }

  async load() {
    const reply = await this.loading(call(this.server.errors));
    if (reply === undefined) return;
    this.root.dataset.state = reply ? "ready" : "failed";
    if (!reply) return;
    fill(this.find("ul"), reply.errors.map(row), element("li.none", {}, t("system.errors_none")));
    const logged = this.find("details");
    logged.hidden = !reply.logged?.length;
    logged.querySelector("summary").textContent = t("system.logged", { count: reply.logged?.length ?? 0 });
    logged.querySelector("ul").replaceChildren(...(reply.logged ?? []).map(loggedRow));
  }
}
