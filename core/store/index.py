"""The index: a copy of the truth that finds things fast and may be thrown away.

One collection, two named vectors: ``dense`` (cosine) and ``lexical`` (sparse, IDF computed by the engine).
A point may have only its lexical vector and get the dense one later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Payload = dict[str, str | float | bool | list[str] | None]


@dataclass(frozen=True)
class SparseVector:
    """Hashed term ids (unique, 0 ≤ id < 2**32) and their weights."""

    indices: list[int]
    values: list[float]


@dataclass(frozen=True)
class Point:
    """``id`` is a UUID (``core.ids.point_id``); ``payload`` always holds ``user_id``."""

    id: str
    payload: Payload
    lexical: SparseVector | None = None
    dense: Vector | None = None


@dataclass(frozen=True)
class Where:
    """Which points may be seen. There is no way to ask without naming the user.

    ``org_id``: the group whose published points the user may see beside their own.
    ``any_of``: field → allowed values (all fields must hold); ``none_of``: field → refused values.
    """

    user_id: str
    any_of: Mapping[str, Sequence[str]] = field(default_factory=dict)
    none_of: Mapping[str, Sequence[str]] = field(default_factory=dict)
    org_id: str | None = None


@dataclass(frozen=True)
class Hit:
    """``score``: cosine for a dense query, BM25 for a lexical one."""

    id: str
    score: float


@dataclass(frozen=True)
class Schema:
    """What the collection must look like; ``model`` is kept beside it and compared at start."""

    model: str
    dimension: int
    dense_name: str = "dense"
    lexical_name: str = "lexical"
    indexed_fields: tuple[str, ...] = ("user_id", "org_id", "tier", "status", "document_id", "conversation_id", "tags")
    indexed_numbers: tuple[str, ...] = ()
    """On a server alone, whose owner may look by them; nothing here does."""


class Index(Protocol):
    """Async; the engine's blocking calls run in threads inside the adapter."""

    async def start(self, schema: Schema) -> None:
        """Open or create; idempotent. Missing field indexes are added.

        Raises:
            SchemaMismatchError: the stored dimension, vector name, distance or model differs; lexical queries
                and writes still work afterwards, dense ones are refused.
        """

    async def stop(self) -> None: ...

    async def upsert(self, points: Sequence[Point]) -> None: ...

    async def set_dense(self, vectors: Mapping[str, Vector]) -> None:
        """Point id → vector, for points that exist; unknown ids are ignored."""

    async def set_payload(self, ids: Sequence[str], payload: Payload) -> None:
        """Merge fields into the payload; vectors are untouched."""

    async def delete(self, ids: Sequence[str]) -> None: ...

    async def delete_where(self, where: Where) -> None:
        """Raises ``ValueError`` where ``where`` names a group: nobody deletes what is another's."""

    async def query_dense(self, vector: Vector, where: Where, limit: int) -> list[Hit]: ...

    async def query_lexical(
        self, vector: SparseVector, where: Where, limit: int, corpus: Where | None = None
    ) -> list[Hit]:
        """``corpus`` is what document frequencies are counted over; default: what the user may see of
        the same tiers."""

    async def count(self, where: Where) -> int: ...

    async def scroll(
        self, where: Where | None, limit: int, after: str | None = None, with_vectors: bool = False
    ) -> tuple[list[Point], str | None]:
        """A page of points in id order and the id to go on after; ``where=None`` is for maintenance alone."""

    async def retrieve(self, ids: Sequence[str], with_vectors: bool = False) -> list[Point]:
        """Those of ``ids`` that exist, in no particular order; for maintenance alone, as it asks for no user."""

    async def rebuild(self, name: str, schema: Schema) -> Index:
        """A second, empty collection to fill while this one serves."""

    async def serving(self) -> str:
        """The name of the collection being served."""

    async def swap(self, name: str) -> str:
        """Serve the collection ``name`` from now on, atomically; the name served until now is returned and kept."""

    async def drop(self, name: str) -> None:
        """Remove a collection that is not being served."""

    async def healthy(self) -> bool: ...


class SchemaMismatchError(Exception):
    """The stored collection was made for another model. ``str()`` says what differs and how to mend it."""
