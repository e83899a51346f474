/* Reading options of a document: each change in its details reads it again. */
import { call } from "../shared/server.js";
import { showToast } from "../shared/ui.js";
import { t } from "../shared/words.js";

/** Makes the options of the details read the document again; `begun` shows the progress. @param {HTMLElement} content @param {string} id @param {LibraryServer} server @param {() => Promise<unknown>} begun */
export function choosesReading(content, id, server, begun) {
  const form = /** @type {HTMLFormElement | null} */ (content.querySelector("[data-reading-choices]"));
  form?.addEventListener("change", async () => {
    const chosen = new FormData(form);
    const fields = [...form.elements];
    for (const field of fields) field.toggleAttribute("disabled", true);
    const taken = await call(server.read_again, { id, hidden: chosen.has("hidden"), encoding: String(chosen.get("encoding") ?? "") });
    if (!taken) {
      form.reset();
      for (const field of fields) field.toggleAttribute("disabled", false);
      return;
    }
    showToast(t("library.reading_again"));
    await begun();
  });
}
