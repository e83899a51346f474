"""Derives from a personality the rules for answers without a model."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from core.personality.schema import Personality

Length = Literal["concise", "balanced", "detailed"]
Structure = Literal["mixed", "bullets"]
Citations = Literal["always_cite", "cite_patterns", "conversational"]


class Rules(BaseModel, frozen=True):
    """Rules for one question and its answer. ``assumes``: if a question is unclear, its likeliest meaning is used and
    stated, and the user is not asked. ``current_only``: earlier conversations are not mentioned."""

    length: Length = "balanced"
    structure: Structure = "mixed"
    citations: Citations = "always_cite"
    assumes: bool = False
    current_only: bool = False


def rules_of(personality: Personality) -> Rules:
    """The fields that also apply without a model."""
    return Rules(
        length=personality.communication.verbosity,
        structure=personality.formatting.structure,
        citations=personality.response_behavior.citation_style,
        assumes=personality.response_behavior.clarification == "make_assumptions",
        current_only=personality.memory_usage.historical_context == "current_only",
    )
