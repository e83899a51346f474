/* PalAssist's question, above the input: choices as buttons, free text through the composer. */
import { element, onClick } from "../shared/ui.js";

/** @type {Record<string, number>} */
const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

export class Card {
  sent = false;

  /** @param {HTMLElement} slot @param {import("./chat.js").Chat} tab */
  constructor(slot, tab) {
    this.slot = slot;
    this.tab = tab;
    onClick(slot, "button", (button) => this.clicked(button));
    slot.addEventListener("keydown", (event) => this.walk(event));
    slot.addEventListener("change", () => this.mark());
  }

  section() {
    return this.slot.querySelector(".pal-card");
  }

  get open() {
    return Boolean(this.section());
  }

  get takesText() {
    return Boolean(this.section()?.hasAttribute("data-text"));
  }

  choices() {
    return [...this.slot.querySelectorAll("[data-choice]")];
  }

  chosen() {
    return this.choices().filter((button) => button.getAttribute("aria-checked") === "true").map((button) => button.dataset.choice);
  }

  /** @param {string} html */
  show(html) {
    const before = this.section()?.dataset.interrupt;
    const drawn = element("div");
    drawn.innerHTML = html;
    const after = drawn.querySelector(".pal-card")?.dataset.interrupt;
    if (before === after && !this.sent) return;
    this.sent = false;
    this.slot.replaceChildren(...drawn.children);
    this.tab.showCard();
    if (!after || !this.slot.offsetParent) return;
    // If Enter would confirm something, focus the card itself first.
    const first = ["tool_choice", "plan"].includes(this.section().dataset.kind) ? this.section() : this.choices()[0];
    first?.focus({ preventScroll: true });
  }

  /** Whether the answer was accepted. A card is answered once; after a refusal it can be answered again. @param {CardAnswer} given */
  async answer(given) {
    const node = this.section();
    if (!node || this.sent) return false;
    this.freeze(true);
    const reply = await this.tab.resume({ run_id: node.dataset.run, interrupt_id: node.dataset.interrupt, ...given });
    if (node === this.section()) {
      if (reply) this.show("");
      else this.freeze(false);
    }
    return Boolean(reply);
  }

  /** @param {boolean} on */
  freeze(on) {
    this.sent = on;
    for (const button of this.slot.querySelectorAll("button")) button.disabled = on;
    if (!on) this.mark();
  }

  mark() {
    const confirm = this.slot.querySelector("[data-confirm]");
    if (confirm) confirm.disabled = this.chosen().length === 0;
    if (this.section()?.hasAttribute("data-changing")) this.choices()[0].disabled = this.keptSteps().length === 0;
  }

  /** @param {HTMLButtonElement} button */
  clicked(button) {
    if (button.hasAttribute("data-cancel-question")) this.answer({ cancel: true });
    else if (button.hasAttribute("data-change-plan")) this.change(button);
    else if (this.section().hasAttribute("data-changing")) this.answer({ steps: this.keptSteps() });
    else if (button.hasAttribute("data-confirm")) this.answer({ choice_ids: this.chosen() });
    else if (button.getAttribute("role") === "checkbox") {
      button.setAttribute("aria-checked", String(button.getAttribute("aria-checked") !== "true"));
      this.mark();
    } else if (button.dataset.choice) this.answer({ choice_ids: [button.dataset.choice] });
  }

  /** Shows the steps of the plan as fields. @param {HTMLButtonElement} button */
  change(button) {
    this.section().setAttribute("data-changing", "");
    button.remove();
    this.slot.querySelector("[data-step] textarea").focus();
    this.mark();
  }

  /** The steps of the plan that are checked, with their texts. */
  keptSteps() {
    const kept = [...this.slot.querySelectorAll("[data-step]")].filter((step) => step.querySelector("input").checked);
    return kept.map((step) => ({ id: step.dataset.step, text: step.querySelector("textarea").value.trim() }));
  }

  /** Moves between choices with the arrow keys. @param {KeyboardEvent} event */
  walk(event) {
    const choices = this.choices();
    const step = STEPS[event.key];
    const here = choices.indexOf(event.target);
    const onCard = event.target === this.section();
    if (!step || !choices.length || (here < 0 && !onCard)) return;
    event.preventDefault();
    const sideways = event.key.endsWith("Left") || event.key.endsWith("Right");
    const turned = sideways && getComputedStyle(this.section()).direction === "rtl";
    const next = onCard ? 0 : here + (turned ? -step : step);
    choices[(next + choices.length) % choices.length].focus();
  }
}
