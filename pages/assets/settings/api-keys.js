/* API keys: made and shown once, known again by how they begin, revoked. */
import { call, showToast } from "../shared/notices.js";
import { button, element } from "../shared/ui.js";
import { t } from "../shared/words.js";

const SURE_MILLISECONDS = 5000;
const isolated = (text) => `\u2068${text}\u2069`;

export function mountApiKeys(card, server) {
  const find = (selector) => card.querySelector(selector);
  const form = find("form");
  let keys = null;
  let made = null;

  async function load() {
    const reply = await call(server.keys);
    if (!reply) return;
    keys = reply.keys;
    draw();
  }

  function draw() {
    if (!keys) return;
    card.hidden = false;
    const [before, after] = t("settings.keys_about", { address: "\n" }).split("\n");
    find(".about").replaceChildren(before, element("code", { dir: "ltr" }, `${location.origin}/mcp`), after);
    find(".none").hidden = keys.length > 0;
    find(".keys").replaceChildren(...keys.map(row));
    find(".made").hidden = !made;
    if (made) find(".made p").textContent = t("settings.keys_once", { name: isolated(made.key.name) });
  }

  function row(key) {
    const used = key.last_used_at ? t("settings.keys_used", { when: day(key.last_used_at) }) : t("settings.keys_unused");
    const about = element("span.about", {}, element("b", {}, element("bdi", {}, key.name)), element("code", { dir: "ltr" }, `${key.prefix}…`));
    const times = element("small", {}, t("settings.keys_made", { when: day(key.created_at) }), " · ", used);
    return element("li", { "data-id": key.id }, about, times, revoking(key));
  }

  /** Nothing brings a key back, so that the button asks once more before it is pressed for good. */
  function revoking(key) {
    const first = button(t("settings.keys_revoke"), () => {
      const sure = button(t("settings.keys_revoke_sure"), () => revoke(key), "sure");
      first.replaceWith(sure);
      sure.focus();
      setTimeout(() => sure.replaceWith(first), SURE_MILLISECONDS);
    }, "quiet", { "aria-label": `${t("settings.keys_revoke")} ${key.name}` });
    return first;
  }

  async function revoke(key) {
    if (!(await call(server.revoke_key, { id: key.id }))) return;
    if (made?.key.id === key.id) forget();
    keys = keys.filter((each) => each.id !== key.id);
    draw();
    showToast(t("settings.keys_revoked", { name: isolated(key.name) }));
  }

  /** The key itself goes from the page with whoever looked at it. */
  function forget() {
    made = null;
    find(".made input").value = "";
    find(".made").hidden = true;
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const reply = await call(server.create_key, { name: form.elements.name.value });
    if (!reply) return;
    made = reply;
    keys = [reply.key, ...keys];
    form.reset();
    draw();
    find(".made input").value = reply.secret;
    find(".made input").select();
  });
  find("[data-do=copy]").addEventListener("click", async ({ currentTarget }) => {
    const field = find(".made input");
    field.select();
    await navigator.clipboard?.writeText(field.value);
    currentTarget.textContent = t("settings.keys_copied");
    setTimeout(() => (currentTarget.textContent = t("settings.keys_copy")), 2000);
  });
  return { load, draw, forget };
}

const day = (seconds) => new Date(seconds * 1000).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
