/* Goals and values: list, add, remove with undo. */
import { call } from "../shared/server.js";
import { button, element, fill, onSubmit } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { facts, states, undoableOf, when } from "./draw.js";

/** @param {Element} root @param {MemoryServer} server */
export function mountGoals(root, server) {
  const state = states(root.querySelector(".state"));
  let known = false;

  async function load() {
    if (!known) state.loading();
    const reply = await call(server.list_aims);
    if (!reply) return known ? undefined : state.failed(load);
    known = true;
    state.clear();
    draw("goal", reply.goals);
    return draw("value", reply.values);
  }

  /** @param {string} aim @param {MemoryRow[]} items */
  function draw(aim, items) {
    fill(root.querySelector(`[data-aim=${aim}] ul`), items.map((item) => row(aim, item)), element("li.none", {}, t(`memory.aim_${aim}_none`)));
  }

  /** @param {string} aim @param {MemoryRow} item */
  function row(aim, item) {
    return element("li.item", { "data-memory": item.id }, element("p.text", { dir: "auto" }, item.text), facts(when(item.created_at)), element("div.acts", {}, button(t("shared.remove"), () => remove(aim, item), "quiet")));
  }

  /** @param {string} aim @param {MemoryRow} item */
  async function remove(aim, item) {
    if (!(await call(server.remove_aim, { aim, memory_id: item.id }))) return;
    undoableOf(t("memory.was_removed"), item.text, async () => {
      await call(server.restore_bank_item, { memory_id: item.id });
      await load();
    });
    await load();
  }

  for (const section of root.querySelectorAll("[data-aim]")) {
    onSubmit(section.querySelector("form"), async () => {
      const input = section.querySelector("input");
      if (!input.value.trim() || !(await call(server.add_aim, { aim: section.dataset.aim, text: input.value }))) return;
      input.value = "";
      await load();
      input.focus();
    });
  }
  return { show: load };
}
