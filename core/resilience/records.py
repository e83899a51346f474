"""What is known of a process that was slow to answer: pauses of its event loop, and calculations that were stopped."""

from __future__ import annotations

from pydantic import BaseModel

from core.words import Words


class Pause(BaseModel, frozen=True):
    """A time in which the event loop ran nothing else: when it ended (epoch seconds), how long it took in seconds, and
    the code that ran."""

    at: float
    seconds: float
    where: str


class StoppedWork(BaseModel, frozen=True):
    """A calculation that was killed: when (epoch seconds), what it was, and after how many seconds."""

    at: float
    name: Words
    seconds: float


class ResponsivenessReport(BaseModel, frozen=True):
    """``longest`` is the longest pause of the last minutes in seconds; ``pauses`` and ``stopped`` the latest first."""

    longest: float
    pauses: list[Pause]
    stopped: list[StoppedWork]
