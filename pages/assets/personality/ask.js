/* A dialog: a title, a reason, possibly a name to enter, and buttons. */
import { element } from "../shared/ui.js";
import { t } from "../shared/words.js";

/** @typedef {{ title: string, why?: string, name?: string, buttons: [value: string, words: string][] }} Asked */

/** @param {string} value @param {string} words @param {string} [kind] */
const answer = (value, words, kind) => element("button", { type: "submit", value, class: kind, formnovalidate: !value }, words);

/** Returns a function that asks and returns the button and the name, or null if the dialog was closed. @param {HTMLDialogElement} dialog */
export function mountAsk(dialog) {
  const input = dialog.querySelector("input");
  const footer = dialog.querySelector("footer");

  return (/** @type {Asked} */ { title, why = "", name, buttons }) =>
    new Promise((/** @type {(given: { button: string, name: string } | null) => void} */ resolve) => {
      const named = name !== undefined;
      dialog.querySelector("h3").textContent = title;
      dialog.querySelector(".why").textContent = why;
      dialog.querySelector(".field").hidden = !named;
      input.required = named;
      input.value = name ?? "";
      footer.replaceChildren(...buttons.map(([value, words], place) => answer(value, words, place ? undefined : "primary")));
      if (named) footer.append(answer("", t("shared.cancel")));
      dialog.returnValue = "";
      dialog.addEventListener("close", () => resolve(dialog.returnValue ? { button: dialog.returnValue, name: input.value } : null), { once: true });
      dialog.showModal();
      if (named) input.select();
    });
}
