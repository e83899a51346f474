/* All users, for administrators: add, set a password or a role, sign out. */
import { call } from "../shared/server.js";
import { Part, arrange, button, element, onSubmit, showToast, sureButton } from "../shared/ui.js";
import { isolated, moment, t, ui } from "../shared/words.js";

/** Parts of a row that the user has opened: they are not redrawn while in use. */
const OPEN = "button.sure, form.with";

/** @extends {Part<SettingsServer>} */
export class PeopleCard extends Part {
  /** @type {Person[] | null} */
  people = null;
  /** @type {Map<string, { shown: string, row: HTMLElement }>} By name, with what each shows. */
  rows = new Map();

  /** @param {HTMLElement} card @param {SettingsServer} server */
  constructor(card, server) {
    super(card, server);
    /** @type {HTMLFormElement} */
    this.form = card.querySelector("form");
    onSubmit(this.form, () => this.add());
  }

  async load() {
    const reply = await call(this.server.people);
    if (!reply) return;
    this.people = reply.people;
    this.draw();
  }

  draw() {
    this.root.hidden = !this.people;
    const nobody = !this.people?.length;
    this.find(".none").hidden = !nobody;
    this.form.hidden = nobody;
    const before = this.rows;
    this.rows = new Map();
    for (const each of this.people ?? []) {
      const shown = JSON.stringify([ui.language, each]);
      const there = before.get(each.name);
      const stays = there && (there.shown === shown || there.row.querySelector(OPEN));
      this.rows.set(each.name, stays ? there : { shown, row: this.row(each) });
    }
    arrange(this.find(".people"), [...this.rows.values()].map(({ row }) => row));
  }

  /** @param {Person} person */
  row(person) {
    const is = person.role === "administrator";
    const seen = person.last_sign_in_at ? t("accounts.last_seen", { when: moment(person.last_sign_in_at) }) : t("accounts.never_seen");
    const named = { "data-name": person.name };
    return element(
      "li",
      named,
      element("span.about", {}, element("b", {}, element("bdi", { dir: "auto" }, person.name)), element("span.role", {}, t(is ? "accounts.administrator" : "accounts.person"))),
      element("small", {}, [seen, person.group && t("accounts.in_group", { group: isolated(person.group) })].filter(Boolean).join(" · ")),
      element(
        "div.buttons",
        {},
        button(t("accounts.give_password"), () => this.askPassword(person), "quiet"),
        button(t(is ? "accounts.make_person" : "accounts.make_administrator"), () => this.giveRole(person, is ? "person" : "administrator"), "quiet"),
        button(t("accounts.group"), () => this.askGroup(person), "quiet"),
        button(t("accounts.sign_out"), () => this.signOut(person), "quiet"),
        sureButton(t("accounts.remove"), person.name, t("accounts.remove_sure", { name: isolated(person.name) }), () => this.remove(person), (sure, back) => sure.addEventListener("blur", back)),
      ),
    );
  }

  /** @param {Person} person */
  async remove(person) {
    if (!(await call(this.server.remove_person, { person: person.name }))) return;
    showToast(t("accounts.removed", { name: isolated(person.name) }));
    this.load();
  }

  /** @param {Person} person */
  askPassword(person) {
    const given = { type: "password", autocomplete: "new-password", minlength: 8, required: true, "aria-label": t("accounts.new_password_of", { name: person.name }) };
    this.ask(person, given, t("accounts.give"), async (password) => {
      if (!(await call(this.server.reset_password, { person: person.name, password }))) return false;
      showToast(t("accounts.password_given", { name: isolated(person.name) }));
      return true;
    });
  }

  /** @param {Person} person */
  askGroup(person) {
    const given = { value: person.group ?? "", maxlength: 80, dir: "auto", title: t("accounts.group_hint"), placeholder: t("accounts.group_hint"), "aria-label": t("accounts.group_of", { name: person.name }) };
    this.ask(person, given, t("accounts.group_saved"), async (group) => {
      const reply = await call(this.server.change_group, { person: person.name, group });
      if (!reply) return false;
      const [name, now] = [isolated(person.name), reply.person.group];
      showToast(now ? t("accounts.grouped", { name, group: isolated(now) }) : t("accounts.ungrouped", { name }));
      return true;
    });
  }

  /** A field below a user's row; `save` returns whether the value was accepted. @param {Person} person @param {Record<string, unknown>} given @param {string} words @param {(value: string) => Promise<boolean>} save */
  ask(person, given, words, save) {
    const input = element("input", given);
    const form = element("form.with", {}, input, element("button", { type: "submit" }, words));
    form.append(button(t("accounts.cancel"), () => form.remove(), "quiet"));
    onSubmit(form, async () => {
      if (!(await save(input.value))) return;
      form.remove();
      this.load();
    });
    const row = [...this.root.querySelectorAll(".people li")].find((each) => each.dataset.name === person.name);
    row?.querySelector("form")?.remove();
    row?.append(form);
    input.focus();
  }

  /** @param {Person} person @param {Person["role"]} role */
  async giveRole(person, role) {
    if (await call(this.server.change_role, { person: person.name, role })) this.load();
  }

  /** @param {Person} person */
  async signOut(person) {
    const reply = await call(this.server.sign_out_person, { person: person.name });
    if (reply) showToast(t("accounts.signed_out", { name: isolated(person.name), count: reply.ended }));
  }

  async add() {
    const { person, password, role } = /** @type {any} */ (this.form.elements);
    const reply = await call(this.server.add_person, { person: person.value, password: password.value, role: role.checked ? "administrator" : "person" });
    if (!reply) return;
    this.form.reset();
    showToast(t("accounts.added", { name: isolated(reply.person.name) }));
    this.load();
  }
}
