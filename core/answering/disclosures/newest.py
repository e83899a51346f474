"""Documents by age: passages of several → those of each, the periods asked about first, then the newest, then forms.

What a report of a year says holds until the next one; a release or a current report seldom says it at all.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.answering.records import Origin, TextEvidence

_REPORTS = ("annual report", "quarterly report")


def newest_first(passages: Sequence[TextEvidence], periods: Sequence[str]) -> list[list[TextEvidence]]:
    """The passages of each document, in their order; ``periods`` are keys of ``core.language.entities.periods``."""
    documents: dict[str, list[TextEvidence]] = {}
    for each in passages:
        documents.setdefault(each.origin.document_id, []).append(each)
    return sorted(documents.values(), key=lambda each: _age(each[0].origin, periods), reverse=True)


def year_of(origin: Origin) -> str:
    """The newest year that a document covers; empty where none is known."""
    return max((key[:4] for key in origin.periods), default="")


def _age(origin: Origin, periods: Sequence[str]) -> tuple[bool, bool, str, int]:
    asked = {key[:4] for key in periods}
    covered = {key[:4] for key in origin.periods}
    return bool(asked & covered), origin.kind in _REPORTS, year_of(origin), -len(origin.periods)
