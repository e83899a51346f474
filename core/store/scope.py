"""Restricts the record store to one user: other users' records do not exist.

``user_id`` is part of every filter and every record here, so it cannot be forgotten. Records that a user published to
their group are read by the group's other members through ``ReadableCollection``, and only their owner can write them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.errors import PalimpsestError, general_problem
from core.store.changes import touched
from core.store.lease import refuse_late_write
from core.store.truth import (
    UNCHANGED,
    Change,
    Collection,
    Delete,
    DuplicateError,
    Filter,
    Json,
    Readable,
    Sort,
    Sorted,
    Truth,
    Unique,
    Update,
    Upsert,
    Write,
)

USER = "user_id"
GROUP = "org_id"
"""Field of a published record: the group whose people may read it."""

GroupOf = Callable[[str], str | None]
"""Maps a person to their current group; ``None`` if they are in none."""


def no_group(user_id: str) -> None:
    """A ``GroupOf`` for setups without groups."""


def readable(user_id: str, group: str | None) -> Filter:
    """The filter for what a person may read: their own records, and those published to their group."""
    return {"$or": [{USER: user_id}, {GROUP: group}]} if group else {USER: user_id}


def is_readable(owner: str, published_to: str | None, user_id: str, group: str | None) -> bool:
    """``readable`` for a record that is already loaded."""
    return owner == user_id or (group is not None and published_to == group)


def readable_rows(truth: Truth, name: str, user_id: str, group: str | None) -> ReadableCollection:
    """The rows of a collection that one person may read, including their group's."""
    return ReadableCollection(truth.collection(name), readable(_named(user_id), group))


def rows_of(truth: Truth, user_id: str | None, name: str) -> Collection:
    """One person's rows of a collection; with ``None`` those of all (administrators)."""
    return truth.collection(name) if user_id is None else ScopedTruth(truth, user_id).collection(name)


class ScopedTruth:
    """The collections, restricted to ``user_id``."""

    def __init__(self, truth: Truth, user_id: str) -> None:
        self._truth = truth
        self.user_id = _named(user_id)

    def collection(self, name: str) -> Collection:
        return ScopedCollection(self._truth.collection(name), self.user_id)


class ReadableCollection:
    """The ``visible`` part of a collection, read-only."""

    def __init__(self, rows: Readable, visible: Filter) -> None:
        self._rows = rows
        self._visible = visible

    async def get(self, id: str) -> Json | None:
        found = await self.find({"_id": id}, limit=1)
        return found[0] if found else None

    async def find(
        self,
        filter: Filter | None = None,
        *,
        sort: Sort = (),
        limit: int | None = None,
        after: Json | None = None,
        fields: Sequence[str] | None = None,
    ) -> list[Json]:
        return await self._rows.find(self._within(filter), sort=sort, limit=limit, after=after, fields=fields)

    async def count(self, filter: Filter | None = None) -> int:
        return await self._rows.count(self._within(filter))

    def _within(self, filter: Filter | None) -> Filter:
        return {**self._visible, "$and": [filter]} if filter else self._visible


class ScopedCollection(ReadableCollection):
    """A ``Collection`` of one user's documents; uniqueness applies within the user's own. A worker whose lease has
    ended cannot write to it (``LeaseLostError``)."""

    def __init__(self, collection: Collection, user_id: str) -> None:
        super().__init__(collection, {USER: user_id})
        self._all = collection
        self._user_id = user_id

    @property
    def version(self) -> int | None:
        return self._all.version

    def unchanged(self, id: str, version: int) -> bool:
        return self._all.unchanged(id, version)

    async def ensure(self, unique: Sequence[Unique] = (), sort: Sequence[Sorted] = ()) -> None:
        await self._all.ensure(
            [Unique(_with_user(index.fields)) for index in unique], [Sorted(_with_user(index.fields)) for index in sort]
        )

    async def insert_many(self, documents: Sequence[Json], *, whole: bool = True) -> None:
        refuse_late_write()
        await self._all.insert_many([self._stamped(document) for document in documents], whole=whole)

    async def upsert(self, document: Json, *, where: Filter | None = None) -> None:
        """As ``Collection.upsert``. Raises ``PalimpsestError`` ("not_found") if the ``_id`` belongs to another user."""
        await self.bulk([Upsert(document, where)])

    async def upsert_many(self, documents: Sequence[Json]) -> None:
        """As ``Collection.upsert_many``. Raises ``PalimpsestError`` ("not_found") if an ``_id`` belongs to another
        user."""
        await self.bulk([Upsert(document) for document in documents], whole=False)

    async def update(
        self, id: str, change: Change, *, if_version: int | None = None, where: Filter | None = None
    ) -> Json | None:
        refuse_late_write()
        return await self._all.update(id, self._owned(change), if_version=if_version, where=self._within(where))

    async def update_where(self, filter: Filter, change: Change) -> int:
        refuse_late_write()
        return await self._all.update_where(self._within(filter), self._owned(change))

    async def bulk(self, writes: Sequence[Write], *, whole: bool = True) -> None:
        """As ``Collection.bulk``. Raises ``PalimpsestError`` ("not_found") if an ``Upsert`` names another user's
        ``_id``."""
        refuse_late_write()
        try:
            await self._all.bulk([self._scoped(write) for write in writes], whole=whole)
        except DuplicateError as error:
            await self._refuse_foreign(writes, error)
            raise

    async def delete(self, filter: Filter) -> int:
        refuse_late_write()
        return await self._all.delete(self._within(filter))

    async def count_by(self, field: str, filter: Filter | None = None) -> dict[str, int]:
        return await self._all.count_by(field, self._within(filter))

    async def claim(
        self, filter: Filter, *, owner: str, seconds: float, now: float, sort: Sort = (), change: Change = UNCHANGED
    ) -> Json | None:
        return await self._all.claim(
            self._within(filter), owner=owner, seconds=seconds, now=now, sort=sort, change=self._owned(change)
        )

    def _stamped(self, document: Json) -> Json:
        return {**document, USER: self._user_id}

    def _owned(self, change: Change) -> Change:
        """The change; raises if it would give the document to another user."""
        if (change.set or {}).get(USER) == self._user_id:
            change = replace(change, set={field: value for field, value in (change.set or {}).items() if field != USER})
        if any(path == USER or path.startswith(f"{USER}.") for path in touched(change)):
            raise ValueError(f"{USER} never changes")
        return change

    def _scoped(self, write: Write) -> Write:
        if isinstance(write, Upsert):
            return Upsert(self._stamped(write.document), self._within(write.where))
        if isinstance(write, Update):
            return Update(write.id, self._owned(write.change), self._within(write.where))
        return Delete(write.id, self._within(write.where))

    async def _refuse_foreign(self, writes: Sequence[Write], error: DuplicateError) -> None:
        ids = [write.document["_id"] for write in writes if isinstance(write, Upsert)]
        if await self._all.count({"_id": {"$in": ids}, USER: {"$ne": self._user_id}}):
            raise PalimpsestError(general_problem("not_found"), "an _id belongs to another user") from error


def _with_user(fields: tuple[str, ...]) -> tuple[str, ...]:
    return fields if USER in fields else (USER, *fields)


def _named(user_id: str) -> str:
    if not user_id:
        raise ValueError("a user has a name")
    return user_id
