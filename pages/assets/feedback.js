/* Worked, partly, failed: the row under an answer, and what saying so moved. */
import { call } from "./notices.js";

/** `known(run)` opens what the memory gave to an answer; `said()` is called when something has been said. */
export function mountFeedback(thread, server, { known, said }) {
  thread.addEventListener("click", (event) => {
    const button = event.target.closest("[data-outcome]");
    const about = event.target.closest("[data-related]");
    if (button) say(button.closest("[data-feedback]"), button.dataset.outcome);
    if (about) narrow(about.closest("[data-feedback]"), about.dataset.related);
    const asked = event.target.closest("[data-known]");
    if (asked) known(asked.closest(".answer").dataset.run);
  });

  /** The word is about one source alone, or about all of them. */
  async function narrow(row, number) {
    await say(row, row.dataset.said, number ? [Number(number)] : []);
    row.querySelector(`[data-related="${number}"]`)?.focus();
  }

  async function say(row, outcome, related = []) {
    const buttons = [...row.querySelectorAll("[data-outcome]")];
    const before = row.dataset.said || "";
    press(row, buttons, outcome);
    const reply = await call(server.feedback, { message_id: row.dataset.feedback, outcome, related, language: row.closest(".answer").lang });
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
