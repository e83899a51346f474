"""Defines a migration's view of a data directory, for every engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

Rewrite = Callable[[bytes], bytes]
FORMAT_NOTED = "data_format"
"""The collection in which a shared record store keeps its format."""
PROCESSES = "processes"
"""The collection in which processes that share a record store send heartbeats."""
ALIVE_SECONDS = 35.0
"""A process counts as running for this many seconds after its last heartbeat. Heartbeats are sent every ten seconds, so
three may be late."""
FIRST = 1
"""The format of data without a format number, written by version 0.1.0."""


class StoredCheckpoints(Protocol):
    """The checkpoints that a migration can change."""

    def rewrite_checkpoints(self, holding: bytes, change: Rewrite) -> None:
        """Replace the values of checkpoints that contain these bytes; atomic, or safe to repeat."""


class Stored(StoredCheckpoints, Protocol):
    """The record store and the checkpoints, closed to all others during the migration."""

    def format(self) -> int | None:
        """The format of the data; ``None`` if nothing has been written yet."""

    def note_format(self, number: int) -> None: ...

    def in_use(self, now: float) -> list[str]:
        """Other processes that have it open, by machine and process number."""

    def back_up(self, folder: Path) -> None:
        """Copy everything that a migration may change into the existing ``folder``."""

    def close(self) -> None: ...


class CheckpointsInMemory:
    """``StoredCheckpoints`` in memory, while they are restored from a backup."""

    def __init__(self, contents: Sequence[bytes]) -> None:
        self.contents = list(contents)

    def rewrite_checkpoints(self, holding: bytes, change: Rewrite) -> None:
        self.contents = [change(each) if holding in each else each for each in self.contents]
