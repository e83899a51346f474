"""Admits calls to the models: one circuit breaker for all calls of a model, and one for the small tasks that users
wait for."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager

from core.errors import PalimpsestError
from core.models.calls.patience import Patience
from core.models.meter import leave_out
from core.resilience.dependencies import CircuitBreaker, unavailable
from core.setting_groups import Breakers, Deadlines

LATE_CALLS = 2
"""Late calls in a row after which small tasks use their rules; a single late call costs only itself."""


class Admission:
    """The circuit breakers and the patience of each model, by its full id."""

    def __init__(
        self, ids: Iterable[str], breakers: Breakers, deadlines: Deadlines, label: Callable[[str], str]
    ) -> None:
        every = list(ids)
        self._label = label
        self.breakers = {id: CircuitBreaker.of(breakers) for id in every}
        self._brief = {id: CircuitBreaker(LATE_CALLS, breakers.cooldown) for id in every}
        self._patience = {id: Patience(deadlines.model_small, deadlines.model_small_most) for id in every}

    def patience(self, id: str) -> float:
        """Seconds to wait for a small task of this model."""
        return self._patience[id].seconds

    @asynccontextmanager
    async def admitted(self, id: str, *, too_slow_is_failure: bool) -> AsyncIterator[None]:
        """Run a call within the model's circuit breaker. Raises ``PalimpsestError`` when it is open."""
        breaker, ended = self.breakers[id], False
        if not breaker.admit():
            raise unavailable(self._label(id))
        try:
            yield
            breaker.succeeded()
            self._patience[id].ended()
            self._brief[id].succeeded()
            ended = True
        except PalimpsestError as error:
            # A timeout of a small task is not counted as a failure, because the same model may still write the answer.
            unharmed = ("validation", "not_found", "auth", "" if too_slow_is_failure else "timeout")
            if error.problem.category not in unharmed:
                breaker.failed()
                ended = True
            if error.problem.category == "timeout" and too_slow_is_failure:
                self._brief[id].failed()
            raise
        finally:
            if not ended:
                breaker.released()

    @asynccontextmanager
    async def briefly(self, id: str, purpose: str) -> AsyncIterator[None]:
        """Run a small task that a user waits for. After some timeouts in a row, the following small tasks use their
        rules for as long as a circuit breaker stays open, so a model that hangs does not delay a user in every task.
        A task that was left out for this reason is noted for the line below the answer.

        Raises ``PalimpsestError`` when either breaker is open.
        """
        brief, patience = self._brief[id], self._patience[id]
        if not brief.admit():
            leave_out(purpose)
            raise unavailable(self._label(id))
        began, waits = time.monotonic(), patience.seconds
        try:
            async with self.admitted(id, too_slow_is_failure=False):
                yield
            patience.ended(time.monotonic() - began)
        except PalimpsestError as error:
            if error.problem.category == "timeout":
                brief.failed()
                patience.late(waits)
                leave_out(purpose)
            raise
        finally:
            brief.released()
