"""Extracts the entities and terms that a document's passage names, and the pairs that are related.

Documents are read more strictly than memory bank facts. A fact is one sentence that a user wanted to keep, so its
topics deserve a node; a report has thousands of noun phrases, headings and units that do not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from core.knowledge.extraction.clauses import FIGURE, figures_of, statements_in
from core.knowledge.extraction.companies import companies_in, company_span
from core.knowledge.extraction.defined_terms import (
    defined_key,
    initials_fit,
    introduced_in,
    is_acronym,
    is_term,
    long_form,
)
from core.knowledge.extraction.document_words import DocumentWords, words_of
from core.knowledge.extraction.entities import Extracted
from core.knowledge.extraction.heads import heads, kind_of_name
from core.knowledge.extraction.known_entities import Known, bare_key
from core.knowledge.extraction.labelled_values import record_of, role_in, things_of_table, values_in
from core.knowledge.extraction.laws import laws_in
from core.knowledge.extraction.metrics import metrics_in, metrics_of_rows
from core.knowledge.extraction.patterns import Span, blanked
from core.knowledge.extraction.people import people_in
from core.knowledge.extraction.periods import periods_of
from core.knowledge.extraction.places import places_in
from core.knowledge.extraction.products import products_in
from core.knowledge.extraction.proper_names import compounds_in, name_span, names_in, with_listed_persons
from core.knowledge.extraction.references import is_bibliography, is_list_of_references, is_reference
from core.knowledge.extraction.relations import related
from core.knowledge.extraction.running_text import prepared, sentences_of
from core.knowledge.records import EntityKind
from core.language.normalisation import fold
from core.language.terms import is_stop_word
from core.store.items import MemoryItem

MOST = 60
"""Maximum number of entities and terms extracted from one passage."""
_NAMED: frozenset[EntityKind] = frozenset(
    ["company", "organisation", "person", "place", "law", "product", "programme", "event"]
)
Search = Callable[[str], Iterable[Span]]
_WORD = re.compile(r"(?:[^\W_]|[&'-])+")
_SHORT = re.compile(r"(?<![\w-])[A-Z][A-Za-z&]{1,7}(?![\w-])")
LEAST_ACRONYM, LEAST_AGENT = 5, 2
"""Minimum number of times that a document writes an abbreviation that it does not explain, and of those with an act."""
NEIGHBOURS = 3
"""Number of things with which each thing is joined, if others are in its passage."""
_LOOSE: frozenset[EntityKind] = frozenset(["date", "sum", "identifier"])
_AS_AMENDED = re.compile(r",? as (?:amended|modified|supplemented)[^,]{0,30},?$")
_OFFICE: list[EntityKind] = ["person", "organisation"]
LONGEST_LINE = 300
"""Maximum number of characters of a line that is read for a labelled value, an address or a signature."""
_UNREAD = frozenset(["contents", "exhibits", "signatures", "boilerplate", "records"])


@dataclass
class _Found:
    """Things in the order in which they were found, pairs of their keys, and what sentences say of two of them."""

    spans: dict[str, Span] = field(default_factory=dict)
    pairs: dict[tuple[str, str], None] = field(default_factory=dict)
    stated: dict[tuple[str, str], str] = field(default_factory=dict)

    def add(self, text: str, spans: Iterable[Span], issuer: Span | None = None) -> None:
        ordered = _without_loose_dates(text, sorted(spans, key=lambda span: (span.start, span.end)))
        self.put(ordered)
        kept = [span for span in ordered if span.key in self.spans]
        self.pairs |= {(one.key, other.key): None for one, other in related(text, kept)}
        for each in statements_in(text, kept):
            self.stated.setdefault((each.one.key, each.other.key), each.reason)
        for one, other in figures_of(text, kept, issuer):
            self.put([other])
            self.stated.setdefault((one.key, other.key), FIGURE)

    def put(self, spans: Iterable[Span]) -> None:
        for span in spans:
            if len(self.spans) < MOST:
                self.spans.setdefault(span.key, span)

    def extracted(self) -> Extracted:
        places = {key: place for place, key in enumerate(self.spans)}
        joined = [*self.pairs, *self.stated]
        pairs = {
            (min(places[one], places[other]), max(places[one], places[other]))
            for one, other in joined
            if one in places and other in places and one != other
        }
        pairs |= set(_with_neighbours(list(self.spans.values()), pairs))
        stated = [
            (places[one], places[other], reason)
            for (one, other), reason in self.stated.items()
            if one in places and other in places
        ]
        return Extracted(tuple(self.spans.values()), tuple(sorted(pairs)), stated=tuple(stated))


def _with_neighbours(spans: Sequence[Span], pairs: set[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Each thing that sentences relate to few others, with the nearest things of the passage, of other kinds first."""
    degree = Counter(place for pair in pairs for place in pair)
    for place, span in enumerate(spans):
        if degree[place] >= NEIGHBOURS or span.kind in _LOOSE:
            continue
        others = [each for each, other in enumerate(spans) if each != place and other.kind not in _LOOSE]
        near = sorted(others, key=lambda each: (spans[each].kind == spans[place].kind, abs(each - place)))
        for other in near[: NEIGHBOURS - degree[place]]:
            yield min(place, other), max(place, other)


