"""Manages one collection of the embedded index: a shard of Qdrant's engine and the model it was made for."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import qdrant_edge as engine

from core.batches import batches
from core.errors import PalimpsestError
from core.resilience.read_only import ReadOnly
from core.store import index_rules as rules
from core.store.index import Hit, Payload, Point, Schema, SchemaMismatchError, SparseVector, Vector, Where
from core.store.room import DELETION_BYTES, START_BYTES, WORK_BYTES

log = logging.getLogger(__name__)

T = TypeVar("T")
RequireRoom = Callable[[int], None]
"""Raises ``NoRoomError`` if fewer bytes are free on the disk. The engine maps sparse files: if a page cannot be
written, the process crashes, and this cannot be caught."""
PAYLOAD_BYTES = 2048
"""Maximum number of bytes that a changed payload takes, because it is rewritten."""

_Condition = (
    engine.FieldCondition
    | engine.IsEmptyCondition
    | engine.IsNullCondition
    | engine.HasIdCondition
    | engine.HasVectorCondition
    | engine.NestedCondition
    | engine.Filter
)

_EXACT = engine.SearchParams(exact=True)
_TIER = "tier"
_SCOPE = "_scope"
"""A payload field of this adapter, ``<tier>/<user>``. Nearly every query filters by both, and the engine checks one
condition in half the time of two (100,000 points; for the corpus of document frequencies in a tenth)."""


def any_room(_: int) -> None:
    """Accepts any amount of free space, for uses that do not check the disk."""


def filter_of(where: Where) -> engine.Filter:
    """``where`` as the engine's filter; user and tier become one condition."""
    must, must_not = rules.conditions(where)
    if where.org_id is not None:
        own = {rules.TENANT: must.pop(rules.TENANT), rules.GROUP: [where.org_id]}
        reader = engine.Filter(should=_match_conditions(own))
        return engine.Filter(must=[reader, *_match_conditions(must)], must_not=_match_conditions(must_not))
    if _TIER in must:
        tiers, [user] = must.pop(_TIER), must.pop(rules.TENANT)
        must = {_SCOPE: [f"{tier}/{user}" for tier in tiers], **must}
    return engine.Filter(must=_match_conditions(must), must_not=_match_conditions(must_not))


def _match_conditions(fields: Mapping[str, list[str]]) -> list[_Condition]:
    """The engine's conditions for field values. It compares with a single value faster than with a set of one."""
    return [
        engine.FieldCondition(
            key, match=engine.MatchValue(values[0]) if len(values) == 1 else engine.MatchAny([*values])
        )
        for key, values in fields.items()
    ]


def _scoped(payload: Payload) -> Payload:
    """``payload`` with its scope field."""
    user, tier = payload.get(rules.TENANT), payload.get(_TIER)
    return payload if tier is None else {**payload, _SCOPE: f"{tier}/{user}"}


def _sparse(vector: SparseVector) -> engine.SparseVector:
    return engine.SparseVector(vector.indices, vector.values)


def safely(call: Callable[[], T]) -> T:
    """Run ``call`` (in one of our threads) and translate the engine's errors."""
    try:
        return call()
    except (PalimpsestError, SchemaMismatchError, ValueError):
        raise
    except BaseException as error:  # the engine raises plain Exception, or BaseException for a panic
        detail = str(error)
        closed = "not initialized" in detail or "WouldBlock" in detail
        raise (rules.unreachable(detail) if closed else rules.failed(detail)) from error


