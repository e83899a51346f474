"""Defines the record of a question that answering reads."""

from __future__ import annotations

from dataclasses import dataclass

from core.words import Language


@dataclass(frozen=True)
class Question:
    """A question; ``text`` is as asked, ``focus`` is the part that asks, without format instructions; ``entities`` and
    ``periods`` (keys) are those that it was found to be about."""

    text: str
    language: Language
    focus: str
    entities: tuple[str, ...] = ()
    periods: tuple[str, ...] = ()

    def owner(self, organisation: str) -> str:
        """Returns the question's name for the organisation whose figures a document contains; by default the given
        name."""
        return self.entities[0] if self.entities else organisation