def _without_loose_dates(text: str, spans: Sequence[Span]) -> list[Span]:
    """The things without dates that are not the time of a measure, an event or what a clause says."""
    timed = any(span.kind in ("metric", "event") for span in spans)
    stated = {each.other.key for each in statements_in(text, spans)} if not timed else set()
    return [span for span in spans if span.kind != "date" or timed or span.key in stated]


def read_passage(
    item: MemoryItem, known: Known, is_defined: Callable[[str], bool], words: DocumentWords | None = None
) -> Extracted:
    """Read one passage. ``is_defined``: whether another passage defines the term with this key; ``words``: how the
    passage's document writes its words."""
    book = item.source.book
    if book and book.role in _UNREAD:
        return Extracted((), ())
    found, words = _Found(), words or words_of([item.text])
    ends = known.ends.get(item.document_id or "", {})
    if book and book.content_type == "table":
        rows = list(metrics_of_rows(item.text))
        found.add("", rows, words.issuer)
        found.stated |= {(row.key, words.issuer.key): FIGURE for row in rows if words.issuer}
        if item.document_id not in known.reports:
            _read_table(item.text, words, found)
    lines = _lines_to_read(item)
    for sentence in sentences_of("\n".join(lines)):
        found.add(sentence, things_in(sentence, known, ends, is_defined, words), words.issuer)
    for line in lines:
        if len(line) < LONGEST_LINE:
            values = list({span.key: span for span in values_in(prepared(line), words)}.values())
            found.put(values)
            if len(values) == len(_OFFICE) and [value.kind for value in values] == _OFFICE and (role := role_in(line)):
                found.stated.setdefault((values[0].key, values[1].key), role)
    for one, other, label in record_of([prepared(line) for line in lines if len(line) < LONGEST_LINE], words):
        found.stated.setdefault((one.key, other.key), label)
    return found.extracted()


def _lines_to_read(item: MemoryItem) -> list[str]:
    """The passage's lines without references."""
    book = item.source.book
    whole = item.text.splitlines()
    end = next((at for at, line in enumerate(whole) if is_list_of_references(line)), len(whole))
    if (book and is_list_of_references(book.section or "")) or is_bibliography("\n".join(whole[:end])):
        return []
    return [line for line in whole[:end] if not is_reference(line)]


def _read_table(text: str, words: DocumentWords, found: _Found) -> None:
    rows = list(things_of_table(prepared(text), words))
    column = [span for row in rows for span in row.things[:1] or row.measures]
    for row in rows:
        found.put([*row.things, *row.measures])
        found.pairs |= {(one.key, other.key): None for one, other in pairwise(row.things)}
        for measure in row.measures if row.things else ():
            found.stated.setdefault((measure.key, row.things[0].key), FIGURE)
    found.pairs |= {(one.key, other.key): None for one, other in pairwise(column) if one.key != other.key}


def things_in(
    sentence: str,
    known: Known,
    ends: dict[str, str] | None = None,
    is_defined: Callable[[str], bool] = lambda key: False,
    words: DocumentWords | None = None,
) -> list[Span]:
    """The things in one prepared sentence, without overlaps."""
    words = words or words_of([sentence])
    taken: list[Span] = []
    left = sentence
    searches: list[Search] = [
        laws_in,
        lambda text: compounds_in(text, words),
        lambda text: companies_in(text, known),
        people_in,
        metrics_in,
        lambda text: _short(text, words),
        lambda text: _defined(text, is_defined),
        products_in,
        lambda text: names_in(text, words),
        lambda text: periods_of(text, ends or {}),
        places_in,
    ]
    for search in searches:
        for span in sorted(search(left), key=lambda each: (each.start, -each.end)):
            if span.key and not any(span.start < other.end and other.start < span.end for other in taken):
                taken.append(span)
        left = blanked(left, taken)
    taken = with_listed_persons(sentence, sorted(taken, key=lambda span: span.start), words)
    return _with_introduced(sentence, taken, known)


def _short(text: str, words: DocumentWords) -> Iterator[Span]:
    """Abbreviations with their meanings in the document."""
    for match in _SHORT.finditer(text):
        meant = words.short.get(match.group()) or words.short.get(match.group().removesuffix("s"))
        if meant:
            yield replace(meant, start=match.start(), end=match.end())
        elif _is_body(match.group(), words):
            yield Span(match.start(), match.end(), "organisation", match.group(), defined_key(match.group()))


