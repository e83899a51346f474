/* The questions suggested below the last answer: the server tries them when the answer is complete. */
import { button, element } from "../shared/ui.js";
import { t } from "../shared/words.js";

export class Suggestions {
  /** @type {EventSource | undefined} */
  #source;

  /** Waits for the questions of the last answer in `thread`, and shows those that are not there yet. @param {Element} thread */
  await(thread) {
    this.stop();
    const answer = /** @type {HTMLElement | undefined} */ ([...thread.querySelectorAll(".answer:not(.live)")].pop());
    if (!answer?.dataset.run) return;
    const source = new EventSource(`/live/suggested/${answer.dataset.run}`);
    source.onmessage = (message) => {
      source.close();
      if (answer.isConnected) show(answer, JSON.parse(message.data).questions);
    };
    this.#source = source;
  }

  stop() {
    this.#source?.close();
  }
}

/** @param {HTMLElement} answer @param {string[]} questions */
function show(answer, questions) {
  const there = new Set([...answer.querySelectorAll("[data-suggest]")].map((node) => node.textContent));
  const further = questions.filter((question) => !there.has(question));
  if (!further.length) return;
  const row = answer.querySelector(".suggested") ?? answer.appendChild(element("div.suggested", { "aria-label": t("chat.suggested") }));
  row.append(...further.map((question) => button(question, () => {}, "", { dir: "auto", "data-suggest": "" })));
}
