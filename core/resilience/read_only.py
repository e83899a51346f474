"""Stores that take nothing in for a while: *why* → every write is refused with words, and reading goes on."""

from __future__ import annotations

from core.errors import Problem, ReadOnlyError


class ReadOnly:
    """One for all stores of a workbench."""

    def __init__(self) -> None:
        self.why: Problem | None = None

    def begin(self, why: Problem) -> None:
        """What has begun to be written is still written: whoever waits for it asks the stores to settle."""
        self.why = why

    def end(self) -> None:
        self.why = None

    def refuse(self) -> None:
        """Called before every write. Raises ``ReadOnlyError``."""
        if self.why is not None:
            raise ReadOnlyError(self.why, "nothing is written now")
