/* The selected concepts, to ask about them together. */
import { lead } from "../shared/bus.js";
import { button, element } from "../shared/ui.js";
import { t } from "../shared/words.js";

const MOST = 8;

/** Opens a new question about one concept, or about what links several. @param {string[]} names */
export function askAbout(names) {
  const quoted = names.map((name) => `"${name.replaceAll('"', "'")}"`);
  const list = new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" }).format(quoted);
  lead("chat", "compose", { text: names.length > 1 ? t("knowledge.ask_two", { names: list }) : t("knowledge.ask_one", { name: list }), action: "" });
}

export class Selection {
  /** @type {Map<string, { label: string, colour: string }>} by id */
  chosen = new Map();

  /** @param {HTMLElement} root the bar @param {(ids: string[]) => unknown} changed */
  constructor(root, changed) {
    this.root = root;
    this.changed = changed;
  }

  /** Adds a concept, or removes it. @param {{ id: string, label: string, colour: string }} node */
  toggle({ id, label, colour }) {
    if (!this.chosen.delete(id) && this.chosen.size < MOST) this.chosen.set(id, { label, colour });
    this.draw();
  }

  clear() {
    this.chosen.clear();
    this.draw();
  }

  draw() {
    this.root.hidden = !this.chosen.size;
    const chips = [...this.chosen].map(([id, { label, colour }]) => button("", () => this.toggle({ id, label, colour }), "quiet", { "data-chosen": id }));
    chips.forEach((chip, place) => {
      const { label, colour } = [...this.chosen.values()][place];
      chip.append(element(`i.dot.${colour}`), element("bdi", {}, label), element("span", { "aria-hidden": true }, "✕"));
    });
    const several = this.chosen.size > 1;
    const ask = several ? button(t("knowledge.chosen_ask"), () => askAbout([...this.chosen.values()].map(({ label }) => label)), "primary") : element("span", {}, t("knowledge.chosen_more"));
    this.root.replaceChildren(element("div.chips", {}, ...chips), ask, button(t("knowledge.chosen_clear"), () => this.clear(), "quiet"));
    this.changed([...this.chosen.keys()]);
  }
}
