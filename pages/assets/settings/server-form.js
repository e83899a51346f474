/* The form of one tool server: a program with arguments and variables, or an address with headers. Secrets are only written. */
import { call } from "../shared/notices.js";
import { button, element } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { serverRow } from "./server-row.js";

const NOTHING = { kind: "program", name: "", command: "", args: [], url: "", hosts: [], env: [], headers: [] };
const KEPT = "••••••••";
const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

export function mountServerForm(form, server, { kept }) {
  const fields = form.elements;
  const find = (selector) => form.querySelector(selector);
  let changing = null;

  function show(one = null) {
    changing = one;
    form.hidden = false;
    form.reset();
    find(".tried").replaceChildren();
    const { kind, name, command, args, url, hosts, env, headers } = one ?? NOTHING;
    fields.kind.value = kind;
    Object.entries({ name, command, url, args: args.join("\n"), hosts: hosts.join("\n") }).forEach(([field, value]) => (fields[field].value = value));
    drawPairs("env", env);
    drawPairs("headers", headers);
    drawWords();
    form.scrollIntoView({ block: "nearest" });
    fields.name.focus();
  }

  function drawWords() {
    find("h3").textContent = changing ? t("settings.server_edit", { name: `\u2068${changing.name}\u2069` }) : t("settings.server_new");
    for (const field of form.querySelectorAll("[data-kind]")) field.hidden = field.dataset.kind !== fields.kind.value;
    fields.command.required = fields.kind.value === "program";
    fields.url.required = fields.kind.value === "address";
  }

  /* -- names with secret values ----------------------------------------------------------- */
  function drawPairs(name, names) {
    const more = button(t("settings.pair_add"), () => more.before(pair()), "quiet");
    find(`[data-pairs=${name}]`).replaceChildren(...names.map((each) => pair(each)), more);
  }

  function pair(name = "") {
    const named = element("input", { type: "text", dir: "ltr", autocomplete: "off", spellcheck: "false", maxlength: 128, "aria-label": t("settings.pair_name"), placeholder: t("settings.pair_name") });
    named.value = name;
    const value = element("input", { type: "password", dir: "ltr", autocomplete: "off", maxlength: 4000, "aria-label": t("settings.pair_value"), placeholder: name ? KEPT : t("settings.pair_value") });
    const row = element("div.pair", { "data-kept": name || null }, named, value, button(t("settings.server_remove"), () => row.remove(), "quiet", { "aria-label": t("settings.pair_remove", { name }) }));
    return row;
  }

  /** A value that is not typed anew stays as it is kept. */
  function pairs(name) {
    const rows = [...form.querySelectorAll(`[data-pairs=${name}] .pair`)].map((row) => {
      const [named, value] = row.querySelectorAll("input");
      const stays = !value.value && row.dataset.kept === named.value.trim();
      return [named.value.trim(), stays ? null : value.value];
    });
    return Object.fromEntries(rows.filter(([key]) => key));
  }

  function read() {
    const program = fields.kind.value === "program";
    const typed = program ? { command: fields.command.value.trim(), args: lines(fields.args.value), env: pairs("env") } : { url: fields.url.value.trim(), headers: pairs("headers"), hosts: lines(fields.hosts.value) };
    return { name: fields.name.value.trim(), ...typed };
  }

  /* -- doing ------------------------------------------------------------------------------ */
  async function busy(control, work) {
    control.disabled = true;
    control.setAttribute("aria-busy", "true");
    await work();
    control.disabled = false;
    control.removeAttribute("aria-busy");
  }

  async function tryOut() {
    if (!form.reportValidity()) return;
    const place = find(".tried");
    place.replaceChildren(element("p", {}, t("settings.server_trying")));
    const reply = await call(server.try_server, { ...read(), id: changing?.id ?? "" });
    place.replaceChildren(...(reply ? [element("ul.servers", {}, serverRow(reply.server, null, true))] : []));
  }

  async function keep() {
    const given = read();
    const reply = changing ? await call(server.edit_server, { ...given, id: changing.id }) : await call(server.add_server, given);
    if (!reply) return;
    close();
    kept(reply, given.name);
  }

  function close() {
    form.hidden = true;
    form.reset();
    for (const name of ["env", "headers"]) drawPairs(name, []);
    find(".tried").replaceChildren();
  }

  form.addEventListener("change", drawWords);
  find("[data-do=try]").addEventListener("click", ({ currentTarget }) => busy(currentTarget, tryOut));
  find("[data-do=cancel]").addEventListener("click", close);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    busy(find("[data-do=keep]"), keep);
  });
  return { show, drawWords: () => !form.hidden && drawWords() };
}
