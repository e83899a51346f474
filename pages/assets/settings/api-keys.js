/* API keys: created and shown once, later identified by their first characters, revoked. */
import { call } from "../shared/server.js";
import { Part, element, onClick, onSubmit, showToast, sureButton } from "../shared/ui.js";
import { isolated, moment, t } from "../shared/words.js";

const SURE_MILLISECONDS = 5000;
const COPIED_MILLISECONDS = 2000;
/** @type {KeyScope[]} */
const SCOPES = ["read", "ask", "write", "administer"];
/** @type {KeyScope[]} a key's default scopes */
const USUAL = ["read", "ask", "write"];

/** @extends {Part<SettingsServer>} */
export class ApiKeys extends Part {
  /** @type {ApiKey[] | null} */
  keys = null;
  /** @type {ApiKey | null} the key whose secret is shown */
  made = null;

  /** @param {HTMLElement} card @param {SettingsServer} server */
  constructor(card, server) {
    super(card, server);
    const form = this.find("form");
    onSubmit(form, async () => {
      const { name, days } = form.elements;
      const reply = await call(server.create_key, { name: name.value, scopes: this.scopes(), days: days.value ? Number(days.value) : null });
      if (!reply) return;
      this.made = reply.key;
      this.keys = [reply.key, ...(this.keys ?? [])];
      form.reset();
      this.draw();
      this.find(".made input").value = reply.secret;
      this.find(".made input").select();
    });
    onClick(card, "[data-do=copy]", (asked) => this.copy(asked));
  }

  /** The selected scopes. @returns {KeyScope[]} */
  scopes() {
    return SCOPES.filter((each) => this.find(`.key-scopes [value=${each}]`).checked);
  }

  /** Keeps the selected scopes when the language changes. */
  drawScopes() {
    const place = this.find(".key-scopes .options");
    const ticked = place.childElementCount ? this.scopes() : USUAL;
    place.replaceChildren(...SCOPES.map((each) => element("label", {}, element("input", { type: "checkbox", value: each, checked: ticked.includes(each) }), t(`settings.keys_scope_${each}`))));
  }

  async load() {
    const reply = await call(this.server.keys);
    if (!reply) return;
    this.keys = reply.keys;
    this.draw();
  }

  draw() {
    if (!this.keys) return;
    this.root.hidden = false;
    this.drawScopes();
    const [before, after] = t("settings.keys_about", { address: "\n" }).split("\n");
    this.find(".about").replaceChildren(before, element("code", { dir: "ltr" }, `${location.origin}/mcp`), after);
    this.find(".none").hidden = this.keys.length > 0;
    this.find(".keys").replaceChildren(...this.keys.map((key) => this.row(key)));
    this.find(".made").hidden = !this.made;
    if (this.made) this.find(".made p").textContent = t("settings.keys_once", { name: isolated(this.made.name) });
  }

  /** @param {ApiKey} key */
  row(key) {
    const used = key.last_used_at ? t("settings.keys_used", { when: moment(key.last_used_at) }) : t("settings.keys_unused");
    const about = element("span.about", {}, element("b", {}, element("bdi", {}, key.name)), element("code", { dir: "ltr" }, `${key.prefix}…`));
    const may = key.scopes.map((each) => t(`settings.keys_scope_${each}`)).join(", ");
    const ends = key.expires_at ? t("settings.keys_expires", { when: moment(key.expires_at) }) : "";
    const times = element("small", {}, [may, t("settings.keys_made", { when: moment(key.created_at) }), ends, used].filter(Boolean).join(" · "));
    const revoking = sureButton(t("settings.keys_revoke"), key.name, t("settings.keys_revoke_sure"), () => this.revoke(key), (_, back) => setTimeout(back, SURE_MILLISECONDS));
    return element("li", { "data-id": key.id }, about, times, revoking);
  }

  /** @param {ApiKey} key */
  async revoke(key) {
    if (!(await call(this.server.revoke_key, { id: key.id }))) return;
    if (this.made?.id === key.id) this.forget();
    this.keys = (this.keys ?? []).filter((each) => each.id !== key.id);
    this.draw();
    showToast(t("settings.keys_revoked", { name: isolated(key.name) }));
  }

  /** Removes the secret when the user leaves the page. */
  forget() {
    this.made = null;
    this.find(".made input").value = "";
    this.find(".made").hidden = true;
  }

  /** @param {HTMLButtonElement} asked */
  async copy(asked) {
    const field = this.find(".made input");
    field.select();
    await navigator.clipboard?.writeText(field.value);
    asked.textContent = t("settings.keys_copied");
    setTimeout(() => (asked.textContent = t("settings.keys_copy")), COPIED_MILLISECONDS);
  }
}
