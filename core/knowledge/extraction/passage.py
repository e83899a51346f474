"""Extracts the entities and terms that a document's passage names, and the pairs that are related.

Documents are read more strictly than memory bank facts. A fact is one sentence that a user wanted to keep, so its
topics deserve a node; a report has thousands of noun phrases, headings and units that do not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from core.knowledge.extraction import latin_names, patterns
from core.knowledge.extraction.companies import companies_in, company_span
from core.knowledge.extraction.defined_terms import defined_key, initials_fit, introduced_in, is_acronym, is_term
from core.knowledge.extraction.entities import Extracted, keyed
from core.knowledge.extraction.known_entities import Known, bare_key
from core.knowledge.extraction.laws import laws_in
from core.knowledge.extraction.metrics import metrics_in, metrics_of_rows
from core.knowledge.extraction.patterns import Span, blanked
from core.knowledge.extraction.people import people_in
from core.knowledge.extraction.periods import periods_of
from core.knowledge.extraction.places import places_in
from core.knowledge.extraction.products import products_in
from core.knowledge.extraction.relations import related
from core.knowledge.extraction.running_text import sentences_of
from core.knowledge.extraction.topics import subjects_in
from core.knowledge.records import EntityKind
from core.language.normalisation import fold
from core.store.items import MemoryItem

MOST = 40
"""Maximum number of entities and terms extracted from one passage."""
_NAMED: frozenset[EntityKind] = frozenset(["organisation", "person", "place", "law", "product"])
Search = Callable[[str], Iterable[Span]]
_WORD = re.compile(r"(?:[^\W_]|[&'-])+")
_UNREAD = frozenset(["contents", "exhibits", "signatures", "boilerplate", "records"])


@dataclass
class _Found:
    """Things in the order in which they were found, and pairs of their indices."""

    spans: dict[str, Span] = field(default_factory=dict)
    pairs: dict[tuple[str, str], None] = field(default_factory=dict)

    def add(self, text: str, spans: Iterable[Span]) -> None:
        ordered = sorted(spans, key=lambda span: (span.start, span.end))
        for span in ordered:
            if len(self.spans) < MOST:
                self.spans.setdefault(span.key, span)
        kept = [span for span in ordered if span.key in self.spans]
        self.pairs |= {(one.key, other.key): None for one, other in related(text, kept)}

    def extracted(self) -> Extracted:
        places = {key: place for place, key in enumerate(self.spans)}
        pairs = {tuple(sorted((places[one], places[other]))) for one, other in self.pairs}
        return Extracted(tuple(self.spans.values()), tuple(sorted((one, other) for one, other in pairs)))


def read_passage(item: MemoryItem, known: Known, is_defined: Callable[[str], bool]) -> Extracted:
    """Read one passage. ``is_defined``: whether another passage defines the term with this key."""
    book = item.source.book
    if book and book.role in _UNREAD:
        return Extracted((), ())
    found = _Found()
    rest = () if item.document_id in known.reports else OF_OTHERS
    ends = known.ends.get(item.document_id or "", {})
    if book and book.content_type == "table":
        found.add("", metrics_of_rows(item.text))
    for sentence in sentences_of(item.text):
        found.add(sentence, things_in(sentence, known, ends, is_defined, rest))
    return found.extracted()


def things_in(
    sentence: str,
    known: Known,
    ends: dict[str, str] | None = None,
    is_defined: Callable[[str], bool] = lambda key: False,
    rest: Sequence[Search] = (),
) -> list[Span]:
    """The things in one prepared sentence, without overlaps."""
    taken: list[Span] = []
    left = sentence
    searches: list[Search] = [
        laws_in,
        lambda text: companies_in(text, known),
        people_in,
        metrics_in,
        lambda text: _defined(text, is_defined),
        products_in,
        places_in,
        lambda text: periods_of(text, ends or {}),
        *rest,
    ]
    for search in searches:
        for span in sorted(search(left), key=lambda each: (each.start, -each.end)):
            if span.key and not any(span.start < other.end and other.start < span.end for other in taken):
                taken.append(span)
        left = blanked(left, taken)
    return _with_introduced(sentence, taken, known)


def _codes(text: str) -> Iterator[Span]:
    """Identifiers of batches, reports and parts; no addresses."""
    return (span for span in patterns.find(text) if span.kind == "identifier" and span.label.isupper())


def _by_capitals(text: str) -> Iterator[Span]:
    """People and organisations recognised by the words around them, as in facts. This is for documents other than
    financial reports, which name few, and rarely ones in the lists."""
    for span in latin_names.find(text):
        if span.kind in ("person", "organisation") and " " in span.label:
            yield keyed(span)


OF_OTHERS: tuple[Search, ...] = (_by_capitals, _codes, subjects_in)
"""Additional searches, used for documents that are not financial reports."""


def definitions_in(text: str) -> Iterator[str]:
    """Keys of the terms that a text defines."""
    for sentence in sentences_of(text):
        yield from (each.span.key for each in introduced_in(sentence))


def _with_introduced(sentence: str, taken: list[Span], known: Known) -> list[Span]:
    """The entities with the terms that the sentence defines; a term that only renames the entity before its bracket
    counts as that entity."""
    for each in introduced_in(sentence):
        span = each.span
        before = re.sub(r"'s?$", "", each.named_before)
        owner = next((one for one in taken if before.endswith(sentence[one.start : one.end])), None)
        taken = [one for one in taken if not (span.start < one.end and one.start < span.end)]
        if owner is not None and owner.kind in _NAMED and _is_name_of(span.label, before, owner):
            place = taken.index(owner)
            taken[place] = replace(owner, also=tuple(dict.fromkeys((*owner.also, span.key))))
        elif metric := next((one for one in metrics_in(f"{span.label} 1%") if one.end == len(span.label)), None):
            taken.append(replace(span, kind="metric", key=metric.key))
        elif bare_key(span.label) in known.companies:
            taken.append(company_span(known, span.start, span.end, span.label))
        elif not is_acronym(span.label) or initials_fit(span.label, before) or not before:
            taken.append(span)
    return taken


def _is_name_of(label: str, before: str, owner: Span) -> bool:
    """Whether the term in a bracket renames the entity before it: it has the entity's initials, or one of its words.
    Not renamed: an acronym with more letters than the entity has words, which belongs to a list that ends with the
    entity; and "in Haifa (the "Reserve Plan")"."""
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
