"""Limits external calls with deadlines and circuit breakers (docs/specification.md, "Deadlines")."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal, Self, TypeVar

from core.errors import NoRoomError, PalimpsestError, fail
from core.setting_groups import Breakers

T = TypeVar("T")
State = Literal["closed", "open", "half_open"]
Monotonic = Callable[[], float]


class Deadline:
    """A time budget in seconds; each stage gets at most what remains of it."""

    def __init__(self, seconds: float, now: Monotonic = time.monotonic) -> None:
        self._now = now
        self.seconds = seconds
        self._ends = now() + seconds

    def remaining(self) -> float:
        """Seconds left, never below zero."""
        return max(0.0, self._ends - self._now())

    def slice(self, seconds: float) -> float:
        """At most ``seconds``, and at most the remaining time."""
        return min(seconds, self.remaining())

    def expired(self) -> bool:
        return self.remaining() <= 0.0


@dataclass
class CircuitBreaker:
    """Allows calls until ``failures`` calls have failed in a row; then it is open (refuses calls) for ``cooldown``
    seconds, and then allows one test call.

    >>> breaker = CircuitBreaker(failures=2)
    >>> breaker.failed()
    >>> breaker.failed()
    >>> breaker.admit()
    False
    """

    failures: int = 3
    cooldown: float = 30.0
    now: Monotonic = time.monotonic
    _failed: int = field(default=0, init=False)
    _opened_at: float | None = field(default=None, init=False)
    _probing: bool = field(default=False, init=False)

    @classmethod
    def of(cls, settings: Breakers) -> Self:
        return cls(settings.failures, settings.cooldown)

    @property
    def state(self) -> State:
        if self._opened_at is None:
            return "closed"
        return "half_open" if self.now() - self._opened_at >= self.cooldown else "open"

    def admit(self) -> bool:
        """Whether a call may be made now; in the half-open state only one test call is admitted."""
        state = self.state
        if state == "half_open" and not self._probing:
            self._probing = True
            return True
        return state == "closed"

    def succeeded(self) -> None:
        self._failed, self._opened_at, self._probing = 0, None, False

    def failed(self) -> None:
        self._failed += 1
        if self._probing or self._failed >= self.failures:
            self._opened_at = self.now()
        self._probing = False

    def released(self) -> None:
        """Report that an allowed call ended without a result because it was cancelled; another test call is then
        allowed."""
        self._probing = False


@dataclass(frozen=True)
class Observation:
    """One call to a dependency, for metrics. ``breaker`` is the circuit breaker itself, so it always shows the current
    state."""

    dependency: str
    milliseconds: float
    outcome: Literal["ok", "error", "timeout", "refused"]
    breaker: CircuitBreaker | None = None


Observer = Callable[[Observation], None]


def _ignore(_: Observation) -> None:
    return None


class Dependency:
    """An external dependency: its name, its time limit, its circuit breaker."""

    def __init__(
        self, name: str, seconds: float, breaker: CircuitBreaker | None = None, observe: Observer = _ignore
    ) -> None:
        self.name = name
        self.seconds = seconds
        self.breaker = breaker or CircuitBreaker()
        self._observe = observe

    async def attempt(
        self, call: Callable[[], Awaitable[T]], deadline: Deadline | None = None, seconds: float | None = None
    ) -> T:
        """Run ``call`` within the remaining time, unless the circuit breaker is open.

        Raises:
            PalimpsestError: the breaker is open ("connection") or the time is over ("timeout").
            Exception: whatever the call raised; it counts as a failure for the breaker unless it is a
                ``PalimpsestError`` of category "validation", "not_found" or "auth", or a ``NoRoomError``.
        """
        limit = seconds if seconds is not None else self.seconds
        allowed = deadline.slice(limit) if deadline else limit
        if not self.breaker.admit():
            self._observe(Observation(self.name, 0.0, "refused", self.breaker))
            raise unavailable(self.name)
        began = time.monotonic()
        try:
            async with asyncio.timeout(allowed):
                result = await call()
        except TimeoutError as error:
            self.breaker.failed()
            self._report(began, "timeout")
            raise too_slow(self.name, allowed) from error
        except asyncio.CancelledError:
            self.breaker.released()
            raise
        except Exception as error:
            self._record_failure(error)
            self._report(began, "error")
            raise
        self.breaker.succeeded()
        self._report(began, "ok")
        return result

    def _record_failure(self, error: Exception) -> None:
        refused = isinstance(error, PalimpsestError) and error.problem.category in ("validation", "not_found", "auth")
        if refused or isinstance(error, NoRoomError):
            self.breaker.released()
        else:
            self.breaker.failed()

    def _report(self, began: float, outcome: Literal["ok", "error", "timeout"]) -> None:
        self._observe(Observation(self.name, (time.monotonic() - began) * 1000, outcome, self.breaker))


def unavailable(name: str) -> PalimpsestError:
    """The error for an open breaker: ``name`` failed several times and is not called for a while."""
    return fail("connection", "resilience.unavailable", detail=f"breaker of {name} is open", name=name)


def too_slow(name: str, seconds: float) -> PalimpsestError:
    """The error for a call to ``name`` that exceeded its time limit."""
    return fail("timeout", "resilience.too_slow", detail=f"{name} exceeded {seconds:.2f}s", name=name, seconds=seconds)
