"""The index inside this process: Qdrant's engine over a folder [001 §5].

``<folder>/served.json`` names the collection being served and is replaced atomically; every collection is a folder
``collections/<name>`` with ``schema.json`` (the model it was made for) beside the engine's ``shard``.

Search is always exact: without ``optimize()`` the engine builds no graph, and scanning is fast enough.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self, TypeVar, cast

import qdrant_edge as engine

from core.errors import PalimpsestError
from core.store import index_rules as rules
from core.store.index import Hit, Payload, Point, Schema, SchemaMismatchError, SparseVector, Vector, Where

log = logging.getLogger(__name__)

T = TypeVar("T")
_Vectors = dict[str, list[float] | engine.SparseVector | list[list[float]]]

FIRST_COLLECTION = "memories_v1"
_READERS = 4
_EXACT = engine.SearchParams(exact=True)


def filter_of(where: Where) -> engine.Filter:
    """``where`` in the engine's words."""
    must, must_not = rules.conditions(where)
    return engine.Filter(
        must=[engine.FieldCondition(key, match=engine.MatchAny(values)) for key, values in must.items()],
        must_not=[engine.FieldCondition(key, match=engine.MatchAny(values)) for key, values in must_not.items()],
    )


def _safely(call: Callable[[], T]) -> T:
    try:
        return call()
    except (PalimpsestError, SchemaMismatchError, ValueError):
        raise
    except BaseException as error:  # the engine raises bare Exception, and a panic is not even that
        detail = str(error)
        closed = "not initialized" in detail or "WouldBlock" in detail
        raise (rules.unreachable(detail) if closed else rules.failed(detail)) from error


