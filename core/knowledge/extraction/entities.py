"""Extracts the entities and terms that a text names, with rules and word lists, in English and Hebrew."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.knowledge.extraction import hebrew_names, key_terms, latin_names, patterns
from core.knowledge.extraction.patterns import Span, blanked
from core.knowledge.records import RelationKind
from core.language.normalisation import fold, normalise, strip_nikud
from core.language.sentences import split_sentences

_LEGAL = re.compile(
    r"[,.]? (?:ltd|limited|inc|incorporated|llc|llp|plc|corp|corporation|gmbh|ag|as|sa|nv|bv|ab|oy|spa|srl|kg|pty)\.?$"
)
MOST_CONCEPTS = 16
"""Maximum number of concepts extracted from one text."""


@dataclass(frozen=True)
class Extracted:
    """The result of an extraction. ``pairs`` are index pairs in ``found`` of things in the same sentence.
    ``relations``, which only a model finds, say what the first thing does to the second; ``stated`` says it in a
    sentence's own words."""

    found: tuple[Span, ...]
    pairs: tuple[tuple[int, int], ...]
    relations: tuple[tuple[int, int, RelationKind], ...] = ()
    stated: tuple[tuple[int, int, str], ...] = ()


def extract(text: str) -> Extracted:
    """Extract each entity or term once, in the order of its first mention, and the pairs that occur together."""
    text = prepared(text)
    fixed = patterns.find(text)
    rest = blanked(text, fixed)
    named = _without_nested([*latin_names.find(rest), *hebrew_names.find(rest)])
    named += [place for span in named if span.kind == "organisation" for place in _places_in(span)]
    terms = key_terms.find(text, [*fixed, *named])
    spans = sorted([*fixed, *named, *terms], key=lambda span: span.start)
    return paired(text, _by_full_name([keyed(span) for span in spans]))


def prepared(text: str) -> str:
    """The normalised text in which things are searched; line breaks stay, because they end sentences."""
    lines = (strip_nikud(normalise(line)) for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def _without_nested(spans: Iterable[Span]) -> list[Span]:
    """The spans without those that begin inside another one."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda each: (each.start, -each.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept


def _places_in(span: Span) -> list[Span]:
    """The city in the name of a city council."""
    found = [*latin_names.find(span.label), *hebrew_names.find(span.label.partition(" ")[2])]
    return [replace(each, start=span.start, end=span.end) for each in found if each.kind == "place"]


def keyed(span: Span) -> Span:
    key = span.key
    if span.kind == "term":
        key = key_terms.term_key(span.label)
    elif span.kind == "organisation":
        key = _LEGAL.sub("", fold(key).removeprefix("the "))
    elif span.kind == "person":
        key = fold(key)
    return replace(span, key=key)


def _by_full_name(spans: list[Span]) -> list[Span]:
    """A given name on its own refers to the person who was named in full before."""
    full: dict[str, Span] = {}
    joined = []
    for span in spans:
        if span.kind == "person":
            given, _, family = span.key.partition(" ")
            if family:
                full.setdefault(given, span)
                full.setdefault(span.key.rpartition(" ")[2], span)
            elif given in full:
                span = replace(span, key=full[given].key)
        joined.append(span)
    return joined


def paired(text: str, spans: list[Span]) -> Extracted:
    """The most frequent things, which are paired; if two are equally frequent, names come before terms."""
    counts = Counter(span.key for span in spans)
    ranked = sorted(spans, key=lambda span: (-counts[span.key], span.kind == "term", span.start))
    kept = list(dict.fromkeys(span.key for span in ranked if span.key))[:MOST_CONCEPTS]
    first: dict[str, int] = {}
    found: list[Span] = []
    for span in spans:
        if span.key in kept and span.key not in first:
            first[span.key] = len(found)
            found.append(span)
    pairs: dict[tuple[int, int], None] = {}
    for sentence in split_sentences(text):
        inside = sorted(
            {first[span.key] for span in spans if sentence.start <= span.start < sentence.end and span.key in first}
        )
        pairs |= dict.fromkeys((one, other) for place, one in enumerate(inside) for other in inside[place + 1 :])
    return Extracted(tuple(found), tuple(pairs))
