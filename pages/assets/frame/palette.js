/* The command palette: typing filters the commands, Enter runs one. */
import { latest } from "../shared/timing.js";
import { element, markOption } from "../shared/ui.js";
import { folded, t, translate } from "../shared/words.js";

/** @typedef {{ group: string, label: string, act: () => unknown, keys?: string }} Command */

const MOST = 40;

/** Commands whose label or group contains every word of `typed`; labels that begin with it come first. @template {Pick<Command, "group" | "label">} Named @param {Named[]} commands @param {string} typed */
export function matching(commands, typed) {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const begins = (/** @type {Named} */ { label }) => (words.length > 0 && folded(label).startsWith(words[0]) ? 0 : 1);
  const found = commands.filter(({ group, label }) => words.every((word) => folded(`${group} ${label}`).includes(word)));
  return words.length ? found.sort((one, other) => begins(one) - begins(other)) : found;
}

export class Palette {
  /** @type {Command[]} */
  commands = [];
  /** @type {Command[]} */
  shown = [];
  current = 0;
  asking = latest();

  /** `commands()` returns the available commands; `asked(text)` is the command that asks the text as a question. @param {() => Promise<Command[]>} commands @param {(text: string) => Command} asked */
  constructor(commands, asked) {
    this.offered = commands;
    this.asked = asked;
    const names = { "data-t-label": "frame.palette_hint", "data-t-placeholder": "frame.palette_hint" };
    this.field = element("input", { ...names, type: "search", role: "combobox", id: "pal-palette-field", autocomplete: "off", spellcheck: "false", dir: "auto", maxlength: 500, "aria-autocomplete": "list", "aria-controls": "pal-palette-list", "aria-expanded": true });
    this.list = element("ul", { role: "listbox", id: "pal-palette-list", "data-t-label": "frame.palette" });
    this.dialog = element("dialog.pal-widget.pal-palette", { onclick: (/** @type {Event} */ { target }) => target === this.dialog && this.dialog.close() }, this.field, this.list);
    document.body.append(this.dialog);
    this.field.addEventListener("input", () => this.draw());
    this.field.addEventListener("keydown", (event) => this.key(event));
  }

  async toggle() {
    if (this.dialog.open) return this.dialog.close();
    translate(this.dialog);
    this.dialog.setAttribute("aria-label", t("frame.palette"));
    this.field.value = "";
    this.commands = [];
    this.list.replaceChildren();
    this.dialog.showModal();
    this.field.focus();
    const commands = await this.asking(this.offered());
    if (!commands) return undefined;
    this.commands = commands;
    return this.draw();
  }

  draw() {
    const typed = this.field.value.trim();
    this.shown = [...matching(this.commands, typed).slice(0, MOST), ...(typed ? [this.asked(typed)] : [])];
    this.current = 0;
    this.list.replaceChildren(...this.shown.map((each, place) => this.option(each, place)));
    markOption(this.field, this.list, this.current);
  }

  /** @param {Command} command @param {number} place */
  option({ group, label, keys }, place) {
    return element("li", { role: "option", id: `pal-command-${place}`, onclick: () => this.take(place) }, element("small", {}, group), element("bdi", {}, label), keys && element("kbd", { dir: "ltr" }, keys));
  }

  /** @param {number} place */
  take(place) {
    const command = this.shown[place];
    if (!command) return;
    this.dialog.close();
    command.act();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.isComposing) return;
    const many = this.shown.length;
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key === "Enter") this.take(this.current);
    else if (event.key === "Escape") this.dialog.close(); // The first Escape would only clear the field.
    else if (steps[event.key] && many) this.current = (this.current + steps[event.key] + many) % many;
    else return;
    event.preventDefault();
    if (event.key !== "Enter") markOption(this.field, this.list, this.current);
  }
}
