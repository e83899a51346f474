/* Worked, partly, failed: the rating row below an answer, and the effect of a rating. */
import { call } from "../shared/server.js";
import { onClick, pressed } from "../shared/ui.js";
import { hearSaid, tellSaid } from "./other-tabs.js";

/** @param {import("./chat.js").Chat} tab */
export function mountFeedback(tab) {
  const { thread, server } = tab;
  /** @param {Element} node @returns {HTMLElement} */
  const rowOf = (node) => node.closest("[data-feedback]");

  onClick(thread, "[data-outcome]", (asked) => say(rowOf(asked), asked.dataset.outcome));
  onClick(thread, "[data-related]", (about) => narrow(rowOf(about), about.dataset.related));
  onClick(thread, "[data-why]", (why) => because(rowOf(why), why));
  onClick(thread, "[data-known]", (asked) => tab.dock.known(asked.closest(".answer").dataset.run));
  thread.addEventListener("submit", (event) => {
    const form = /** @type {Element} */ (event.target).closest("[data-right-form]");
    if (form) event.preventDefault();
    if (form) correct(rowOf(form));
  });
  onClick(thread, "[data-undo-correction]", undo);

  /** Why it did not help: the selected reason; a second click removes it. @param {HTMLElement} row @param {HTMLElement} chosen */
  async function because(row, chosen) {
    const reason = chosen.getAttribute("aria-pressed") === "true" ? null : (chosen.dataset.why ?? null);
    await say(row, row.dataset.said, related(row), { reason, words: "" });
    row.querySelector(`[data-why="${chosen.dataset.why}"]`)?.focus();
  }

  /** Saves the right answer that was typed. @param {HTMLElement} row */
  async function correct(row) {
    const right = row.querySelector("[data-right-form] input").value.trim();
    if (right) await say(row, row.dataset.said, related(row), null, right);
    row.querySelector("[data-right-form] input")?.focus();
  }

  /** Removes a typed answer: below the answer that it corrects, or in an answer that uses it. @param {HTMLElement} asked */
  async function undo(asked) {
    const message = asked.dataset.undoCorrection ?? "";
    const reply = await call(server.undo_correction, { message_id: message, language: asked.closest(".answer").lang });
    if (!reply) return;
    if (asked.dataset.undone) asked.closest(".corrected").textContent = asked.dataset.undone;
    showEffect(thread, message, reply);
    tellSaid({ message, outcome: reply.outcome, html: reply.html });
  }

  /** Limits the rating to one source, or to all of them. @param {HTMLElement} row @param {string} number */
  async function narrow(row, number) {
    await say(row, row.dataset.said, number ? [Number(number)] : []);
    row.querySelector(`[data-related="${number}"]`)?.focus();
  }

  /** @param {HTMLElement} row @param {string | undefined} outcome @param {number[]} [about] @param {Why | null} [why] @param {string} [right] */
  async function say(row, outcome = "", about = [], why = null, right = "") {
    const before = row.dataset.said;
    mark(row, outcome);
    const reply = await call(server.feedback, { message_id: row.dataset.feedback ?? "", outcome, related: about, why, right, language: row.closest(".answer").lang });
    mark(row, reply ? reply.outcome : before);
    if (!reply) return;
    row.querySelector(".effect").innerHTML = reply.html;
    tellSaid({ message: row.dataset.feedback ?? "", outcome: reply.outcome, html: reply.html });
    tab.showCard();
  }

  hearSaid(({ message, outcome, html }) => {
    showEffect(thread, message, { outcome, html });
    tab.showCard();
  });
}

/** The citation that the rating is limited to. @param {HTMLElement} row */
function related(row) {
  const about = row.querySelector('[data-related][aria-pressed="true"]')?.dataset.related;
  return about ? [Number(about)] : [];
}

/** Shows the effect of a rating below its answer. @param {Element} thread @param {string} message @param {{ outcome: string | undefined, html: string }} reply */
function showEffect(thread, message, reply) {
  const row = thread.querySelector(`[data-feedback="${CSS.escape(message)}"]`);
  if (!row) return;
  mark(row, reply.outcome);
  row.querySelector(".effect").innerHTML = reply.html;
}

/** @param {HTMLElement} row @param {string | undefined} outcome */
function mark(row, outcome) {
  if (outcome) row.dataset.said = outcome;
  else delete row.dataset.said;
  for (const each of row.querySelectorAll("[data-outcome]")) pressed(each, each.dataset.outcome === outcome);
}

/** The rating row of the last answer, if it has no rating. @param {Element} thread @returns {HTMLElement | null} */
export function unscored(thread) {
  const answers = [...thread.querySelectorAll(".answer")];
  const row = answers.pop()?.querySelector("[data-feedback]");
  return row && !row.dataset.said ? row : null;
}
