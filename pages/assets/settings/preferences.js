/* A user's preferences: language, theme, depth; their profile, and whether web searches may use it. Saved for all their devices. */
import { on, send } from "../shared/bus.js";
import { call } from "../shared/server.js";
import { radio } from "../shared/ui.js";
import { t, ui } from "../shared/words.js";

/** @type {Record<string, [value: string, words: string][]>} */
const CHOICES = {
  language: [["en", "settings.english"], ["he", "settings.hebrew"]],
  theme: [["light", "settings.light"], ["dark", "settings.dark"]],
  mode: [["quick", "chat.mode_quick"], ["enhanced", "chat.mode_enhanced"], ["deep", "chat.mode_deep"]],
};

/** @type {("industry" | "country")[]} */
const FIELDS = ["industry", "country"];

/** Returns a function that shows them. @param {HTMLElement} card @param {HTMLElement} about the card of the user's profile @param {SettingsServer} server */
export function mountPreferences(card, about, server) {
  /** @type {Partial<Preferences>} */
  let kept = {};

  const current = () => /** @type {Record<string, string>} */ ({
    language: ui.language,
    theme: document.body.classList.contains("dark") ? "dark" : "light",
    mode: localStorage.getItem("pal.mode") || kept.mode || "enhanced",
  });

  /** The header applies and saves each choice. */
  function draw() {
    const now = current();
    for (const [name, choices] of Object.entries(CHOICES)) {
      card.querySelector(`[data-prefer=${name}]`).replaceChildren(...choices.map(([value, label]) => radio(`prefer-${name}`, value, t(label), now[name] === value, () => send("preferred", { [name]: value }))));
    }
  }

  on("theme", draw);
  on("mode", draw);
  const field = (/** @type {string} */ name) => about.querySelector(`[name=${name}]`);
  for (const name of FIELDS) field(name).addEventListener("change", () => call(server.prefer, { [name]: field(name).value.trim() }));
  field("tell_web").addEventListener("change", () => call(server.prefer, { tell_web: field("tell_web").checked }));
  return (/** @type {Preferences} */ preferences) => {
    kept = preferences;
    draw();
    for (const name of FIELDS) field(name).value = preferences[name] ?? "";
    field("tell_web").checked = Boolean(preferences.tell_web);
  };
}
