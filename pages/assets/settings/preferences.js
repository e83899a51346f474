/* What one person prefers: language, theme, depth; kept for all their devices. */
import { on, send } from "../shared/bus.js";
import { element } from "../shared/ui.js";
import { t, ui } from "../shared/words.js";

const CHOICES = {
  language: [["en", "settings.english"], ["he", "settings.hebrew"]],
  theme: [["light", "settings.light"], ["dark", "settings.dark"]],
  mode: [["quick", "chat.mode_quick"], ["enhanced", "chat.mode_enhanced"], ["deep", "chat.mode_deep"]],
};

export function mountPreferences(card) {
  let kept = {};

  const current = () => ({
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

  function option(name, value, label, checked) {
    const input = element("input", { type: "radio", name: `prefer-${name}`, value, checked, onchange: () => prefer(name, value) });
    return element("label", {}, input, label);
  }

  /** The header applies and keeps it. */
  const prefer = (name, value) => send("preferred", { [name]: value });

  on("theme", draw);
  on("mode", draw);
  return {
    show(preferences) {
      kept = preferences;
      draw();
    },
  };
}
