"""Defines records about a slow process: pauses of its event loop, and calculations that were stopped."""

from __future__ import annotations

from pydantic import BaseModel

from core.words import Words


class Pause(BaseModel, frozen=True):
    """A time in which the event loop was blocked: when it ended (epoch seconds), its duration in seconds, and
    the code that ran."""

    at: float
    seconds: float
    where: str


class StoppedWork(BaseModel, frozen=True):
    """A calculation that was killed: when (epoch seconds), its name, and after how many seconds."""

    at: float
    name: Words
    seconds: float


class ResponsivenessReport(BaseModel, frozen=True):
    """A report; ``longest`` is the longest pause of the last minutes in seconds; ``pauses`` and ``stopped`` latest
    first."""

    longest: float
    pauses: list[Pause]
    stopped: list[StoppedWork]
