/* What a document says, in its detail: read out by a model, sieved by kind and category, each with the page it opens. */
import { send } from "../shared/bus.js";
import { call } from "../shared/notices.js";
import { element } from "../shared/ui.js";

const stampOf = (extraction) => (extraction ? `${extraction.state} ${extraction.done} ${extraction.parts}` : "");

/** Entries that are shown: those of the kind and category that are chosen, the first of them until all are asked for. */
export function sieve(entries, { kind, category, most }) {
  const wanted = entries.filter((each) => (!kind || each.kind === kind) && (!category || each.categories.includes(category)));
  return { shown: new Set(wanted.slice(0, most)), more: wanted.length > most };
}

export function mountFindings(side, server, { changed }) {
  let shown = { id: null, stamp: "" };
  let chosen = fresh();

  function fresh() {
    return { kind: "", category: "", all: false };
  }

  const place = () => side.querySelector("[data-findings-place]");

  /** Of the document that has just been opened. */
  async function show(document) {
    if (shown.id !== document.id) chosen = fresh();
    shown = { id: document.id, stamp: stampOf(document.extraction) };
    await draw();
  }

  async function draw() {
    const { id } = shown;
    const reply = place() && (await call(server.findings, { id }));
    if (!reply || shown.id !== id || !place()) return;
    const height = place().offsetHeight;
    place().style.minBlockSize = `${height}px`;
    place().innerHTML = reply.html;
    sift();
    place().style.minBlockSize = "";
  }

  /** Drawn again when it has come further. */
  function renew(document) {
    const stamp = stampOf(document.extraction);
    if (document.id !== shown.id || stamp === shown.stamp) return;
    shown.stamp = stamp;
    draw();
  }

  function sift() {
    const list = place()?.querySelector(".found");
    if (!list) return;
    const lines = [...list.children];
    const entries = lines.map((line) => ({ line, kind: line.dataset.kind, categories: line.dataset.category.split(" ") }));
    const most = chosen.all ? Infinity : Number(list.dataset.first);
    const found = sieve(entries, { ...chosen, most });
    for (const entry of entries) entry.line.hidden = !found.shown.has(entry);
    place().querySelector("[data-all-findings]").hidden = !found.more;
    for (const chip of place().querySelectorAll(".chip")) chip.setAttribute("aria-pressed", String(chip.dataset.kind === chosen.kind));
    const select = place().querySelector("select[data-category]");
    if (select) select.value = chosen.category;
  }

  async function act(button, fn) {
    button.disabled = true;
    const reply = await call(fn, { id: shown.id });
    button.disabled = false;
    if (!reply) return;
    await Promise.all([draw(), changed()]);
  }

  /** What one section says unfolds beneath its line of the outline; again, and it folds. */
  async function readSection(button) {
    const line = button.closest("li");
    const open = line.querySelector(".section-content");
    if (open) return close(open);
    button.disabled = true;
    line.setAttribute("aria-busy", "true");
    const reply = await call(server.section, { id: shown.id, section: Number(button.dataset.readSection) });
    button.disabled = false;
    line.removeAttribute("aria-busy");
    if (!reply || !line.isConnected) return undefined;
    line.append(element("div", {}));
    line.lastElementChild.outerHTML = reply.html;
    return line.querySelector(".section-content button")?.focus();
  }

  function close(content) {
    const button = content.closest("li").querySelector("[data-read-section]");
    content.remove();
    button?.focus();
  }

  side.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    const { dataset } = button;
    if ("extract" in dataset) act(button, server.extract);
    else if ("stopExtraction" in dataset) act(button, server.stop_extraction);
    else if ("chooseModel" in dataset) send("tab", "settings");
    else if ("readSection" in dataset) readSection(button);
    else if ("closeSection" in dataset) close(button.closest(".section-content"));
    else if ("allFindings" in dataset) sifted({ all: true });
    else if (button.matches(".findings .chip")) sifted({ kind: dataset.kind, all: false });
  });
  side.addEventListener("change", ({ target }) => {
    if (target.matches("select[data-category]")) sifted({ category: target.value, all: false });
  });

  function sifted(change) {
    chosen = { ...chosen, ...change };
    sift();
  }

  return { show, renew };
}
