/* The Settings tab: which models answer and what they may cost, limits, storage, and how each person likes the page. */
import { on, send } from "../shared/bus.js";
import { call } from "../shared/notices.js";
import { button, element } from "../shared/ui.js";
import { t, translate } from "../shared/words.js";
import { mountAboutMe } from "./about-me.js";
import { mountApiKeys } from "./api-keys.js";
import { mountModels } from "./models.js";
import { mountPreferences } from "./preferences.js";
import { storageRows } from "./storage.js";
import { mountToolServers } from "./tool-servers.js";

const MEGABYTE = 1024 * 1024;
const LIMITS = { "limits.file_bytes": ["library.limit_file_bytes", MEGABYTE], "limits.document_pages": ["library.limit_document_pages", 1] };

export function mount({ element: widget, server }) {
  const root = widget.querySelector(".pal-settings");
  const cards = root.querySelector(".cards");
  const card = (name) => root.querySelector(`.card.${name}`);
  const models = mountModels(card("models"), server, { changed });
  const preferences = mountPreferences(card("mine"));
  const aboutMe = mountAboutMe(card("about-me"), server);
  const apiKeys = mountApiKeys(card("api-keys"), server);
  const toolServers = mountToolServers(card("tool-servers"), server);
  let latest = null;

  async function load() {
    take(await call(server.settings));
    apiKeys.load();
    if (latest?.may_change) toolServers.load();
  }

  function take(reply) {
    if (!reply) return;
    latest = reply;
    draw();
  }

  function changed(reply) {
    take(reply);
    send("models");
  }

  function draw() {
    cards.dataset.state = "ready";
    models.show(latest.models, latest.may_change);
    preferences.show(latest.preferences);
    aboutMe.show(latest.preferences);
    drawSpending();
    drawLimits();
    drawStorage();
    for (const name of ["models", "mine", "about-me"]) card(name).hidden = false;
    card("samples").hidden = false;
    card("samples").querySelector("p").textContent = t("settings.samples_hint", { count: latest.samples });
  }

  function drawSpending() {
    const { spending, spent, may_change } = latest;
    const view = card("spending");
    view.hidden = !may_change && spending.value === null && !spent.cost;
    const cost = spent.cost.toLocaleString(document.documentElement.lang, { style: "currency", currency: "USD" });
    view.querySelector(".spent").textContent = t("settings.spent", { cost });
    const field = view.querySelector(".field");
    field.hidden = !may_change;
    const input = view.querySelector("input");
    input.value = spending.value ?? "";
    input.disabled = spending.fixed;
    field.querySelector(".hint").textContent = t(spending.fixed ? "settings.fixed" : "settings.spending_hint");
  }

  function drawLimits() {
    card("limits").hidden = !latest.may_change;
    card("limits").querySelector(".rows").replaceChildren(...latest.limits.map(limitRow));
  }

  function limitRow(each) {
    const [label, unit] = LIMITS[each.name];
    const input = element("input", { type: "number", min: each.least / unit, max: each.most / unit, step: 1, required: true, disabled: each.fixed });
    input.valueAsNumber = Math.round((each.value / unit) * 100) / 100;
    input.addEventListener("change", () => input.checkValidity() && change(each.name, Math.round(Number(input.value) * unit)));
    const back = !each.fixed && each.value !== each.default && button(t("library.limits_default"), () => change(each.name, null), "quiet");
    return element("label.field", {}, element("span", {}, t(label)), element("span.with", {}, input, back), each.fixed && element("small", {}, t("settings.fixed")));
  }

  async function change(name, value) {
    if (await call(server.change_limit, { name, value })) load();
  }

  function drawStorage() {
    card("storage").hidden = !latest.storage;
    if (latest.storage) storageRows(card("storage"), latest.storage);
  }

  card("spending").querySelector("input").addEventListener("change", async ({ target }) => {
    if (target.checkValidity()) take(await call(server.limit_spending, { value: target.value === "" ? null : Number(target.value) }));
  });
  root.querySelector("[data-do=samples]").addEventListener("click", async () => {
    if (await call(server.load_samples)) send("tab", "library");
  });
  on("language", () => {
    translate(root);
    if (latest) draw();
    apiKeys.draw();
    toolServers.draw();
  });
  on("tab", (tab) => (tab === "settings" ? load() : apiKeys.forget()));
  on("found-model", (found) => models.pick(found));
  translate(root);
  load();
}
