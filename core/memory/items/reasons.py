"""Why an answer did not help, as the person says it: a reason to choose, words of their own, or both."""

from __future__ import annotations

from pydantic import BaseModel, Field

from core.messages import message_group
from core.records.memory_meta import Reason
from core.words import Language

MOST_WORDS = 300
"""Characters of a person's own words."""

REASONS = message_group("memory.reasons.reasons")


class FailureReason(BaseModel):
    """Without a reason and without words nothing was said, or it was taken back."""

    reason: Reason | None = None
    words: str = Field("", max_length=MOST_WORDS)

    def to(self, language: Language) -> str:
        """In one line, such as "outdated: the rate of 2023"; empty when nothing was said."""
        named = REASONS[self.reason].to(language) if self.reason else ""
        return ": ".join(part for part in (named, " ".join(self.words.split())) if part)
