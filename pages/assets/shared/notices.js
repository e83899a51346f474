/* Notices that stay until they are dismissed, and short ones that may carry an undo. */
import { send } from "./bus.js";
import { button, element, explained } from "./ui.js";
import { t } from "./words.js";

const MOST_TOASTS = 3;

function region() {
  return document.querySelector(".pal-notices");
}

export function showProblem(problem) {
  const copy = button(t("shared.copy_details"), () => navigator.clipboard?.writeText(`${problem.what}\n${problem.why}\n${problem.remedy}`));
  const card = element("div.card.problem", { role: "alert" }, element("p", {}, ...explained(problem)), copy, button(t("shared.dismiss"), () => card.remove()));
  region().append(card);
  return card;
}

/**
 * @param {string} text
 * @param {{ action?: () => unknown, label?: string, seconds?: number }} [offered] what the button beside the text does
 */
export function showToast(text, { action, label, seconds = 4 } = {}) {
  const card = element("div.card.toast", {}, element("p", {}, text));
  if (action) {
    card.append(button(label, () => {
      card.remove();
      action();
    }));
  }
  region().append(card);
  for (const old of [...region().querySelectorAll(".toast")].slice(0, -MOST_TOASTS)) old.remove();
  setTimeout(() => card.remove(), seconds * 1000);
}

/** Call a server function; a problem is shown and `null` returned. */
export async function call(fn, data = {}) {
  let reply;
  try {
    reply = await fn({ ...data, ui: document.documentElement.lang === "he" ? "he" : "en" });
  } catch (error) {
    console.warn(error);
    send("connection");
    reply = { problem: { what: t("shared.network_what"), why: t("shared.network_why"), remedy: t("shared.network_remedy") } };
  }
  if (reply?.problem) {
    showProblem(reply.problem);
    return null;
  }
  return reply;
}
