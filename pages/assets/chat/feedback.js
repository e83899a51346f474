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
    const form = /** @type {Element} */ (event.target).closest("[data-why-form]");
    if (!form) return;
    event.preventDefault();
    because(rowOf(form));
  });

  /** Why it did not help: the selected reason (a second click removes it) and the text in the field. @param {HTMLElement} row @param {HTMLElement} [chosen] */
  async function because(row, chosen) {
    const form = row.querySelector("[data-why-form]");
    const before = form.querySelector('[data-why][aria-pressed="true"]');
    const now = chosen ?? before;
    const reason = now && !(chosen && chosen === before) ? now.dataset.why : null;
    const about = row.querySelector('[data-related][aria-pressed="true"]')?.dataset.related;
    await say(row, row.dataset.said, about ? [Number(about)] : [], { reason, words: form.querySelector("input").value.trim() });
    row.querySelector(chosen ? `[data-why="${chosen.dataset.why}"]` : "[data-why-form] input")?.focus();
  }

  /** Limits the rating to one source, or to all of them. @param {HTMLElement} row @param {string} number */
  async function narrow(row, number) {
    await say(row, row.dataset.said, number ? [Number(number)] : []);
    row.querySelector(`[data-related="${number}"]`)?.focus();
  }

  /** @param {HTMLElement} row @param {string | undefined} outcome @param {number[]} [related] @param {Why | null} [why] */
  async function say(row, outcome = "", related = [], why = null) {
    const before = row.dataset.said;
    mark(row, outcome);
    const reply = await call(server.feedback, { message_id: row.dataset.feedback ?? "", outcome, related, why, language: row.closest(".answer").lang });
    mark(row, reply ? reply.outcome : before);
    if (!reply) return;
    row.querySelector(".effect").innerHTML = reply.html;
    tellSaid({ message: row.dataset.feedback ?? "", outcome: reply.outcome, html: reply.html });
    tab.showCard();
  }

  hearSaid(({ message, outcome, html }) => {
    const row = thread.querySelector(`[data-feedback="${CSS.escape(message)}"]`);
    if (!row) return;
    mark(row, outcome);
    row.querySelector(".effect").innerHTML = html;
    tab.showCard();
  });
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
