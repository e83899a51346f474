"""What the model calls of a run cost together: the answer and everything asked on its way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Usage:
    """Tokens of model calls."""

    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out)


@dataclass
class UsageMeter:
    """``calls`` are requests that a service took up, repeated and broken ones included.

    ``cost`` in US dollars is that of the models whose price is known; ``unpriced`` says that there were others.
    """

    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    cost: float = 0.0
    unpriced: bool = False

    def add(self, usage: Usage, cost: float | None) -> None:
        self.calls += 1
        self.usage += usage
        self.cost += cost or 0.0
        self.unpriced = self.unpriced or cost is None


_running: ContextVar[UsageMeter | None] = ContextVar("meter", default=None)


@contextmanager
def metered() -> Iterator[UsageMeter]:
    """Counts every model call made within, in tasks started within too."""
    meter = UsageMeter()
    token = _running.set(meter)
    try:
        yield meter
    finally:
        _running.reset(token)


def record(usage: Usage, cost: float | None) -> None:
    """Add a call to the meter that runs, if one does."""
    meter = _running.get()
    if meter:
        meter.add(usage, cost)
