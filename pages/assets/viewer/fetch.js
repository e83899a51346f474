/* The viewer's requests: they return data or a readable problem, and never throw. */
import { button, element, explained, unreachable } from "../shared/ui.js";
import { t } from "../shared/words.js";

/** @param {string} document_ @param {string} path @param {Record<string, any>} [values] null values are left out */
export function addressOf(document_, path, values = {}) {
  const query = new URLSearchParams({ ui: document.documentElement.lang === "he" ? "he" : "en" });
  for (const [key, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== "") query.set(key, value);
  }
  return `/documents/${encodeURIComponent(document_)}/${path}?${query}`;
}

/** @param {string} address @returns {Promise<Fetched<any>>} */
export async function fetched(address) {
  try {
    const response = await fetch(address, { headers: { Accept: "application/json, text/html" } });
    const type = response.headers.get("Content-Type") || "";
    if (type.includes("html") && response.ok) return { html: await response.text() };
    const reply = type.includes("json") ? await response.json() : {};
    return response.ok || reply.problem ? reply : { problem: noTable(` (${response.status})`) };
  } catch {
    return { problem: unreachable() };
  }
}

/** @param {string} [status] */
const noTable = (status = "") => ({ what: t("viewer.no_table_what"), why: t("viewer.no_table_why") + status, remedy: t("viewer.no_table_remedy") });

/** A problem as what, why and what to do, with a retry button if possible. @param {Problem | undefined} problem @param {() => unknown} [again] */
export function problemNode(problem, again) {
  return element("div.problem", { role: "alert" }, ...explained(problem ?? noTable()), again && button(t("shared.retry"), () => again(), "quiet"));
}
