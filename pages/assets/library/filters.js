/* What of the Library is shown, and in which order: a search box, filters made of what is there, a sort. */
import { element } from "../shared/ui.js";
import { kindName, periodName, stateOf } from "./document-words.js";
import { t } from "../shared/words.js";

const FACETS = {
  kind: { of: (each) => (each.kind && each.kind !== "other" ? [each.kind] : []), name: kindName },
  organisation: { of: (each) => each.organisations, name: (value) => value },
  period: { of: (each) => each.periods, name: periodName },
  language: { of: (each) => [each.language], name: (value) => t(`library.lang_${value}`) },
  state: { of: (each) => [stateOf(each)], name: (value) => t(`library.state_${value}`) },
};
const STATES = ["failed", "queued", "reading", "by_words", "cancelled", "ready"];

/** By which a column is sorted. */
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

export function mountFilters(bar, { changed }) {
  const state = { chosen: {}, words: [], sort: { by: "added", down: true }, found: null };
  let drawn = "";

  /** `text` narrows at once; `found` are documents whose text holds it, by id, or null while that is not known. */
  function say(text, found = null) {
    state.words = text.toLowerCase().split(/\s+/).filter(Boolean);
    state.found = found;
  }

  const named = (each) => {
    if (!state.words.length) return true;
    const text = `${each.title}\n${each.filename}\n${each.organisations.join("\n")}`.toLowerCase();
    return state.words.every((word) => text.includes(word));
  };

  function passes(each, except = null) {
    return Object.entries(state.chosen).every(([facet, value]) => facet === except || FACETS[facet].of(each).includes(value));
  }

  function apply(documents) {
    const shown = documents.filter((each) => passes(each) && (named(each) || state.found?.has(each.id)));
    const key = KEYS[state.sort.by];
    const sign = state.sort.down ? -1 : 1;
    const keyed = shown.map((each) => [key(each), each]);
    keyed.sort(([one, a], [other, b]) => (one < other ? -sign : one > other ? sign : b.added_at - a.added_at));
    const sorted = keyed.map(([, each]) => each);
    // Those of that name first, then those that only hold the words.
    return state.words.length ? [...sorted.filter(named), ...sorted.filter((each) => !named(each))] : sorted;
  }

  function sortBy(column) {
    const same = state.sort.by === column;
    state.sort = { by: column, down: same ? !state.sort.down : FROM_THE_END.has(column) };
    changed();
  }

  function choose(facet, value) {
    if (value) state.chosen[facet] = value;
    else delete state.chosen[facet];
    changed();
  }

  function clear() {
    state.chosen = {};
    changed();
  }

  /** A select for each facet that tells documents apart, with how many each choice would show. */
  function draw(documents) {
    const parts = Object.keys(FACETS).map((facet) => [facet, counts(documents, facet)]).filter(([facet, found]) => state.chosen[facet] || tellsApart(found, documents.length));
    const said = JSON.stringify([document.documentElement.lang, parts, state.chosen]);
    if (said === drawn) return;
    drawn = said;
    const focused = document.activeElement?.getAttribute("data-facet");
    /** @type {HTMLElement[]} */
    const nodes = parts.map(([facet, found]) => select(facet, found));
    if (Object.keys(state.chosen).length) nodes.push(clearing());
    bar.replaceChildren(...nodes);
    bar.hidden = !nodes.length;
    if (focused) bar.querySelector(`[data-facet="${focused}"]`)?.focus();
  }

  const tellsApart = (found, all) => found.length > 1 || (found.length === 1 && found[0][1] < all);

  function counts(documents, facet) {
    const found = new Map();
    for (const each of documents) {
      if (!passes(each, facet)) continue;
      for (const value of new Set(FACETS[facet].of(each))) found.set(value, (found.get(value) || 0) + 1);
    }
    return [...found].sort(([one], [other]) => String(FACETS[facet].name(one)).localeCompare(FACETS[facet].name(other)));
  }

  function select(facet, found) {
    const node = element("select");
    const value = state.chosen[facet] || "";
    node.dataset.facet = facet;
    node.className = value ? "on" : "";
    node.setAttribute("aria-label", t(`library.column_${facet}`));
    const known = found.some(([each]) => each === value) || !value ? found : [...found, [value, 0]];
    const options = known.map(([each, count]) => new Option(`${FACETS[facet].name(each)} (${count})`, each, false, each === value));
    node.append(new Option(`${t(`library.column_${facet}`)}: ${t("library.any")}`, "", false, !value), ...options);
    node.addEventListener("change", () => choose(facet, node.value));
    return node;
  }

  function clearing() {
    return element("button.quiet", { onclick: clear }, t("library.clear"));
  }

  const summary = (shown, all) => (shown === all ? t("library.all", { count: all }) : t("library.some", { shown, all }));

  return { say, apply, draw, sortBy, summary, sorted: () => state.sort, narrows: () => Boolean(state.words.length || Object.keys(state.chosen).length) };
}
