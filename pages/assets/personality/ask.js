/* A question in the way: a title, a reason, perhaps a name to type, and what can be answered. */
import { element } from "../shared/ui.js";
import { t } from "../shared/words.js";

/** ask({ title, why, name, buttons: [[value, words]] }) gives { button, name }, or null when it was closed. */
export function mountAsk(dialog) {
  const field = dialog.querySelector(".field");
  const input = dialog.querySelector("input");
  const footer = dialog.querySelector("footer");

  function button(value, words, className) {
    return element("button", { type: "submit", value, class: className || null, formnovalidate: !value }, words);
  }

  return (/** @type {{ title: string, why?: string, name?: string, buttons: string[][] }} */ { title, why = "", name, buttons }) =>
    new Promise((resolve) => {
      dialog.querySelector("h3").textContent = title;
      dialog.querySelector(".why").textContent = why;
      field.hidden = name === undefined;
      input.required = name !== undefined;
      input.value = name ?? "";
      footer.replaceChildren(...buttons.map(([value, words], place) => button(value, words, place ? "" : "primary")));
      if (name !== undefined) footer.append(button("", t("shared.cancel"), ""));
      dialog.returnValue = "";
      dialog.addEventListener(
        "close",
        () => resolve(dialog.returnValue ? { button: dialog.returnValue, name: input.value } : null),
        { once: true },
      );
      dialog.showModal();
      if (name !== undefined) input.select();
    });
}
