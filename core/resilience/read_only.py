"""Makes stores read-only for a while: every write raises an error with the given reason; reading continues."""

from __future__ import annotations

from core.errors import Problem, ReadOnlyError


class ReadOnly:
    """The read-only switch, shared by all stores of a workbench."""

    def __init__(self) -> None:
        self.why: Problem | None = None

    def begin(self, why: Problem) -> None:
        """Refuse new writes. Writes in progress finish; call the stores' ``settle`` to wait for them."""
        self.why = why

    def end(self) -> None:
        self.why = None

    def refuse(self) -> None:
        """Called before every write; raises ``ReadOnlyError`` while the switch is on."""
        if self.why is not None:
            raise ReadOnlyError(self.why, "nothing is written now")
