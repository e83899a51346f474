"""A plain fact as it is told: where it stands, what it says, and whether that needs a doubt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.answering.records import TextEvidence
from core.words import Words


@dataclass(frozen=True)
class PlainFact:
    """``text`` is what of the passage says ``value``; ``line_for`` makes the line of the name of whose fact it is.
    ``number`` times ``scale`` is the value where it is a count."""

    passage: TextEvidence
    text: str
    value: str
    line_for: Callable[[str], str]
    doubt: Words | None
    number: float | None = None
    scale: float = 1.0
