"""What model calls cost: those of a run together, and each on the account of whoever asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol

from core.records.spent import Spent
from core.resilience.within import within


@dataclass(frozen=True)
class Usage:
    """Tokens of model calls."""

    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out)


class UsageMeter:
    """``spent.calls`` are requests that a service took up, repeated and broken ones included.

    ``spent.cost`` is that of the models whose price is known; ``spent.unpriced`` says that there were others.
    """

    def __init__(self) -> None:
        self.spent = Spent()

    def add(self, usage: Usage, cost: float | None) -> None:
        tokens_in, tokens_out, unpriced = usage.tokens_in, usage.tokens_out, cost is None
        self.spent += Spent(calls=1, tokens_in=tokens_in, tokens_out=tokens_out, cost=cost or 0.0, unpriced=unpriced)


_running: ContextVar[UsageMeter | None] = ContextVar("meter", default=None)


@contextmanager
def metered() -> Iterator[UsageMeter]:
    """Counts every model call made within, in tasks started within too."""
    meter = UsageMeter()
    with within(_running, meter):
        yield meter


def record(usage: Usage, cost: float | None) -> None:
    """Add a call to the meter that runs, if one does."""
    meter = _running.get()
    if meter:
        meter.add(usage, cost)


@dataclass(frozen=True)
class Reservation:
    """What was set aside for a call: ``key`` of the sum ``sum_id`` of whoever pays."""

    user_id: str
    sum_id: str
    key: str


class Account(Protocol):
    """Where the cost of each call goes, and what there is left to spend."""

    async def reserve(self, expected: float | None, seconds: float) -> Reservation | None:
        """Set aside US dollars for a call, for ``seconds`` at most; ``expected`` is ``None`` where no price is known.

        Raises ``PalimpsestError`` when whoever pays may not spend so much."""

    async def settle(self, reservation: Reservation | None, cost: float) -> None:
        """US dollars of a call that was made. Never raises: an answer is not lost over its bill."""


_payer: ContextVar[str | None] = ContextVar("payer", default=None)


def paid_by(user_id: str) -> AbstractContextManager[object]:
    """Model calls made within are this person's, in tasks started within too."""
    return within(_payer, user_id)


def payer() -> str | None:
    """Whose model calls are made here."""
    return _payer.get()
