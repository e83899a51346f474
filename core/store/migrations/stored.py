"""What a migration sees of a data directory, whichever engine keeps it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

Rewrite = Callable[[bytes], bytes]
FORMAT_NOTED = "data_format"
"""The collection in which a shared truth says its format."""
PROCESSES = "processes"
"""The collection in which processes that share a truth give signs of life."""
ALIVE_SECONDS = 35.0
"""Since the last of them, which come every ten: three may be late."""
FIRST = 1
"""The format of data that says none: version 0.1.0 wrote it."""


class StoredCheckpoints(Protocol):
    """What a migration changes."""

    def rewrite_checkpoints(self, holding: bytes, change: Rewrite) -> None:
        """Replace the values of checkpoints that hold these bytes; all or none, or safe to repeat."""


class Stored(StoredCheckpoints, Protocol):
    """The truth and the checkpoints, closed to everyone else meanwhile."""

    def format(self) -> int | None:
        """The format of the data; ``None`` where nothing has been written yet."""

    def note_format(self, number: int) -> None: ...

    def in_use(self, now: float) -> list[str]:
        """Processes that have it open too, by machine and number."""

    def back_up(self, folder: Path) -> None:
        """Copy all that a migration may change into ``folder``, which exists."""

    def close(self) -> None: ...


class CheckpointsInMemory:
    """``StoredCheckpoints`` on their way out of a backup."""

    def __init__(self, contents: Sequence[bytes]) -> None:
        self.contents = list(contents)

    def rewrite_checkpoints(self, holding: bytes, change: Rewrite) -> None:
        self.contents = [change(each) if holding in each else each for each in self.contents]
