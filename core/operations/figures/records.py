"""Defines the figures that pages display: durations of steps, and activity by day."""

from __future__ import annotations

from pydantic import BaseModel

from core.words import Words


class Times(BaseModel):
    """One kind of duration, in milliseconds."""

    count: int = 0
    p50: float = 0.0
    p95: float = 0.0
    p99: float = 0.0


class StepTimes(Times):
    """Durations of one step of answering or of reading."""

    name: str
    label: Words


class FigureDay(BaseModel):
    """One day, even if there is no data for it. ``whole``: time to complete answers; ``first_token``: time to their
    first words. ``instead``: how often a fallback was used after a failure. ``bytes``: the data's size."""

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
    """Figures for display; ``answers`` has the durations over all days, by ``first_event``, ``first_token`` and
    ``whole``."""

    days: list[FigureDay]
    answers: dict[str, Times]
    steps: list[StepTimes]
    tool_calls: dict[str, int]
