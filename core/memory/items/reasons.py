"""Why an answer did not help, as the person says it: a reason to choose, words of their own, or both."""

from __future__ import annotations

from pydantic import BaseModel, Field

from core.messages import message
from core.records.memory_meta import Reason
from core.words import Language, Words

MOST_WORDS = 300
"""Characters of a person's own words."""

REASONS: dict[Reason, Words] = {
    "wrong_figure": message("memory.reasons.reasons.wrong_figure"),
    "wrong_document": message("memory.reasons.reasons.wrong_document"),
    "outdated": message("memory.reasons.reasons.outdated"),
    "not_asked": message("memory.reasons.reasons.not_asked"),
}


class FailureReason(BaseModel):
    """Without a reason and without words nothing was said, or it was taken back."""

    reason: Reason | None = None
    words: str = Field("", max_length=MOST_WORDS)

    def to(self, language: Language) -> str:
        """In one line, such as "outdated: the rate of 2023"; empty when nothing was said."""
        named = REASONS[self.reason].to(language) if self.reason else ""
        return ": ".join(part for part in (named, " ".join(self.words.split())) if part)
