/* The dock beside the thread: Evidence, Memory and Graph, one of them at a time. */
import { call } from "../shared/server.js";
import { busy } from "../shared/timing.js";
import { onClick, tabs } from "../shared/ui.js";
import { t } from "../shared/words.js";

const VIEWS = ["evidence", "memory", "graph"];

export class Dock {
  /** @param {HTMLElement} root @param {ChatServer} server */
  constructor(root, server) {
    this.root = root;
    this.server = server;
    const dock = root.querySelector(".dock");
    /** @type {Record<string, HTMLElement>} */
    this.panels = Object.fromEntries(VIEWS.map((name) => [name, dock.querySelector(`[data-panel="${name}"]`)]));
    this.mark = tabs(dock, "view", (name) => this.show(name));
    onClick(root, "[data-reopen-dock]", () => this.reveal());
    this.show("evidence");
  }

  /** @param {string} name */
  show(name) {
    this.mark(name);
    for (const each of VIEWS) this.panels[each].hidden = each !== name;
  }

  /** Whether a person has put it away, in this conversation. */
  closed() {
    return this.root.dataset.dock === "closed";
  }

  close() {
    this.root.dataset.dock = "closed";
  }

  /** Somebody wants to see what is in it. */
  reveal() {
    delete this.root.dataset.dock;
    this.root.dataset.drawer = "dock";
  }

  /** @param {string} run */
  async known(run) {
    const { memory } = this.panels;
    this.reveal();
    this.show("memory");
    memory.dataset.run = run;
    const reply = await busy(memory, call(this.server.known, { run_id: run }));
    if (reply) memory.innerHTML = reply.html;
  }

  /** For another conversation. */
  clear() {
    delete this.root.dataset.dock;
    delete this.panels.evidence.dataset.run;
    for (const panel of Object.values(this.panels)) panel.innerHTML = "";
  }

  speak() {
    for (const [name, panel] of Object.entries(this.panels)) panel.dataset.empty = t(`chat.${name}_empty`);
  }
}
