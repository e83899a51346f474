/* What a document is, corrected in place: a click on a field of the detail opens it, Enter saves, Esc keeps what was there. */
import { call, showToast } from "../shared/notices.js";
import { element } from "../shared/ui.js";
import { t } from "../shared/words.js";

const SEVERAL = ["organisations", "periods"];

/** Let the fields of a detail be corrected; `saved` draws it anew. */
export function correctable(content, id, server, saved) {
  for (const button of content.querySelectorAll("button.edit")) button.addEventListener("click", () => open(button));

  function open(button) {
    const { field, value, choices } = button.dataset;
    const form = element("form.identity-form");
    const input = choices ? select(JSON.parse(choices)) : line(field);
    input.value = value;
    input.setAttribute("aria-label", button.getAttribute("aria-label"));
    const hint = element("small", { id: `identity-hint-${field}` }, t(SEVERAL.includes(field) ? "library.identity_hint_several" : "library.identity_hint"));
    input.setAttribute("aria-describedby", hint.id);
    form.append(input, hint);
    button.hidden = true;
    button.after(form);
    input.focus();
    if (input instanceof HTMLInputElement) input.select();

    let over = false;
    const close = (focus = true) => {
      if (over) return;
      // Taking the form away moves the focus, which would close it once more.
      over = true;
      form.remove();
      button.hidden = false;
      if (focus) button.focus();
    };
    let saving = false;
    const save = async () => {
      if (saving) return;
      if (input.value.trim() === value) return close();
      saving = true;
      const reply = await call(server.correct, { id, field, value: input.value });
      saving = false;
      // What was refused stays as it was typed, beside the message that says why.
      if (!reply) {
        input.setAttribute("aria-invalid", "true");
        return input.focus();
      }
      showToast(t("library.identity_saved"));
      await saved();
      content.querySelector(`button.edit[data-field="${field}"]`)?.focus();
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      save();
    });
    form.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        close();
      } else if (event.key === "Enter") {
        event.preventDefault();
        save();
      }
    });
    // Arrow keys walk through the kinds, so only a choice made with the pointer is saved at once.
    let pointed = false;
    input.addEventListener("pointerdown", () => (pointed = true));
    input.addEventListener("keydown", () => (pointed = false), true);
    if (choices) input.addEventListener("change", () => pointed && save());
    form.addEventListener("focusout", ({ relatedTarget }) => {
      // Leaving an untouched field closes it; what was typed waits for Enter or Esc.
      if (!form.contains(/** @type {Node} */ (relatedTarget)) && input.value.trim() === value && !saving) close(false);
    });
  }

  function line(field) {
    return element("input", { dir: "auto", maxlength: SEVERAL.includes(field) ? 2000 : 200, autocomplete: "off" });
  }

  function select(choices) {
    return element("select", {}, ...choices.map(([value, words]) => new Option(words, value)));
  }
}
