/* Quick settings: a form for single values of the text. */
import { element, onSubmit } from "../shared/ui.js";
import { t } from "../shared/words.js";

/** @type {Record<string, string[]>} */
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
/** @type {Record<string, string[]>} */
const GROUPS = {
  "personality.who": ["name", "role", "background"],
  "personality.speaks": ["length", "structure", "citations", "clarification", "tone", "formality", "analogies", "examples", "humour"],
  "personality.remembers": ["history", "memory_references", "pattern_trust"],
  "personality.asks": ["custom_instructions"],
};
/** @type {Record<string, string>} */
const ROWS = { background: "2", custom_instructions: "4" };
const SWITCHES = ["analogies", "examples", "humour"];
/** @type {Record<string, number>} */
const MOST = { name: 60, role: 8000, background: 8000, custom_instructions: 8000 };

/** An element labelled by `key`, in any language. @template {string} What @param {What} what @param {string} key @param {Record<string, any>} [given] */
const words = (what, key, given = {}) => element(what, { ...given, "data-t": key });

/** A note about a setting's requirements; `input` is described by it. @param {string} name @param {HTMLElement} input */
function needs(name, input) {
  const note = element("small.needs", { id: `pal-needs-${name}`, hidden: true, "data-needs": name });
  input.setAttribute("aria-describedby", note.id);
  return note;
}

export class QuickSettings {
  /** @type {Map<string, HTMLInputElement | HTMLTextAreaElement | HTMLInputElement[]>} */
  inputs = new Map();

  /** @param {HTMLFormElement} form @param {(name: string, value: string | boolean) => void} changed */
  constructor(form, changed) {
    this.form = form;
    this.changed = changed;
    form.append(...Object.entries(GROUPS).map(([title, names]) => element("fieldset", {}, words("legend", title), ...names.map((name) => this.control(name)))));
    onSubmit(form, () => {});
  }

  /** @param {string} name */
  control(name) {
    if (CHOICES[name]) return this.choices(name);
    return SWITCHES.includes(name) ? this.toggle(name) : this.text(name);
  }

  /** @param {string} name */
  text(name) {
    const id = `pal-field-${name}`;
    const kind = ROWS[name] ? { rows: ROWS[name] } : { type: "text", required: name === "name" };
    const input = element(ROWS[name] ? "textarea" : "input", { name, id, dir: "auto", maxlength: MOST[name], autocomplete: "off", ...kind, oninput: () => this.changed(name, input.value) });
    this.inputs.set(name, input);
    return element("div.field", {}, element("div", {}, words("label", `personality.field_${name}`, { for: id }), needs(name, input)), input);
  }

  /** @param {string} name */
  choices(name) {
    const id = `pal-label-${name}`;
    const radios = CHOICES[name].map((value) => element("input", { type: "radio", name: `pal-${name}`, value, onchange: () => this.changed(name, value) }));
    this.inputs.set(name, radios);
    const labels = radios.map((radio) => element("label", {}, radio, words("span", `personality.field_${name}_${radio.value}`)));
    const options = element("div.options", { role: "radiogroup", "aria-labelledby": id }, ...labels);
    return element("div.field", {}, element("div", {}, words("span.label", `personality.field_${name}`, { id }), needs(name, options)), options);
  }

  /** @param {string} name */
  toggle(name) {
    const box = element("input", { type: "checkbox", name, onchange: () => this.changed(name, box.checked) });
    this.inputs.set(name, box);
    return element("div", {}, element("label.toggle", {}, box, words("span", `personality.field_${name}`)), needs(name, box));
  }

  /** Notes next to each of ``names`` that only a model can follow it, and whether there is one (``model``). @param {string[]} names @param {boolean} model */
  needs(names, model) {
    for (const note of this.form.querySelectorAll("[data-needs]")) {
      note.hidden = !names.includes(note.dataset.needs);
      note.dataset.t = model ? "personality.needs_model" : "personality.needs_model_none";
      note.textContent = t(note.dataset.t);
    }
  }

  /** `quick` is null while the text cannot be read; fields that are being edited or saved stay unchanged. @param {Quick | null} quick @param {Quick} underway */
  show(quick, underway) {
    for (const fieldset of this.form.querySelectorAll("fieldset")) fieldset.disabled = !quick;
    if (!quick) return;
    for (const [name, input] of this.inputs) {
      if (name in underway) continue;
      if (Array.isArray(input)) for (const radio of input) radio.checked = radio.value === quick[name];
      else if (input instanceof HTMLInputElement && input.type === "checkbox") input.checked = Boolean(quick[name]);
      else if (document.activeElement !== input) input.value = String(quick[name]).replace(/\n+$/, "");
    }
  }
}
