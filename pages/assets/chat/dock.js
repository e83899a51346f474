/* The panel next to the thread: Evidence, Memory and Graph, one at a time. */
import { call } from "../shared/server.js";
import { busy, until } from "../shared/timing.js";
import { Part, onClick, tabs } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { mountWidth } from "./dock-width.js";
import { rememberedBeside } from "./remembered.js";

const VIEWS = ["evidence", "memory", "graph"];

/** @extends {Part<ChatServer>} */
export class Dock extends Part {
  /** @type {ReturnType<typeof rememberedBeside> | null} drawn when it is first opened */
  searching = null;

  /** @param {HTMLElement} root @param {ChatServer} server */
  constructor(root, server) {
    super(root, server);
    const dock = root.querySelector(".dock");
    /** @type {Record<string, HTMLElement>} */
    this.panels = Object.fromEntries(VIEWS.map((name) => [name, dock.querySelector(`[data-panel="${name}"]`)]));
    this.knownPlace = this.panels.memory.querySelector(".known-place");
    this.mark = tabs(dock, "view", (name) => this.show(name));
    mountWidth(root, root.querySelector("[role=separator]"), dock);
    onClick(root, "[data-reopen-dock]", () => this.reveal());
    this.show("evidence");
  }

  /** @param {string} name */
  show(name) {
    this.mark(name);
    for (const each of VIEWS) this.panels[each].hidden = each !== name;
    if (name !== "memory" || this.searching) return;
    this.searching = rememberedBeside(this.server);
    this.knownPlace.after(this.searching.root);
  }

  /** Whether the user closed it in this conversation. */
  closed() {
    return this.root.dataset.dock === "closed";
  }

  close() {
    this.root.dataset.dock = "closed";
  }

  /** The user wants to see its content. */
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
    const reply = await busy(this.knownPlace, call(this.server.known, { run_id: run }));
    if (reply) this.knownPlace.innerHTML = reply.html;
  }

  /** Opens the Memory view without an answer, ready for a search. */
  async remembered() {
    this.reveal();
    this.show("memory");
    await until(() => this.panels.memory.offsetParent);
    this.searching?.field.focus();
  }

  /** Resets it for another conversation. */
  clear() {
    delete this.root.dataset.dock;
    delete this.panels.evidence.dataset.run;
    for (const panel of [this.panels.evidence, this.knownPlace, this.panels.graph]) panel.innerHTML = "";
  }

  speak() {
    for (const name of ["evidence", "graph"]) this.panels[name].dataset.empty = t(`chat.${name}_empty`);
    this.knownPlace.dataset.empty = t("chat.memory_empty");
    this.searching?.speak();
  }
}
