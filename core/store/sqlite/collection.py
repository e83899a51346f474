"""Implements one collection of the embedded record store: documents as JSON in an SQLite table."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

import orjson

from core.store import changes
from core.store.filters import (
    AllOf,
    check_document,
    check_field,
    check_fields,
    check_limit,
    check_sort,
    free,
    lookup,
    parse,
    project,
)
from core.store.sqlite.query import ELEMENT, Clause, Translator, as_text, column, key_expression, path_literal
from core.store.truth import (
    UNCHANGED,
    Change,
    DuplicateError,
    Filter,
    Json,
    Sort,
    Sorted,
    Unique,
    Update,
    Upsert,
    Write,
)

if TYPE_CHECKING:
    from core.store.sqlite.threads import Work
    from core.store.sqlite.truth import SqliteTruth

T = TypeVar("T")


class SqliteCollection:
    """``Collection`` in one table: the document as JSON, and a generated column for each indexed field."""

    def __init__(self, truth: SqliteTruth, name: str) -> None:
        self._truth = truth
        self._name = name
        self._indexed: set[str] = set()
        """Fields whose column is committed; ``_watched`` contains them from the moment the column is created."""
        self._watched: set[str] = set()
        self._listed: set[str] = set()
        self._translator = Translator(self._indexed, self._listed)
        self._ready = False
        self._written = truth.written_rows(name)
        self._being_written: set[str] = set()

    @property
    def version(self) -> int:
        return self._written.version

    def unchanged(self, id: str, version: int) -> bool:
        return self._written.unchanged(id, version)

    async def _write(self, work: Work[T], seconds: float | None = None) -> T:
        return await self._truth.write(work, seconds, self._note_written)

    def _note_written(self) -> None:
        self._written.note(self._being_written)
        self._being_written.clear()

    async def ensure(self, unique: Sequence[Unique] = (), sort: Sequence[Sorted] = ()) -> None:
        """Create what is missing, however long building an index over old documents takes."""
        indexes: list[Unique | Sorted] = [*unique, *sort]
        fields = {check_field(field) for index in indexes for field in index.fields} - {"_id"}

        def create(connection: sqlite3.Connection) -> set[str]:
            for field in sorted(fields - self._load_columns(connection, fields)):
                connection.execute(f"ALTER TABLE {self._name} ADD COLUMN {_generated(field)}")
            for index in indexes:
                self._create_index(connection, index)
            return self._load_columns(connection)

        self._indexed |= await self._truth.prepare(create)
        self._ready = True

    def _create_index(self, connection: sqlite3.Connection, index: Unique | Sorted) -> None:
        columns = ", ".join(column(field) for field in index.fields)
        if isinstance(index, Unique):
            name, kind = f"{self._name} unique {' '.join(index.fields)}", "UNIQUE INDEX"
        else:
            name, kind = f"{self._name} sorted {' '.join(index.fields)}", "INDEX"
            columns += "" if "_id" in index.fields else ", id"
        connection.execute(f'CREATE {kind} IF NOT EXISTS "{name}" ON {self._name} ({columns})')

    async def _prepare(self) -> None:
        if not self._ready:
            self._indexed |= await self._truth.prepare(self._load_columns)
            self._ready = True

    def _load_columns(self, connection: sqlite3.Connection, wanted: Iterable[str] = ()) -> set[str]:
        """The fields that have a column; from now on it is tracked for each whether it ever contained a list.

        A new table gets columns for the ``wanted`` fields immediately: adding one later makes SQLite check the whole
        schema.
        """
        columns = ", ".join(["id NOT NULL PRIMARY KEY", "body NOT NULL", *map(_generated, sorted(wanted))])
        connection.execute(f"CREATE TABLE IF NOT EXISTS {self._name} ({columns})")
        names = [row[1] for row in connection.execute(f"PRAGMA table_xinfo({self._name})")]
        fields = {name.removeprefix("key ") for name in names if name.startswith("key ")}
        for field in fields - self._watched:
            lists = f"SELECT 1 FROM {self._name} WHERE {column(field)} = x'02' LIMIT 1"
            if connection.execute(lists).fetchone():
                self._listed.add(field)
        self._watched |= fields
        return fields

    async def get(self, id: str) -> Json | None:
        await self._prepare()
        found = await self._truth.read(
            lambda connection: connection.execute(f"SELECT body FROM {self._name} WHERE id = ?", (id,)).fetchone()
        )
        return _document(found[0]) if found else None

    async def find(
        self,
        filter: Filter | None = None,
        *,
        sort: Sort = (),
        limit: int | None = None,
        after: Json | None = None,
        fields: Sequence[str] | None = None,
    ) -> list[Json]:
        kept = check_fields(fields)
        await self._prepare()
        query, values = self._select("id" if kept == [] else "body", parse(filter), sort, check_limit(limit), after)

        def read(connection: sqlite3.Connection) -> list[Json]:
            texts = [row[0] for row in connection.execute(query, values)]
            if kept is None:
                return [_document(text) for text in texts]
            if not kept:
                return [{"_id": text} for text in texts]
            return [project(_document(text), kept) for text in texts]

        return await self._truth.read(read)

    def _select(
        self, what: str, condition: AllOf, sort: Sort = (), limit: int | None = None, after: Json | None = None
    ) -> Clause:
        order = check_sort(sort)
        where, values = self._translator.where(condition)
        if after is not None:
            later, more = self._translator.beyond(order, after)
            where, values = f"{where} AND {later}", [*values, *more]
        query = f"SELECT {what} FROM {self._name} WHERE {where} ORDER BY {self._translator.order(order)} LIMIT ?"
        return query, [*values, -1 if limit is None else limit]

    async def insert_many(self, documents: Sequence[Json], *, whole: bool = True) -> None:
        if not documents:
            return
        await self._prepare()
        query = f"INSERT INTO {self._name} (id, body) VALUES (?, ?)"

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany(query, self._encoded_rows(documents))

        await self._write(write)

    async def upsert(self, document: Json, *, where: Filter | None = None) -> None:
        await self.bulk([Upsert(document, where)])

    async def upsert_many(self, documents: Sequence[Json]) -> None:
        await self.bulk([Upsert(document) for document in documents])

    async def update(
        self, id: str, change: Change, *, if_version: int | None = None, where: Filter | None = None
    ) -> Json | None:
        condition, change = changes.checked_update(id, change, if_version, where)
        await self._prepare()
        return await self._change_one(condition, change)

    async def _change_one(self, filter: Filter, change: Change, sort: Sort = ()) -> Json | None:
        select = self._select("body", parse(filter), sort, limit=1)
        changed = await self._write(lambda connection: self._apply_change(connection, select, change))
        return changed[0] if changed else None

    async def update_where(self, filter: Filter, change: Change) -> int:
        changes.check_change(change)
        await self._prepare()
        select = self._select("body", parse(filter))
        return await self._write(lambda connection: len(self._apply_change(connection, select, change)))

    def _apply_change(self, connection: sqlite3.Connection, select: Clause, change: Change) -> list[Json]:
        changed = [changes.amend(_document(row[0]), change) for row in connection.execute(*select).fetchall()]
        query = f"UPDATE {self._name} SET body = ?2 WHERE id = ?1"
        connection.executemany(query, self._encoded_rows(changed))
        return changed

    async def bulk(self, writes: Sequence[Write], *, whole: bool = True) -> None:
        await self._prepare()
        steps = [self._write_step(write) for write in writes]

        def write_all(connection: sqlite3.Connection) -> None:
            for step in steps:
                step(connection)

        if steps:
            await self._write(write_all)

    def _write_step(self, write: Write) -> Work[object]:
        if isinstance(write, Upsert):
            return self._upsert_step(write)
        condition = parse({"$and": [{"_id": write.id}, write.where or {}]})
        if isinstance(write, Update):
            change, select = changes.check_change(write.change), self._select("body", condition)
            return lambda connection: self._apply_change(connection, select, change)
        return self._deletion(condition)

    def _upsert_step(self, write: Upsert) -> Work[object]:
        where, values = self._translator.where(parse(write.where))
        query = (
            f"INSERT INTO {self._name} (id, body) VALUES (?, ?) "
            f"ON CONFLICT (id) DO UPDATE SET body = excluded.body WHERE {where}"
        )
        check_document(write.document)

        def step(connection: sqlite3.Connection) -> None:
            for identifier, body in self._encoded_rows([write.document]):
                if connection.execute(query, (identifier, body, *values)).rowcount == 0:
                    raise DuplicateError(f"{self._name}: a document with this _id is not as demanded")

        return step

    async def delete(self, filter: Filter) -> int:
        await self._prepare()
        return await self._write(self._deletion(parse(filter)))

    def _deletion(self, condition: AllOf) -> Work[int]:
        where, values = self._translator.where(condition)

        def delete(connection: sqlite3.Connection) -> int:
            found = connection.execute(f"SELECT id FROM {self._name} WHERE {where}", values).fetchall()
            self._being_written.update(id for (id,) in found)
            return connection.execute(f"DELETE FROM {self._name} WHERE {where}", values).rowcount if found else 0

        return delete

    async def count(self, filter: Filter | None = None) -> int:
        await self._prepare()
        where, values = self._translator.where(parse(filter))
        query = f"SELECT count(*) FROM {self._name} WHERE {where}"
        return int((await self._truth.read(lambda connection: connection.execute(query, values).fetchone()))[0])

    async def count_by(self, field: str, filter: Filter | None = None) -> dict[str, int]:
        await self._prepare()
        key = self._translator.key(check_field(field))
        where, values = self._translator.where(parse(filter))
        plain = f"SELECT {key}, count(*) FROM {self._name} WHERE {where} AND {key} <> x'02' GROUP BY 1"
        lists = (
            f"SELECT {ELEMENT}, count(DISTINCT document) "
            f"FROM (SELECT id AS document, body AS text FROM {self._name} WHERE {where} AND {key} = x'02') "
            f"LEFT JOIN json_each(text, {path_literal(field)}) AS e GROUP BY 1"
        )

        def read(connection: sqlite3.Connection) -> dict[str, int]:
            counts: Counter[str] = Counter()
            for query in (plain, lists):
                for value, number in connection.execute(query, values):
                    counts[as_text(value)] += number
            return dict(counts)

        return await self._truth.read(read)

    async def claim(
        self, filter: Filter, *, owner: str, seconds: float, now: float, sort: Sort = (), change: Change = UNCHANGED
    ) -> Json | None:
        """As ``Collection.claim``; returns ``None`` while writes are refused."""
        await self._prepare()
        if self._truth.read_only.why:
            return None
        leased = change.also(lease_owner=owner, lease_until=now + seconds)
        return await self._change_one(free(filter, now), leased, sort)

    def _encoded_rows(self, documents: Iterable[Json]) -> Iterator[tuple[str, str]]:
        for document in documents:
            identifier = check_document(document)
            self._being_written.add(identifier)
            for field in self._watched - self._listed:
                if isinstance(lookup(document, field), list):
                    self._listed.add(field)
            yield identifier, json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _generated(field: str) -> str:
    """The expression that an index on ``field`` uses."""
    return f"{column(field)} GENERATED ALWAYS AS {key_expression(field)} VIRTUAL"


def _document(text: str) -> Json:
    document: Json = orjson.loads(text)
    return document
