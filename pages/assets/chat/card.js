/* What PalAssist asks, above the input: choices as buttons, words through the composer. */
import { element } from "../shared/ui.js";

/**
 * resume(answer) sends it and gives `null` when it was refused; changed() is called when a card comes or goes.
 */
export function mountCard(slot, { resume, changed }) {
  let sent = false;

  const section = () => slot.querySelector(".pal-card");
  const chosen = () => [...slot.querySelectorAll('[aria-checked="true"]')].map((button) => button.dataset.choice);

  function show(html) {
    const before = section()?.dataset.interrupt;
    const drawn = element("div");
    drawn.innerHTML = html;
    const after = drawn.querySelector(".pal-card")?.dataset.interrupt;
    if (before === after && !sent) return;
    sent = false;
    slot.replaceChildren(...drawn.children);
    changed();
    if (after && slot.offsetParent) slot.querySelector("[data-choice]")?.focus({ preventScroll: true });
  }

  /** Whether it was taken. A card is answered once; a refusal opens it again. */
  async function answer(given) {
    const node = section();
    if (!node || sent) return false;
    freeze(true);
    const reply = await resume({ run_id: node.dataset.run, interrupt_id: node.dataset.interrupt, ...given });
    if (reply && node === section()) show("");
    if (reply) return true;
    if (node === section()) freeze(false);
    return false;
  }

  function freeze(on) {
    sent = on;
    for (const button of slot.querySelectorAll("button")) button.disabled = on;
    if (!on) mark();
  }

  function mark() {
    const confirm = slot.querySelector("[data-confirm]");
    if (confirm) confirm.disabled = chosen().length === 0;
  }

  slot.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.hasAttribute("data-cancel-question")) answer({ cancel: true });
    else if (button.hasAttribute("data-confirm")) answer({ choice_ids: chosen() });
    else if (button.getAttribute("role") === "checkbox") {
      button.setAttribute("aria-checked", button.getAttribute("aria-checked") !== "true");
      mark();
    } else if (button.dataset.choice) answer({ choice_ids: [button.dataset.choice] });
  });

  slot.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const choices = [...slot.querySelectorAll("[data-choice]")];
    const here = choices.indexOf(event.target);
    if (!step || here < 0) return;
    event.preventDefault();
    const sideways = event.key.endsWith("Left") || event.key.endsWith("Right");
    const turned = sideways && getComputedStyle(slot.firstElementChild).direction === "rtl";
    choices[(here + (turned ? -step : step) + choices.length) % choices.length].focus();
  });

  return {
    show,
    answer,
    cancel: () => answer({ cancel: true }),
    get open() {
      return Boolean(section());
    },
    get takesText() {
      return Boolean(section()?.hasAttribute("data-text"));
    },
    get hasChoices() {
      return Boolean(slot.querySelector("[data-choice]"));
    },
  };
}
