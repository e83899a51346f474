/* The form of a tool server: a program with arguments and variables, or an address with headers. Secrets can only be written. */
import { call } from "../shared/server.js";
import { during, turns } from "../shared/timing.js";
import { Part, button, element, fill, onSubmit } from "../shared/ui.js";
import { isolated, t } from "../shared/words.js";
import { serverRow } from "./server-row.js";

const NOTHING = { kind: "program", name: "", command: "", args: [], url: "", hosts: [], env: [], headers: [] };
const KEPT = "••••••••";

/** @param {string} text */
const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

/** A name and its secret value; `name` is one that is already saved. */
function pair(name = "") {
  const words = { name: t("settings.pair_name"), value: t("settings.pair_value") };
  const named = element("input", { type: "text", value: name, dir: "ltr", autocomplete: "off", spellcheck: "false", maxlength: 128, "aria-label": words.name, placeholder: words.name });
  const value = element("input", { type: "password", dir: "ltr", autocomplete: "off", maxlength: 4000, "aria-label": words.value, placeholder: name ? KEPT : words.value });
  const row = element("div.pair", { "data-kept": name || null }, named, value);
  row.append(button(t("settings.server_remove"), () => row.remove(), "quiet", { "aria-label": t("settings.pair_remove", { name }) }));
  return row;
}

/** @extends {Part<SettingsServer, HTMLFormElement>} */
export class ServerForm extends Part {
  /** @type {ToolServer | null} */
  changing = null;
  opening = turns();
  /** Whether the form still shows the same server: another one may be opened while the first is being saved. */
  isOpen = () => true;

  /** @param {HTMLFormElement} form @param {SettingsServer} server @param {(reply: ToolServersReply, name: string) => void} kept */
  constructor(form, server, kept) {
    super(form, server);
    this.kept = kept;
    /** @type {any} */
    this.fields = form.elements;
    form.addEventListener("change", () => this.drawWords());
    this.find("[data-do=try]").addEventListener("click", () => during(this.find("[data-do=try]"), () => this.tryOut()));
    this.find("[data-do=cancel]").addEventListener("click", () => this.close());
    onSubmit(form, () => during(this.find("[data-do=keep]"), () => this.keep()));
  }

  /** @param {ToolServer | null} [one] */
  show(one = null) {
    this.changing = one;
    this.isOpen = this.opening();
    this.root.hidden = false;
    this.root.reset();
    this.find(".tried").replaceChildren();
    const { kind, name, command, args, url, hosts, env, headers } = one ?? NOTHING;
    const typed = { kind, name, command, url, args: args.join("\n"), hosts: hosts.join("\n") };
    for (const [field, value] of Object.entries(typed)) this.fields[field].value = value;
    this.drawPairs("env", env);
    this.drawPairs("headers", headers);
    this.drawWords();
    this.root.scrollIntoView({ block: "nearest" });
    this.fields.name.focus();
  }

  drawWords() {
    if (this.root.hidden) return;
    const { kind, command, url } = this.fields;
    this.find("h3").textContent = this.changing ? t("settings.server_edit", { name: isolated(this.changing.name) }) : t("settings.server_new");
    for (const field of this.root.querySelectorAll("[data-kind]")) field.hidden = field.dataset.kind !== kind.value;
    command.required = kind.value === "program";
    url.required = kind.value === "address";
  }

  /* -- names with secret values ----------------------------------------------------------- */
  /** @param {string} name @param {string[]} names */
  drawPairs(name, names) {
    const more = button(t("settings.pair_add"), () => more.before(pair()), "quiet");
    this.find(`[data-pairs=${name}]`).replaceChildren(...names.map((each) => pair(each)), more);
  }

  /** A value that is not entered again keeps its saved value. @param {string} name @returns {Record<string, string | null>} */
  pairs(name) {
    const rows = [...this.root.querySelectorAll(`[data-pairs=${name}] .pair`)].map((row) => {
      const [named, value] = row.querySelectorAll("input");
      const stays = !value.value && row.dataset.kept === named.value.trim();
      return [named.value.trim(), stays ? null : value.value];
    });
    return Object.fromEntries(rows.filter(([key]) => key));
  }

  /** @returns {TypedServer} */
  read() {
    const { kind, name, command, args, url, hosts } = this.fields;
    const program = () => ({ command: command.value.trim(), args: lines(args.value), env: this.pairs("env") });
    const at = () => ({ url: url.value.trim(), headers: this.pairs("headers"), hosts: lines(hosts.value) });
    return { name: name.value.trim(), ...(kind.value === "program" ? program() : at()) };
  }

  /* -- doing ------------------------------------------------------------------------------ */
  async tryOut() {
    if (!this.root.reportValidity()) return;
    const place = this.find(".tried");
    place.replaceChildren(element("p", {}, t("settings.server_trying")));
    const reply = await call(this.server.try_server, { ...this.read(), id: this.changing?.id ?? "" });
    fill(place, reply ? [element("ul.servers", {}, serverRow(reply.server, null, true))] : []);
  }

  async keep() {
    const given = this.read();
    const { isOpen } = this;
    const reply = this.changing ? await call(this.server.edit_server, { ...given, id: this.changing.id }) : await call(this.server.add_server, given);
    if (!reply) return;
    if (isOpen()) this.close();
    this.kept(reply, given.name);
  }

  close() {
    this.root.hidden = true;
    this.root.reset();
    for (const name of ["env", "headers"]) this.drawPairs(name, []);
    this.find(".tried").replaceChildren();
  }
}
