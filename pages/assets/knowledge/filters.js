/* What of the graph is to be seen: kinds by a legend, time, order, number, words, or the part around an answer. */
import { address } from "../shared/bus.js";
import { element } from "../shared/ui.js";
import { t } from "../shared/words.js";

const COLOURS = ["routing", "content", "both", "action"];
const CHOICES = {
  period: ["all", "today", "week", "session"],
  sort: ["importance", "recent", "oldest"],
  top: ["20", "50", "100", "250", "500", "1000", "2000"],
};
const FIRST = { period: "all", sort: "importance", top: "20" };
const TYPING_MS = 200;

export function mountFilters(root, { changed }) {
  const legend = root.querySelector(".legend");
  const search = root.querySelector("[data-search]");
  const selects = Object.fromEntries(Object.keys(CHOICES).map((name) => [name, root.querySelector(`[data-filter=${name}]`)]));
  const state = { off: new Set(), counts: {}, scope: null };

  for (const colour of COLOURS) {
    const button = element("button", { "data-colour": colour });
    button.innerHTML = `<i class="dot ${colour}"></i><span></span><small></small>`;
    legend.append(button);
  }
  legend.addEventListener("click", (event) => {
    const colour = event.target.closest("[data-colour]")?.dataset.colour;
    if (!colour) return;
    if (state.off.has(colour)) state.off.delete(colour);
    else state.off.add(colour);
    if (state.off.size === COLOURS.length) state.off.clear();
    say();
  });
  for (const select of Object.values(selects)) select.addEventListener("change", say);
  let typing;
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(say, TYPING_MS);
  });
  root.querySelector("[data-reset]").addEventListener("click", reset);
  root.querySelector("[data-unscope]").addEventListener("click", () => scope(null, { tell: true }));

  function say() {
    state.scope = null;
    mark();
    changed();
  }

  /** The part around an answer or a concept, whatever the other filters say. */
  function scope(given, { tell = false } = {}) {
    state.scope = given;
    mark();
    if (tell) changed();
  }

  function reset() {
    state.off.clear();
    search.value = "";
    for (const [name, select] of Object.entries(selects)) select.value = FIRST[name];
    say();
  }

  function active() {
    return Boolean(state.scope || state.off.size || search.value.trim() || selects.period.value !== "all");
  }

  function mark() {
    for (const button of legend.children) button.setAttribute("aria-pressed", !state.off.has(button.dataset.colour));
    root.querySelector("[data-reset]").hidden = !(state.off.size || search.value.trim() || selects.period.value !== "all");
    root.querySelector(".scope").hidden = !state.scope;
    root.querySelector(".scope span").textContent = state.scope?.label || t("knowledge.scoped");
  }

  function chosen() {
    return {
      colours: state.off.size ? COLOURS.filter((colour) => !state.off.has(colour)) : [],
      period: selects.period.value,
      sort: selects.sort.value,
      top: Number(selects.top.value),
      search: search.value.trim(),
      session: selects.period.value === "session" ? address.get("c") : null,
      focus: state.scope?.focus || [],
      answer: state.scope?.answer || null,
    };
  }

  function count(counts) {
    for (const button of legend.children) {
      const colour = button.dataset.colour;
      if (!state.off.has(colour)) state.counts[colour] = counts[colour];
      button.querySelector("small").textContent = state.counts[colour] ?? "";
    }
  }

  function speak() {
    for (const button of legend.children) button.querySelector("span").textContent = t(`knowledge.colour_${button.dataset.colour}`);
    for (const [name, values] of Object.entries(CHOICES)) {
      const before = selects[name].value || FIRST[name];
      selects[name].replaceChildren(...values.map((value) => new Option(name === "top" ? Number(value).toLocaleString() : t(`knowledge.choice_${name}_${value}`), value)));
      selects[name].value = before;
    }
    mark();
  }

  return { chosen, count, speak, scope, reset, active };
}
