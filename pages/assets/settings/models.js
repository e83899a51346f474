/* Model settings: a provider, its address and key, the two models, and a test of the selection. */
import { asChoice, localModelRows, localModels } from "../shared/local-models.js";
import { call } from "../shared/server.js";
import { during, latest } from "../shared/timing.js";
import { Part, element, explained, offer, onClick, onSubmit, radio, showToast } from "../shared/ui.js";
import { isolated, number, t } from "../shared/words.js";

const NAMES = /[\s,;]+/;
/** Fields whose values the environment may set, and their settings. */
const SETTINGS = { answers: "model", small: "model_small", further: "models" };

/** @typedef {import("../shared/local-models.js").LocalModel} LocalModel */
/** @typedef {Record<"address" | "key" | "answers" | "small" | "further", string>} Draft the values in the fields */

/** @param {Provider} each */
const label = (each) => (each.id === "own" ? t("settings.own_server") : each.label);

/** The server's operator sets these: with another embedding model every vector is computed again. @param {FoundModels["search"][number]} service */
const searchService = ({ kind, model, lines }) =>
  element("div.service", {}, element("p", {}, t(`settings.found_${kind}`, { model: isolated(model) })), element("pre", { dir: "ltr" }, lines.join("\n")));

/** @extends {Part<SettingsServer>} */
export class ModelsCard extends Part {
  /** @param {HTMLElement} card @param {SettingsServer} server @param {(reply: SettingsReply) => void} changed */
  constructor(card, server, changed) {
    super(card, server);
    this.changed = changed;
    /** @type {HTMLFormElement} */
    this.form = card.querySelector("form");
    /** @type {any} */
    this.fields = this.form.elements;
    /** @type {Models | null} the saved settings */
    this.now = null;
    /** @type {string | null} the selected provider */
    this.provider = null;
    /** @type {Record<string, Draft>} values typed for other providers */
    this.drafts = {};
    /** A typed address is checked while a check of the previous one may still be running. */
    this.asking = latest();
    this.listen();
  }

  /* -- saved settings ------------------------------------------------------------------- */
  /** @param {Models} now @param {boolean} may */
  show(now, may) {
    const same = this.now && JSON.stringify(this.now) === JSON.stringify(now);
    this.now = now;
    this.find(".now").textContent = this.status(now);
    this.find(".not-yours").hidden = may;
    this.form.hidden = !may;
    this.drawProviders(now);
    if (!may) return;
    this.find("[data-do=quote]").hidden = !now.answers || now.fixed.includes("model");
    if (same) this.drawWords(now);
    else this.open(now, this.provider || now.provider || "own", now.provider);
  }

  /** @param {Models} now */
  status(now) {
    if (!now.answers) return t("settings.no_model");
    if (!now.provider) return t("settings.replayed", { recording: isolated(now.answers) });
    return t("settings.now", { model: isolated(now.answers), provider: isolated(label(this.state(now, now.provider))) });
  }

  /** @param {Models} now @param {string | null} id @returns {Provider} */
  state(now, id) {
    return now.providers.find((each) => each.id === id) ?? now.providers[0];
  }

  /** @param {Models} now */
  drawProviders(now) {
    const options = now.providers.map((each) => radio("provider", each.id, label(each), each.id === this.provider, () => this.open(now, each.id)));
    this.find(".providers .options").replaceChildren(...options);
  }

  /* -- selection ------------------------------------------------------------------------ */
  /** @param {Models} now @param {string} id @param {string | null} [current] */
  open(now, id, current = null) {
    if (this.provider) this.drafts[this.provider] = this.read();
    this.provider = id;
    const draft = (!current && this.drafts[id]) || this.usual(now, this.state(now, id));
    for (const [name, value] of Object.entries(draft)) this.fields[name].value = value;
    this.find("datalist").replaceChildren();
    this.find(".trial").hidden = true;
    this.find(".found").hidden = true;
    this.drawProviders(now);
    this.drawWords(now);
    this.drawReach();
  }

  /** The models in use, or the provider's defaults until others are selected. @param {Models} now @param {Provider} each @returns {Draft} */
  usual(now, each) {
    const { answers, small, further } = now.provider === each.id ? now : { ...each, further: [] };
    return { address: each.address || "", key: "", answers: answers || "", small: small || "", further: further.join(", ") };
  }

