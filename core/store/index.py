"""Defines the search index: a copy of the record store for fast searches, which can be rebuilt at any time.

There is one collection with two named vectors: ``dense`` (cosine) and ``lexical`` (sparse, IDF computed by the engine).
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
    """A point. ``id`` is a UUID (``core.ids.point_id``); ``payload`` always contains ``user_id``."""

    id: str
    payload: Payload
    lexical: SparseVector | None = None
    dense: Vector | None = None


@dataclass(frozen=True)
class Where:
    """Which points may be returned. Every query must name the user.

    ``org_id``: the group whose published points the user may see in addition to their own. ``any_of``: field → allowed
    values (all fields must match); ``none_of``: field → excluded values.
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
    """The required form of the collection; ``model`` is stored with it and compared at the start."""

    model: str
    dimension: int
    dense_name: str = "dense"
    lexical_name: str = "lexical"
    indexed_fields: tuple[str, ...] = ("user_id", "org_id", "tier", "status", "document_id", "conversation_id", "tags")
    indexed_numbers: tuple[str, ...] = ()
    """Numeric payload fields, indexed only on a server, for queries by its administrator; the workbench does not use
    them."""


class Index(Protocol):
    """The index protocol. Async; the engine's blocking calls run in threads inside the adapter."""

    async def start(self, schema: Schema) -> None:
        """Open or create; idempotent. Missing field indexes are added.

        Raises:
            SchemaMismatchError: the stored dimension, vector name, distance or model differs; lexical queries and
            writes still work afterwards, dense ones are refused.
        """

    async def stop(self) -> None: ...

    async def upsert(self, points: Sequence[Point]) -> None: ...

    async def set_dense(self, vectors: Mapping[str, Vector]) -> None:
        """Point id → vector, for points that exist; unknown ids are ignored."""

    async def set_payload(self, ids: Sequence[str], payload: Payload) -> None:
        """Merge fields into the payload; vectors are untouched."""

    async def delete(self, ids: Sequence[str]) -> None: ...

    async def delete_where(self, where: Where) -> None:
        """Delete all matching points. Raises ``ValueError`` if ``where`` names a group, because no user may delete
        another user's points."""

    async def query_dense(self, vector: Vector, where: Where, limit: int) -> list[Hit]: ...

    async def query_lexical(
        self, vector: SparseVector, where: Where, limit: int, corpus: Where | None = None
    ) -> list[Hit]:
        """Search by keyword. ``corpus`` selects the points for which document frequencies are counted; default: what
        the user may see of the same tiers."""

    async def count(self, where: Where) -> int: ...

    async def scroll(
        self, where: Where | None, limit: int, after: str | None = None, with_vectors: bool = False
    ) -> tuple[list[Point], str | None]:
        """A page of points in id order, and the id after which to continue; ``where=None`` is only for maintenance."""

    async def retrieve(self, ids: Sequence[str], with_vectors: bool = False) -> list[Point]:
        """The points among ``ids`` that exist, in no particular order; only for maintenance, because it does not filter
        by user."""

    async def rebuild(self, name: str, schema: Schema) -> Index:
        """A second, empty collection to fill while this one is served."""

    async def serving(self) -> str:
        """The name of the collection being served."""

    async def swap(self, name: str) -> str:
        """Serve the collection ``name`` from now on, atomically; the previously served name is returned and its
        collection is kept."""

    async def drop(self, name: str) -> None:
        """Remove a collection that is not being served."""

    async def healthy(self) -> bool: ...


class SchemaMismatchError(Exception):
    """The stored collection was made for another model. ``str()`` gives the differences and the remedy."""
