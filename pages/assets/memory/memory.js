/* The Memory tab: its parts, which of them is shown, and when they are read. */
import { address, on } from "../shared/bus.js";
import { mountBank } from "./bank.js";
import { mountConversation } from "./conversation.js";
import { mountGoals } from "./goals.js";
import { mountSearch } from "./search.js";
import { mountTiers } from "./tiers.js";
import { call } from "../shared/notices.js";
import { tabs } from "../shared/ui.js";
import { translate } from "../shared/words.js";

const TAGS = ["identity", "preference", "goal", "project", "system_mastery", "agent_growth", "workflow", "context"];

export function mount({ element: widget, server }) {
  const root = widget.querySelector(".pal-memory");
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
  const mark = tabs(root, "memoryTab", choose);

  function show(name) {
    const chosen = name in parts ? name : "search";
    mark(chosen).scrollIntoView({ block: "nearest", inline: "nearest" });
    for (const name of Object.keys(parts)) panel(name).hidden = name !== chosen;
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