  /** @param {Models} now */
  drawWords(now) {
    const each = this.state(now, this.provider);
    const { address, key } = this.fields;
    this.find(".address").hidden = !each.takes_address;
    this.find("[data-do=find]").hidden = each.id !== "own";
    address.disabled = each.address_fixed;
    address.placeholder = each.host || "http://127.0.0.1:11434/v1";
    this.find(".address .fixed").hidden = !each.address_fixed;
    this.find(".address .fixed").textContent = t("settings.fixed");
    key.disabled = each.key_fixed;
    key.placeholder = each.key_given ? "••••••••••••" : "";
    this.find(".key .hint").textContent = t(each.key_fixed ? "settings.fixed" : each.key_given ? "settings.key_kept" : each.id === "own" ? "settings.key_optional" : "settings.key_hint");
    for (const [name, setting] of Object.entries(SETTINGS)) {
      const fixed = now.fixed.includes(setting);
      this.fields[name].disabled = fixed;
      this.fields[name].closest(".field").querySelector(".hint").textContent = t(fixed ? "settings.fixed" : `settings.${name}_hint`);
    }
  }

  /** @returns {Draft} */
  read() {
    const { address, key, answers, small, further } = this.fields;
    return { address: address.value.trim(), key: key.value, answers: answers.value.trim(), small: small.value.trim(), further: further.value };
  }

  /** @returns {PickedModel} */
  picked() {
    const draft = this.read();
    return { ...draft, provider: this.provider ?? "own", further: draft.further.split(NAMES).filter(Boolean) };
  }

  async drawReach() {
    const place = this.find(".reach");
    place.replaceChildren();
    const isNowhere = this.provider === "own" && !this.fields.address.value.trim();
    const reply = await this.asking(isNowhere ? null : call(this.server.destination, { ...this.picked(), key: "" }));
    if (!reply) return;
    place.className = `reach ${reply.reach}`;
    place.textContent = t(`settings.reach_${reply.reach}`, { host: reply.host });
  }

  /* -- asking elsewhere ------------------------------------------------------------------ */
  async list() {
    const reply = await call(this.server.offered, this.picked());
    if (!reply) return;
    offer(this.find("datalist"), reply.models.map((each) => [each.id, each.id]));
    if (!this.fields.answers.value && reply.models.length) this.fields.answers.value = reply.models[0].id;
    showToast(t("settings.listed", { count: reply.models.length }));
  }

  /** If no model is chosen yet, the best one found is set at once; a click sets another. */
  async findServers() {
    const found = await call(this.server.find_models);
    if (!found) return;
    const place = this.find(".found");
    place.hidden = false;
    place.replaceChildren(...localModelRows(found, (local) => this.useLocal(local)), ...found.search.map(searchService));
    const [best] = localModels(found);
    if (best && !found.chosen) await this.useLocal(best);
  }

  /** @param {LocalModel} local */
  async useLocal(local) {
    const reply = await call(this.server.choose_model, asChoice(local));
    if (!reply) return;
    this.take(reply);
    this.find(".found").hidden = false;
  }

  async tryOut() {
    const place = this.find(".trial");
    place.hidden = false;
    place.replaceChildren(element("p", {}, t("settings.trying")));
    const reply = await call(this.server.try_model, this.picked());
    if (reply) place.replaceChildren(...trialResult(reply));
    else place.hidden = true;
  }

  async use() {
    const reply = await call(this.server.choose_model, this.picked());
    if (reply) this.take(reply);
  }

  /** @param {SettingsReply} reply */
  take(reply) {
    this.drafts = {};
    this.fields.key.value = "";
    this.now = null;
    this.changed(reply);
    showToast(t("settings.in_use", { model: reply.models.answers }));
  }

  async quoteOnly() {
    const reply = await call(this.server.quote_only);
    if (reply) this.changed(reply);
  }

  listen() {
    const doing = { find: () => this.findServers(), list: () => this.list(), try: () => this.tryOut(), quote: () => this.quoteOnly() };
    for (const [name, work] of Object.entries(doing)) onClick(this.root, `[data-do=${name}]`, (control) => during(control, work));
    onSubmit(this.form, () => during(this.find("[data-do=use]"), () => this.use()));
    this.fields.address.addEventListener("change", () => this.drawReach());
  }
}

/** @param {Check} check */
const mark = ({ works }) => (works === null ? "untried" : works ? "works" : "fails");

/** The result of a model test: a mark for each check, and the reason of a failure. @param {Trial} trial */
function trialResult({ checks, first_token, trouble }) {
  const rows = checks.map((each) => {
    const kind = mark(each);
    return element(`li.${kind}`, { title: t(`settings.mark_${kind}`) }, t(`settings.check_${each.name}`));
  });
  return [
    element("ul", {}, ...rows),
    first_token !== null && element("p", {}, t("settings.first_token", { seconds: number(first_token, first_token < 10 ? 1 : 0) })),
    trouble && element("p.trouble", {}, ...explained(trouble)),
  ].filter((each) => each instanceof Node);
}
