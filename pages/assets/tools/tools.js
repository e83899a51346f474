/* The Tools tab: every server with its tools, statistics and consents; tools are switched off and tested in place. */
import { readWhenShown } from "../shared/bus.js";
import { call } from "../shared/server.js";
import { Part, button, element } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { OpenDataCard } from "./open-data.js";
import { refresh, toolRow } from "./tool-row.js";


/** The tools that match `words`, by title, name, server or description. */
export function matching(/** @type {Tool[]} */ tools, /** @type {string} */ words) {
  const wanted = words.trim().toLocaleLowerCase();
  return tools.filter((tool) => [tool.title, tool.name, tool.server, tool.description].some((text) => text.toLocaleLowerCase().includes(wanted)));
}

/** The server whose tools use the open data catalogue. */
const hasOpenData = (/** @type {ServerOfTools} */ { name, own, tools }) => own && name === "datagov" && tools > 0;

/** @extends {Part<ToolsServer>} */
class ToolsTab extends Part {
  /** @type {ToolsReply | null} */
  latest = null;
  /** @type {Set<string>} */
  opened = new Set();

  /** @param {Widget<ToolsServer>} widget */
  constructor({ element: widget, server }) {
    super(widget.querySelector(".pal-tools"), server);
    this.search = this.find("input[type=search]");
    this.openData = new OpenDataCard(server, () => Boolean(this.latest?.may_change));
  }

  async load() {
    this.take(await call(this.server.tools));
  }

  /** @param {ToolsReply | null} reply */
  take(reply) {
    if (!reply) return;
    this.latest = reply;
    this.draw();
    if (reply.servers.some(hasOpenData)) this.openData.load();
  }

  draw() {
    if (!this.latest) return;
    const { acting, servers, agreements } = this.latest;
    const shown = matching(this.latest.tools, this.search.value);
    const groups = servers.map((each) => this.serverGroup(each, shown.filter((tool) => tool.server === each.name))).filter((each) => each !== null);
    this.find(".page").dataset.state = "ready";
    this.find(".acting").textContent = acting ? "" : t("tools.acting_off");
    this.find(".servers").replaceChildren(...groups);
    this.find(".none").hidden = groups.length > 0;
    this.find(".agreements").hidden = agreements.length === 0;
    this.find(".agreements ul").replaceChildren(...agreements.map((each) => this.agreementRow(each)));
  }

  /** @param {ServerOfTools} each @param {Tool[]} tools */
  serverGroup(each, tools) {
    if (!tools.length && (this.search.value || each.own)) return null;
    /** @type {import("./tool-row.js").Desk} */
    const desk = {
      may: Boolean(this.latest?.may_change),
      opened: this.opened,
      change: async (name, on) => this.take(await call(this.server.switch_tool, { name, on })),
      attempt: (name, given) => this.attempt(name, given),
    };
    return element(
      "section.server",
      { "aria-label": each.name },
      element("h2", {}, element("bdi", {}, each.own ? t(`tools.of_${each.name}`) : each.name), element(`small.state.${each.state}`, {}, t(`tools.server_${each.state}`))),
      each.trouble && element("p.trouble", {}, each.trouble),
      hasOpenData(each) && this.openData.root,
      element("ul", {}, ...tools.map((tool) => toolRow(tool, desk))),
    );
  }

  /** @param {string} name */
  tool(name) {
    return this.latest?.tools.find((tool) => tool.name === name);
  }

  /** @param {Agreement} each */
  agreementRow({ id, scope, server, tool, decision }) {
    const what = scope === "server" ? t("tools.reads_with", { server }) : this.tool(tool)?.title || tool;
    const forget = async () => this.take(await call(this.server.forget_agreement, { id }));
    return element("li", {}, element("bdi", {}, what), element("small", {}, t(`tools.decided_${decision}`)), button(t("tools.forget"), forget, "quiet"));
  }

  /** @param {string} name @param {Record<string, unknown>} given */
  async attempt(name, given) {
    const outcome = await call(this.server.try_tool, { name, arguments: given });
    this.latest = (await call(this.server.tools)) || this.latest;
    const tool = this.tool(name);
    const row = [...this.root.querySelectorAll("li[data-tool]")].find((each) => each.dataset.tool === name);
    if (row && tool) refresh(row, tool);
    return outcome;
  }
}

/** @param {Widget<ToolsServer>} widget */
export function mount(widget) {
  const tab = new ToolsTab(widget);
  tab.search.addEventListener("input", () => tab.draw());
  readWhenShown("tools", tab);
}
