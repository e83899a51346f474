"""Finds the sentences most relevant to a claim: claim, sentences → best text windows and what they lack.

A window is one sentence or two neighbours. Its coverage is the share of the claim's terms that it contains. A heading
above it counts half. A name counts if the whole document is about it, and for figures also if it is nearby.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from core.language.cache_sizes import TEXTS
from core.language.entities.facts import prepared
from core.language.entities.quantities import quantities, says_same
from core.language.vocabulary import pattern_of
from core.review.lexicon import Term, is_held, keys, opposed, terms, word_keys

LIMIT = "=limit"
"""The key of a limit by itself; with a figure, the limit belongs to the figure."""
_HEADING = 0.5
_OPPOSED = 0.75
"""Weight of a term whose opposite is found: the end of a lease is not about its extension."""
_OPENING = 2
_OFTEN = 3
THROUGHOUT = 0.03
"""Share of a long document's sentences with a term from which the document is about it."""
NEARBY = 50
"""Maximum distance in sentences between a figure and the name that it belongs to."""
_SECOND = 0.2
_EXACT = 0.05
_FIGURE = 0.1


@dataclass(frozen=True)
class ContextLine:
    """A sentence of a document; ``around``: the headings above it; ``block`` changes where neighbours do not belong
    together."""

    text: str
    around: str = ""
    block: int = 0


@dataclass(frozen=True)
class Document:
    """The source of sentences: its ``titles``, and its number of ``sentences`` if not all are given."""

    titles: str = ""
    sentences: int = 0


UNTITLED = Document()
"""A document without titles whose sentences are all given."""


@dataclass(frozen=True)
class RelevantWindow:
    """A window; ``lines`` are its sentences' indexes. ``missing``: the claim's terms that neither the window nor its
    headings contain; ``opposed``: those whose opposite it contains, and ``presumed``: names that are only nearby;
    both count in ``coverage``."""

    lines: tuple[int, ...]
    text: str
    around: str
    coverage: float
    missing: tuple[Term, ...]
    opposed: tuple[tuple[Term, str], ...]
    density: float = 1.0
    presumed: tuple[Term, ...] = ()
    continues: bool = False
    """Whether its second sentence continues the subject of its first: "It shall not ..."."""

    @property
    def is_one(self) -> bool:
        """Whether it has only one subject."""
        return len(self.lines) == 1 or self.continues


_PRONOUN = re.compile(r"\b(?:it|its|they|them|their|this|he|she)\b", re.IGNORECASE)
_CONTINUES = pattern_of("grounding/patterns.relevance.continues")
_LEADING = 32
"""Number of characters at the start of a claim that contain its subject."""
_CAPITAL = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w&]*|^[A-Z][\w&]*")
_INNER_CAPITAL = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w&]*")


@lru_cache(maxsize=4_000)
def capitalised(text: str) -> frozenset[str]:
    """Returns the capitalised words of ``text`` that are not only capitalised as a sentence start, folded."""
    return frozenset(match.group().lower() for match in _CAPITAL.finditer(prepared(text)))


def relevant_windows(
    claim: str, lines: Sequence[ContextLine], document: Document = UNTITLED, most: int = 3
) -> list[RelevantWindow]:
    """Returns the windows most relevant to ``claim``, best first."""
    limited = any(each.limit for each in quantities(claim))
    wanted = [term for term in terms(claim) if not (limited and term.key == LIMIT)]
    if not wanted or not lines:
        return []
    claimed = _Claimed(claim, wanted, lines, document)
    found = []
    for place in range(len(lines)):
        for count in (1, 2):
            window = lines[place : place + count]
            if len(window) == count and window[0].block == window[-1].block:
                bearing = claimed.bearing(window, place)
                found.append((_window_score(claim, bearing, count), bearing))
    found.sort(key=lambda each: (-each[0], each[1].lines))
    chosen: list[RelevantWindow] = []
    for _, bearing in found:
        if not any(set(bearing.lines) & set(other.lines) for other in chosen):
            chosen.append(bearing)
        if len(chosen) == most:
            break
    return chosen


def _subjects(lines: Sequence[ContextLine], sentences: int) -> frozenset[str]:
    """Returns the subjects of a document with this many ``sentences``: the terms of its first ones, and frequent ones
    in text or headings."""
    counts = Counter(key for line in lines for key in keys(line.text))
    headed = Counter(key for line in lines for key in keys(line.around))
    opening = [key for line in lines[:_OPENING] for key in keys(line.text)]
    share = THROUGHOUT * sentences
    often = (key for key, count in counts.items() if count >= max(_OFTEN, share))
    return frozenset([*opening, *often, *(key for key, count in headed.items() if count >= share)])


