"""Measures the cost of model calls: the total per run, and each call, charged to the user who asked."""

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
    """Adds up model calls. ``spent.calls`` counts requests that a service accepted, including repeated and failed ones.

    ``spent.cost`` covers the models with a known price; ``spent.unpriced``: models without a known price were called
    too.
    """

    def __init__(self) -> None:
        self.spent = Spent()

    def add(self, usage: Usage, cost: float | None) -> None:
        tokens_in, tokens_out, unpriced = usage.tokens_in, usage.tokens_out, cost is None
        self.spent += Spent(calls=1, tokens_in=tokens_in, tokens_out=tokens_out, cost=cost or 0.0, unpriced=unpriced)

    def leave_out(self, purpose: str) -> None:
        self.spent += Spent(left_out=[purpose])


_running: ContextVar[UsageMeter | None] = ContextVar("meter", default=None)


@contextmanager
def metered() -> Iterator[UsageMeter]:
    """Counts every model call made inside the block, including those of tasks started there."""
    meter = UsageMeter()
    with within(_running, meter):
        yield meter


def record(usage: Usage, cost: float | None) -> None:
    """Add a call to the current meter, if there is one."""
    meter = _running.get()
    if meter:
        meter.add(usage, cost)


def leave_out(purpose: str) -> None:
    """Note in the current meter, if there is one, that a small task was left out because its model was too slow."""
    meter = _running.get()
    if meter:
        meter.leave_out(purpose)


@dataclass(frozen=True)
class Reservation:
    """Money reserved for a call: ``key`` is its key in the record ``sum_id`` of the user who pays."""

    user_id: str
    sum_id: str
    key: str


class Account(Protocol):
    """Records each call's cost and knows how much the user may still spend."""

    async def reserve(self, expected: float | None, seconds: float) -> Reservation | None:
        """Reserve US dollars for a call, for ``seconds`` at most; ``expected`` is ``None`` if no price is known.

        Raises ``PalimpsestError`` when the user may not spend so much.
        """

    async def settle(self, reservation: Reservation | None, cost: float) -> None:
        """Record a finished call's cost in US dollars. Never raises, because a billing error must not lose an
        answer."""


_payer: ContextVar[str | None] = ContextVar("payer", default=None)


def paid_by(user_id: str) -> AbstractContextManager[object]:
    """Model calls made inside the block are charged to this user, including those of tasks started there."""
    return within(_payer, user_id)


def payer() -> str | None:
    """The user to whom model calls are charged at this point."""
    return _payer.get()
