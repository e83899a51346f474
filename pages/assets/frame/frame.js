/* The header: tabs, language, theme, health. */
import { address, leaving, on, send } from "../shared/bus.js";
import { mountViewer } from "../viewer/viewer.js";
import { call } from "../shared/server.js";
import { tabs } from "../shared/ui.js";
import { t, translate, ui } from "../shared/words.js";
import { mountCommands } from "./commands.js";
import { mountConnection } from "./connection.js";
import { mountNotices } from "./notices.js";
import { tellUnseenFailures } from "./unseen.js";

const TABS = ["chat", "library", "knowledge", "memory", "personality", "tools", "system", "settings"];

/** @param {HTMLElement} root */
function applyLanguage(root) {
  document.documentElement.lang = ui.language;
  document.documentElement.dir = ui.language === "he" ? "rtl" : "ltr";
  translate(root);
  root.querySelector("[data-ui-language]").textContent = t("frame.other_language");
}

/** @param {string} theme */
function applyTheme(theme) {
  document.body.classList.toggle("dark", theme === "dark");
  document.documentElement.dataset.theme = theme;
}

/** @param {(chosen: string) => HTMLElement} mark @param {string | null} tab */
function showTab(mark, tab) {
  const chosen = tab && TABS.includes(tab) ? tab : "chat";
  mark(chosen).scrollIntoView({ block: "nearest", inline: "nearest" });
  document.querySelector(`#pal-tabs [data-tab-id="${chosen}"]`)?.click();
  document.body.dataset.tab = chosen;
}

/** Loads possible changes when the user returns to the page, never by a timer. @param {() => unknown} refresh */
function onReturn(refresh) {
  addEventListener("focus", refresh);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && refresh());
}

/** @param {HTMLElement} root @param {FrameServer} server */
function healthCard(root, server) {
  const button = root.querySelector("[data-health]");
  const card = root.querySelector(".health-card");
  const refresh = async () => {
    try {
      const health = await server.health({ ui: ui.language });
      button.dataset.state = health.state;
      button.title = `${t("frame.health")}: ${health.summary}`;
      button.setAttribute("aria-label", button.title);
      card.innerHTML = health.html;
      root.querySelector("[data-sign-out]").hidden = !health.signed_in;
      for (const tab of root.querySelectorAll("nav [data-tab]")) tab.hidden = health.hidden.includes(tab.dataset.tab);
      document.body.dataset.off = health.hidden.join(" ");
    } catch {
      button.dataset.state = "red";
      lost();
    }
  };
  const lost = mountConnection(refresh);
  button.addEventListener("click", () => {
    card.hidden = !card.hidden;
    button.setAttribute("aria-expanded", !card.hidden);
    if (!card.hidden) refresh();
  });
  document.addEventListener("click", (event) => {
    if (!card.hidden && !card.contains(event.target) && !button.contains(event.target)) card.hidden = true;
  });
  for (const news of /** @type {const} */ (["answered", "connection", "models", "features"])) on(news, refresh);
  onReturn(refresh);
  refresh();
  return refresh;
}

/** The assistant's name, wherever it was changed. @param {HTMLElement} root @param {FrameServer} server */
function assistantName(root, server) {
  const place = root.querySelector("[data-assistant]");
  const refresh = async () => {
    try {
      const { name } = await server.assistant({ ui: ui.language });
      if (name) place.textContent = name === "Palimpsest" ? "" : name;
    } catch {
      /* The health dot shows it if the server does not answer. */
    }
  };
  on("personality", refresh);
  onReturn(refresh);
  refresh();
}

/** Language, theme and depth as the user set them for all devices; this device's values apply until those are loaded. @param {HTMLElement} root @param {FrameServer} server @param {() => unknown} refresh */
function preferences(root, server, refresh) {
  const apply = (/** @type {Partial<Preferences>} */ { language, theme, mode }) => {
    if (language && language !== ui.language) {
      ui.language = language;
      localStorage.setItem("pal.ui", language);
      applyLanguage(root);
      refresh();
      send("language");
    }
    if (theme) {
      localStorage.setItem("pal.theme", theme);
      applyTheme(theme);
      send("theme");
    }
    if (mode) send("mode", mode);
  };
  /** @type {Partial<Preferences>} chosen here before the saved ones were loaded */
  const chosen = {};
  const prefer = (/** @type {Partial<Preferences>} */ preferred) => {
    Object.assign(chosen, preferred);
    apply(preferred);
    call(server.prefer, preferred);
  };
  root.querySelector("[data-ui-language]").addEventListener("click", () => prefer({ language: ui.language === "he" ? "en" : "he" }));
  root.querySelector("[data-theme-switch]").addEventListener("click", () => prefer({ theme: document.body.classList.contains("dark") ? "light" : "dark" }));
  on("preferred", prefer);
  server.preferences({ ui: ui.language }).then((reply) => apply({ ...reply?.preferences, ...chosen }), () => {});
}

/** Skips the header: to the question field in the chat, otherwise to the current page. @param {Event} event */
function skip(event) {
  event.preventDefault();
  const tab = document.body.dataset.tab ?? "chat";
  const page = document.querySelector(`#pal-${tab} section`);
  page.tabIndex = -1;
  (tab === "chat" ? page.querySelector(".composer textarea") : page).focus();
}

/** @param {Widget<FrameServer>} widget */
export function mount({ element: root, server }) {
  applyTheme(localStorage.getItem("pal.theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  applyLanguage(root);
  const refresh = healthCard(root, server);
  preferences(root, server, refresh);
  assistantName(root, server);
  mountNotices(root.querySelector(".pal-header"));
  tellUnseenFailures(server);
  mountViewer();
  root.querySelector(".brand").addEventListener("click", (/** @type {Event} */ event) => {
    event.preventDefault();
    send("tab", "chat");
  });
  const mark = tabs(root, "tab", (tab) => send("tab", tab));
  on("tab", (tab) => {
    const go = () => {
      address.set({ tab });
      showTab(mark, tab);
    };
    const here = document.body.dataset.tab ?? "";
    if (tab === here || !leaving.stays(here, go)) go();
  });
  root.querySelector("[data-palette]").addEventListener("click", mountCommands(() => TABS.filter((tab) => !root.querySelector(`nav [data-tab=${tab}]`).hidden), server));
  root.querySelector("[data-skip]").addEventListener("click", skip);
  addEventListener("popstate", () => {
    showTab(mark, address.get("tab"));
    send("address");
  });
  // If the user chose another page before the pages were loaded, open that one.
  const ready = () => (document.querySelector("#pal-tabs [data-tab-id]") ? showTab(mark, address.get("tab") || "chat") : requestAnimationFrame(ready));
  ready();
}