class Collection:
    """One shard and the model it was made for. Every method blocks. One thread writes; reads go through ``read``."""

    def __init__(self, folder: Path, read_only: ReadOnly | None = None, require_room: RequireRoom = any_room) -> None:
        self.folder = folder
        self._require_room = require_room
        self._read_only = read_only or ReadOnly()
        self._path = folder / "shard"
        self._shard: engine.EdgeShard | None = None
        self._closed = False
        self._reads = 0
        self._fewer_reads = threading.Condition()
        self._writer = ThreadPoolExecutor(1, thread_name_prefix=f"index-{folder.name}")
        self.format = rules.CollectionFormat()

    @property
    def exists(self) -> bool:
        return (self._path / "edge_config.json").exists()

    @property
    def shard(self) -> engine.EdgeShard:
        if self._shard is None:
            raise rules.unreachable("the index is closed")
        return self._shard

    def read(self, call: Callable[[], T]) -> T:
        """Run ``call``; a close waits for it, because the engine cannot close what is being read.

        Raises:
            PalimpsestError: it is being closed ("connection").
        """
        with self._fewer_reads:
            if self._closed:
                raise rules.unreachable("the index is closed")
            self._reads += 1
        try:
            return call()
        finally:
            with self._fewer_reads:
                self._reads -= 1
                self._fewer_reads.notify_all()

    async def write(self, call: Callable[[], T]) -> T:
        """Run ``call`` after all earlier writes, even if the task that waits for it is cancelled."""
        self._read_only.refuse()
        return await self._queued(call)

    async def settle(self) -> None:
        """All earlier writes are in the folder when this returns."""
        await self._queued(self.flush)

    async def _queued(self, call: Callable[[], T]) -> T:
        try:
            waiting = asyncio.get_running_loop().run_in_executor(self._writer, safely, call)
        except RuntimeError as error:  # the executor was shut down after the collection was looked up
            raise rules.unreachable("the index is closed") from error
        return await waiting

    def open(self, schema: Schema) -> None:
        """Open or create it; ``format.mismatch`` then shows whether dense vectors can be used."""
        if self._shard is None:
            self._require_room(START_BYTES)
            self._shard = self._load_shard() if self.exists else None
            if self._shard is None:
                self._shard = self._create(schema)
        self.format.wanted = schema
        self.format.compare(self._read_stored())
        known = self._shard.info().payload_schema
        for name in (*schema.indexed_fields, _SCOPE):
            if name not in known:
                params = engine.KeywordIndexParams(is_tenant=name == rules.TENANT)
                self._shard.update(engine.UpdateOperation.create_field_index(name, params))

    def _load_shard(self) -> engine.EdgeShard | None:
        try:
            return engine.EdgeShard.load(str(self._path))
        except BaseException as error:
            if "WouldBlock" in str(error):
                raise
            # A new index can be filled from the record store, so an unreadable one must not stop the start.
            aside = self.folder / "shard.unreadable"
            shutil.rmtree(aside, ignore_errors=True)
            self._path.rename(aside)
            log.exception("the index %s could not be read; it was set aside as %s", self.folder.name, aside)
            return None

    def _create(self, schema: Schema) -> engine.EdgeShard:
        shutil.rmtree(self._path, ignore_errors=True)
        self._path.mkdir(parents=True)
        write_json(self.folder / "schema.json", asdict(schema))
        config = engine.EdgeConfig(
            vectors={schema.dense_name: engine.EdgeVectorParams(schema.dimension, engine.Distance.Cosine)},
            sparse_vectors={schema.lexical_name: engine.EdgeSparseVectorParams(modifier=engine.Modifier.Idf)},
        )
        return engine.EdgeShard.create(str(self._path), config)

    def _read_stored(self) -> rules.Stored:
        config = read_json(self._path / "edge_config.json")
        return rules.Stored(
            model=read_json(self.folder / "schema.json").get("model"),
            dense={name: (made["size"], made["distance"]) for name, made in config.get("vectors", {}).items()},
            lexical=tuple(config.get("sparse_vectors", {})),
        )

    def upsert(self, points: Sequence[Point]) -> None:
        rules.checked_points(points)
        made = [
            engine.Point(point.id, self.format.vectors(point, _sparse), _scoped(rules.present(point.payload)))
            for point in points
        ]
        for batch in batches(made, rules.WRITE_BATCH):
            self._require_room(WORK_BYTES)
            self.shard.update(engine.UpdateOperation.upsert_points(batch))

    def set_dense(self, vectors: Mapping[str, Vector]) -> None:
        name, dimension = self.format.dense
        known = self._existing_ids(list(vectors))
        made = [engine.PointVectors(i, {name: rules.checked_vector(vectors[i], dimension)}) for i in known]
        for batch in batches(made, rules.WRITE_BATCH):
            self._require_room(WORK_BYTES)
            self.shard.update(engine.UpdateOperation.update_vectors(batch))

    def set_payload(self, ids: Sequence[str], payload: Payload) -> None:
        if payload.keys().isdisjoint({rules.TENANT, _TIER}):
            groups: dict[str | None, list[str]] = {None: self._existing_ids(ids)}
        else:
            groups = self._by_scope(ids, payload)
        for scope, known in groups.items():
            if known:
                self._require_room(DELETION_BYTES + PAYLOAD_BYTES * len(known))
                fields = payload if scope is None else {**payload, _SCOPE: scope}
                self.shard.update(engine.UpdateOperation.set_payload([*known], fields))

    def _by_scope(self, ids: Sequence[str], payload: Payload) -> dict[str | None, list[str]]:
        """Groups ``ids`` by scope: each scope after setting ``payload`` → the existing points in it."""
        groups: dict[str | None, list[str]] = {}
        for record in self.shard.retrieve(list(ids), with_payload=[rules.TENANT, _TIER], with_vector=False):
            scope = _scoped({**(record.payload or {}), **payload}).get(_SCOPE, "")
            groups.setdefault(str(scope), []).append(str(record.id))
        return groups

    def _existing_ids(self, ids: Sequence[str]) -> list[str]:
        """The points among ``ids`` that exist; with missing ones, the engine would fail in the middle."""
        if not ids:
            return []
        return [str(record.id) for record in self.shard.retrieve(list(ids), with_payload=False, with_vector=False)]

    def delete(self, ids: Sequence[str]) -> None:
        if ids:
            self._require_room(DELETION_BYTES)
            self.shard.update(engine.UpdateOperation.delete_points(list(ids)))

    def delete_where(self, where: Where) -> None:
        self._require_room(DELETION_BYTES)
        self.shard.update(engine.UpdateOperation.delete_points_by_filter(filter_of(rules.owned(where))))

    def query_dense(self, vector: Vector, where: Where, limit: int) -> list[Hit]:
        name, dimension = self.format.dense
        query = engine.Query.Nearest(rules.checked_vector(vector, dimension), name)
        return self._query(query, where, limit, _EXACT)

    def query_lexical(self, vector: SparseVector, where: Where, limit: int, corpus: Where) -> list[Hit]:
        params = engine.SearchParams(exact=True, idf=engine.IdfParams(filter_of(corpus)))
        return self._query(engine.Query.Nearest(_sparse(vector), self.format.lexical), where, limit, params)

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
                limit=limit + 2,  # the one at ``after``, and one more to know whether there is another page
                filter=None if where is None else filter_of(where),
                with_payload=True,
                with_vector=with_vectors,
            )
        )
        found = [record for record in records if str(record.id) != after]
        page = [self._point(record) for record in found[:limit]]
        return page, page[-1].id if page and len(found) > limit else None

    def retrieve(self, ids: Sequence[str], with_vectors: bool) -> list[Point]:
        found = self.shard.retrieve(list(ids), with_payload=True, with_vector=with_vectors)
        return [self._point(record) for record in found]

    def _point(self, record: engine.Record) -> Point:
        payload = {key: value for key, value in (record.payload or {}).items() if key != _SCOPE}
        return self.format.point(record.id, payload, record.vector or {})

    def flush(self) -> None:
        self.shard.flush()

    def close(self) -> None:
        """Finish the waiting writes and the running reads, then release the folder. Must not be called from within a
        read."""
        self._writer.shutdown(wait=True)
        with self._fewer_reads:
            self._closed = True
            self._fewer_reads.wait_for(lambda: not self._reads)
        shard, self._shard = self._shard, None
        if shard is not None:
            shard.close()


def read_json(path: Path) -> Any:
    """The content of ``path``; empty if it is missing or incomplete."""
    try:
        return json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return {}


def write_json(path: Path, content: Mapping[str, object]) -> None:
    """Replace ``path`` atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    with fresh.open("w", encoding="utf-8") as file:
        json.dump(content, file)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
