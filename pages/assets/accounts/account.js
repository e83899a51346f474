/* The user's own account: name, sessions, change of password. */
import { call } from "../shared/server.js";
import { Part, button, element, onSubmit } from "../shared/ui.js";
import { isolated, moment, t } from "../shared/words.js";

/** A browser's readable name, from its user agent. @param {string} told */
export function browserName(told) {
  const known = /(Edg|OPR|Firefox|Chrome|Safari)\/(\d+)/.exec(told);
  if (!known) return "";
  const name = { Edg: "Edge", OPR: "Opera" }[known[1]] ?? known[1];
  return `${name} ${known[2]}`;
}

/** @extends {Part<SettingsServer>} */
export class AccountCard extends Part {
  /** @type {AccountReply | null} */
  latest = null;

  /** @param {HTMLElement} card @param {SettingsServer} server */
  constructor(card, server) {
    super(card, server);
    /** @type {HTMLFormElement} */
    this.form = card.querySelector("form");
    onSubmit(this.form, () => this.change());
    /** @type {HTMLFormElement} */
    this.leaving = card.querySelector("[data-do=leave]");
    onSubmit(this.leaving, () => this.remove());
  }

  async load() {
    this.latest = await call(this.server.account);
    this.draw();
  }

  draw() {
    const now = this.latest;
    this.root.hidden = !now?.signs_in;
    if (!now?.signs_in) return;
    const role = t(now.administrator ? "accounts.administrator" : "accounts.person");
    this.find(".who").textContent = t("accounts.you_are", { name: isolated(now.name), role });
    for (const each of [this.form, this.find(".leaving")]) each.hidden = !now.has_password;
    const rows = now.sessions.map((each) => element("li", {}, element("span", {}, element("bdi", {}, [browserName(each.browser), each.address].filter(Boolean).join(" · ") || "–")), element("small", {}, t("accounts.since", { when: moment(each.created_at) }))));
    this.find(".sessions").replaceChildren(...rows);
    this.find(".everywhere").replaceChildren(button(t("accounts.sign_out_everywhere"), () => this.leave()));
  }

  async change() {
    const { old, fresh, again } = /** @type {any} */ (this.form.elements);
    again.setCustomValidity(fresh.value === again.value ? "" : t("accounts.not_the_same"));
    if (!this.form.reportValidity()) return;
    if (await call(this.server.change_password, { old: old.value, new: fresh.value })) location.assign("/login");
  }

  async leave() {
    if (await call(this.server.sign_out_everywhere)) location.assign("/login");
  }

  async remove() {
    const { password } = /** @type {any} */ (this.leaving.elements);
    if (await call(this.server.delete_account, { password: password.value })) location.assign("/login");
  }

  /** Clears entered passwords when the user leaves the page. */
  forget() {
    this.form.reset();
    this.leaving.reset();
    this.find(".leaving").open = false;
  }
}
