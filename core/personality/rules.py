"""What a personality asks of answers that no model writes: a personality → the rules of a turn."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from core.personality.schema import Personality

Length = Literal["concise", "balanced", "detailed"]
Structure = Literal["mixed", "bullets"]
Citations = Literal["always_cite", "cite_patterns", "conversational"]


class Rules(BaseModel, frozen=True):
    """Read once a turn. ``assumes``: where a question is unclear the likeliest is taken and said, and nothing is asked;
    ``current_only``: of earlier conversations nothing is told."""

    length: Length = "balanced"
    structure: Structure = "mixed"
    citations: Citations = "always_cite"
    assumes: bool = False
    current_only: bool = False


def rules_of(personality: Personality) -> Rules:
    """The fields that bind without a model."""
    return Rules(
        length=personality.communication.verbosity,
        structure=personality.formatting.structure,
        citations=personality.response_behavior.citation_style,
        assumes=personality.response_behavior.clarification == "make_assumptions",
        current_only=personality.memory_usage.historical_context == "current_only",
    )
