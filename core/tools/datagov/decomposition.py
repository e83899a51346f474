"""Splits a question into its parts: subject, places, columns, and whether to count or add up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.language.detection import detect
from core.language.entities.calendar_words import years_in
from core.language.normalisation import fold, normalise
from core.language.phrases import forms, words
from core.language.places import Place
from core.language.terms import is_stop_word, weak_words
from core.language.vocabulary import pattern_of
from core.tools.datagov.column_kinds import ColumnKind, asked_columns
from core.tools.datagov.places_in_text import PlaceMatch, is_everywhere, listed, places_in
from core.tools.datagov.word_groups import GroupMatch, asked_keys, longest, mentions
from core.words import Language

WEAK = 0.5
"""Weight of a word that only names a grouping ("by city") or a permission ("licensed")."""
_POSSESSIVE = re.compile(r"(?<=[a-z])'(?=\W|$)")
_LEAST = 2


@dataclass(frozen=True)
class Unit:
    """A word of the question, or a name of several words. ``keys``: for each word, the forms to compare with texts.
    ``groups``: its synonym groups. ``parts``: synonym groups of words within it. ``weight`` is relative to other
    units."""

    words: tuple[str, ...]
    keys: tuple[frozenset[str], ...]
    groups: frozenset[int] = frozenset()
    parts: frozenset[int] = frozenset()
    weight: float = 1.0

    @property
    def text(self) -> str:
        return " ".join(self.words)


@dataclass(frozen=True)
class AskedData:
    """A parsed question. ``subject`` is what the question is about; without a subject nothing can be found. ``columns``
    are the requested kinds of columns; ``year`` is a year in the question."""

    question: str
    language: Language
    subject: tuple[Unit, ...]
    places: tuple[Place, ...] = ()
    columns: tuple[ColumnKind, ...] = ()
    counted: bool = False
    added_up: bool = False
    year: int | None = None

    @property
    def core(self) -> str:
        """The subject's words only."""
        return " ".join(unit.text for unit in self.subject)


def decompose(question: str, *, grouped: bool = True) -> AskedData:
    """Split a question: "Which hospitals are there in Jerusalem, and their phones?" → hospitals, Jerusalem, phone.

    Args:
        grouped: whether synonyms count; without them, only the words themselves.
    """
    question = without_source(question)
    columns, rest = asked_columns(question)
    if not _units(words(rest), grouped):  # Here the question is about phone numbers themselves.
        columns, rest = [], question
    spoken = words(_POSSESSIVE.sub("", rest))
    years = [year for word in spoken if len(word) == 4 for year in years_in(word)]
    found = _places(spoken)
    taken = {place for match in found for place in range(match.start, match.end)}
    left = [word for place, word in enumerate(spoken) if place not in taken]
    folded = fold(question)
    return AskedData(
        question=question,
        language=detect(question),
        subject=_units(left, grouped),
        places=tuple({match.place.key: match.place for match in found if not is_everywhere(match.place)}.values()),
        columns=tuple(columns),
        counted=bool(pattern_of("datagov/questions.counting").search(folded)),
        added_up=bool(pattern_of("datagov/questions.totals").search(folded)),
        year=years[0] if years else None,
    )


def names_open_data(question: str) -> bool:
    """Returns whether a question says that its answer is in open data."""
    return without_source(question) != normalise(question)


def without_source(question: str) -> str:
    """Returns a question without the words that name open data as its source."""
    return pattern_of("datagov/questions.catalogue").sub(" ", normalise(question))


def _places(spoken: Sequence[str]) -> list[PlaceMatch]:
    """The places in the question, except parts of longer names: "the Sea of Galilee" does not give Galilee."""
    longer = [match for match in mentions(spoken) if match.end - match.start > 1]

    def is_part(place: PlaceMatch) -> bool:
        size = place.end - place.start
        return any(n.start <= place.start and place.end <= n.end and n.end - n.start > size for n in longer)

    return [place for place in places_in(spoken) if not is_part(place)]


def _units(spoken: Sequence[str], grouped: bool) -> tuple[Unit, ...]:
    """The question's units: names of several words first, then each remaining content word."""
    found = mentions(spoken) if grouped else []
    inside = {place: match for match in longest(found) for place in range(match.start, match.end)}
    units: dict[str, Unit] = {}
    for place, word in enumerate(spoken):
        match = inside.get(place)
        if match and place > match.start:
            continue
        unit = _unit(spoken[match.start : match.end], match, found) if match else _unit([word])
        if not all(map(says_nothing, unit.words)):
            units.setdefault(unit.text, unit)
    return tuple(units.values())


def _unit(spoken: Sequence[str], match: GroupMatch | None = None, found: Sequence[GroupMatch] = ()) -> Unit:
    folded = tuple(map(fold, spoken))
    parts = [each for each in found if match and match.start <= each.start and each.end <= match.end]
    return Unit(
        words=folded,
        keys=tuple(asked_keys(word) for word in folded),
        groups=match.groups if match else frozenset(),
        parts=frozenset(group for each in parts for group in each.groups),
        weight=WEAK if all(map(is_weak, folded)) else 1.0,
    )


def says_nothing(word: str) -> bool:
    """Whether the word has no content, with or without Hebrew prefix letters."""
    if _is_in("telling", word):
        return False
    if len(word) < _LEAST or _is_in("asking", word):
        return True
    return any(is_stop_word(form) for form in forms(word) if word.endswith(form) and len(form) >= _LEAST)


def _is_in(key: str, word: str) -> bool:
    """Whether ``word`` is in a word list, as written or without Hebrew prefixes."""
    known = listed(key)
    return word in known or any(word.endswith(form) and form in known for form in forms(word))


def is_weak(word: str) -> bool:
    """Whether a word (folded) says little about a subject."""
    return _is_in("weak", word) or word in weak_words()
