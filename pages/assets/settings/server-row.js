/* A tool server as a row: its state, its errors, and its tools with their effects. */
import { button, element, explained } from "../shared/ui.js";
import { isolated, t } from "../shared/words.js";

/** @typedef {{ refresh: () => unknown, toggle: () => unknown, signIn: () => unknown, change: false | (() => unknown), remove: false | (() => unknown) }} Does the actions of its buttons */

/** @param {string} text */
const named = (text) => element("strong", {}, element("bdi", { dir: "auto" }, text));

/** @param {ToolServer} server @param {Does | null} [does] null for a server that is only tested */
export function serverRow(server, does = null, open = false) {
  const state = element("span.state", {}, element("i", { "aria-hidden": true }), t(`settings.state_${server.state}`));
  const head = element("div.head", {}, element("strong", { dir: "auto" }, server.name), server.origin === "file" && element("small", {}, t("settings.server_in_file")), server.software && element("small", { dir: "ltr" }, server.software), state);
  const reached = server.kind === "program" ? [server.command, ...server.args].join(" ") : server.url;
  return element(
    `li.server.${server.state}`,
    { "data-id": server.id },
    head,
    reached && element("code", { dir: "ltr" }, reached),
    server.trouble && element("p.trouble", {}, ...explained(server.trouble)),
    offeredBy(server, open),
    does && element("div.buttons", {}, ...buttonsOf(server, does)),
  );
}

/** @param {ToolServer} server @param {Does} does @returns {Child[]} */
function buttonsOf({ name, kind, state, sign_in_at }, does) {
  const off = state === "off";
  return [
    sign_in_at && element("a.go", { href: sign_in_at, target: "_blank", rel: "noopener noreferrer" }, t("settings.server_sign_in_go", { name: isolated(name) })),
    state === "sign_in" && !sign_in_at && button(t("settings.server_sign_in"), does.signIn),
    !off && button(t("settings.server_refresh"), does.refresh),
    kind !== "unusable" && button(t(off ? "settings.server_on" : "settings.server_off"), does.toggle),
    does.change && button(t("settings.server_change"), does.change),
    does.remove && button(t("settings.server_remove"), does.remove, "quiet"),
  ];
}

/** @param {ToolServer} server @param {boolean} open */
function offeredBy({ offered: { tools, resources, prompts } }, open) {
  const rows = [...tools.map(toolRow), ...resources.map(resourceRow), ...prompts.map(promptRow)];
  const counts = Object.entries({ tools, resources, prompts }).filter(([, all]) => all.length);
  const summary = counts.map(([key, all]) => t(`settings.server_${key}`, { count: all.length })).join(" · ");
  return rows.length > 0 && element("details", { open }, element("summary", {}, summary), element("ul.offered", {}, ...rows));
}

/** @param {string[]} names */
const takes = (names) => names.length > 0 && element("p", {}, t("settings.takes", { names: names.join(", ") }));

/** @param {string} text */
const described = (text) => text && element("p", { dir: "auto" }, text);

/** @param {OfferedTool} tool */
const toolRow = ({ title, name, description, effects, arguments: names }) =>
  element("li.tool", { "data-tool": name }, named(title), element("div.effects", {}, ...effectsOf(effects)), element("p", { dir: "auto" }, description), takes(names.map(isolated)));

/** The tool's possible effects, as declared; an undeclared effect counts as possible. @param {Effects} effects */
function effectsOf({ reads_only, deletes, sends, spends }) {
  const may = (/** @type {boolean} */ is, /** @type {string} */ key, kind = "strong") => is && element(`span.${kind}`, {}, t(`settings.may_${key}`));
  return [may(reads_only, "read", "mild"), may(!reads_only, "write"), may(deletes, "delete"), may(sends, "send", reads_only ? "mild" : "strong"), may(spends, "spend")];
}

/** @param {OfferedResource} resource */
const resourceRow = ({ name, uri, description }) => element("li.resource", {}, named(name), element("code", { dir: "ltr" }, uri), described(description));

/** @param {OfferedPrompt} prompt */
const promptRow = ({ name, description, arguments: names }) => element("li.prompt", {}, named(name), described(description), takes(names));
