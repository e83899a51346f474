"""Defines the record store: collections of JSON documents, independent of the engine.

Documents are plain JSON objects with a string ``_id``. Times are epoch seconds (float, UTC).

The filter is a small subset of MongoDB's: ``{"field": value}`` (equality; on a list field: contains), ``{"field":
{"$in": [...], "$nin": [...], "$ne": v, "$gt": v, "$gte": v, "$lt": v, "$lte": v, "$exists": bool}}`` ``{"$or": [filter,
...]}`` and ``{"$and": [filter, ...]}``. Fields may be dotted paths. A missing field equals ``None``; order comparisons
are true only between values of the same type, as in MongoDB.

Where MongoDB has more than one meaning, this is the one:

- Values in a filter are text, finite numbers within 64 bits, true, false and null; comparisons take text or numbers.
- A path leads through objects, never through lists. A condition on a list is true when it is true for one of its
  elements; ``$ne`` and ``$nin`` are the opposites of equality and ``$in``.
- The order is null (or missing), numbers, text by code point, objects, false, true. Objects have no order among
  themselves; nothing is sorted by a field that contains lists, and unique fields contain neither.
- Missing counts as ``None`` for uniqueness too: two documents without a unique field conflict.
- Without a sort the order is that of ``_id``.
- A filter, change or document that breaks these rules raises ``ValueError`` before anything is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from pydantic import JsonValue

Json = dict[str, JsonValue]
Filter = Mapping[str, object]
Sort = Sequence[tuple[str, int]]
"""Pairs of a field and 1 (ascending) or -1; ties are always broken by ``_id`` ascending."""


@dataclass(frozen=True)
class Unique:
    """Fields whose combination must be unique in a collection."""

    fields: tuple[str, ...]


@dataclass(frozen=True)
class Sorted:
    """Fields that are searched or sorted by together, in this order."""

    fields: tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """An update: ``set`` and ``unset`` fields, ``inc`` numbers, ``push`` onto lists (dotted paths allowed)."""

    set: Mapping[str, JsonValue] | None = None
    inc: Mapping[str, float] | None = None
    push: Mapping[str, JsonValue] | None = None
    unset: Sequence[str] = ()

    def also(self, **fields: JsonValue) -> Change:
        """This change, plus these fields set."""
        return replace(self, set={**(self.set or {}), **fields})


UNCHANGED = Change()
UNLEASED = Change(set={"lease_owner": None, "lease_until": 0.0})
"""The change that undoes what ``Collection.claim`` has set."""


@dataclass(frozen=True)
class Upsert:
    """Insert or replace a document. ``where``, here and below, is a condition that an existing document must match."""

    document: Json
    where: Filter | None = None


@dataclass(frozen=True)
class Update:
    id: str
    change: Change
    where: Filter | None = None


@dataclass(frozen=True)
class Delete:
    id: str
    where: Filter | None = None


Write = Upsert | Update | Delete


class DuplicateError(Exception):
    """A unique constraint or an existing ``_id`` refused the write."""


class Readable(Protocol):
    """A source of documents to read."""

    async def get(self, id: str) -> Json | None: ...

    async def find(
        self,
        filter: Filter | None = None,
        *,
        sort: Sort = (),
        limit: int | None = None,
        after: Json | None = None,
        fields: Sequence[str] | None = None,
    ) -> list[Json]:
        """Matching documents. ``after`` is a document of the previous page: keyset paging under the same sort (it must
        contain the sort fields and ``_id``). ``fields`` keeps top-level or dotted fields (and ``_id``)."""

    async def count(self, filter: Filter | None = None) -> int: ...


class Collection(Readable, Protocol):
    """One collection of documents. Every method is limited by the deadline for the record store."""

    @property
    def version(self) -> int | None:
        """Changes with each write, before the write is acknowledged; ``None`` if other processes write too."""

    def unchanged(self, id: str, version: int) -> bool:
        """Whether the document is known to be unchanged since that ``version``."""

    async def ensure(self, unique: Sequence[Unique] = (), sort: Sequence[Sorted] = ()) -> None:
        """Create what is missing; calling it again has no effect."""

    async def insert_many(self, documents: Sequence[Json], *, whole: bool = True) -> None:
        """Insert all or none. If that is not required (``whole``), those before the failed one may stay, and a process
        that dies in the middle leaves no locks. Raises ``DuplicateError``."""

    async def upsert(self, document: Json, *, where: Filter | None = None) -> None:
        """Insert, or replace the document with this ``_id``. Raises ``DuplicateError``, also if that document does not
        match ``where``."""

    async def upsert_many(self, documents: Sequence[Json]) -> None:
        """:meth:`upsert` of each in one round trip; if one fails, those before it may stay."""

    async def update(
        self, id: str, change: Change, *, if_version: int | None = None, where: Filter | None = None
    ) -> Json | None:
        """Apply ``change`` atomically and return the new document; ``None`` if there is none (that matches ``where``)
        or its ``version`` field is not ``if_version``. When ``if_version`` is given, ``version`` is incremented."""

    async def update_where(self, filter: Filter, change: Change) -> int:
        """Apply ``change`` to all matching documents; returns how many."""

    async def bulk(self, writes: Sequence[Write], *, whole: bool = True) -> None:
        """Run the operations in order, in one round trip. All or none, if the server can and ``whole`` requests it (as
        in ``insert_many``); otherwise ordered, and safe to retry. Updating or deleting a missing document (or one
        that does not match its ``where``) has no effect."""

    async def delete(self, filter: Filter) -> int:
        """The number of deleted documents."""

    async def count_by(self, field: str, filter: Filter | None = None) -> dict[str, int]:
        """The number of documents for each value of ``field`` (as text; null, missing and the empty list are ``""``; a
        list counts once for each distinct element)."""

    async def claim(
        self, filter: Filter, *, owner: str, seconds: float, now: float, sort: Sort = (), change: Change = UNCHANGED
    ) -> Json | None:
        """Lease one matching document that has no owner or whose lease has ended: atomically sets ``lease_owner``,
        ``lease_until = now + seconds`` and the fields in ``change``, and returns the document after that; ``None``
        if there is none."""


class Truth(Protocol):
    """The record store: gives access to all collections."""

    async def start(self) -> None: ...

    async def stop(self) -> None: ...

    def collection(self, name: str) -> Collection:
        """A collection without a user filter, only for workers and maintenance; all others use ``core.store.scope``."""

    async def names(self) -> list[str]:
        """The existing collections (maintenance)."""

    async def scrub(self) -> None:
        """Remove all traces of deleted data from our own files; a server manages its own files (maintenance)."""
