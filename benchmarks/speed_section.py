"""What a section of the speed benchmark is given and gives back."""

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
    """What a value may be at most."""

    value: str
    most: float


@dataclass(frozen=True)
class Section:
    """Values by name (the unit is in the name), what they may be and ought to be, and what a reader must know."""

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
    """p50 and p95 under ``<name>_p50_ms`` and ``<name>_p95_ms``."""
    return {f"{name}_p{share}_ms": float(np.percentile(milliseconds, share)) for share in (50, 95)}


async def awaited(call: Callable[[], Awaitable[object]]) -> float:
    """Milliseconds until what ``call`` returns was there."""
    began = time.perf_counter()
    await call()
    return (time.perf_counter() - began) * 1000
