"""Collections and aliases of the Qdrant stand-in, stored in a folder as shards of the embedded engine.

Collection options other than vectors (graphs, shards, replicas, quantisation) are stored and returned, but have no
effect here: there is one shard, and each search scans it.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import qdrant_edge as engine
from pydantic import ValidationError
from qdrant_client import models

from core.store.edge_collection import read_json, write_json
from tests.servers.qdrant_requests import (
    Json,
    RefusedError,
    field_index_of,
    filter_of,
    id_json,
    malformed,
    point_id,
    query_of,
    records_json,
    scored_json,
    vectors_of,
)

T = TypeVar("T")

HNSW = {"m": 16, "ef_construct": 100, "full_scan_threshold": 10_000, "max_indexing_threads": 0}
DISTANCES = {
    "Cosine": engine.Distance.Cosine,
    "Dot": engine.Distance.Dot,
    "Euclid": engine.Distance.Euclid,
    "Manhattan": engine.Distance.Manhattan,
}


def _asked(call: Callable[[], T]) -> T:
    """Runs ``call`` and turns the engine's exceptions into Qdrant's error replies."""
    try:
        return call()
    except RefusedError:
        raise
    except BaseException as error:  # a panic in the engine is not a subclass of Exception
        said = str(error)
        if said.startswith("No point with id"):
            raise RefusedError(404, f"Not found: {said} found") from error
        if "dimension error" in said or "Not existing vector name" in said:
            raise RefusedError(400, f"Wrong input: {said}") from error
        if isinstance(error, TypeError | KeyError | ValueError):
            raise malformed(said) from error
        raise RefusedError(500, f"Service internal error: {said}") from error


class Collection:
    """One shard of the engine, with the options that the collection was created with. Every method blocks; only one
    write runs at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writing = threading.Lock()
        self.made: Json = read_json(folder / "made.json")
        if (folder / "shard").exists():
            self._shard = engine.EdgeShard.load(str(folder / "shard"))

    @classmethod
    def create(cls, folder: Path, body: Json) -> Collection:
        try:
            asked = models.CreateCollection.model_validate(body)
        except ValidationError as error:
            raise malformed(error) from error
        vectors = asked.vectors if isinstance(asked.vectors, dict) else {}
        config = engine.EdgeConfig(
            vectors={
                name: engine.EdgeVectorParams(one.size, DISTANCES[one.distance.value]) for name, one in vectors.items()
            },
            sparse_vectors={
                name: engine.EdgeSparseVectorParams(modifier=engine.Modifier.Idf if one.modifier else None)
                for name, one in (asked.sparse_vectors or {}).items()
            },
        )
        (folder / "shard").mkdir(parents=True)
        engine.EdgeShard.create(str(folder / "shard"), config).close()
        write_json(folder / "made.json", {**body, "fields": {}})
        return cls(folder)

    def info(self) -> Json:
        found, made = self._shard.info(), self.made
        params = {
            name: made[name]
            for name in ("vectors", "sparse_vectors", "shard_number", "replication_factor", "write_consistency_factor")
            if made.get(name) is not None
        }
        config = {
            "params": params,
            "hnsw_config": {**HNSW, **(made.get("hnsw_config") or {})},
            "optimizer_config": {"default_segment_number": 0, "flush_interval_sec": 5},
            "quantization_config": made.get("quantization_config"),
            "metadata": made.get("metadata"),
        }
        fields = {
            name: {
                "data_type": schema if isinstance(schema, str) else schema["type"],
                "params": None if isinstance(schema, str) else schema,
                "points": found.payload_schema[name].points if name in found.payload_schema else 0,
            }
            for name, schema in made["fields"].items()
        }
        return {
            "status": "green",
            "optimizer_status": "ok",
            "indexed_vectors_count": found.indexed_vectors_count,
            "points_count": found.points_count,
            "segments_count": found.segments_count,
            "config": config,
            "payload_schema": fields,
        }

    def change(self, body: Json) -> bool:
        """``PATCH``: changes options of an existing collection."""
        try:
            models.UpdateCollection.model_validate(body)
        except ValidationError as error:
            raise malformed(error) from error
        with self._writing:
            changed = {**self.made, **(body.get("params") or {})}
            for name in ("hnsw_config", "metadata"):
                changed[name] = {**(changed.get(name) or {}), **(body.get(name) or {})}
            if "quantization_config" in body:
                wanted = body["quantization_config"]
                changed["quantization_config"] = None if wanted == "Disabled" else wanted
            self._remember(changed)
        return True

    def index_field(self, body: Json) -> Json:
        name, schema = body["field_name"], body["field_schema"]
        done = self._update(lambda: field_index_of(name, schema))
        with self._writing:
            self._remember({**self.made, "fields": {**self.made["fields"], name: schema}})
        return done

    def _remember(self, made: Json) -> None:
        write_json(self._folder / "made.json", made)
        self.made = made

    def upsert(self, body: Json) -> Json:
        def operation() -> engine.UpdateOperation:
            points = [
                engine.Point(point_id(one["id"]), vectors_of(one.get("vector") or {}), one.get("payload") or {})
                for one in body["points"]
            ]
            return engine.UpdateOperation.upsert_points(points)

        return self._update(operation)

    def update_vectors(self, body: Json) -> Json:
        def operation() -> engine.UpdateOperation:
            made = [engine.PointVectors(point_id(one["id"]), vectors_of(one["vector"])) for one in body["points"]]
            return engine.UpdateOperation.update_vectors(made)

        return self._update(operation)

    def set_payload(self, body: Json) -> Json:
        def operation() -> engine.UpdateOperation:
            if body.get("points") is not None:
                return engine.UpdateOperation.set_payload([point_id(one) for one in body["points"]], body["payload"])
            where = filter_of(body["filter"])
            assert where is not None
            return engine.UpdateOperation.set_payload_by_filter(where, body["payload"])

        return self._update(operation)

    def delete_points(self, body: Json) -> Json:
        def operation() -> engine.UpdateOperation:
            if body.get("points") is not None:
                return engine.UpdateOperation.delete_points([point_id(one) for one in body["points"]])
            where = filter_of(body["filter"])
            assert where is not None
            return engine.UpdateOperation.delete_points_by_filter(where)

        return self._update(operation)

    def _update(self, operation: Callable[[], engine.UpdateOperation]) -> Json:
        with self._writing:
            _asked(lambda: self._shard.update(operation()))
        return {"operation_id": 0, "status": "completed"}

    def query(self, body: Json) -> Json:
        return {"points": scored_json(_asked(lambda: self._shard.query(query_of(body))))}

    def count(self, body: Json) -> Json:
        where = filter_of(body.get("filter"))
        return {"count": _asked(lambda: self._shard.count(engine.CountRequest(exact=True, filter=where)))}

    def scroll(self, body: Json) -> Json:
        request = engine.ScrollRequest(
            offset=body.get("offset"),
            limit=body.get("limit") or 10,
            filter=filter_of(body.get("filter")),
            with_payload=bool(body.get("with_payload", True)),
            with_vector=bool(body.get("with_vector", False)),
        )
        found, after = _asked(lambda: self._shard.scroll(request))
        return {"points": records_json(found), "next_page_offset": None if after is None else id_json(after)}

    def retrieve(self, body: Json) -> list[Json]:
        ids = [point_id(one) for one in body["ids"]]
        payload, vector = bool(body.get("with_payload", True)), bool(body.get("with_vector", False))
        return records_json(_asked(lambda: self._shard.retrieve(ids, with_payload=payload, with_vector=vector)))

    def remove(self) -> None:
        with self._writing:
            self._shard.close()
            shutil.rmtree(self._folder)

    def close(self) -> None:
        with self._writing:
            self._shard.close()


