/* What the open conversation left in the memory. */
import { address, send } from "../shared/bus.js";
import { badge, facts, number, states, used, when, whole } from "./draw.js";
import { call } from "../shared/notices.js";
import { element } from "../shared/ui.js";
import { t } from "../shared/words.js";

export function mountConversation(root, server) {
  const place = root.querySelector(".left");
  const state = states(root.querySelector(".state"));

  async function load() {
    const id = address.get("c");
    place.replaceChildren();
    if (!id) {
      state.empty(t("memory.no_conversation"), t("memory.no_conversation_hint"), element("button", { onclick: () => send("tab", "chat") }, t("memory.open_chat")));
      return;
    }
    state.loading();
    const reply = await call(server.conversation_memory, { conversation_id: id });
    if (!reply) return void state.failed(load);
    state.clear();
    place.replaceChildren(
      element("h2", {}, element("bdi", {}, reply.title)),
      part("facts", reply.facts, memory),
      part("asked", reply.asked, question),
      part("said", reply.said, memory),
    );
  }

  function part(name, rows, draw) {
    return element("section", { "data-part": name }, element("h3", {}, t(`memory.part_${name}`), " ", element("span.count", {}, rows.length ? String(rows.length) : "")), rows.length ? element("ul.items", {}, ...rows.map(draw)) : element("p.hint", {}, t(`memory.part_${name}_none`)));
  }

  const memory = (item) => element("li.item", {}, element("header", {}, badge(item.tier)), whole(item), item.tier === "memory_bank" ? facts(when(item.created_at)) : facts(t("memory.score", { score: number(item.score) }), used(item), when(item.created_at)));
  const question = (each) => element("li.item", {}, element("p.text", { dir: "auto" }, each.question), facts(when(each.at), t("memory.recalled", { count: each.recalled }), { worked: t("memory.worked"), failed: t("memory.failed_last"), partial: t("memory.partial") }[each.outcome]));
  return { show: load };
}
