/* Both ways between answers and the graph: an answer's concepts in the dock, and an answer that a concept leads to. */
import { hold, on, send } from "../shared/bus.js";
import { mountGraph } from "../knowledge/graph.js";
import { call } from "../shared/notices.js";
import { element } from "../shared/ui.js";
import { t } from "../shared/words.js";

const FOUND_MS = 4000;

/** `open(conversation)` shows a conversation and resolves when it is drawn; `current()` is the one that is shown. */
export function mountAnswerGraph(root, dock, server, { open, current }) {
  const thread = root.querySelector(".thread");
  const panel = dock.graph;
  let graph = null;

  thread.addEventListener("click", (event) => {
    const asked = event.target.closest("[data-graph]");
    if (asked) show(asked.closest(".answer").dataset.run);
  });
  root.querySelector(".dock").addEventListener("click", (event) => {
    const named = event.target.closest("[data-concept]");
    const all = event.target.closest("[data-open-graph]");
    const answer = event.target.closest("[data-panel]")?.dataset.run || null;
    if (named) go("open-concept", { name: named.dataset.concept, id: named.dataset.id || null, answer });
    if (all) go("open-answer-graph", { answer });
  });

  function go(message, detail) {
    hold(message, detail);
    send(message, detail);
    send("tab", "knowledge");
  }

  async function show(run) {
    dock.reveal();
    dock.show("graph");
    panel.dataset.run = run;
    panel.setAttribute("aria-busy", "true");
    const reply = await call(server.answer_graph, { id: run });
    panel.removeAttribute("aria-busy");
    if (!reply || panel.dataset.run !== run) return;
    graph?.destroy();
    graph = null;
    panel.replaceChildren(reply.nodes.length ? view(reply) : nothing());
    if (!reply.nodes.length) return;
    graph = await mountGraph(panel.querySelector(".canvas"), {
      pick: (id) => id && go("open-concept", { id, name: reply.nodes.find((node) => node.id === id)?.label, answer: run }),
    });
    await graph.draw(reply);
  }

  function nothing() {
    return element("p.muted", {}, t("knowledge.dock_none"));
  }

  function view({ nodes }) {
    const node = element("div.graph-view");
    const canvas = element("div.canvas", { dir: "ltr" });
    const list = element("ul.chips");
    for (const each of nodes) {
      const chip = element("button");
      chip.dataset.concept = each.label;
      chip.dataset.id = each.id;
      chip.append(element("i", { class: `dot ${each.colour}` }), element("bdi", {}, each.label));
      const row = element("li", {}, chip);
      list.append(row);
    }
    const all = element("button.quiet", {}, t("knowledge.dock_open"));
    all.dataset.openGraph = "";
    node.append(canvas, list, all);
    return node;
  }

  on("open-answer", async ({ conversation, message }) => {
    if (conversation && conversation !== current()) await open(conversation);
    const answer = thread.querySelector(`.answer[data-message="${CSS.escape(message)}"]`);
    if (!answer) return;
    await new Promise((visible) => {
      const look = () => (answer.offsetParent ? visible() : requestAnimationFrame(look));
      look();
    });
    answer.scrollIntoView({ block: "start" });
    answer.classList.add("found");
    setTimeout(() => answer.classList.remove("found"), FOUND_MS);
  });
}
