"""Defines a stored thread, the same for every engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class StoredCheckpoint:
    """A checkpoint. ``kind`` and ``value``: the serialization format and the bytes; ``metadata`` is a JSON object."""

    namespace: str
    id: str
    parent: str | None
    kind: str
    value: bytes
    metadata: dict[str, Any]


@dataclass(frozen=True)
class StoredWrite:
    """A write of a task after a checkpoint."""

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
    """A thread, in ascending order of namespaces, ids and numbers."""

    id: str
    checkpoints: tuple[StoredCheckpoint, ...]
    writes: tuple[StoredWrite, ...]


class ThreadStore(Protocol):
    async def following(self, id: str) -> StoredThread | None:
        """The next thread after ``id`` in id order; the first one after the empty text."""

    async def replace(self, thread: StoredThread) -> None: ...

    async def delete(self, id: str) -> None: ...
