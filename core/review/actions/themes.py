"""Finds common themes of several documents, and where similar sentences differ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from core.events import Source
from core.language.detection import detect
from core.language.entities.facts import Number, facts
from core.language.expansions import expand
from core.language.hebrew import LETTER
from core.library.description.keywords import keywords
from core.review.actions.summary.centrality import Floats, tf_idf
from core.review.actions.summary.sections import Section, sections
from core.review.overlap import bases, words
from core.review.polarity import base, conflict, matches_any

MOST_THEMES = 10
ALIKE_SECTIONS = 0.22
TITLE = 0.6
"""Weight of section titles, relative to content, when sections are matched."""
ALIKE = 0.5
"""Share of common words from which two sentences are about the same thing."""
_NUMBERING = re.compile(rf"^[#\s]*(?:\d+(?:\.\d+)*[.)]?\s+|{LETTER}['׳.]\s+)?")

Kind = Literal["number", "date", "negation"]


@dataclass(frozen=True)
class Theme:
    """A theme; ``sections[n]`` is document n's section on it, or ``None`` if the document has none."""

    name: str
    sections: dict[int, Section]


def themes(sources: Sequence[Source]) -> list[Theme]:
    """Groups matching sections, those found in most documents first; uses shared keywords if there are no titles."""
    parts = [(source.number, section) for source in sources for section in sections(source) if section.statements]
    titled = [(number, part) for number, part in parts if part.title]
    found = _grouped(titled) if titled else []
    shared = [theme for theme in found if len(theme.sections) > 1]
    if len(shared) < 2:
        shared += _by_keywords(sources)
    alone = [theme for theme in found if len(theme.sections) == 1]
    shared.sort(key=lambda theme: -len(theme.sections))
    return [*shared, *alone][:MOST_THEMES]


def _grouped(parts: Sequence[tuple[int, Section]]) -> list[Theme]:
    """Groups greedily: the most similar sections of different documents first."""
    likeness = _section_similarity([part for _, part in parts])
    group = list(range(len(parts)))
    pairs = [(a, b) for a, b in combinations(range(len(parts)), 2) if parts[a][0] != parts[b][0]]
    for a, b in sorted(pairs, key=lambda pair: -likeness[pair]):
        if likeness[a, b] < ALIKE_SECTIONS:
            break
        ours = {parts[i][0] for i, each in enumerate(group) if each == group[a]}
        theirs = {parts[i][0] for i, each in enumerate(group) if each == group[b]}
        if not ours & theirs:
            group = [group[a] if each == group[b] else each for each in group]
    found = []
    for each in dict.fromkeys(group):
        members = [parts[i] for i in range(len(parts)) if group[i] == each]
        found.append(Theme(bare_title(members[0][1].title), dict(members)))
    return found


def bare_title(title: str) -> str:
    """Returns ``title`` without its number."""
    return _NUMBERING.sub("", title).strip(" *:") or title


def _section_similarity(parts: Sequence[Section]) -> Floats:
    contents = tf_idf([" ".join(each.text for each in part.statements) for part in parts])
    titles = [_title_bases(part.title) for part in parts]
    rows = np.zeros((len(parts), len(parts)))
    for a, b in combinations(range(len(parts)), 2):
        rows[a, b] = rows[b, a] = _dice(titles[a], titles[b])
    joined: Floats = TITLE * rows + (1 - TITLE) * (contents @ contents.T)
    return joined


def _title_bases(title: str) -> frozenset[str]:
    """Returns a title's words with synonyms, so that titles in two languages can match."""
    bare = bare_title(title)
    return frozenset(base(word) for word in words(expand(bare).text))


def _dice(one: frozenset[str], other: frozenset[str]) -> float:
    if not one or not other:
        return 0.0
    met = sum(matches_any(word, other) for word in one)
    return (
        met / min(len(one), len(other))
        if met > 1 or min(len(one), len(other)) == 1
        else met / max(len(one), len(other))
    )


def _by_keywords(sources: Sequence[Source]) -> Iterator[Theme]:
    """Returns a theme for each keyword that several documents share: the sentences that contain it."""
    by_keyword: dict[str, dict[int, Section]] = {}
    for source in sources:
        parts = sections(source)
        texts = [each.text for part in parts for each in part.statements]
        language = detect(" ".join(texts[:50]))
        for keyword in keywords(texts, language, limit=25):
            key = frozenset(base(word) for word in words(keyword))
            holding = [
                each
                for part in parts
                for each in part.statements
                if key and all(matches_any(k, bases(each.text)) for k in key)
            ]
            if holding:
                by_keyword.setdefault(keyword, {})[source.number] = Section(keyword, holding)
    for keyword, found in by_keyword.items():
        if len(found) > 1:
            yield Theme(keyword, found)


def likeness(one: str, other: str) -> float:
    """Returns the share of words that two sentences have in common, 0..1; short sentences need a larger share."""
    ours, theirs = frozenset(map(base, words(one))), frozenset(map(base, words(other)))
    if len(ours) < 2 or len(theirs) < 2:
        return 0.0
    met = sum(matches_any(word, theirs) for word in ours) + sum(matches_any(word, ours) for word in theirs)
    return met / (len(ours) + len(theirs))


def difference(one: str, other: str) -> Kind | None:
    """Returns the type of difference between two similar sentences."""
    ours, theirs = facts(one), facts(other)
    if _numbers_differ(ours.numbers, theirs.numbers):
        return "number"
    if ours.days and theirs.days and not ours.days & theirs.days:
        return "date"
    return "negation" if conflict(one, other) else None


def _numbers_differ(ours: Sequence[Number], theirs: Sequence[Number]) -> bool:
    """Compares numbers of the same unit; a number that only one sentence has is not a difference."""
    mine = [number for number in ours if not any(number.same(other) for other in theirs)]
    yours = [number for number in theirs if not any(number.same(other) for other in ours)]
    return any(one.unit == other.unit for one in mine for other in yours)
