"""What is shown of the figures: steps by their times, days by what was done in them."""

from __future__ import annotations

from pydantic import BaseModel

from core.words import Words


class Times(BaseModel):
    """Of one kind of duration, in milliseconds."""

    count: int = 0
    p50: float = 0.0
    p95: float = 0.0
    p99: float = 0.0


class StepTimes(Times):
    """Of one step of questions or of reading."""

    name: str
    label: Words


class FigureDay(BaseModel):
    """One day, also one of which nothing is known. ``whole``: answers to their end, ``first_token`` to their first
    words. ``instead``: what was done in place of something that failed. ``bytes``: what the data took."""

    day: str
    answered: int = 0
    failed: int = 0
    whole: Times = Times()
    first_event: Times = Times()
    first_token: Times = Times()
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    instead: int = 0
    promotions: int = 0
    repairs: int = 0
    tools: int = 0
    tool_failures: int = 0
    tiers: dict[str, int] = {}
    bytes: float | None = None


class FiguresView(BaseModel):
    """``answers``: all days together, by ``first_event``, ``first_token`` and ``whole``."""

    days: list[FigureDay]
    answers: dict[str, Times]
    steps: list[StepTimes]
    tool_calls: dict[str, int]
