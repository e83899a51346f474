/* Editing a document's metadata in place: a click on a field opens it, Enter saves, Esc restores the old value. */
import { call } from "../shared/server.js";
import { element, onEscape, onSubmit, showToast } from "../shared/ui.js";
import { t } from "../shared/words.js";

const SEVERAL = ["organisations", "periods"];

/** Makes the fields of the details editable; `saved` redraws them. @param {HTMLElement} content @param {string} id @param {LibraryServer} server @param {() => Promise<unknown>} saved */
export function correctable(content, id, server, saved) {
  for (const button of content.querySelectorAll("button.edit")) {
    button.addEventListener("click", () => open(button, async (value) => {
      const { field } = button.dataset;
      if (!(await call(server.correct, { id, field, value }))) return false;
      showToast(t("library.identity_saved"));
      await saved();
      content.querySelector(`button.edit[data-field="${field}"]`)?.focus();
      return true;
    }));
  }
}

/** @param {HTMLButtonElement} button names the field @param {(value: string) => Promise<boolean>} save returns whether the value was accepted */
function open(button, save) {
  const { field = "", value = "", choices } = button.dataset;
  const input = choices ? element("select", {}, ...JSON.parse(choices).map((/** @type {string[]} */ [value, words]) => new Option(words, value))) : line(field);
  const hint = element("small", { id: `identity-hint-${field}` }, t(SEVERAL.includes(field) ? "library.identity_hint_several" : "library.identity_hint"));
  input.value = value;
  input.setAttribute("aria-label", button.getAttribute("aria-label") ?? "");
  input.setAttribute("aria-describedby", hint.id);
  const form = element("form.identity-form", {}, input, hint);
  button.hidden = true;
  button.after(form);
  input.focus();
  if (input instanceof HTMLInputElement) input.select();

  let over = false;
  let saving = false;
  const changed = () => input.value.trim() !== value;
  const close = (focus = true) => {
    if (over) return;
    // Removing the form moves the focus, which would close it again.
    over = true;
    form.remove();
    button.hidden = false;
    if (focus) button.focus();
  };
  const finish = async () => {
    if (saving) return;
    if (!changed()) return void close();
    saving = true;
    const taken = await save(input.value);
    saving = false;
    // A refused value stays as typed, next to the message with the reason.
    if (taken) return;
    input.setAttribute("aria-invalid", "true");
    input.focus();
  };
  listen(form, input, finish, close);
  // Leaving an unchanged field closes it; a typed value waits for Enter or Esc.
  form.addEventListener("focusout", ({ relatedTarget }) => !form.contains(/** @type {Node | null} */ (relatedTarget)) && !changed() && !saving && close(false));
}

/** @param {HTMLFormElement} form @param {HTMLInputElement | HTMLSelectElement} input @param {() => unknown} save @param {() => void} close */
function listen(form, input, save, close) {
  onSubmit(form, save);
  onEscape(form, (event) => {
    event.preventDefault();
    event.stopPropagation();
    close();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    save();
  });
  // Arrow keys move through the kinds, so only a choice with the pointer is saved immediately.
  let pointed = false;
  input.addEventListener("pointerdown", () => (pointed = true));
  input.addEventListener("keydown", () => (pointed = false), true);
  if (input instanceof HTMLSelectElement) input.addEventListener("change", () => pointed && save());
}

/** @param {string} field */
const line = (field) => element("input", { dir: "auto", maxlength: SEVERAL.includes(field) ? 2000 : 200, autocomplete: "off" });
