/* Tool servers: their list, states and tools; added, tested, changed, switched off, removed with undo. */
import { call } from "../shared/server.js";
import { Part, element, explained, fill, onClick, showToast, undoable } from "../shared/ui.js";
import { isolated, t } from "../shared/words.js";
import { ServerForm } from "./server-form.js";
import { serverRow } from "./server-row.js";

/** @extends {Part<SettingsServer>} */
export class ToolServers extends Part {
  /** @type {ToolServersReply | null} */
  latest = null;
  following = false;

  /** @param {HTMLElement} card @param {SettingsServer} server */
  constructor(card, server) {
    super(card, server);
    this.form = new ServerForm(this.find("form"), server, (reply, name) => {
      this.take(reply);
      showToast(t("settings.server_kept", { name: isolated(name) }));
    });
    onClick(card, "[data-do=new]", () => this.form.show());
    document.addEventListener("visibilitychange", () => this.latest && !document.hidden && this.follow());
  }

  async load() {
    this.take(await call(this.server.tool_servers));
    this.follow();
  }

  /** @param {ToolServersReply | null} reply */
  take(reply) {
    if (!reply) return;
    this.latest = reply;
    this.draw();
  }

  /** A request that is answered when something has changed, repeated while the tab is open. */
  async follow() {
    if (this.following) return;
    this.following = true;
    while (this.latest && this.root.offsetParent && !document.hidden) {
      const { revision } = this.latest;
      /** @type {Fetched<ToolServersReply> | null} */
      const reply = await this.server.tool_server_news({ revision, ui: document.documentElement.lang }).catch(() => null);
      if (!reply || reply.problem) break;
      if (reply.revision !== this.latest.revision) this.take(reply);
    }
    this.following = false;
  }

  draw() {
    if (!this.latest) return;
    const { servers, typed, off, problem_of_file: trouble } = this.latest;
    const open = new Set([...this.root.querySelectorAll(".servers > [data-id]:has(details[open])")].map((row) => row.dataset.id));
    this.root.hidden = false;
    this.find(".servers").replaceChildren(...servers.map((each) => serverRow(each, this.doing(each, typed), open.has(each.id))));
    this.find(".switched-off").hidden = !off;
    this.find(".none").hidden = off || servers.length > 0;
    this.find("[data-do=new]").hidden = !typed;
    this.find(".file").hidden = !trouble;
    fill(this.find(".file"), trouble ? [element("p.trouble", {}, ...explained(trouble))] : []);
    this.form.drawWords();
  }

  /** @param {ToolServer} each @param {boolean} typed @returns {import("./server-row.js").Does} */
  doing(each, typed) {
    const { id } = each;
    const own = each.origin === "page" && typed;
    return {
      refresh: async () => this.take(await call(this.server.refresh_server, { id })),
      toggle: async () => this.take(await call(this.server.switch_server, { id, enabled: each.state === "off" })),
      signIn: () => this.signIn(id),
      change: own && (() => this.form.show(each)),
      remove: own && (() => this.remove(each)),
    };
  }

  /** @param {ToolServer} each */
  async remove({ id, name }) {
    const reply = await call(this.server.remove_server, { id });
    if (!reply) return;
    this.take(reply);
    undoable(t("settings.server_removed", { name: isolated(name) }), t("settings.server_undo"), async () => this.take(await call(this.server.restore_server, { id })));
  }

  /** The user opens the other page from the row: browsers do not let scripts do so after a wait. @param {string} id */
  async signIn(id) {
    if (await call(this.server.sign_in_server, { id, origin: location.origin })) this.load();
  }
}
