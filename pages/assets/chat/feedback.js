/* Worked, partly, failed: the row under an answer, and what saying so moved. */
import { call } from "../shared/notices.js";

/** `known(run)` opens what the memory gave to an answer; `said()` is called when something has been said. */
export function mountFeedback(thread, server, { known, said }) {
  thread.addEventListener("click", (event) => {
    const button = event.target.closest("[data-outcome]");
    const about = event.target.closest("[data-related]");
    if (button) say(button.closest("[data-feedback]"), button.dataset.outcome);
    if (about) narrow(about.closest("[data-feedback]"), about.dataset.related);
    const why = event.target.closest("[data-why]");
    if (why) because(why.closest("[data-feedback]"), why);
    const asked = event.target.closest("[data-known]");
    if (asked) known(asked.closest(".answer").dataset.run);
  });

  thread.addEventListener("submit", (event) => {
    const form = event.target.closest("[data-why-form]");
    if (!form) return;
    event.preventDefault();
    because(form.closest("[data-feedback]"));
  });

  /** Why it did not help: the reason that is chosen, a second press takes it back, and what stands in the field. */
  async function because(row, chosen = null) {
    const form = row.querySelector("[data-why-form]");
    const pressed = chosen ?? form.querySelector('[data-why][aria-pressed="true"]');
    const reason = pressed && !(chosen && chosen.getAttribute("aria-pressed") === "true") ? pressed.dataset.why : null;
    const about = row.querySelector('[data-related][aria-pressed="true"]')?.dataset.related;
    await say(row, row.dataset.said, about ? [Number(about)] : [], { reason, words: form.querySelector("input").value.trim() });
    row.querySelector(chosen ? `[data-why="${chosen.dataset.why}"]` : "[data-why-form] input")?.focus();
  }

  /** The word is about one source alone, or about all of them. */
  async function narrow(row, number) {
    await say(row, row.dataset.said, number ? [Number(number)] : []);
    row.querySelector(`[data-related="${number}"]`)?.focus();
  }

  async function say(row, outcome, related = [], why = null) {
    const buttons = [...row.querySelectorAll("[data-outcome]")];
    const before = row.dataset.said || "";
    press(row, buttons, outcome);
    const reply = await call(server.feedback, { message_id: row.dataset.feedback, outcome, related, why, language: row.closest(".answer").lang });
    if (!reply) return press(row, buttons, before);
    press(row, buttons, reply.outcome);
    row.querySelector(".effect").innerHTML = reply.html;
    said();
    return undefined;
  }

  function press(row, buttons, outcome) {
    if (outcome) row.dataset.said = outcome;
    else delete row.dataset.said;
    for (const each of buttons) each.setAttribute("aria-pressed", each.dataset.outcome === outcome);
  }
}

/** The row of the last answer, when nothing has been said of it. */
export function unscored(thread) {
  const answers = [...thread.querySelectorAll(".answer")];
  const row = answers.pop()?.querySelector("[data-feedback]");
  return row && !row.dataset.said ? row : null;
}
