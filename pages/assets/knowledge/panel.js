/* The panel beside the picture: one concept, or the way between two; everything in it opens what it names. */
import { hold, send } from "../shared/bus.js";
import { call } from "../shared/notices.js";
import { t } from "../shared/words.js";

export function mountPanel(root, server, { open, startWay, closed }) {
  const panel = root.querySelector(".panel");
  const content = panel.querySelector(".content");
  let asked = 0;

  /** `gone`: it may have gone meanwhile, and the panel then closes without a word. */
  async function show(id, { focus = false, gone = false } = {}) {
    const mine = (asked += 1);
    const waiting = setTimeout(() => panel.setAttribute("aria-busy", "true"), 300);
    const reply = await call(server.concept, { id, optional: gone });
    clearTimeout(waiting);
    panel.removeAttribute("aria-busy");
    if (mine !== asked) return;
    if (!reply?.html) {
      close();
      return;
    }
    put(reply.html);
    if (focus) content.focus();
  }

  function put(html) {
    content.innerHTML = html;
    panel.scrollTop = 0;
    root.dataset.panel = "open";
    const memory = document.querySelector(".pal-header [role=tab][data-tab=memory]");
    for (const button of content.querySelectorAll("[data-memory]")) button.disabled = !memory;
  }

  function close() {
    asked += 1;
    content.replaceChildren();
    delete root.dataset.panel;
    closed();
  }

  /** For another tab, whether it listens already or not. */
  function go(message, detail, tab) {
    hold(message, detail);
    send(message, detail);
    send("tab", tab);
  }

  content.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const { id, way, answer, conversation, document: file, text } = button.dataset;
    if (way) startWay(way);
    else if (answer) go("open-answer", { conversation, message: answer }, "chat");
    else if (file) go("open-document", file, "library");
    else if ("memory" in button.dataset) go("search-memory", text, "memory");
    else if (id) open(id);
  });
  panel.querySelector("[data-close-panel]").addEventListener("click", close);

  content.dataset.empty = "";
  return { show, put, close, speak: () => (content.dataset.empty = t("knowledge.panel_empty")) };
}
