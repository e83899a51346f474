"""The truth: collections of JSON documents, whoever keeps them.

Documents are plain JSON objects with a string ``_id``. Times are epoch seconds (float, UTC).

The filter is a small subset of MongoDB's: ``{"field": value}`` (equality; on a list field: contains),
``{"field": {"$in": [...], "$nin": [...], "$ne": v, "$gt": v, "$gte": v, "$lt": v, "$lte": v, "$exists": bool}}``
``{"$or": [filter, ...]}`` and ``{"$and": [filter, ...]}``. Fields may be dotted paths. A missing field equals ``None``;
order comparisons hold only between values of the same type, as in MongoDB.

Where MongoDB has more than one meaning, this is the one:

- Values in a filter are text, finite numbers within 64 bits, true, false and null; comparisons take text or numbers.
- A path leads through objects, never through lists. A condition on a list holds when it holds for one of its
  elements; ``$ne`` and ``$nin`` are the opposites of equality and ``$in``.
- The order is null (or missing), numbers, text by code point, objects, false, true. Objects have no order among
  themselves; nothing is sorted by a field that holds lists, and unique fields hold neither.
- Missing counts as ``None`` for uniqueness too: two documents without a unique field clash.
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
    """Fields whose combination may occur once in a collection."""

    fields: tuple[str, ...]


@dataclass(frozen=True)
class Sorted:
    """Fields that are looked up or sorted by together, in this order."""

    fields: tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """An update: ``set`` and ``unset`` fields, ``inc`` numbers, ``push`` onto lists (dotted paths allowed)."""

    set: Mapping[str, JsonValue] | None = None
    inc: Mapping[str, float] | None = None
    push: Mapping[str, JsonValue] | None = None
    unset: Sequence[str] = ()

    def also(self, **fields: JsonValue) -> Change:
        """It, and these fields set."""
        return replace(self, set={**(self.set or {}), **fields})


UNCHANGED = Change()
UNLEASED = Change(set={"lease_owner": None, "lease_until": 0.0})
"""What ``Collection.claim`` has set is taken back."""


@dataclass(frozen=True)
class Upsert:
    """``where``, here and below: a condition that a document already there must fulfil."""

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
    """Whatever documents are read from."""

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
        """Matching documents. ``after`` is a document of the previous page: keyset paging under the same
        sort (it must hold the sort fields and ``_id``). ``fields`` keeps top-level or dotted fields (and ``_id``)."""

    async def count(self, filter: Filter | None = None) -> int: ...


class Collection(Readable, Protocol):
    """One set of documents. Every method is bounded by the deadline for the truth."""

    @property
    def version(self) -> int | None:
        """Another after each write, before it is acknowledged; ``None`` where other processes write too."""

    def unchanged(self, id: str, version: int) -> bool:
        """Whether the document is as it was at that ``version``, as far as that is known."""

    async def ensure(self, unique: Sequence[Unique] = (), sort: Sequence[Sorted] = ()) -> None:
        """Create what is missing; calling it again changes nothing."""

    async def insert_many(self, documents: Sequence[Json], *, whole: bool = True) -> None:
        """All or none; where that is not asked for (``whole``), those before the one that failed may stay, and no
        process that dies over it keeps others from what it had begun to write. Raises ``DuplicateError``."""

    async def upsert(self, document: Json, *, where: Filter | None = None) -> None:
        """Insert, or replace the document with this ``_id``. Raises ``DuplicateError``, also when that document
        is not as ``where`` demands."""

    async def upsert_many(self, documents: Sequence[Json]) -> None:
        """:meth:`upsert` of each in one round trip; where it fails those before may stay."""

    async def update(
        self, id: str, change: Change, *, if_version: int | None = None, where: Filter | None = None
    ) -> Json | None:
        """Apply ``change`` atomically and return the new document; ``None`` when there is none (as ``where`` demands)
        or its ``version`` field is not ``if_version``. When ``if_version`` is given, ``version`` is incremented."""

    async def update_where(self, filter: Filter, change: Change) -> int:
        """Apply ``change`` to all that match; how many."""

    async def bulk(self, writes: Sequence[Write], *, whole: bool = True) -> None:
        """In order; one round trip. All or none, where the server can and ``whole`` asks for it (as in
        ``insert_many``); else ordered and retried safely. Updating or deleting what is not there (as its ``where``
        demands) does nothing."""

    async def delete(self, filter: Filter) -> int:
        """How many went."""

    async def count_by(self, field: str, filter: Filter | None = None) -> dict[str, int]:
        """How many documents hold each value of ``field`` (as text; null, missing and the empty list are ``""``;
        a list counts once for each distinct element)."""

    async def claim(
        self, filter: Filter, *, owner: str, seconds: float, now: float, sort: Sort = (), change: Change = UNCHANGED
    ) -> Json | None:
        """Lease one matching document that nobody owns or whose lease is over: sets ``lease_owner`` and
        ``lease_until = now + seconds``, and what ``change`` says, atomically and returns it as it is then; ``None``
        when there is none."""


class Truth(Protocol):
    """The store of all collections."""

    async def start(self) -> None: ...

    async def stop(self) -> None: ...

    def collection(self, name: str) -> Collection:
        """A collection without a user filter: for workers and maintenance alone; everyone else goes
        through ``core.store.scope``."""

    async def names(self) -> list[str]:
        """The collections that there are (maintenance)."""

    async def scrub(self) -> None:
        """Leave no trace of what was deleted in files of ours; a server keeps its own (maintenance)."""
