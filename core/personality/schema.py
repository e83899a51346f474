"""Defines a personality's fields."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field

LONGEST_NAME = 60
LONGEST_TEXT = 8_000
MOST_ENTRIES = 50


def _frequently(value: object) -> object:
    """Translates the quick settings' *frequently*."""
    return "always_reference" if value == "frequently" else value


def _one_line(value: object) -> object:
    return " ".join(value.split()) if isinstance(value, str) else value


Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Line = Annotated[Text, BeforeValidator(_one_line)]
Lines = Annotated[list[Line], Field(max_length=MOST_ENTRIES)]


class Identity(BaseModel, frozen=True):
    name: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME), BeforeValidator(_one_line)]
    role: Line = ""
    expertise: Lines = []
    background: Text = ""


class Communication(BaseModel, frozen=True):
    tone: Literal["warm", "professional", "direct", "enthusiastic"] = "professional"
    verbosity: Literal["concise", "balanced", "detailed"] = "balanced"
    formality: Literal["casual", "professional", "formal"] = "professional"
    use_analogies: bool = False
    use_examples: bool = False
    use_humor: bool = False


class ResponseBehavior(BaseModel, frozen=True):
    citation_style: Literal["always_cite", "cite_patterns", "conversational"] = "always_cite"
    clarification: Literal["ask_questions", "make_assumptions"] = "ask_questions"
    show_reasoning: bool = False
    step_by_step: bool = False
    prioritize: Literal["accuracy", "speed"] = "accuracy"


class MemoryUsage(BaseModel, frozen=True):
    priority: Annotated[Literal["when_relevant", "always_reference"], BeforeValidator(_frequently)] = "when_relevant"
    pattern_trust: Literal["balanced", "heavily_favor"] = "balanced"
    historical_context: Literal["reference_past", "current_only"] = "reference_past"


class Formatting(BaseModel, frozen=True):
    structure: Literal["mixed", "bullets"] = "mixed"
    code_blocks: Literal["separate"] = "separate"
    emphasis: Literal["markdown", "plain"] = "markdown"


class Personality(BaseModel, frozen=True):
    identity: Identity
    communication: Communication
    response_behavior: ResponseBehavior = ResponseBehavior()
    memory_usage: MemoryUsage = MemoryUsage()
    formatting: Formatting = Formatting()
    personality_traits: Lines = []
    custom_instructions: Text = ""


REQUIRED = ("identity", "communication")
ADVISED = ("response_behavior", "memory_usage")
"""Sections whose absence is reported but allowed."""
