/* The timeline: the server draws it; a bar opens its stretch of time. */
import { lead } from "../shared/bus.js";
import { call, saveReply } from "../shared/server.js";
import { latest } from "../shared/timing.js";
import { onClick } from "../shared/ui.js";

export class Timeline {
  /** The open stretch of time; all of it if empty. */
  at = "";
  asking = latest();

  /** @param {HTMLElement} root @param {KnowledgeServer} server @param {{ chosen: () => TimelineFilters, open: (id: string) => unknown }} tab */
  constructor(root, server, { chosen, open }) {
    this.root = root;
    this.server = server;
    this.chosen = chosen;
    onClick(root, "button", ({ dataset }) => {
      if (dataset.at !== undefined) this.zoom(dataset.at);
      else if (dataset.document) lead("library", "open-document", dataset.document);
      else if (dataset.id) open(dataset.id);
    });
  }

  /** @param {string} at */
  async zoom(at) {
    this.at = at;
    await this.draw();
    this.root.querySelector("[data-at]")?.focus({ preventScroll: true });
  }

  async draw() {
    if (!this.root.children.length) this.root.dataset.busy = "true";
    const reply = await this.asking(call(this.server.timeline, { ...this.chosen(), at: this.at }));
    delete this.root.dataset.busy;
    if (!reply) return;
    this.root.innerHTML = reply.html;
    this.root.scrollTop = 0;
  }

  async save() {
    const reply = await call(this.server.export_timeline, { ...this.chosen(), at: this.at });
    if (reply) saveReply(reply);
  }
}
