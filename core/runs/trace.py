"""Emits the steps of a run's trace, only for work that really happens."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

from core.events import Event, StepCreated, StepDetail, StepStatus
from core.messages.step_labels import STEP_LABELS
from core.words import Words

Emit = Callable[[Event], None]


class Step:
    """One step of the trace while it runs."""

    def __init__(self, emit: Emit, step_id: str) -> None:
        self._emit = emit
        self.id = step_id
        self.skipped: Words | None = None

    def detail(self, detail: Words, done: int | None = None, total: int | None = None) -> None:
        """Report what was found so far; ``done`` of ``total`` if it can be counted."""
        self._emit(StepDetail(step_id=self.id, detail=detail, done=done, total=total))

    def skip(self, reason: Words) -> None:
        """Mark the step as skipped, with the reason."""
        self.skipped = reason


class Trace:
    """Opens steps; ``prefix`` distinguishes the ids of a resumed run from its earlier ones."""

    def __init__(self, emit: Emit, prefix: str = "s") -> None:
        self._emit = emit
        self._prefix = prefix
        self._numbers = count(1)

    @contextmanager
    def step(self, name: str, parent: Step | None = None) -> Iterator[Step]:
        """A step with the label ``STEP_LABELS[name]``; it ends as done, or as error when the body raises."""
        step = Step(self._emit, f"{self._prefix}{next(self._numbers)}-{name}")
        self._emit(StepCreated(step_id=step.id, parent_id=parent.id if parent else None, label=STEP_LABELS[name]))
        began = time.monotonic()
        try:
            yield step
        except BaseException:
            self._end_step(step, began, failed=True)
            raise
        self._end_step(step, began, failed=False)

    def _end_step(self, step: Step, began: float, *, failed: bool) -> None:
        self._emit(
            StepStatus(
                step_id=step.id,
                status="error" if failed else "done",
                milliseconds=(time.monotonic() - began) * 1000,
                skipped=step.skipped,
            )
        )
