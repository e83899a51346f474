"""What a migration sees of a data directory, whichever engine keeps it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

Rewrite = Callable[[bytes], bytes]
FIRST = 1
"""The format of data that says none: version 0.1.0 wrote it."""


class Stored(Protocol):
    """The truth and the checkpoints, closed to everyone else meanwhile."""

    def format(self) -> int | None:
        """The format of the data; ``None`` where nothing has been written yet."""

    def note_format(self, number: int) -> None: ...

    def back_up(self, folder: Path) -> None:
        """Copy all that a migration may change into ``folder``, which exists."""

    def rewrite_checkpoints(self, holding: bytes, change: Rewrite) -> None:
        """Replace the values of checkpoints that hold these bytes; all or none, or safe to repeat."""

    def close(self) -> None: ...
