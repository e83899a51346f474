"""Groups passages by document, in order: those for the requested periods, then the newest, then by type of form.

Annual reports rank first because their statements apply until the next one; press releases and current reports rarely
contain such statements.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.figures.records import Origin, TextEvidence

_REPORTS = ("annual report", "quarterly report")


def newest_first(passages: Sequence[TextEvidence], periods: Sequence[str]) -> list[list[TextEvidence]]:
    """Returns the passages of each document in order; ``periods`` are keys of ``core.language.entities.periods``."""
    documents: dict[str, list[TextEvidence]] = {}
    for each in passages:
        documents.setdefault(each.origin.document_id, []).append(each)
    return sorted(documents.values(), key=lambda each: _age(each[0].origin, periods), reverse=True)


def year_of(origin: Origin) -> str:
    """Returns the newest year that a document covers; empty if unknown."""
    return max((key[:4] for key in origin.periods), default="")


def _age(origin: Origin, periods: Sequence[str]) -> tuple[bool, bool, str, int]:
    asked = {key[:4] for key in periods}
    covered = {key[:4] for key in origin.periods}
    return bool(asked & covered), origin.kind in _REPORTS, year_of(origin), -len(origin.periods)
