/* Memories from the open conversation. */
import { address, send } from "../shared/bus.js";
import { call } from "../shared/server.js";
import { button, element } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { badge, facts, lastly, number, states, used, when, whole } from "./draw.js";

/** @param {Element} root @param {MemoryServer} server */
export function mountConversation(root, server) {
  const place = root.querySelector(".left");
  const state = states(root.querySelector(".state"));

  async function load() {
    const id = address.get("c");
    place.replaceChildren();
    if (!id) return state.empty(t("memory.no_conversation"), t("memory.no_conversation_hint"), button(t("memory.open_chat"), () => send("tab", "chat")));
    state.loading();
    const reply = await call(server.conversation_memory, { conversation_id: id });
    if (!reply) return state.failed(load);
    state.clear();
    return place.replaceChildren(
      element("h2", {}, element("bdi", {}, reply.title)),
      part("facts", reply.facts.map(memory)),
      part("asked", reply.asked.map(question)),
      part("said", reply.said.map(memory)),
    );
  }

  return { show: load };
}

/** @param {string} name @param {Node[]} rows */
const part = (name, rows) =>
  element("section", { "data-part": name }, element("h3", {}, t(`memory.part_${name}`), " ", element("span.count", {}, rows.length || "")), rows.length ? element("ul.items", {}, ...rows) : element("p.hint", {}, t(`memory.part_${name}_none`)));

/** @param {MemoryRow} item */
const memory = (item) => element("li.item", {}, element("header", {}, badge(item.tier)), whole(item), item.tier === "memory_bank" ? facts(when(item.created_at)) : facts(t("memory.score", { score: number(item.score) }), used(item), when(item.created_at)));

/** @param {AskedRow} each */
const question = (each) => element("li.item", {}, element("p.text", { dir: "auto" }, each.question), facts(when(each.at), t("memory.recalled", { count: each.recalled }), lastly(each.outcome)));
