/* The Tools tab: every server with its tools, how they do, what was agreed to; switched off and tried in place. */
import { address, on } from "../shared/bus.js";
import { call } from "../shared/notices.js";
import { button, element } from "../shared/ui.js";
import { t, translate } from "../shared/words.js";
import { refresh, toolRow } from "./tool-row.js";

/** @typedef {import("./tool-row.js").Tool} Tool */
/** @typedef {{name: string, own: boolean, state: string, trouble: string | null, tools: number}} Server */
/** @typedef {{id: string, scope: string, server: string, tool: string, decision: string}} Agreement */
/** @typedef {{servers: Server[], tools: Tool[], agreements: Agreement[], acting: boolean, may_change: boolean}} View */

/** The tools that `words` name, by title, name, server or what they do. */
export function matching(/** @type {Tool[]} */ tools, /** @type {string} */ words) {
  const wanted = words.trim().toLocaleLowerCase();
  return tools.filter((tool) => [tool.title, tool.name, tool.server, tool.description].some((text) => text.toLocaleLowerCase().includes(wanted)));
}

export function mount(/** @type {{element: any, server: any}} */ { element: widget, server }) {
  const root = widget.querySelector(".pal-tools");
  const search = root.querySelector("input[type=search]");
  /** @type {View | null} */
  let latest = null;
  /** @type {Set<string>} */
  const opened = new Set();

  async function load() {
    take(await call(server.tools));
  }

  function take(/** @type {View | null} */ reply) {
    if (!reply) return;
    latest = reply;
    draw();
  }

  function draw() {
    if (!latest) return;
    root.querySelector(".page").dataset.state = "ready";
    root.querySelector(".acting").textContent = latest.acting ? "" : t("tools.acting_off");
    const shown = matching(latest.tools, search.value);
    const groups = latest.servers.map((each) => serverGroup(each, shown.filter((tool) => tool.server === each.name))).filter(Boolean);
    root.querySelector(".servers").replaceChildren(...groups);
    root.querySelector(".none").hidden = groups.length > 0;
    drawAgreements(latest.agreements);
  }

  function serverGroup(/** @type {Server} */ each, /** @type {Tool[]} */ tools) {
    if (!tools.length && (search.value || each.own)) return null;
    const rows = tools.map((tool) => toolRow(tool, { may: Boolean(latest?.may_change), opened, change, attempt }));
    return element(
      "section.server",
      { "aria-label": each.name },
      element("h2", {}, element("bdi", {}, each.own ? t(`tools.of_${each.name}`) : each.name), element(`small.state.${each.state}`, {}, t(`tools.server_${each.state}`))),
      each.trouble && element("p.trouble", {}, each.trouble),
      element("ul", {}, ...rows),
    );
  }

  function drawAgreements(/** @type {Agreement[]} */ agreements) {
    root.querySelector(".agreements").hidden = agreements.length === 0;
    root.querySelector(".agreements ul").replaceChildren(...agreements.map(agreementRow));
  }

  function agreementRow(/** @type {Agreement} */ each) {
    const what = each.scope === "server" ? t("tools.reads_with", { server: each.server }) : title(each.tool);
    const forget = async () => take(await call(server.forget_agreement, { id: each.id }));
    return element("li", {}, element("bdi", {}, what), element("small", {}, t(`tools.decided_${each.decision}`)), button(t("tools.forget"), forget, "quiet"));
  }

  const title = (/** @type {string} */ name) => latest?.tools.find((tool) => tool.name === name)?.title || name;

  async function change(/** @type {string} */ name, /** @type {boolean} */ isOn) {
    take(await call(server.switch_tool, { name, on: isOn }));
  }

  async function attempt(/** @type {string} */ name, /** @type {Record<string, unknown>} */ given) {
    const outcome = await call(server.try_tool, { name, arguments: given });
    latest = (await call(server.tools)) || latest;
    const tool = latest?.tools.find((each) => each.name === name);
    const row = [...root.querySelectorAll("li[data-tool]")].find((each) => each.dataset.tool === name);
    if (row && tool) refresh(row, tool);
    return outcome;
  }

  search.addEventListener("input", draw);
  on("tab", (/** @type {string} */ tab) => tab === "tools" && load());
  on("language", () => {
    translate(root);
    load();
  });
  translate(root);
  if (address.get("tab") === "tools") load();
}
