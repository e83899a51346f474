/* A tool server as a row: its state, what is wrong, and what it offers with what each tool may do. */
import { button, element, explained } from "../shared/ui.js";
import { t } from "../shared/words.js";

const bdi = (text) => element("bdi", { dir: "auto" }, text);

/** @param {any} server @param {Record<string, Function>} does what its buttons do, by name; none for one that is only tried */
export function serverRow(server, does = null, open = false) {
  const head = element("div.head", {}, element("strong", { dir: "auto" }, server.name), server.origin === "file" && element("small", {}, t("settings.server_in_file")), server.software && element("small", { dir: "ltr" }, server.software), element("span.state", {}, element("i", { "aria-hidden": true }), t(`settings.state_${server.state}`)));
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

function buttonsOf(server, does) {
  const off = server.state === "off";
  return [
    server.sign_in_at && element("a.go", { href: server.sign_in_at, target: "_blank", rel: "noopener noreferrer" }, t("settings.server_sign_in_go", { name: `\u2068${server.name}\u2069` })),
    server.state === "sign_in" && !server.sign_in_at && button(t("settings.server_sign_in"), does.signIn),
    !off && button(t("settings.server_refresh"), does.refresh),
    server.kind !== "unusable" && button(t(off ? "settings.server_on" : "settings.server_off"), does.toggle),
    does.change && button(t("settings.server_change"), does.change),
    does.remove && button(t("settings.server_remove"), does.remove, "quiet"),
  ].filter(Boolean);
}

function offeredBy({ offered }, open) {
  const { tools, resources, prompts } = offered;
  if (!tools.length && !resources.length && !prompts.length) return null;
  const counts = [[tools, "tools"], [resources, "resources"], [prompts, "prompts"]];
  const summary = counts.filter(([all]) => all.length).map(([all, key]) => t(`settings.server_${key}`, { count: all.length }));
  const rows = [...tools.map(toolRow), ...resources.map(resourceRow), ...prompts.map(promptRow)];
  return element("details", { open }, element("summary", {}, summary.join(" · ")), element("ul.offered", {}, ...rows));
}

function toolRow({ title, name, description, effects, "arguments": takes }) {
  return element("li.tool", { "data-tool": name }, element("strong", {}, bdi(title)), element("div.effects", {}, ...effectsOf(effects)), element("p", { dir: "auto" }, description), takes.length > 0 && element("p", {}, t("settings.takes", { names: takes.map((each) => `\u2068${each}\u2069`).join(", ") })));
}

/** What it may do, as far as it says so itself: what it does not say counts as done. */
function effectsOf({ reads_only, deletes, sends, spends }) {
  const told = [
    reads_only && ["read", "mild"],
    !reads_only && ["write", "strong"],
    deletes && ["delete", "strong"],
    sends && ["send", reads_only ? "mild" : "strong"],
    spends && ["spend", "strong"],
  ];
  return told.filter(Boolean).map(([key, kind]) => element(`span.${kind}`, {}, t(`settings.may_${key}`)));
}

const resourceRow = ({ name, uri, description }) => element("li.resource", {}, element("strong", {}, bdi(name)), element("code", { dir: "ltr" }, uri), description && element("p", { dir: "auto" }, description));

const promptRow = ({ name, description, "arguments": takes }) => element("li.prompt", {}, element("strong", {}, bdi(name)), description && element("p", { dir: "auto" }, description), takes.length > 0 && element("p", {}, t("settings.takes", { names: takes.join(", ") })));
