/* The memory next to the thread: search, tiers and pinning, as on its own tab. */
import { element } from "../shared/ui.js";
import { t, translate } from "../shared/words.js";
import { MemorySearch } from "../memory/search.js";

/** @param {ChatServer} server */
export function rememberedBeside(server) {
  const field = element("input", { type: "search", name: "query", dir: "auto", autocomplete: "off", maxlength: 2000, "data-t-placeholder": "memory.search_hint", "data-t-label": "memory.search" });
  const form = element("form.ask", { role: "search" }, field, element("button.primary", { type: "submit", "data-t": "memory.find" }));
  const chosen = (/** @type {string} */ name, /** @type {string} */ words, given = {}) => element("label.sort", given, element("span", { "data-t": words }), element("select", { [`data-${name}`]: true }));
  const sorts = element("div.sorts", {}, chosen("kind", "memory.taken_out", { class: "sort taken-out", hidden: true }), chosen("category", "memory.category", { class: "sort taken-out", hidden: true }), chosen("sort", "memory.sort"));
  const choices = element("div.choices", {}, element("div.chips", { role: "group", "data-tiers": true, "data-t-label": "memory.tiers" }), sorts);
  const root = element("section.pal-memory", { "data-t-label": "memory.search" }, form, choices, element("div.state", { role: "status", "aria-live": "polite" }), element("ol.hits"));
  const search = new MemorySearch(root, server, () => {});
  const speak = () => {
    translate(root);
    root.setAttribute("aria-label", t("memory.search"));
    search.show();
  };
  speak();
  return { root, field, speak };
}
