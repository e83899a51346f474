"""The reports that an order names by whose they are, their period and kind: *reference and catalogue* → a resolution.

A title is in one language; names of organisations, periods and kinds of reports are understood in both.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.graph.resolution.fuzzy import offered
from core.graph.resolution.names import Names
from core.graph.resolution.records import MOST_OFFERED, Reference, Resolution, Resolved
from core.language.periods import NamedPeriod, periods_in
from core.search.known import KnownDocument
from core.search.subject import subject_of

_SCORE = 0.8
"""Short of a title, and sure enough to go on with."""


def by_subject(asked: Reference, known: Sequence[KnownDocument]) -> Resolution:
    """Nothing where no organisation is named; several are compared, and else are to be chosen from."""
    by_id = {each.id: each for each in asked.documents}
    bound = [by_id[each] for each in _bound(asked.text, known) if each in by_id]
    if not bound or len(bound) > MOST_OFFERED:
        return Resolution()
    if len(bound) == 1 or asked.action == "compare":
        return Resolution(tuple(Resolved(each.id, each.title, "inferred", _SCORE) for each in bound))
    whose = " ".join(subject_of(asked.text, known).organisations)
    return Resolution(ambiguous=(offered(whose, [each.id for each in bound], Names(asked.documents)),))


def _bound(text: str, known: Sequence[KnownDocument]) -> list[str]:
    """Of several periods each binds by itself: one report may tell of the years of another."""
    periods = periods_in(text)
    texts = [_without(text, [other for other in periods if other.key != each.key]) for each in periods] or [text]
    subjects = [subject_of(each, known) for each in texts]
    return list(dict.fromkeys(found for each in subjects if each.organisations for found in each.document_ids))


def _without(text: str, periods: Sequence[NamedPeriod]) -> str:
    for each in sorted(periods, key=lambda period: -period.start):
        text = f"{text[: each.start]} {text[each.end :]}"
    return text