class _Collection:
    """One shard and what it was made for. Every method blocks; writes come from one thread."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mismatch: SchemaMismatchError | None = None
        self._path = folder / "shard"
        self._shard: engine.EdgeShard | None = None
        self._writer = ThreadPoolExecutor(1, thread_name_prefix=f"index-{folder.name}")
        self.stored = rules.Stored(None, {}, ())

    @property
    def exists(self) -> bool:
        return (self._path / "edge_config.json").exists()

    @property
    def shard(self) -> engine.EdgeShard:
        if self._shard is None:
            raise rules.unreachable("the index is closed")
        return self._shard

    async def write(self, call: Callable[[], T]) -> T:
        """Run ``call`` after every write before it, also when the one who waits for it goes away."""
        return await asyncio.get_running_loop().run_in_executor(self._writer, _safely, call)

    def open(self, schema: Schema) -> None:
        """Open or create; ``mismatch`` then says whether dense vectors can be used."""
        if self._shard is None:
            self._shard = self._load() if self.exists else None
            if self._shard is None:
                self._shard = self._create(schema)
        self.stored = self._read_stored()
        self.mismatch = rules.mismatch(self.stored, schema)
        known = self._shard.info().payload_schema
        for name in schema.indexed_fields:
            if name not in known:
                params = engine.KeywordIndexParams(is_tenant=name == rules.TENANT)
                self._shard.update(engine.UpdateOperation.create_field_index(name, params))

    def _load(self) -> engine.EdgeShard | None:
        try:
            return engine.EdgeShard.load(str(self._path))
        except BaseException as error:
            if "WouldBlock" in str(error):
                raise
            # The truth can fill a new index; one that cannot be read must not keep the house closed.
            aside = self.folder / "shard.unreadable"
            shutil.rmtree(aside, ignore_errors=True)
            self._path.rename(aside)
            log.exception("the index %s could not be read; it was set aside as %s", self.folder.name, aside)
            return None

    def _create(self, schema: Schema) -> engine.EdgeShard:
        shutil.rmtree(self._path, ignore_errors=True)
        self._path.mkdir(parents=True)
        _write_json(self.folder / "schema.json", asdict(schema))
        config = engine.EdgeConfig(
            vectors={schema.dense_name: engine.EdgeVectorParams(schema.dimension, engine.Distance.Cosine)},
            sparse_vectors={schema.lexical_name: engine.EdgeSparseVectorParams(modifier=engine.Modifier.Idf)},
        )
        return engine.EdgeShard.create(str(self._path), config)

    def _read_stored(self) -> rules.Stored:
        config = _read_json(self._path / "edge_config.json")
        return rules.Stored(
            model=_read_json(self.folder / "schema.json").get("model"),
            dense={name: (made["size"], made["distance"]) for name, made in config.get("vectors", {}).items()},
            lexical=tuple(config.get("sparse_vectors", {})),
        )

    @property
    def _dense(self) -> tuple[str, int]:
        if self.mismatch is not None:
            raise SchemaMismatchError(str(self.mismatch))
        name, (dimension, _) = next(iter(self.stored.dense.items()))
        return name, dimension

    def upsert(self, points: Sequence[Point]) -> None:
        rules.checked_points(points)
        made = [engine.Point(point.id, self._vectors(point), rules.present(point.payload)) for point in points]
        for start in range(0, len(made), rules.WRITE_BATCH):
            self.shard.update(engine.UpdateOperation.upsert_points(made[start : start + rules.WRITE_BATCH]))

    def _vectors(self, point: Point) -> _Vectors:
        vectors: _Vectors = {}
        if point.lexical is not None:
            vectors[self.stored.lexical[0]] = engine.SparseVector(point.lexical.indices, point.lexical.values)
        if point.dense is not None:
            name, dimension = self._dense
            vectors[name] = rules.checked_vector(point.dense, dimension)
        return vectors

    def set_dense(self, vectors: Mapping[str, Vector]) -> None:
        name, dimension = self._dense
        known = self._known(list(vectors))
        made = [engine.PointVectors(i, {name: rules.checked_vector(vectors[i], dimension)}) for i in known]
        for start in range(0, len(made), rules.WRITE_BATCH):
            self.shard.update(engine.UpdateOperation.update_vectors(made[start : start + rules.WRITE_BATCH]))

    def set_payload(self, ids: Sequence[str], payload: Payload) -> None:
        if known := self._known(ids):
            self.shard.update(engine.UpdateOperation.set_payload([*known], payload))

    def _known(self, ids: Sequence[str]) -> list[str]:
        """Those of ``ids`` that exist; the engine fails on the others half-way."""
        if not ids:
            return []
        return [str(record.id) for record in self.shard.retrieve(list(ids), with_payload=False, with_vector=False)]

    def delete(self, ids: Sequence[str]) -> None:
        if ids:
            self.shard.update(engine.UpdateOperation.delete_points(list(ids)))

    def delete_where(self, where: Where) -> None:
        self.shard.update(engine.UpdateOperation.delete_points_by_filter(filter_of(where)))

    def query_dense(self, vector: Vector, where: Where, limit: int) -> list[Hit]:
        name, dimension = self._dense
        query = engine.Query.Nearest(rules.checked_vector(vector, dimension), name)
        return self._query(query, where, limit, _EXACT)

    def query_lexical(self, vector: SparseVector, where: Where, limit: int, corpus: Where) -> list[Hit]:
        sparse = engine.SparseVector(vector.indices, vector.values)
        params = engine.SearchParams(exact=True, idf=engine.IdfParams(filter_of(corpus)))
        return self._query(engine.Query.Nearest(sparse, self.stored.lexical[0]), where, limit, params)

    def _query(self, query: engine.Query, where: Where, limit: int, params: engine.SearchParams) -> list[Hit]:
        request = engine.QueryRequest(limit=limit, query=query, filter=filter_of(where), params=params)
        return [Hit(str(found.id), found.score) for found in self.shard.query(request)]

    def count(self, where: Where) -> int:
        return int(self.shard.count(engine.CountRequest(exact=True, filter=filter_of(where))))

    def scroll(
        self, where: Where | None, limit: int, after: str | None, with_vectors: bool
    ) -> tuple[list[Point], str | None]:
        records, _ = self.shard.scroll(
            engine.ScrollRequest(
                offset=after,
                limit=limit + 2,  # the one at ``after``, and one more to know whether this is the end
                filter=None if where is None else filter_of(where),
                with_payload=True,
                with_vector=with_vectors,
            )
        )
        found = [record for record in records if str(record.id) != after]
        page = [self._point(record) for record in found[:limit]]
        return page, page[-1].id if page and len(found) > limit else None

    def _point(self, record: engine.Record) -> Point:
        vectors = cast(dict[str, Any], record.vector or {})
        lexical = next((vectors[name] for name in self.stored.lexical if name in vectors), None)
        dense = next((vectors[name] for name in self.stored.dense if name in vectors), None)
        return Point(
            id=str(record.id),
            payload=record.payload or {},
            lexical=None if lexical is None else SparseVector(list(lexical.indices), list(lexical.values)),
            dense=None if dense is None else rules.as_vector(dense),
        )

    def flush(self) -> None:
        self.shard.flush()

    def close(self) -> None:
        """Finish the writes that wait, then let go of the folder."""
        self._writer.shutdown(wait=True)
        shard, self._shard = self._shard, None
        if shard is not None:
            shard.close()


@dataclass
class _House:
    """What the served index and those being rebuilt share: the folder and the open collections."""

    folder: Path
    readers: ThreadPoolExecutor
    wanted: Schema | None = None
    served: str = FIRST_COLLECTION
    open: dict[str, _Collection] = field(default_factory=dict)

    @property
    def pointer(self) -> Path:
        return self.folder / "served.json"

    def collection(self, name: str, schema: Schema) -> _Collection:
        collection = self.open.get(name) or _Collection(self.folder / "collections" / rules.checked_name(name))
        collection.open(schema)
        self.open[name] = collection
        return collection


class EdgeIndex:
    """``Index`` over a folder that no other process has open. Any number of tasks may call it at once."""

    def __init__(self, folder: Path) -> None:
        self._house = _House(folder, ThreadPoolExecutor(_READERS, thread_name_prefix="index-read"))
        self._name: str | None = None

    @classmethod
    def _being_rebuilt(cls, house: _House, name: str) -> Self:
        index = cls.__new__(cls)
        index._house, index._name = house, name
        return index

    async def start(self, schema: Schema) -> None:
        collection = await self._read(lambda: self._open(schema))
        if collection.mismatch is not None:
            raise SchemaMismatchError(str(collection.mismatch))

    def _open(self, schema: Schema) -> _Collection:
        house = self._house
        if self._name is None:
            house.wanted = schema
            house.served = _read_json(house.pointer).get("collection", FIRST_COLLECTION)
        return house.collection(self._name or house.served, schema)

    async def stop(self) -> None:
        """Close; an index being rebuilt closes itself alone, and not when it is served by now."""
        house = self._house
        if self._name is None:
            names = list(house.open)
        else:
            names = [self._name] if self._name != house.served and self._name in house.open else []
        for name in names:
            await asyncio.to_thread(house.open.pop(name).close)

    @property
    def _collection(self) -> _Collection:
        collection = self._house.open.get(self._name or self._house.served)
        if collection is None:
            raise rules.unreachable("the index is not open")
        return collection

    async def _read(self, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._house.readers, _safely, call)

    async def upsert(self, points: Sequence[Point]) -> None:
        collection = self._collection
        await collection.write(lambda: collection.upsert(points))

    async def set_dense(self, vectors: Mapping[str, Vector]) -> None:
        collection = self._collection
        await collection.write(lambda: collection.set_dense(vectors))

    async def set_payload(self, ids: Sequence[str], payload: Payload) -> None:
        collection = self._collection
        await collection.write(lambda: collection.set_payload(ids, payload))

    async def delete(self, ids: Sequence[str]) -> None:
        collection = self._collection
        await collection.write(lambda: collection.delete(ids))

    async def delete_where(self, where: Where) -> None:
        collection = self._collection
        await collection.write(lambda: collection.delete_where(where))

    async def query_dense(self, vector: Vector, where: Where, limit: int) -> list[Hit]:
        collection = self._collection
        return await self._read(lambda: rules.best(lambda wanted: collection.query_dense(vector, where, wanted), limit))

    async def query_lexical(
        self, vector: SparseVector, where: Where, limit: int, corpus: Where | None = None
    ) -> list[Hit]:
        collection = self._collection
        counted = corpus or rules.idf_corpus(where)
        if not vector.indices:
            return []
        return await self._read(
            lambda: rules.best(lambda wanted: collection.query_lexical(vector, where, wanted, counted), limit)
        )

    async def count(self, where: Where) -> int:
        collection = self._collection
        return await self._read(lambda: collection.count(where))

    async def scroll(
        self, where: Where | None, limit: int, after: str | None = None, with_vectors: bool = False
    ) -> tuple[list[Point], str | None]:
        collection = self._collection
        return await self._read(lambda: collection.scroll(where, limit, after, with_vectors))

    async def rebuild(self, name: str, schema: Schema) -> EdgeIndex:
        """Also goes on with an unfinished collection of that name and schema; one of another schema is emptied."""
        house = self._house
        if name == house.served:
            raise ValueError(f"{name} is being served")

        def make() -> None:
            collection = house.collection(name, schema)
            if collection.mismatch is not None:
                house.open.pop(name).close()
                shutil.rmtree(collection.folder)
                house.collection(name, schema)

        await self._read(make)
        return self._being_rebuilt(house, name)

    async def swap(self, name: str) -> str:
        """The replaced collection stays open, so that queries under way end well and swapping back is instant."""
        return await self._read(lambda: self._serve(name))

    def _serve(self, name: str) -> str:
        house = self._house
        if name not in house.open:
            if house.wanted is None or not _Collection(house.folder / "collections" / rules.checked_name(name)).exists:
                raise rules.no_collection(name)
            house.collection(name, house.wanted)
        house.open[name].flush()
        _write_json(house.pointer, {"collection": name})
        before, house.served = house.served, name
        return before

    async def drop(self, name: str) -> None:
        house = self._house
        if name == house.served:
            raise ValueError(f"{name} is being served")
        collection = house.open.pop(name, None)
        if collection is not None:
            await asyncio.to_thread(collection.close)
        await asyncio.to_thread(shutil.rmtree, house.folder / "collections" / rules.checked_name(name), True)

    async def healthy(self) -> bool:
        try:
            collection = self._collection
            await self._read(lambda: collection.shard.info())
        except PalimpsestError:
            return False
        return True

    async def size_bytes(self) -> int:
        """Bytes taken on the disk by the collection being served."""
        folder = self._collection.folder
        return await self._read(lambda: _taken(folder))


def _taken(folder: Path) -> int:
    """The engine's files are sparse, so blocks count where the platform tells them, not lengths."""
    total = 0
    for path in folder.rglob("*"):
        try:
            status = path.stat()
        except FileNotFoundError:  # a segment went away meanwhile
            continue
        total += status.st_blocks * 512 if hasattr(status, "st_blocks") else status.st_size
    return total


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return {}


def _write_json(path: Path, content: Mapping[str, object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    with fresh.open("w", encoding="utf-8") as file:
        json.dump(content, file)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
