/* The two ends of a path, by name: typing suggests names, and a known name is selected. */
import { call } from "../shared/server.js";
import { afterPause, latest } from "../shared/timing.js";
import { offer, onEscape, onSubmit } from "../shared/ui.js";

const TYPING_MS = 150;

export class Ends {
  /** @type {Map<string, string>} labels by id */
  known = new Map();
  asking = latest();

  /** @param {HTMLFormElement} form @param {KnowledgeServer} server @param {(place: number, id: string) => void} picked */
  constructor(form, server, picked) {
    this.server = server;
    this.picked = picked;
    this.list = form.querySelector("datalist");
    /** @type {HTMLInputElement[]} */
    this.inputs = [...form.querySelectorAll("[data-end]")];
    const offerSoon = afterPause(TYPING_MS, (/** @type {HTMLInputElement} */ input) => this.offer(input));
    for (const input of this.inputs) {
      input.addEventListener("input", () => {
        offerSoon.cancel();
        if (this.byName(input.value)) this.choose(input);
        else offerSoon(input);
      });
      input.addEventListener("change", () => this.choose(input));
      onEscape(input, () => input.blur());
    }
    onSubmit(form, () => {
      const input = this.inputs.find((each) => each === document.activeElement);
      if (input) this.choose(input);
    });
  }

  /** @param {string} words */
  byName(words) {
    const wanted = words.trim().toLocaleLowerCase();
    return [...this.known].find(([, label]) => label.toLocaleLowerCase() === wanted)?.[0];
  }

  /** @param {HTMLInputElement} input */
  async offer(input) {
    const name = input.value.trim();
    const reply = await this.asking(name ? call(this.server.find_names, { name }) : null);
    if (!reply) return;
    this.learn(reply.names);
    offer(this.list, reply.names.map((each) => [each.label, each.label]));
  }

  /** Finds it among the suggestions, otherwise as another name that the server knows. @param {HTMLInputElement} input */
  async choose(input) {
    const name = input.value.trim();
    if (!name || input.dataset.chosen === name) return;
    const id = this.byName(name) || (await call(this.server.find_concept, { name }))?.id;
    if (!id || input.value.trim() !== name) return;
    input.dataset.chosen = name;
    this.picked(Number(input.dataset.end), id);
  }

  /** @param {Named[]} nodes */
  learn(nodes) {
    for (const node of nodes) this.known.set(node.id, node.label);
  }

  /** @param {(string | undefined)[]} ids */
  show(ids) {
    this.inputs.forEach((input, place) => {
      const id = ids[place];
      if (input === document.activeElement && !id) return;
      input.value = id ? this.known.get(id) || input.value : "";
      input.dataset.chosen = input.value;
    });
  }
}
