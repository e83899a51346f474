/* What the open conversation left in the memory. */
import { address, send } from "../shared/bus.js";
import { badge, el, facts, fill, number, states, used, when, whole } from "./draw.js";
import { call } from "../shared/notices.js";
import { t } from "../shared/words.js";

export function mountConversation(root, server) {
  const place = root.querySelector(".left");
  const state = states(root.querySelector(".state"));

  async function load() {
    const id = address.get("c");
    place.replaceChildren();
    if (!id) {
      state.empty(t("m_no_conversation"), t("m_no_conversation_hint"), el("button", { onclick: () => send("tab", "chat") }, t("m_open_chat")));
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
    return el("section", { "data-part": name }, el("h3", {}, t(`m_${name}`), " ", el("span.count", {}, rows.length ? String(rows.length) : "")), rows.length ? el("ul.items", {}, ...rows.map(draw)) : el("p.hint", {}, t(`m_${name}_none`)));
  }

  const memory = (item) => el("li.item", {}, el("header", {}, badge(item.tier)), whole(item), item.tier === "memory_bank" ? facts(when(item.created_at)) : facts(fill("m_score", { score: number(item.score) }), used(item), when(item.created_at)));
  const question = (each) => el("li.item", {}, el("p.text", { dir: "auto" }, each.question), facts(when(each.at), each.recalled === 1 ? t("m_recalled_one") : fill("m_recalled", { count: each.recalled }), { worked: t("m_worked"), failed: t("m_failed_last"), partial: t("m_partial") }[each.outcome]));
  return { show: load };
}
