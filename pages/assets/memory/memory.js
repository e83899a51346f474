/* The Memory tab: its parts, which of them is shown, and when they are read. */
import { address, on } from "../shared/bus.js";
import { mountBank } from "./bank.js";
import { mountConversation } from "./conversation.js";
import { mountGoals } from "./goals.js";
import { mountSearch } from "./search.js";
import { mountTiers } from "./tiers.js";
import { call } from "../shared/notices.js";
import { translate } from "../shared/words.js";

const TAGS = ["identity", "preference", "goal", "project", "system_mastery", "agent_growth", "workflow", "context"];

export function mount({ element, server }) {
  const root = element.querySelector(".pal-memory");
  const panel = (name) => root.querySelector(`[data-panel=${name}]`);
  const tags = () => TAGS;
  const bank = mountBank(panel("bank"), server, { tags });
  const parts = {
    search: mountSearch(panel("search"), server, { tags, changed: bank.stale }),
    tiers: mountTiers(panel("tiers"), server),
    bank,
    goals: mountGoals(panel("goals"), server),
    conversation: mountConversation(panel("conversation"), server),
  };
  const buttons = [...root.querySelectorAll("[data-memory-tab]")];

  function show(name) {
    const chosen = name in parts ? name : "search";
    for (const button of buttons) {
      const selected = button.dataset.memoryTab === chosen;
      button.setAttribute("aria-selected", selected);
      button.tabIndex = selected ? 0 : -1;
      panel(button.dataset.memoryTab).hidden = !selected;
      if (selected) button.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    root.dataset.view = chosen;
    parts[chosen].show();
  }

  async function open() {
    show(address.get("m"));
    const reply = await call(server.memory_state);
    if (reply) root.querySelector(".off").hidden = reply.enabled;
  }

  function choose(name) {
    address.set({ tab: "memory", m: name });
    show(name);
  }

  for (const button of buttons) button.addEventListener("click", () => choose(button.dataset.memoryTab));
  root.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = buttons.findIndex((button) => button.dataset.memoryTab === root.dataset.view);
    const next = buttons[(at + (document.documentElement.dir === "rtl" ? -step : step) + buttons.length) % buttons.length];
    choose(next.dataset.memoryTab);
    next.focus();
  });
  on("tab", (tab) => tab === "memory" && open());
  on("address", () => address.get("tab") === "memory" && open());
  on("language", () => {
    translate(root);
    if (address.get("tab") === "memory") show(root.dataset.view);
  });
  on("search-memory", (text) => {
    choose("search");
    parts.search.find(text);
  });
  translate(root);
  if (address.get("tab") === "memory") open();
}
