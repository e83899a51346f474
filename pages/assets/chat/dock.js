/* The dock beside the thread: Evidence, Memory and Graph, one of them at a time. */
import { call } from "../shared/notices.js";
import { tabs } from "../shared/ui.js";
import { t } from "../shared/words.js";

const VIEWS = ["evidence", "memory", "graph"];

export function mountDock(root, server) {
  const dock = root.querySelector(".dock");
  const mark = tabs(dock, "view", show);
  const panels = Object.fromEntries(VIEWS.map((name) => [name, dock.querySelector(`[data-panel="${name}"]`)]));

  function show(name) {
    mark(name);
    for (const each of VIEWS) panels[each].hidden = each !== name;
  }

  /** Whether a person has put it away, in this conversation. */
  const closed = () => root.dataset.dock === "closed";

  function close() {
    root.dataset.dock = "closed";
  }

  /** Somebody wants to see what is in it. */
  function reveal() {
    delete root.dataset.dock;
    root.dataset.drawer = "dock";
  }

  async function known(run) {
    reveal();
    show("memory");
    panels.memory.dataset.run = run;
    panels.memory.setAttribute("aria-busy", "true");
    const reply = await call(server.known, { run_id: run });
    panels.memory.removeAttribute("aria-busy");
    if (reply) panels.memory.innerHTML = reply.html;
  }

  /** For another conversation. */
  function clear() {
    delete root.dataset.dock;
    delete panels.evidence.dataset.run;
    for (const name of VIEWS) panels[name].innerHTML = "";
  }

  function speak() {
    for (const name of VIEWS) panels[name].dataset.empty = t(`chat.${name}_empty`);
  }

  root.querySelector("[data-reopen-dock]").addEventListener("click", reveal);
  show("evidence");
  return { show, known, clear, speak, close, closed, reveal, evidence: panels.evidence, graph: panels.graph };
}
