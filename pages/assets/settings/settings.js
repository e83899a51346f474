/* The Settings tab: models and their spending limit, limits, storage, and each user's preferences. */
import { AccountCard } from "../accounts/account.js";
import { PeopleCard } from "../accounts/people.js";
import { on, send } from "../shared/bus.js";
import { limitInput, limitLabel } from "../library/limits.js";
import { call } from "../shared/server.js";
import { Part, element, onClick } from "../shared/ui.js";
import { t, translate } from "../shared/words.js";
import { ApiKeys } from "./api-keys.js";
import { ModelsCard } from "./models.js";
import { mountPreferences } from "./preferences.js";
import { storageRows } from "../shared/storage.js";
import { ToolServers } from "./tool-servers.js";

/** @extends {Part<SettingsServer>} */
class SettingsTab extends Part {
  /** @param {Widget<SettingsServer>} widget */
  constructor({ element: widget, server }) {
    super(widget.querySelector(".pal-settings"), server);
    this.models = new ModelsCard(this.card("models"), server, (reply) => {
      this.take(reply);
      send("models");
    });
    this.showPreferences = mountPreferences(this.card("mine"), this.card("about-me"), server);
    this.apiKeys = new ApiKeys(this.card("api-keys"), server);
    this.account = new AccountCard(this.card("account"), server);
    this.people = new PeopleCard(this.card("people-card"), server);
    this.toolServers = new ToolServers(this.card("tool-servers"), server);
    /** @type {SettingsReply | null} */
    this.latest = null;
  }

  /** @param {string} name */
  card(name) {
    return this.find(`.card.${name}`);
  }

  async load() {
    this.take(await call(this.server.settings));
    this.apiKeys.load();
    this.account.load();
    if (this.latest?.may_change) this.people.load();
    if (this.latest?.may_change) this.toolServers.load();
  }

  /** Secrets are removed when the user leaves the page. */
  forget() {
    this.apiKeys.forget();
    this.account.forget();
  }

  /** @param {SettingsReply | null} reply */
  take(reply) {
    if (!reply) return;
    this.latest = reply;
    this.draw(reply);
  }

  /** @param {SettingsReply} now */
  draw(now) {
    this.find(".cards").dataset.state = "ready";
    this.models.show(now.models, now.may_change);
    this.showPreferences(now.preferences);
    this.drawSpending(now);
    this.card("limits").hidden = !now.may_change;
    this.card("limits").querySelector(".rows").replaceChildren(...now.limits.map((each) => this.limitRow(each)));
    this.card("storage").hidden = !now.storage;
    if (now.storage) storageRows(this.card("storage"), now.storage);
    for (const name of ["models", "mine", "about-me", "samples"]) this.card(name).hidden = false;
    this.card("samples").querySelector("p").textContent = t("settings.samples_hint", { count: now.samples });
  }

  /** @param {SettingsReply} now */
  drawSpending({ spending, spent, may_change }) {
    const view = this.card("spending");
    view.hidden = !may_change && spending.value === null && !spent.cost;
    const cost = spent.cost.toLocaleString(document.documentElement.lang, { style: "currency", currency: "USD" });
    view.querySelector(".spent").textContent = t("settings.spent", { cost });
    const place = view.querySelector(".field");
    place.hidden = !may_change;
    const input = view.querySelector("input");
    input.value = spending.value ?? "";
    input.disabled = spending.fixed;
    place.querySelector(".hint").textContent = t(spending.fixed ? "settings.fixed" : "settings.spending_hint");
  }

  /** @param {Limit} each */
  limitRow(each) {
    const [input, back] = limitInput(each, async (value) => (await call(this.server.change_limit, { name: each.name, value })) && this.load());
    return element("label.field", {}, element("span", {}, limitLabel(each)), element("span.with", {}, input, back), each.fixed && element("small", {}, t("settings.fixed")));
  }

  listen() {
    this.card("spending").querySelector("input").addEventListener("change", async (/** @type {{ target: HTMLInputElement }} */ { target }) => {
      if (target.checkValidity()) this.take(await call(this.server.limit_spending, { value: target.value === "" ? null : Number(target.value) }));
    });
    onClick(this.root, "[data-do=samples]", async () => (await call(this.server.load_samples)) && send("tab", "library"));
    on("language", () => {
      translate(this.root);
      if (this.latest) this.draw(this.latest);
      for (const each of [this.apiKeys, this.account, this.people, this.toolServers]) each.draw();
    });
    on("tab", (tab) => (tab === "settings" ? this.load() : this.forget()));
  }
}

/** @param {Widget<SettingsServer>} widget */
export function mount(widget) {
  const tab = new SettingsTab(widget);
  tab.listen();
  translate(tab.root);
  tab.load();
}