def _is_body(word: str, words: DocumentWords) -> bool:
    """Whether an abbreviation that the document does not explain is an organisation: a known one, or one that the
    document writes again and again, also as one who acts."""
    if fold(word) in heads().bodies and word.isupper() and len(word) > 2:
        return True
    often = word.isupper() and words.acronyms.get(word, 0) >= LEAST_ACRONYM
    return often and words.agents.get(word, 0) >= LEAST_AGENT


def definitions_in(text: str) -> Iterator[str]:
    """Keys of the terms that a text defines."""
    for sentence in sentences_of(text):
        yield from (each.span.key for each in introduced_in(sentence))


def _with_introduced(sentence: str, taken: list[Span], known: Known) -> list[Span]:
    """The entities with the terms that the sentence defines; a term that only renames the entity before its bracket
    counts as that entity."""
    for each in introduced_in(sentence):
        span = each.span
        before = _AS_AMENDED.sub("", re.sub(r"'s?$", "", each.named_before))
        owner = next((one for one in taken if before.endswith(sentence[one.start : one.end])), None)
        taken = [one for one in taken if not (span.start < one.end and one.start < span.end)]
        spelled = long_form(span.label, before) if is_acronym(span.label) else ""
        if owner is not None and owner.kind in _NAMED and _is_name_of(span.label, before, owner):
            place = taken.index(owner)
            taken[place] = replace(owner, also=tuple(dict.fromkeys((*owner.also, span.key))))
        elif metric := next((one for one in metrics_in(f"{span.label} 1%") if one.end == len(span.label)), None):
            taken.append(replace(span, kind="metric", key=metric.key, also=(span.key,)))
        elif bare_key(span.label) in known.companies:
            taken.append(company_span(known, span.start, span.end, span.label))
        elif spelled:
            start = sentence.rfind(spelled, 0, span.start)
            taken = [one for one in taken if one.end <= start or one.start >= span.start]
            taken.append(acronym_span(span, spelled))
        elif not is_acronym(span.label) or not before:
            taken.append(_with_kind(span))
    return taken


def _with_kind(span: Span) -> Span:
    """A defined term whose head says that it is a law or a programme."""
    kind = kind_of_name(span.label.split())
    if kind not in ("law", "programme"):
        return span
    return replace(name_span(span.label, kind, span.start), end=span.end, also=(span.key,))


def acronym_span(acronym: Span, spelled: str) -> Span:
    """What an abbreviation means: a name by the kind of its head, else a term."""
    words = spelled.split()
    kind = kind_of_name(words) if all(word[0].isupper() or is_stop_word(word) for word in words) else None
    if kind in ("organisation", "law", "programme", "event"):
        return replace(
            name_span(spelled, kind, acronym.start), end=acronym.end, also=(acronym.key,), spelled=acronym.label
        )
    return replace(acronym, spelled=spelled, also=(bare_key(spelled),))


def _is_name_of(label: str, before: str, owner: Span) -> bool:
    """Whether the term in a bracket renames the entity before it: it has the entity's initials, or one of its words.
    Not renamed: an acronym with more letters than the entity has words, which belongs to a list that ends with the
    entity; and "in Haifa (the "Reserve Plan")"."""
    if owner.kind == "place":
        return initials_fit(label, owner.label)
    if is_acronym(label):
        return initials_fit(label, owner.label) or not initials_fit(label, before)
    return bool(set(fold(label).split()) & set(fold(f"{owner.label} {owner.spelled}").split()))


def _defined(text: str, is_defined: Callable[[str], bool]) -> Iterator[Span]:
    """Mentions of terms that were defined earlier: capitalised phrases and acronyms."""
    for start, end in _capitalised_phrases(text):
        label = text[start:end]
        key = defined_key(label)
        if is_term(label) and is_defined(key):
            yield Span(start, end, "term", label, key)


def _capitalised_phrases(text: str) -> Iterator[tuple[int, int]]:
    """Runs of capitalised words, the longest first, then each one without its first or last word."""
    run: list[tuple[int, int]] = []
    for place in [*(word.span() for word in _WORD.finditer(text)), (len(text) + 2, len(text) + 2)]:
        if run and (place[0] - run[-1][1] != 1 or not _is_capital(text[place[0] : place[1]])):
            yield from _shorter_runs(run)
            run = []
        if _is_capital(text[place[0] : place[1]]):
            run.append(place)


def _shorter_runs(run: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for length in range(min(6, len(run)), 0, -1):
        for first in range(len(run) - length + 1):
            yield run[first][0], run[first + length - 1][1]


def _is_capital(word: str) -> bool:
    return bool(word) and (word[0].isupper() or word[0].isdigit() or fold(word) in ("of", "and"))
