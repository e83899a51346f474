/* What the viewer asks the server for: data, or a problem in the reader's words; never an exception. */
import { button, element, explained } from "../shared/ui.js";
import { t } from "../shared/words.js";

export function addressOf(document_, path, values = {}) {
  const query = new URLSearchParams({ ui: document.documentElement.lang === "he" ? "he" : "en" });
  for (const [key, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== "") query.set(key, value);
  }
  return `/documents/${encodeURIComponent(document_)}/${path}?${query}`;
}

export async function fetched(address, options = {}) {
  try {
    const response = await fetch(address, { headers: { Accept: "application/json, text/html" }, ...options });
    const type = response.headers.get("Content-Type") || "";
    if (type.includes("html") && response.ok) return { html: await response.text() };
    const reply = type.includes("json") ? await response.json() : {};
    return response.ok || reply.problem ? reply : { problem: unavailable(response.status) };
  } catch (error) {
    if (error.name === "AbortError") return null;
    return { problem: { what: t("shared.network_what"), why: t("shared.network_why"), remedy: t("shared.network_remedy") } };
  }
}

function unavailable(status) {
  return { what: t("viewer.no_table_what"), why: `${t("viewer.no_table_why")} (${status})`, remedy: t("viewer.no_table_remedy") };
}

/** A problem as what, why and what to do, with a way to try again where there is one. */
export function problemNode(problem, again = null) {
  return element("div.problem", { role: "alert" }, ...explained(problem), again && button(t("viewer.again"), again, "quiet"));
}
