/* Quick settings: a form over single values of the text. */

import { element } from "../shared/ui.js";
import { t } from "../shared/words.js";

const CHOICES = {
  tone: ["warm", "professional", "direct", "enthusiastic"],
  length: ["concise", "balanced", "detailed"],
  formality: ["casual", "professional", "formal"],
  structure: ["mixed", "bullets"],
  citations: ["always_cite", "cite_patterns", "conversational"],
  clarification: ["ask_questions", "make_assumptions"],
  history: ["reference_past", "current_only"],
  memory_references: ["when_relevant", "frequently"],
  pattern_trust: ["balanced", "heavily_favor"],
};
/** @type {[string, string[]][]} */
const GROUPS = [
  ["personality.who", ["name", "role", "background"]],
  ["personality.speaks", ["length", "structure", "citations", "clarification", "tone", "formality", "analogies", "examples", "humour"]],
  ["personality.remembers", ["history", "memory_references", "pattern_trust"]],
  ["personality.asks", ["custom_instructions"]],
];
const LONG = ["background", "custom_instructions"];
const SWITCHES = ["analogies", "examples", "humour"];
const MOST = { name: 60, role: 8000, background: 8000, custom_instructions: 8000 };

export function mountQuick(form, { changed }) {
  const inputs = new Map();

  /** A place for what a setting needs; `input` is described by it. */
  function needs(name, input) {
    const note = element("small.needs", { id: `pal-needs-${name}`, hidden: true, "data-needs": name });
    input.setAttribute("aria-describedby", note.id);
    return note;
  }

  function words(tag, key, className = "") {
    return element(tag, { class: className || null, "data-t": key });
  }

  function group([title, names]) {
    return element("fieldset", {}, words("legend", title), ...names.map(control));
  }

  function control(name) {
    if (CHOICES[name]) return choices(name);
    if (SWITCHES.includes(name)) return toggle(name);
    const input = element(LONG.includes(name) ? "textarea" : "input");
    Object.assign(input, { name, dir: "auto", maxLength: MOST[name], autocomplete: "off" });
    if (LONG.includes(name)) input.setAttribute("rows", name === "background" ? "2" : "4");
    else input.setAttribute("type", "text");
    if (name === "name") input.required = true;
    input.addEventListener("input", () => changed(name, input.value));
    inputs.set(name, input);
    input.id = `pal-field-${name}`;
    const label = words("label", `personality.field_${name}`);
    label.htmlFor = input.id;
    return element("div.field", {}, element("div", {}, label, needs(name, input)), input);
  }

  function choices(name) {
    const radios = CHOICES[name].map((value) => {
      const radio = element("input", { type: "radio", name: `pal-${name}`, value });
      radio.addEventListener("change", () => changed(name, value));
      return radio;
    });
    inputs.set(name, radios);
    const label = words("span", `personality.field_${name}`, "label");
    label.id = `pal-label-${name}`;
    const options = element("div.options", {});
    options.setAttribute("role", "radiogroup");
    options.setAttribute("aria-labelledby", label.id);
    for (const radio of radios) options.append(element("label", {}, radio, words("span", `personality.field_${name}_${radio.value}`)));
    return element("div.field", {}, element("div", {}, label, needs(name, options)), options);
  }

  function toggle(name) {
    const box = element("input", { type: "checkbox", name });
    box.addEventListener("change", () => changed(name, box.checked));
    inputs.set(name, box);
    const label = element("label.toggle", {}, box, words("span", `personality.field_${name}`));
    return element("div", {}, label, needs(name, box));
  }

  form.append(...GROUPS.map(group));
  form.addEventListener("submit", (event) => event.preventDefault());

  return {
    /** Say beside each of ``names`` that only a model can follow it, and whether there is one (``model``). */
    needs(names, model) {
      for (const note of form.querySelectorAll("[data-needs]")) {
        note.hidden = !names.includes(note.dataset.needs);
        note.dataset.t = model ? "personality.needs_model" : "personality.needs_model_none";
        note.textContent = t(note.dataset.t);
      }
    },
    /** `quick` is null while the text cannot be read; what is being typed into, or still on its way, is left alone. */
    show(quick, underway = {}) {
      for (const fieldset of form.querySelectorAll("fieldset")) fieldset.disabled = !quick;
      if (!quick) return;
      for (const [name, input] of inputs) {
        if (name in underway) continue;
        if (Array.isArray(input)) for (const radio of input) radio.checked = radio.value === quick[name];
        else if (input.type === "checkbox") input.checked = quick[name];
        else if (document.activeElement !== input) input.value = quick[name].replace(/\n+$/, "");
      }
    },
  };
}
