/* What the open conversation left in the memory. */
import { address, send } from "../shared/bus.js";
import { badge, el, facts, number, states, used, when, whole } from "./draw.js";
import { call } from "../shared/notices.js";
import { t } from "../shared/words.js";

export function mountConversation(root, server) {
  const place = root.querySelector(".left");
  const state = states(root.querySelector(".state"));

  async function load() {
    const id = address.get("c");
    place.replaceChildren();
    if (!id) {
      state.empty(t("memory.no_conversation"), t("memory.no_conversation_hint"), el("button", { onclick: () => send("tab", "chat") }, t("memory.open_chat")));
      return;
    }
    state.loading();
    const reply = await call(server.conversation_memory, { conversation_id: id });
    if (!reply) return void state.failed(load);
    state.clear();
    place.replaceChildren(
      el("h2", {}, el("bdi", {}, reply.title)),
      part("facts", reply.facts, memory),
      part("asked", reply.asked, question),
      part("said", reply.said, memory),
    );
  }

  function part(name, rows, draw) {
    return el("section", { "data-part": name }, el("h3", {}, t(`memory.part_${name}`), " ", el("span.count", {}, rows.length ? String(rows.length) : "")), rows.length ? el("ul.items", {}, ...rows.map(draw)) : el("p.hint", {}, t(`memory.part_${name}_none`)));
  }

  const memory = (item) => el("li.item", {}, el("header", {}, badge(item.tier)), whole(item), item.tier === "memory_bank" ? facts(when(item.created_at)) : facts(t("memory.score", { score: number(item.score) }), used(item), when(item.created_at)));
  const question = (each) => el("li.item", {}, el("p.text", { dir: "auto" }, each.question), facts(when(each.at), t("memory.recalled", { count: each.recalled }), { worked: t("memory.worked"), failed: t("memory.failed_last"), partial: t("memory.partial") }[each.outcome]));
  return { show: load };
}
