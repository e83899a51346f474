"""Finds the dates by which a message and a title tell documents apart: "the April minutes", "the 2024 report"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from core.graph.understanding.documents.name_words import NAMES_KEPT, stem_of
from core.graph.understanding.documents.records import VisibleDocument
from core.language.entities.calendar_words import DOUBTFUL, FULL_MONTH, LEADS, MONTHS
from core.language.entities.periods import periods_in
from core.language.entities.relative_periods import relative_periods_in
from core.language.hebrew import LETTERS, PREFIXES
from core.language.normalisation import fold
from core.language.vocabulary import pattern_of

_MONTH = re.compile(
    rf"(?:(?<!\w)(?P<lead>\w+)\s+)?(?<![\w{LETTERS}])(?P<prefix>[{PREFIXES}]?)(?P<month>{FULL_MONTH})(?![\w{LETTERS}])"
)
_DAY_BEFORE = re.compile(r"(?<!\d)(?P<day>[0-3]?\d)(?:st|nd|rd|th)?(?:\s+of)?\s+$")
_NEWEST = pattern_of("graph/document_references.newest")


@dataclass(frozen=True, order=True)
class DocumentDate:
    """A date of which some parts may be unknown (0)."""

    year: int = 0
    quarter: int = 0
    month: int = 0
    day: int = 0

    def fits(self, asked: DocumentDate) -> bool:
        """Returns whether a document with this date may be the one that is ``asked`` for: no part that both have
        differs, and at least one agrees.

        >>> DocumentDate(2025, month=4, day=8).fits(DocumentDate(month=4))
        True
        """
        both = [(own, other) for own, other in zip(self._parts(), asked._parts(), strict=True) if own and other]
        return bool(both) and all(own == other for own, other in both)

    def _parts(self) -> tuple[int, ...]:
        return (self.year, self.quarter or (self.month + 2) // 3, self.month, self.day)


@lru_cache(maxsize=NAMES_KEPT)
def dates_in(text: str) -> tuple[DocumentDate, ...]:
    """Returns the dates that ``text`` names, also months and quarters without a year."""
    plain = fold(text).replace("_", "-")
    periods = periods_in(plain)
    found = [DocumentDate(each.year, each.quarter or 0, each.month or 0, each.day or 0) for each in periods]
    spans = [(each.start, each.end) for each in periods]
    found += [
        DocumentDate(quarter=each.number)
        for each in relative_periods_in(plain)
        if each.number and not _is_within(each.start, spans)
    ]
    for match in _MONTH.finditer(plain):
        place, name = match.start("month"), match["month"]
        day = _DAY_BEFORE.search(plain[:place])
        led = (match["lead"] or "") in {*LEADS, "the", "from", "for"}
        if not _is_within(place, spans) and (name not in DOUBTFUL or led or day):
            found.append(DocumentDate(month=MONTHS[name], day=int(day["day"]) if day else 0))
    return tuple(dict.fromkeys(found))


def dates_of(document: VisibleDocument) -> tuple[DocumentDate, ...]:
    """Returns the dates in a document's name, or else the periods that it covers."""
    named = dates_in(f"{document.title} {stem_of(document.filename)}")
    return named or dates_in(" ; ".join(document.periods))


def latest_of(document: VisibleDocument) -> DocumentDate:
    return max(dates_of(document), default=DocumentDate())


def asks_for_newest(message: str) -> bool:
    return bool(_NEWEST.search(fold(message)))


def _is_within(place: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)
