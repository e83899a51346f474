"""Defines what a check of a document for consistency finds, and what was checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.events import Quote
from core.review.actions.audit_verdicts import Severity
from core.words import Words

Check = Literal["contradicts", "differs", "total", "reference", "dates"]


@dataclass(frozen=True)
class Place:
    """A passage of a document that a finding cites; ``number`` is the document's citation number."""

    number: int
    item_id: str
    text: str
    page: int | None = None

    def as_quote(self) -> Quote:
        return Quote(number=self.number, item_id=self.item_id, text=self.text)


@dataclass(frozen=True)
class ConsistencyFinding:
    """A finding at ``place``; ``other`` is the second place, if there is one."""

    check: Check
    place: Place
    reason: Words
    severity: Severity = "high"
    other: Place | None = None


@dataclass
class Checked:
    """What was checked: the numbers of statements, totals, references and periods."""

    statements: int = 0
    totals: int = 0
    references: int = 0
    periods: int = 0
