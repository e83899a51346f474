"""A thread as it is kept, whichever engine keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class StoredCheckpoint:
    """``kind`` and ``value``: how it is packed, and the bytes; ``metadata`` is a JSON object."""

    namespace: str
    id: str
    parent: str | None
    kind: str
    value: bytes
    metadata: dict[str, Any]


@dataclass(frozen=True)
class StoredWrite:
    """What a task wrote after a checkpoint."""

    namespace: str
    checkpoint: str
    task: str
    number: int
    path: str
    channel: str
    kind: str
    value: bytes


@dataclass(frozen=True)
class StoredThread:
    """By rising namespaces, ids and numbers."""

    id: str
    checkpoints: tuple[StoredCheckpoint, ...]
    writes: tuple[StoredWrite, ...]


class ThreadStore(Protocol):
    async def following(self, id: str) -> StoredThread | None:
        """The thread after ``id`` in the order of ids; the first one after the empty text."""

    async def replace(self, thread: StoredThread) -> None: ...

    async def delete(self, id: str) -> None: ...
