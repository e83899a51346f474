/* What a person says of themselves, and whether searches of the web may know it. */
import { call } from "../shared/server.js";

/** @type {("industry" | "country")[]} */
const FIELDS = ["industry", "country"];

/** @param {HTMLElement} card @param {SettingsServer} server */
export function mountAboutMe(card, server) {
  const field = (/** @type {string} */ name) => card.querySelector(`[name=${name}]`);
  for (const name of FIELDS) field(name).addEventListener("change", () => call(server.prefer, { [name]: field(name).value.trim() }));
  field("tell_web").addEventListener("change", () => call(server.prefer, { tell_web: field("tell_web").checked }));

  return {
    /** @param {Preferences} preferences */
    show(preferences) {
      for (const name of FIELDS) field(name).value = preferences[name] ?? "";
      field("tell_web").checked = Boolean(preferences.tell_web);
    },
  };
}
