"""Defines a simple fact as an answer: its position, its value and its warning, if any."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.figures.records import TextEvidence
from core.words import Words


@dataclass(frozen=True)
class PlainFact:
    """A simple fact; ``text`` is the part of the passage that states ``value``; ``line_for`` builds the answer line
    from an organisation's name. ``number`` times ``scale`` is the value if it is a count."""

    passage: TextEvidence
    text: str
    value: str
    line_for: Callable[[str], str]
    doubt: Words | None
    number: float | None = None
    scale: float = 1.0
