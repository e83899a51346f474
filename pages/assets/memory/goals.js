/* Goals and values: list, add, remove with undo. */
import { facts, states, undoable, when } from "./draw.js";
import { call } from "../shared/notices.js";
import { element } from "../shared/ui.js";
import { t } from "../shared/words.js";

export function mountGoals(root, server) {
  const state = states(root.querySelector(".state"));
  let known = null;

  async function load() {
    if (!known) state.loading();
    const reply = await call(server.list_aims);
    if (!reply) return known ? undefined : state.failed(load);
    known = reply;
    state.clear();
    draw("goal", reply.goals);
    draw("value", reply.values);
    return undefined;
  }

  function draw(aim, items) {
    const list = root.querySelector(`[data-aim=${aim}] ul`);
    list.replaceChildren(...(items.length ? items.map((item) => row(aim, item)) : [element("li.none", {}, t(`memory.aim_${aim}_none`))]));
  }

  function row(aim, item) {
    return element("li.item", { "data-memory": item.id }, element("p.text", { dir: "auto" }, item.text), facts(when(item.created_at)), element("div.acts", {}, element("button.quiet", { onclick: () => remove(aim, item) }, t("shared.remove"))));
  }

  async function remove(aim, item) {
    if (!(await call(server.remove_aim, { aim, memory_id: item.id }))) return;
    undoable(t("memory.was_removed"), item.text, async () => {
      await call(server.restore_bank_item, { memory_id: item.id });
      await load();
    });
    await load();
  }

  for (const section of root.querySelectorAll("[data-aim]")) {
    section.querySelector("form").addEventListener("submit", async (event) => {
      event.preventDefault();
      const input = section.querySelector("input");
      if (!input.value.trim() || !(await call(server.add_aim, { aim: section.dataset.aim, text: input.value }))) return;
      input.value = "";
      await load();
      input.focus();
    });
  }
  return { show: load };
}