class Collections:
    """All collections by name, and their aliases."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._changing = threading.Lock()
        self.aliases: dict[str, str] = read_json(folder / "aliases.json")
        self.open = {path.name: Collection(path) for path in sorted(folder.glob("collections/*"))}

    def named(self, name: str) -> Collection:
        found = self.open.get(self.aliases.get(name, name))
        if found is None:
            raise RefusedError(404, f"Not found: Collection `{name}` doesn't exist!")
        return found

    def exists(self, name: str) -> Json:
        return {"exists": self.aliases.get(name, name) in self.open}

    def create(self, name: str, body: Json) -> bool:
        with self._changing:
            if name in self.open:
                raise RefusedError(409, f"Wrong input: Collection `{name}` already exists!")
            self.open[name] = Collection.create(self._folder / "collections" / name, body)
        return True

    def delete(self, name: str) -> bool:
        with self._changing:
            collection = self.open.pop(name, None)
            if collection is None:
                return False
            self._alias({alias: served for alias, served in self.aliases.items() if served != name})
            collection.remove()
        return True

    def change_aliases(self, body: Json) -> bool:
        """Applies all of the actions, or none."""
        with self._changing:
            changed = dict(self.aliases)
            for action in body["actions"]:
                for kind, given in action.items():
                    self._act(changed, kind, given)
            self._alias(changed)
        return True

    def _act(self, aliases: dict[str, str], kind: str, given: Any) -> None:
        alias = given.get("alias_name", "")
        if kind == "create_alias" and given["collection_name"] not in self.open:
            raise RefusedError(404, f"Not found: Collection `{given['collection_name']}` doesn't exist!")
        if kind == "create_alias":
            aliases[alias] = given["collection_name"]
        elif kind == "delete_alias":
            aliases.pop(alias, None)
        else:
            raise malformed(f"unknown variant `{kind}`")

    def _alias(self, aliases: dict[str, str]) -> None:
        write_json(self._folder / "aliases.json", aliases)
        self.aliases = aliases

    def aliases_json(self) -> Json:
        return {"aliases": [{"alias_name": alias, "collection_name": served} for alias, served in self.aliases.items()]}

    def names_json(self) -> Json:
        return {"collections": [{"name": name} for name in self.open]}

    def close(self) -> None:
        for collection in self.open.values():
            collection.close()
