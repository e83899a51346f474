/* What a person says of themselves, and whether searches of the web may know it. */
import { call } from "../shared/notices.js";

const FIELDS = ["industry", "country"];

export function mountAboutMe(card, server) {
  const switched = card.querySelector("[name=tell_web]");

  for (const name of FIELDS) {
    const input = card.querySelector(`[name=${name}]`);
    input.addEventListener("change", () => call(server.prefer, { [name]: input.value.trim() }));
  }
  switched.addEventListener("change", () => call(server.prefer, { tell_web: switched.checked }));

  return {
    show(preferences) {
      for (const name of FIELDS) card.querySelector(`[name=${name}]`).value = preferences[name] ?? "";
      switched.checked = Boolean(preferences.tell_web);
    },
  };
}
