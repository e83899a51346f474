/* Filters by document, set, kind of concept and source, and the slider of the documents' months. */
import { element, fill, offer, onClick } from "../shared/ui.js";
import { t } from "../shared/words.js";

const LISTS = ["document", "set", "kind", "tier"];

export class Choices {
  /** @type {ChoicesReply} */
  offered = { documents: [], sets: [], kinds: [], tiers: [], months: [] };

  /** @param {HTMLElement} root @param {() => unknown} changed */
  constructor(root, changed) {
    /** @type {Record<string, HTMLSelectElement>} */
    this.selects = Object.fromEntries(LISTS.map((name) => [name, root.querySelector(`[data-choice=${name}]`)]));
    this.times = root.querySelector(".times");
    /** @type {HTMLInputElement[]} the first and the last month */
    this.ends = [...this.times.querySelectorAll("input")];
    for (const select of Object.values(this.selects)) select.addEventListener("change", () => changed());
    for (const end of this.ends) {
      end.addEventListener("input", () => this.keepOrder(end));
      end.addEventListener("change", () => changed());
    }
    onClick(this.times, "[data-all-times]", () => {
      this.showAllTimes();
      changed();
    });
  }

  /** @param {ChoicesReply} reply */
  offer(reply) {
    const { since, until } = this.chosen();
    this.offered = reply;
    const lists = { document: reply.documents, set: reply.sets, kind: reply.kinds, tier: reply.tiers };
    for (const [name, entries] of Object.entries(lists)) {
      const kept = this.selects[name].value;
      offer(this.selects[name], [["", t(`knowledge.any_${name}`)], ...entries.map(({ id, label }) => /** @type {[string, string]} */ ([id, label]))]);
      this.selects[name].value = entries.some(({ id }) => id === kept) ? kept : "";
      this.selects[name].closest("label").hidden = !entries.length;
    }
    this.drawTimes(since, until);
  }

  /** @param {string} since @param {string} until */
  drawTimes(since, until) {
    const { months } = this.offered;
    this.times.hidden = months.length < 2;
    const most = Math.max(...months.map((each) => each.documents), 1);
    fill(this.times.querySelector(".months"), months.map((each) => element("i", { title: `${each.label}: ${each.documents}`, style: `block-size:${Math.round((100 * each.documents) / most)}%` })), "");
    for (const end of this.ends) Object.assign(end, { min: 0, max: Math.max(0, months.length - 1) });
    const places = months.map((each) => each.id);
    this.ends[0].value = String(Math.max(0, places.indexOf(since)));
    this.ends[1].value = String(places.includes(until) ? places.indexOf(until) : Math.max(0, months.length - 1));
    this.sayTimes();
  }

  /** The first month is never after the last one. @param {HTMLInputElement} moved */
  keepOrder(moved) {
    const [first, last] = this.ends;
    if (Number(first.value) > Number(last.value)) (moved === first ? last : first).value = moved.value;
    this.sayTimes();
  }

  sayTimes() {
    const { months } = this.offered;
    const [first, last] = this.ends.map((end) => Number(end.value));
    this.ends.forEach((end) => end.setAttribute("aria-valuetext", months[Number(end.value)]?.label ?? ""));
    [...this.times.querySelectorAll(".months i")].forEach((bar, place) => bar.classList.toggle("out", place < first || place > last));
    this.times.querySelector("output").textContent = this.limitsTimes() ? `${months[first].label} – ${months[last].label}` : t("knowledge.all_times");
    this.times.querySelector("[data-all-times]").hidden = !this.limitsTimes();
  }

  showAllTimes() {
    this.ends[0].value = "0";
    this.ends[1].value = this.ends[1].max;
    this.sayTimes();
  }

  limitsTimes() {
    return !this.times.hidden && (this.ends[0].value !== "0" || this.ends[1].value !== this.ends[1].max);
  }

  chosen() {
    const [first, last] = this.ends.map((end) => this.offered.months[Number(end.value)]?.id ?? "");
    const limited = this.limitsTimes();
    const { document, set, kind, tier } = this.selects;
    return { document: document.value, set: set.value, kinds: kind.value ? [kind.value] : [], tier: tier.value, since: limited ? first : "", until: limited ? last : "" };
  }

  narrows() {
    return this.limitsTimes() || Object.values(this.selects).some((select) => select.value);
  }

  reset() {
    for (const select of Object.values(this.selects)) select.value = "";
    this.showAllTimes();
  }
}
