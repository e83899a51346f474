/* Tool servers: which there are, how they are, what each offers; added, tried, changed, switched off, removed with undo. */
import { call, showToast } from "../shared/notices.js";
import { element, explained } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { mountServerForm } from "./server-form.js";
import { serverRow } from "./server-row.js";

const UNDO_SECONDS = 10;

export function mountToolServers(card, server) {
  const find = (selector) => card.querySelector(selector);
  const isolated = (text) => `\u2068${text}\u2069`;
  const form = mountServerForm(find("form"), server, { kept });
  let latest = null;
  let following = false;

  async function load() {
    take(await call(server.tool_servers));
    follow();
  }

  function take(reply) {
    if (!reply) return;
    latest = reply;
    draw();
  }

  /** One question that is answered when something has changed, again and again while the tab is looked at. */
  async function follow() {
    if (following) return;
    following = true;
    while (latest && card.offsetParent && !document.hidden) {
      const reply = await server.tool_server_news({ revision: latest.revision, ui: document.documentElement.lang }).catch(() => null);
      if (!reply || reply.problem) break;
      if (reply.revision !== latest.revision) take(reply);
    }
    following = false;
  }

  function draw() {
    card.hidden = false;
    const open = new Set([...card.querySelectorAll(".servers > [data-id]:has(details[open])")].map((row) => row.dataset.id));
    find(".servers").replaceChildren(...latest.servers.map((each) => serverRow(each, doing(each), open.has(each.id))));
    find(".none").hidden = latest.servers.length > 0;
    find("[data-do=new]").hidden = !latest.typed;
    const trouble = latest.problem_of_file;
    find(".file").hidden = !trouble;
    find(".file").replaceChildren(...(trouble ? [element("p.trouble", {}, ...explained(trouble))] : []));
    form.drawWords();
  }

  function doing(each) {
    const own = each.origin === "page" && latest.typed;
    return {
      refresh: () => act(server.refresh_server, each),
      toggle: () => act(server.switch_server, each, { enabled: each.state === "off" }),
      signIn: () => signIn(each),
      change: own && (() => form.show(each)),
      remove: own && (() => remove(each)),
    };
  }

  async function act(fn, { id }, more = {}) {
    take(await call(fn, { id, ...more }));
  }

  async function remove(each) {
    const reply = await call(server.remove_server, { id: each.id });
    if (!reply) return;
    take(reply);
    showToast(t("settings.server_removed", { name: isolated(each.name) }), { action: () => act(server.restore_server, each), label: t("settings.server_undo"), seconds: UNDO_SECONDS });
  }

  /** The other page is opened by the person, from the row: browsers keep scripts from doing so after a wait. */
  async function signIn({ id }) {
    if (await call(server.sign_in_server, { id, origin: location.origin })) load();
  }

  function kept(reply, name) {
    take(reply);
    showToast(t("settings.server_kept", { name: isolated(name) }));
  }

  find("[data-do=new]").addEventListener("click", () => form.show());
  document.addEventListener("visibilitychange", () => latest && !document.hidden && follow());
  return { load, draw: () => latest && draw() };
}