class _Claimed:
    """A claim's terms, and where its document mentions them outside the relevant sentence."""

    def __init__(self, claim: str, wanted: Sequence[Term], lines: Sequence[ContextLine], document: Document) -> None:
        self._wanted = wanted
        self._subjects = _subjects(lines, max(document.sentences, len(lines)))
        self._named = {
            term: [place for place, line in enumerate(lines) if is_held(term, keys(line.text) | keys(line.around))]
            for term in _leading_names(claim, wanted, lines)
        }
        self._throughout = keys(document.titles) | self._subjects
        self._counts = bool(quantities(claim))

    def bearing(self, window: Sequence[ContextLine], place: int) -> RelevantWindow:
        text = " ".join(line.text for line in window)
        referents = self._subjects if _PRONOUN.search(text) else frozenset()
        held, around = keys(text), keys(window[0].around)
        met = 0.0
        missing, contrary, presumed = [], [], []
        for term in self._wanted:
            if is_held(term, held) or (term in self._named and is_held(term, self._throughout)):
                met += 1
            elif self._is_near(term, place):
                met += 1
                presumed.append(term)
            elif (key := opposed(term, held)) is not None:
                contrary.append((term, key))
                met += _OPPOSED
            elif term is self._wanted[0] and is_held(term, referents):
                met += 1
            elif is_held(term, around):
                met += _HEADING
            else:
                missing.append(term)
        return RelevantWindow(
            tuple(range(place, place + len(window))),
            text,
            window[0].around,
            met / len(self._wanted),
            tuple(missing),
            tuple(contrary),
            _density(self._wanted, text),
            tuple(presumed),
            len(window) > 1 and _CONTINUES.match(window[-1].text) is not None,
        )

    def _is_near(self, term: Term, place: int) -> bool:
        """Returns whether the term names the subject of a figure, and the document has the name nearby."""
        places = self._named.get(term, ()) if self._counts else ()
        return any(abs(each - place) <= NEARBY for each in places)


def _leading_names(claim: str, wanted: Sequence[Term], lines: Sequence[ContextLine]) -> list[Term]:
    """Returns the names at the start of a claim; its first word is a name if the document also capitalises it inside a
    sentence."""
    names = capitalised(claim)
    leading = list(takewhile(lambda term: term.word in names and term.start < _LEADING, wanted))
    if leading and leading[0].start == 0 and not any(leading[0].word in inner_capitals(line.text) for line in lines):
        return []
    return leading


@lru_cache(maxsize=TEXTS)
def inner_capitals(text: str) -> frozenset[str]:
    """Returns the capitalised words of ``text`` that do not start a sentence, folded."""
    return frozenset(match.group().lower() for match in _INNER_CAPITAL.finditer(prepared(text)))


def _density(wanted: Sequence[Term], text: str) -> float:
    """Returns the claim's share of the terms in the shortest span of ``text`` with all matches; a year may be far from
    what it belongs to."""
    own = [term for term in terms(text) if not term.key.isdecimal()]
    wanted = [term for term in wanted if not term.key.isdecimal()]
    hits = [[n for n, term in enumerate(wanted) if is_held(term, word_keys(each.word) | {each.key})] for each in own]
    needed = {n for hit in hits for n in hit}
    if not needed:
        return 0.0
    best = len(own)
    for start in range(len(own)):
        seen: set[int] = set()
        for end in range(start, len(own)):
            seen.update(hits[end])
            if seen == needed:
                best = min(best, end - start + 1)
                break
    return len(needed) / best


def _window_score(claim: str, bearing: RelevantWindow, count: int) -> float:
    """Scores a window: a second sentence must add something, equal figures count, and of two equal windows the shorter
    one wins."""
    held = quantities(bearing.text)
    figures = quantities(claim)
    met = sum(any(says_same(each, other) for other in held) for each in figures) / max(1, len(figures))
    ours = keys(claim)
    exact = len(keys(bearing.text) & ours) / max(1, len(keys(bearing.text)))
    return bearing.coverage - _SECOND * (count - 1) + _FIGURE * met + _EXACT * exact
