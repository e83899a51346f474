/* The path between two concepts: its ends are entered, then it is found and highlighted. */
import { call } from "../shared/server.js";
import { pressed } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { Ends } from "./ends.js";

/** @typedef {Graph & { html: string }} Found */

export class Way {
  /** @type {string[] | null} the known ends; null if no path is requested */
  picked = null;
  /** @type {Graph | null} */
  found = null;

  /** @param {HTMLElement} root @param {KnowledgeServer} server @param {{ light: (id: string | null) => void, show: (found: Found) => void }} tab highlights a first end, or the concept that was open before, and shows the path */
  constructor(root, server, tab) {
    this.server = server;
    this.tab = tab;
    this.button = root.querySelector("[data-path]");
    this.form = root.querySelector(".asking");
    this.ends = new Ends(this.form, server, (place, id) => this.pickEnd(place, id));
    this.button.addEventListener("click", () => (this.picked ? this.end() : this.start()));
  }

  /** @param {string | null} [first] */
  start(first = null) {
    this.picked = first ? [first] : [];
    pressed(this.button, true);
    this.ends.show(this.picked);
    this.ask(first);
  }

  end() {
    this.picked = null;
    this.found = null;
    this.ends.show([]);
    pressed(this.button, false);
    this.form.hidden = true;
    this.tab.light(null);
  }

  /** @param {string | null} first */
  ask(first) {
    this.form.hidden = false;
    this.say(first ? t("knowledge.way_second", { first: this.ends.known.get(first) || "…" }) : t("knowledge.way_first"));
  }

  /** @param {string} words */
  say(words) {
    this.form.querySelector("p").textContent = words;
  }

  /** @param {string} id */
  async pick(id) {
    const picked = this.picked && this.picked.length < 2 ? this.picked : [];
    if (!picked.length) this.found = null;
    if (picked[0] === id) return;
    const wanted = [...picked, id];
    const [a, b] = wanted;
    this.picked = wanted;
    this.ends.show(wanted);
    if (!b) {
      this.tab.light(id);
      this.ask(id);
      return;
    }
    const reply = await call(this.server.path, { a, b });
    if (this.picked !== wanted) return;
    if (!reply) return void this.end();
    this.ends.learn(reply.nodes);
    this.ends.show(wanted);
    this.say(t(reply.found ? "knowledge.way_found" : "knowledge.way_none"));
    this.found = reply.found ? reply : null;
    this.tab.show(reply);
  }

  /** Sets an end by name, unless the request was cancelled. A new first end keeps the second one and searches again. @param {number} place @param {string} id */
  pickEnd(place, id) {
    if (!this.picked) return;
    const kept = this.picked[1 - place];
    const [first, second] = place === 0 ? [id, kept] : [kept, id];
    this.picked = [];
    this.found = null;
    if (first) this.pick(first);
    if (second && second !== first) this.pick(second);
  }
}
