"""Defines a user's reason why an answer did not help: one from a list, free text, or both."""

from __future__ import annotations

from pydantic import BaseModel, Field

from core.messages import message_group
from core.records.memory_meta import Reason
from core.words import Language

MOST_WORDS = 300
"""Maximum number of characters in the user's text."""

REASONS = message_group("memory.reasons.reasons")


class FailureReason(BaseModel):
    """A reason; if both fields are empty, none was given or it was withdrawn."""

    reason: Reason | None = None
    words: str = Field("", max_length=MOST_WORDS)

    def to(self, language: Language) -> str:
        """The reason on one line, such as "outdated: the rate of 2023"; empty if none was given."""
        named = REASONS[self.reason].to(language) if self.reason else ""
        return ": ".join(part for part in (named, " ".join(self.words.split())) if part)
