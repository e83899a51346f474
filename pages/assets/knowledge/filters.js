/* Filters of the graph: kinds (legend), time, order, number, words, or the part around an answer. */
import { address } from "../shared/bus.js";
import { afterPause } from "../shared/timing.js";
import { element, offer, onClick, pressed } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { Choices } from "./choices.js";

/** @type {Colour[]} */
const COLOURS = ["routing", "content", "both", "action"];
/** The first of each is selected initially. @type {Record<string, string[]>} */
const CHOICES = {
  period: ["all", "today", "week", "session"],
  sort: ["importance", "recent", "oldest"],
  top: ["20", "50", "100", "250", "500", "1000", "2000"],
};
const TYPING_MS = 200;

/** @typedef {{ focus?: string[], answer?: string | null, label: string }} Scope the part around an answer or a concept */

export class GraphFilters {
  /** @type {Set<Colour>} the hidden colours */
  off = new Set();
  /** @type {Partial<Record<Colour, number>>} */
  counts = {};
  /** @type {Scope | null} */
  scope = null;

  /** @param {HTMLElement} root @param {() => unknown} changed */
  constructor(root, changed) {
    this.root = root;
    this.changed = changed;
    this.search = root.querySelector("[data-search]");
    /** @type {Record<string, HTMLSelectElement>} */
    this.selects = Object.fromEntries(Object.keys(CHOICES).map((name) => [name, root.querySelector(`[data-filter=${name}]`)]));
    root.querySelector(".legend").append(...COLOURS.map((colour) => element("button", { "data-colour": colour }, element(`i.dot.${colour}`), element("span", {}, element("b", { "data-t": `knowledge.colour_${colour}` }), element("em", { "data-t": `knowledge.colour_${colour}_hint` })), element("small"))));
    this.choices = new Choices(root.closest(".pal-knowledge"), () => this.say());
    onClick(root, "[data-colour]", (asked) => this.toggle(asked.dataset.colour));
    onClick(root, "[data-reset]", () => this.reset());
    onClick(root, "[data-unscope]", () => this.say());
    for (const select of Object.values(this.selects)) select.addEventListener("change", () => this.say());
    this.search.addEventListener("input", afterPause(TYPING_MS, () => this.say()));
  }

  legend() {
    return COLOURS.map((colour) => ({ colour, node: this.root.querySelector(`[data-colour=${colour}]`) }));
  }

  /** @param {Colour} colour */
  toggle(colour) {
    if (!this.off.delete(colour)) this.off.add(colour);
    if (this.off.size === COLOURS.length) this.off.clear();
    this.say();
  }

  say() {
    this.narrow(null);
    this.changed();
  }

  /** Shows this part, whatever the other filters are. @param {Scope | null} scope */
  narrow(scope) {
    this.scope = scope;
    this.mark();
  }

  reset() {
    this.off.clear();
    this.search.value = "";
    this.choices.reset();
    for (const [name, select] of Object.entries(this.selects)) select.value = CHOICES[name][0];
    this.say();
  }

  /** Whether the filters themselves hide something. */
  narrows() {
    return Boolean(this.off.size || this.search.value.trim() || this.selects.period.value !== "all" || this.choices.narrows());
  }

  searches() {
    return Boolean(this.search.value.trim()) && !this.scope;
  }

  mark() {
    for (const { colour, node } of this.legend()) pressed(node, !this.off.has(colour));
    this.root.querySelector("[data-reset]").hidden = !this.narrows();
    this.root.querySelector(".scope").hidden = !this.scope;
    this.root.querySelector(".scope span").textContent = this.scope?.label || t("knowledge.scoped");
  }

  /** The chosen documents, and the words to look for in them. */
  documents() {
    const { document, set, since, until } = this.choices.chosen();
    return { document, set, since, until, search: this.search.value.trim() };
  }

  chosen() {
    const { period, sort, top } = this.selects;
    return {
      colours: this.off.size ? COLOURS.filter((colour) => !this.off.has(colour)) : [],
      period: period.value,
      sort: sort.value,
      top: Number(top.value),
      search: this.search.value.trim(),
      ...this.choices.chosen(),
      session: period.value === "session" ? address.get("c") : null,
      focus: this.scope?.focus || [],
      answer: this.scope?.answer || null,
    };
  }

  /** @param {Record<Colour, number>} counts */
  count(counts) {
    for (const { colour, node } of this.legend()) {
      if (!this.off.has(colour)) this.counts[colour] = counts[colour];
      node.querySelector("small").textContent = this.counts[colour] ?? "";
    }
  }

  speak() {
    for (const [name, values] of Object.entries(CHOICES)) {
      offer(this.selects[name], values.map((value) => [value, name === "top" ? Number(value).toLocaleString() : t(`knowledge.choice_${name}_${value}`)]));
    }
    this.mark();
  }
}
