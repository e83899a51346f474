/* Filters and order of the Library: a search box, filters built from the documents, sorting. */
import { button, element, replaceFocused, sortedBy, tally } from "../shared/ui.js";
import { t } from "../shared/words.js";
import { kindName, periodName, stateOf } from "./document-words.js";

/** @type {Record<string, { of: (each: DocumentRow) => string[], name: (value: string) => string }>} */
const FACETS = {
  kind: { of: (each) => (each.kind && each.kind !== "other" ? [each.kind] : []), name: kindName },
  organisation: { of: (each) => each.organisations, name: (value) => value },
  period: { of: (each) => each.periods, name: periodName },
  language: { of: (each) => [each.language], name: (value) => t(`library.lang_${value}`) },
  state: { of: (each) => [stateOf(each)], name: (value) => t(`library.state_${value}`) },
};
const STATES = ["failed", "queued", "reading", "recognising", "by_words", "cancelled", "ready"];

/** Sort keys of the columns. @type {Record<string, (each: DocumentRow) => string | number>} */
const KEYS = {
  title: (each) => each.title.toLowerCase(),
  kind: (each) => kindName(each.kind),
  organisation: (each) => (each.organisations[0] || "").toLowerCase(),
  period: (each) => each.periods[0] || "",
  language: (each) => each.language,
  pages: (each) => each.pages || 0,
  size: (each) => each.bytes,
  added: (each) => each.added_at,
  state: (each) => STATES.indexOf(stateOf(each)),
};
const FROM_THE_END = new Set(["added", "size", "pages", "period"]);

/** @typedef {[value: string, count: number][]} Counts */

/** @param {Counts} found @param {number} all */
const tellsApart = (found, all) => found.length > 1 || (found.length === 1 && found[0][1] < all);

export class Filters {
  /** @type {Record<string, string>} by facet */
  chosen = {};
  /** @type {string[]} */
  words = [];
  /** @type {Sort & { by: string }} */
  sort = { by: "added", down: true };
  /** @type {Map<string, Found> | null} documents whose text contains the words, by id; null until known */
  found = null;
  drawn = "";

  /** @param {HTMLElement} bar @param {() => void} changed */
  constructor(bar, changed) {
    this.bar = bar;
    this.changed = changed;
  }

  /** `text` filters immediately, by the documents' titles and authors. @param {string} text @param {Map<string, Found> | null} [found] */
  say(text, found = null) {
    this.words = text.toLowerCase().split(/\s+/).filter(Boolean);
    this.found = found;
  }

  /** @param {DocumentRow} each */
  isNamed(each) {
    const text = `${each.title}\n${each.filename}\n${each.organisations.join("\n")}`.toLowerCase();
    return this.words.every((word) => text.includes(word));
  }

  /** @param {DocumentRow} each @param {string} [except] a facet */
  passes(each, except) {
    return Object.entries(this.chosen).every(([facet, value]) => facet === except || FACETS[facet].of(each).includes(value));
  }

  /** @param {DocumentRow[]} documents */
  apply(documents) {
    const key = KEYS[this.sort.by];
    const sign = this.sort.down ? -1 : 1;
    const sorted = documents
      .filter((each) => this.passes(each) && (this.isNamed(each) || this.found?.has(each.id)))
      .map((each) => /** @type {const} */ ([key(each), each]))
      .sort(([one, a], [other, b]) => (one < other ? -sign : one > other ? sign : b.added_at - a.added_at))
      .map(([, each]) => each);
    // First documents with that name, then those that only contain the words.
    return [...sorted.filter((each) => this.isNamed(each)), ...sorted.filter((each) => !this.isNamed(each))];
  }

  /** @param {string} column */
  sortBy(column) {
    this.sort = sortedBy(this.sort, column, FROM_THE_END.has(column));
    this.changed();
  }

  narrows() {
    return Boolean(this.words.length || Object.keys(this.chosen).length);
  }

  /** A select for each facet that differs between documents, with the number of matches of each choice. @param {DocumentRow[]} documents */
  draw(documents) {
    const parts = Object.keys(FACETS)
      .map((facet) => /** @type {const} */ ([facet, this.counts(documents, facet)]))
      .filter(([facet, found]) => this.chosen[facet] || tellsApart(found, documents.length));
    const version = JSON.stringify([document.documentElement.lang, parts, this.chosen]);
    if (version === this.drawn) return;
    this.drawn = version;
    const clear = () => {
      this.chosen = {};
      this.changed();
    };
    const clearing = Object.keys(this.chosen).length ? [button(t("library.clear"), clear, "quiet")] : [];
    replaceFocused(this.bar, [...parts.map(([facet, found]) => this.select(facet, found)), ...clearing], "facet");
    this.bar.hidden = !this.bar.children.length;
  }

  /** @param {DocumentRow[]} documents @param {string} facet @returns {Counts} */
  counts(documents, facet) {
    const found = documents.filter((each) => this.passes(each, facet)).flatMap((each) => [...new Set(FACETS[facet].of(each))]);
    return [...tally(found)].sort(([one], [other]) => FACETS[facet].name(one).localeCompare(FACETS[facet].name(other)));
  }

  /** @param {string} facet @param {Counts} found */
  select(facet, found) {
    const value = this.chosen[facet] || "";
    const label = t(`library.column_${facet}`);
    const known = found.some(([each]) => each === value) || !value ? found : [...found, /** @type {const} */ ([value, 0])];
    const options = known.map(([each, count]) => new Option(`${FACETS[facet].name(each)} (${count})`, each, false, each === value));
    const choose = () => {
      if (node.value) this.chosen[facet] = node.value;
      else delete this.chosen[facet];
      this.changed();
    };
    const node = element("select", { class: value ? "on" : "", "data-facet": facet, "aria-label": label, onchange: choose }, new Option(`${label}: ${t("library.any")}`, "", false, !value), ...options);
    return node;
  }
}

/** @param {number} shown @param {number} all */
export const summary = (shown, all) => (shown === all ? t("library.all", { count: all }) : t("library.some", { shown, all }));
