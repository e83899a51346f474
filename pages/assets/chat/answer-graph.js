/* Links between answers and the graph: an answer's concepts in the panel, and from a concept to an answer. */
import { lead, on } from "../shared/bus.js";
import { mountGraph } from "../knowledge/graph.js";
import { call } from "../shared/server.js";
import { busy, until } from "../shared/timing.js";
import { button, element, fill, onClick } from "../shared/ui.js";
import { t } from "../shared/words.js";

const FOUND_MS = 4000;

/** @param {HTMLElement} root @param {import("./dock.js").Dock} dock @param {ChatServer} server */
export function mountAnswerGraph(root, dock, server) {
  const panel = dock.panels.graph;
  /** @type {import("../knowledge/graph.js").GraphPicture | null} */
  let graph = null;

  /** @param {string} run */
  async function show(run) {
    dock.reveal();
    dock.show("graph");
    panel.dataset.run = run;
    const reply = await busy(panel, call(server.answer_graph, { id: run }));
    if (!reply || panel.dataset.run !== run) return;
    graph?.destroy();
    graph = null;
    fill(panel, reply.nodes.length ? [view(reply)] : [], element("p.muted", {}, t("knowledge.dock_none")));
    if (!reply.nodes.length) return;
    graph = await mountGraph(panel.querySelector(".canvas"), {
      pick: (id) => id && lead("knowledge", "open-concept", { id, name: reply.nodes.find((node) => node.id === id)?.label ?? "", answer: run }),
    });
    await graph.draw(reply);
  }

  onClick(root.querySelector(".thread"), "[data-graph]", (asked) => show(asked.closest(".answer").dataset.run));
  const answerOf = (/** @type {Element} */ node) => node.closest("[data-panel]")?.dataset.run || null;
  onClick(root.querySelector(".dock"), "[data-concept]", (named) => lead("knowledge", "open-concept", { name: named.dataset.concept, id: named.dataset.id || null, answer: answerOf(named) }));
  onClick(root.querySelector(".dock"), "[data-open-graph]", (asked) => lead("knowledge", "open-answer-graph", { answer: answerOf(asked) }));
}

/** @param {Graph} graph */
function view({ nodes }) {
  const chips = nodes.map(({ id, label, colour }) => element("li", {}, element("button", { "data-concept": label, "data-id": id }, element(`i.dot.${colour}`), element("bdi", {}, label))));
  return element("div.graph-view", {}, element("div.canvas", { dir: "ltr" }), element("ul.chips", {}, ...chips), button(t("knowledge.dock_open"), () => {}, "quiet", { "data-open-graph": true }));
}

/** Shows an answer that was opened from a concept. @param {import("./chat.js").Chat} tab */
export function showAskedAnswers(tab) {
  on("open-answer", async ({ conversation, message }) => {
    if (conversation && conversation !== tab.conversation) await tab.openConversation(conversation);
    const answer = tab.thread.querySelector(`.answer[data-message="${CSS.escape(message)}"]`);
    if (!answer) return;
    await until(() => answer.offsetParent);
    answer.scrollIntoView({ block: "start" });
    answer.classList.add("found");
    setTimeout(() => answer.classList.remove("found"), FOUND_MS);
  });
}
