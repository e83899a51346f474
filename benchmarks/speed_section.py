"""Defines the input and output of a section of the speed benchmark."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Options:
    items: int = 100_000
    seed: int = 7


@dataclass(frozen=True)
class Floor:
    """The maximum that a value may have."""

    value: str
    most: float


@dataclass(frozen=True)
class Section:
    """Values by name (the unit is in the name), their limits and goals, and notes for the reader."""

    values: dict[str, float]
    floors: list[Floor] = field(default_factory=list)
    note: str = ""
    goals: list[Floor] = field(default_factory=list)

    @property
    def missed(self) -> list[Floor]:
        return [floor for floor in self.floors if not self.holds(floor)]

    def holds(self, floor: Floor) -> bool:
        return self.values[floor.value] <= floor.most


def percentiles(name: str, milliseconds: list[float]) -> dict[str, float]:
    """Returns p50 and p95 as ``<name>_p50_ms`` and ``<name>_p95_ms``."""
    return {f"{name}_p{share}_ms": float(np.percentile(milliseconds, share)) for share in (50, 95)}


async def awaited(call: Callable[[], Awaitable[object]]) -> float:
    """Returns the milliseconds until the result of ``call`` is available."""
    began = time.perf_counter()
    await call()
    return (time.perf_counter() - began) * 1000
