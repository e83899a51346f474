/* The Memory tab: its parts, which of them is shown, and when they are loaded. */
import { address, on } from "../shared/bus.js";
import { call } from "../shared/server.js";
import { tabs } from "../shared/ui.js";
import { translate } from "../shared/words.js";
import { Bank } from "./bank.js";
import { mountConversation } from "./conversation.js";
import { mountGoals } from "./goals.js";
import { MemorySearch } from "./search.js";
import { Tiers } from "./tiers.js";

/** @param {Widget<MemoryServer>} widget */
export function mount({ element: widget, server }) {
  const root = widget.querySelector(".pal-memory");
  const panel = (/** @type {string} */ name) => root.querySelector(`[data-panel=${name}]`);
  const bank = new Bank(panel("bank"), server);
  const search = new MemorySearch(panel("search"), server, () => (bank.entries = null));
  /** @type {Record<string, { show(): unknown }>} */
  const parts = { search, tiers: new Tiers(panel("tiers"), server), bank, goals: mountGoals(panel("goals"), server), conversation: mountConversation(panel("conversation"), server) };
  const mark = tabs(root, "memoryTab", choose);

  /** @param {string | null} name */
  function show(name) {
    const chosen = name && name in parts ? name : "search";
    mark(chosen).scrollIntoView({ block: "nearest", inline: "nearest" });
    for (const each of Object.keys(parts)) panel(each).hidden = each !== chosen;
    root.dataset.view = chosen;
    parts[chosen].show();
  }

  async function open() {
    show(address.get("m"));
    const reply = await call(server.memory_state);
    if (reply) root.querySelector(".off").hidden = reply.enabled;
  }

  /** @param {string} name */
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
    search.searchFor(text);
  });
  translate(root);
  if (address.get("tab") === "memory") open();
}
