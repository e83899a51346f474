/* Which models answer: a provider, its address and key, the pair of models, and a trial of what is picked. */
import { call, showToast } from "../shared/notices.js";
import { button, element } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { trialResult } from "./trial.js";

const isolated = (text) => `\u2068${text}\u2069`;
const NAMES = /[\s,;]+/;
/** The fields whose values the environment may set, and the settings they stand for. */
const SETTINGS = { answers: "model", small: "model_small", further: "models" };

export function mountModels(card, server, { changed }) {
  const find = (selector) => card.querySelector(selector);
  const form = find("form");
  const fields = form.elements;
  const state = { now: null, provider: null, offered: [], drafts: {} };

  /* -- what is set ---------------------------------------------------------------------- */
  function show(now, may) {
    const same = state.now && JSON.stringify(state.now) === JSON.stringify(now);
    state.now = now;
    find(".now").replaceChildren(...status(now));
    find(".not-yours").hidden = may;
    form.hidden = !may;
    drawProviders();
    if (!may) return;
    find("[data-do=quote]").hidden = !now.answers || now.fixed.includes("model");
    if (!same) open(state.provider || now.provider || "own", now.provider);
    else drawWords();
  }

  function status(now) {
    if (!now.answers) return [t("settings.no_model")];
    if (!now.provider) return [t("settings.replayed", { recording: isolated(now.answers) })];
    return [t("settings.now", { model: isolated(now.answers), provider: isolated(label(provider(now.provider))) })];
  }

  const provider = (id) => state.now.providers.find((each) => each.id === id);
  const label = (each) => (each.id === "own" ? t("settings.own_server") : each.label);

  function drawProviders() {
    const options = state.now.providers.map((each) => {
      const input = element("input", { type: "radio", name: "provider", value: each.id, checked: each.id === state.provider, onchange: () => open(each.id) });
      return element("label", {}, input, label(each));
    });
    find(".providers .options").replaceChildren(...options);
  }

  /* -- what is picked ------------------------------------------------------------------- */
  function open(id, current = null) {
    if (state.provider) state.drafts[state.provider] = read();
    state.provider = id;
    const draft = (!current && state.drafts[id]) || inUse(id) || usual(id);
    for (const [name, value] of Object.entries(draft)) fields[name].value = value;
    offer([]);
    find(".trial").hidden = true;
    find(".found").hidden = true;
    drawProviders();
    drawWords();
    drawReach();
  }

  function inUse(id) {
    const { now } = state;
    if (now.provider !== id) return null;
    return { address: provider(id).address || "", key: "", answers: now.answers, small: now.small || "", further: now.further.join(", ") };
  }

  /** The pair that a provider stands for until another one is picked. */
  function usual(id) {
    const each = provider(id);
    return { address: each.address || "", key: "", answers: each.answers || "", small: each.small || "", further: "" };
  }

  function drawWords() {
    const each = provider(state.provider);
    find(".address").hidden = !each.takes_address;
    find("[data-do=find]").hidden = each.id !== "own";
    fields.address.disabled = each.address_fixed;
    fields.address.placeholder = each.host || "http://127.0.0.1:11434/v1";
    find(".address .fixed").hidden = !each.address_fixed;
    find(".address .fixed").textContent = t("settings.fixed");
    fields.key.disabled = each.key_fixed;
    fields.key.placeholder = each.key_given ? "••••••••••••" : "";
    find(".key .hint").textContent = t(each.key_fixed ? "settings.fixed" : each.key_given ? "settings.key_kept" : each.id === "own" ? "settings.key_optional" : "settings.key_hint");
    for (const [name, setting] of Object.entries(SETTINGS)) {
      const fixed = state.now.fixed.includes(setting);
      fields[name].disabled = fixed;
      fields[name].closest(".field").querySelector(".hint").textContent = t(fixed ? "settings.fixed" : `settings.${name}_hint`);
    }
  }

  const read = () => ({ address: fields.address.value.trim(), key: fields.key.value, answers: fields.answers.value.trim(), small: fields.small.value.trim(), further: fields.further.value });
  const picked = () => ({ ...read(), provider: state.provider, further: fields.further.value.split(NAMES).filter(Boolean) });

  async function drawReach() {
    const asked = state.provider;
    const place = find(".reach");
    place.replaceChildren();
    if (asked === "own" && !fields.address.value.trim()) return;
    const reply = await call(server.destination, { ...picked(), key: "" });
    if (!reply || asked !== state.provider) return;
    place.className = `reach ${reply.reach}`;
    place.textContent = t(`settings.reach_${reply.reach}`, { host: reply.host });
  }

  function offer(models) {
    state.offered = models;
    find("datalist").replaceChildren(...models.map((each) => new Option(each.id, each.id)));
  }

  /* -- asking elsewhere ------------------------------------------------------------------ */
  async function busy(control, work) {
    control.disabled = true;
    control.setAttribute("aria-busy", "true");
    await work();
    control.disabled = false;
    control.removeAttribute("aria-busy");
  }

  async function list() {
    const reply = await call(server.offered, picked());
    if (!reply) return;
    offer(reply.models);
    if (!fields.answers.value && reply.models.length) fields.answers.value = reply.models[0].id;
    showToast(t("settings.listed", { count: reply.models.length }));
  }

  async function findServers() {
    const reply = await call(server.find_models);
    if (!reply) return;
    const place = find(".found");
    place.hidden = false;
    const rows = reply.servers.flatMap((each) => each.models.map((model) => button(t("settings.take", { server: each.name, model }), () => pick({ address: each.address, model }))));
    place.replaceChildren(...(rows.length ? rows : [element("p", {}, t("settings.none_found"))]), ...reply.search.map(searchService));
  }

  /** Who runs the server sets these: another embedding model makes every vector anew. */
  function searchService({ kind, model, lines }) {
    return element("div.service", {}, element("p", {}, t(`settings.found_${kind}`, { model: isolated(model) })), element("pre", { dir: "ltr" }, lines.join("\n")));
  }

  function pick({ address, model }) {
    if (!state.now) return;
    open("own");
    Object.assign(fields.address, { value: address });
    Object.assign(fields.answers, { value: model });
    fields.small.value = "";
    drawReach();
    find("[data-do=try]").focus();
  }

  async function tryOut() {
    const place = find(".trial");
    place.hidden = false;
    place.replaceChildren(element("p", {}, t("settings.trying")));
    const reply = await call(server.try_model, picked());
    if (reply) place.replaceChildren(...trialResult(reply));
    else place.hidden = true;
  }

  async function use() {
    const reply = await call(server.choose_model, picked());
    if (!reply) return;
    state.drafts = {};
    fields.key.value = "";
    state.now = null;
    changed(reply);
    showToast(t("settings.in_use", { model: reply.models.answers }));
  }

  async function quoteOnly() {
    const reply = await call(server.quote_only);
    if (reply) changed(reply);
  }

  const doing = { find: findServers, list, try: tryOut, quote: quoteOnly };
  for (const [name, work] of Object.entries(doing)) find(`[data-do=${name}]`).addEventListener("click", ({ currentTarget }) => busy(currentTarget, work));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    busy(find("[data-do=use]"), use);
  });
  fields.address.addEventListener("change", drawReach);
  return { show, pick };
}
