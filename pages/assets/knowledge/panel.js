/* The panel next to the graph: one concept, or the path between two; every item in it opens its object. */
import { lead } from "../shared/bus.js";
import { call } from "../shared/server.js";
import { latest } from "../shared/timing.js";
import { onClick } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { askAbout } from "./selection.js";

/** @param {HTMLElement} root @param {KnowledgeServer} server @param {{ open: (id: string) => unknown, startWay: (first: string) => void, choose: (id: string) => void, closed: () => void }} tab */
export function mountPanel(root, server, { open, startWay, choose, closed }) {
  const panel = root.querySelector(".panel");
  const content = panel.querySelector(".content");
  const asking = latest();

  /** `gone`: the concept may no longer exist; the panel then closes without a message. @param {string} id */
  async function show(id, { focus = false, gone = false } = {}) {
    const waiting = setTimeout(() => panel.setAttribute("aria-busy", "true"), 300);
    const reply = await asking(call(server.concept, { id, optional: gone }));
    clearTimeout(waiting);
    panel.removeAttribute("aria-busy");
    if (reply === undefined) return;
    if (!reply?.html) return void close();
    put(reply.html);
    if (focus) content.focus({ preventScroll: true });
  }

  /** @param {string} html */
  function put(html) {
    content.innerHTML = html;
    panel.scrollTop = 0;
    root.dataset.panel = "open";
    const memory = document.querySelector(".pal-header [role=tab][data-tab=memory]");
    for (const button of content.querySelectorAll("[data-memory]")) button.disabled = !memory;
  }

  function close() {
    asking(null);
    content.replaceChildren();
    delete root.dataset.panel;
    closed();
  }

  onClick(content, "button", ({ dataset }) => {
    const { id, way, answer, conversation, document: file, text } = dataset;
    if (way) startWay(way);
    else if (dataset.choose) choose(dataset.choose);
    else if (dataset.ask) askAbout([dataset.ask]);
    else if (dataset.askBetween) askAbout([dataset.askBetween, dataset.and]);
    else if (answer) lead("chat", "open-answer", { conversation, message: answer });
    else if (file) lead("library", "open-document", file);
    else if ("memory" in dataset) lead("memory", "search-memory", text);
    else if (id) open(id);
  });
  onClick(panel, "[data-close-panel]", close);

  content.dataset.empty = "";
  return { show, put, close, speak: () => (content.dataset.empty = t("knowledge.panel_empty")) };
}
