/* What one person prefers: language, theme, depth; kept for all their devices. */
import { on, send } from "../shared/bus.js";
import { element } from "../shared/ui.js";
import { t, ui } from "../shared/words.js";

/** @type {Record<string, [value: string, words: string][]>} */
const CHOICES = {
  language: [["en", "settings.english"], ["he", "settings.hebrew"]],
  theme: [["light", "settings.light"], ["dark", "settings.dark"]],
  mode: [["quick", "chat.mode_quick"], ["enhanced", "chat.mode_enhanced"], ["deep", "chat.mode_deep"]],
};

/** @param {HTMLElement} card */
export function mountPreferences(card) {
  /** @type {Partial<Preferences>} */
  let kept = {};

  const current = () => /** @type {Record<string, string>} */ ({
    language: ui.language,
    theme: document.body.classList.contains("dark") ? "dark" : "light",
    mode: localStorage.getItem("pal.mode") || kept.mode || "enhanced",
  });

  function draw() {
    const now = current();
    for (const [name, choices] of Object.entries(CHOICES)) {
      card.querySelector(`[data-prefer=${name}]`).replaceChildren(...choices.map(([value, label]) => option(name, value, t(label), now[name] === value)));
    }
  }

  on("theme", draw);
  on("mode", draw);
  return {
    /** @param {Preferences} preferences */
    show(preferences) {
      kept = preferences;
      draw();
    },
  };
}

/** The header applies and keeps it. @param {string} name @param {string} value @param {string} label @param {boolean} checked */
function option(name, value, label, checked) {
  const input = element("input", { type: "radio", name: `prefer-${name}`, value, checked, onchange: () => send("preferred", { [name]: value }) });
  return element("label", {}, input, label);
}
