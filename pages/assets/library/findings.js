/* Findings of a document in its details: extracted by a model, filtered by kind and category, each linked to its page. */
import { send } from "../shared/bus.js";
import { call } from "../shared/server.js";
import { busy, during } from "../shared/timing.js";
import { Part, onClick, pressed } from "../shared/ui.js";

/** @param {Extraction | null | undefined} extraction */
const stampOf = (extraction) => (extraction ? `${extraction.state} ${extraction.done} ${extraction.parts}` : "");

/** The entries to show: those of the selected kind and category, only the first ones until all are requested. @template {{ kind: string, categories: string[] }} Entry @param {Entry[]} entries @param {{ kind: string, category: string, most: number }} chosen */
export function sieve(entries, { kind, category, most }) {
  const wanted = entries.filter((each) => (!kind || each.kind === kind) && (!category || each.categories.includes(category)));
  return { shown: new Set(wanted.slice(0, most)), more: wanted.length > most };
}

const fresh = () => ({ kind: "", category: "", all: false });

/** @extends {Part<LibraryServer>} */
export class Findings extends Part {
  /** @type {string | null} the document of these findings */
  id = null;
  stamp = "";
  chosen = fresh();

  /** @param {HTMLElement} side @param {LibraryServer} server @param {() => unknown} changed */
  constructor(side, server, changed) {
    super(side, server);
    this.changed = changed;
    mountOutline(side);
    onClick(side, "[data-extract]", (asked) => this.act(asked, server.extract));
    onClick(side, "[data-stop-extraction]", (asked) => this.act(asked, server.stop_extraction));
    onClick(side, "[data-choose-model]", () => send("tab", "settings"));
    onClick(side, "[data-read-section]", (asked) => this.readSection(asked));
    onClick(side, "[data-close-section]", (asked) => close(asked.closest(".section-content")));
    onClick(side, "[data-all-findings]", () => this.choose({ all: true }));
    onClick(side, ".findings button.chip", (chip) => this.choose({ kind: chip.dataset.kind, all: false }));
    side.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLSelectElement && target.matches("[data-category]")) this.choose({ category: target.value, all: false });
    });
  }

  place() {
    return this.find("[data-findings-place]");
  }

  /** Loads the findings of the document that was just opened. @param {{ id: string, extraction?: Extraction | null }} document */
  async show({ id, extraction }) {
    if (this.id !== id) this.chosen = fresh();
    this.id = id;
    this.stamp = stampOf(extraction);
    await this.draw();
  }

  async draw() {
    const { id } = this;
    const reply = id && this.place() && (await call(this.server.findings, { id }));
    const place = this.place();
    if (!reply || this.id !== id || !place) return;
    place.style.minBlockSize = `${place.offsetHeight}px`;
    place.innerHTML = reply.html;
    this.sift();
    place.style.minBlockSize = "";
  }

  /** Redraws when the extraction has progressed. @param {DocumentRow} document */
  renew({ id, extraction }) {
    const stamp = stampOf(extraction);
    if (id !== this.id || stamp === this.stamp) return;
    this.stamp = stamp;
    this.draw();
  }

  sift() {
    const place = this.place();
    const list = place?.querySelector(".found");
    if (!list) return;
    const { kind, category, all } = this.chosen;
    const entries = [...list.children].map((line) => ({ line, kind: line.dataset.kind, categories: line.dataset.category.split(" ") }));
    const found = sieve(entries, { kind, category, most: all ? Infinity : Number(list.dataset.first) });
    for (const entry of entries) entry.line.hidden = !found.shown.has(entry);
    place.querySelector("[data-all-findings]").hidden = !found.more;
    for (const chip of place.querySelectorAll(".chip")) pressed(chip, chip.dataset.kind === kind);
    const select = place.querySelector("select[data-category]");
    if (select) select.value = category;
  }

  /** @param {Partial<ReturnType<typeof fresh>>} change */
  choose(change) {
    this.chosen = { ...this.chosen, ...change };
    this.sift();
  }

  /** @param {HTMLButtonElement} button @param {Action<{ id: string }, {}>} action */
  async act(button, action) {
    const { id } = this;
    if (id && (await during(button, () => call(action, { id })))) await Promise.all([this.draw(), this.changed()]);
  }

  /** Opens a section's findings below its outline line; a second click closes them. @param {HTMLButtonElement} button */
  async readSection(button) {
    const line = button.closest("li");
    const open = line.querySelector(".section-content");
    const { id } = this;
    if (open || !id) return close(open);
    const reply = await during(button, () => busy(line, call(this.server.section, { id, section: Number(button.dataset.readSection) })));
    if (!reply || !line.isConnected) return undefined;
    line.insertAdjacentHTML("beforeend", reply.html);
    return line.querySelector(".section-content button")?.focus();
  }
}

/** An outline line or a finding's page opens the document; `side` holds the details, whose lines name their passage and page. @param {Element} side */
export function mountOutline(side) {
  onClick(side, "[data-jump]", (line) => {
    const { document } = line.closest("[data-document]").dataset;
    const { jump, page, quote } = line.dataset;
    send("palimpsest:open", { document, item: jump || null, page: Number(page) || null, ...(quote && { quote }) });
  });
}

/** @param {Element | null} content */
function close(content) {
  const button = content?.closest("li").querySelector("[data-read-section]");
  content?.remove();
  button?.focus();
}
