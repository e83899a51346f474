"""Implements the index on a Qdrant server or cluster.

``collection`` is an alias, whose target is replaced atomically by ``swap``. The model a collection was made for is
stored in its metadata. Document frequencies are counted per user from server 1.19 on, and per shard of the cluster.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import Self

from qdrant_client import AsyncQdrantClient, models
from qdrant_client.http.exceptions import UnexpectedResponse

from core.batches import batches
from core.errors import PalimpsestError
from core.setting_groups import Qdrant
from core.store import index_rules as rules
from core.store.clusters import qdrant_layout
from core.store.clusters.qdrant_answers import CONFLICT, safely
from core.store.index import Hit, Payload, Point, Schema, SchemaMismatchError, SparseVector, Vector, Where

log = logging.getLogger(__name__)

EXACT_BELOW = 100_000
"""With up to this number of points, dense search scans them; with more, the server's graph is used."""
_FIRST = "first"
_IDF_PER_USER = (1, 19)


def filter_of(where: Where) -> models.Filter:
    """``where`` in the server's filter language."""
    must, must_not = rules.conditions(where)
    refused = _any_of(must_not)
    if where.org_id is None:
        return models.Filter(must=_any_of(must), must_not=refused)
    own = {rules.TENANT: must.pop(rules.TENANT), rules.GROUP: [where.org_id]}
    return models.Filter(must=[models.Filter(should=_any_of(own)), *_any_of(must)], must_not=refused)


def filters_by_owner(where: Where) -> list[models.Filter]:
    """``where`` as one filter for each graph with visible points: the user's own, and their group's."""
    must, must_not = rules.conditions(where)
    owners = {rules.TENANT: must.pop(rules.TENANT)}
    if where.org_id is not None:
        owners[rules.GROUP] = [where.org_id]
    refused = _any_of(must_not)
    return [models.Filter(must=_any_of({key: ids, **must}), must_not=refused) for key, ids in owners.items()]


def _any_of(fields: Mapping[str, list[str]]) -> list[models.Condition]:
    return [models.FieldCondition(key=key, match=models.MatchAny(any=values)) for key, values in fields.items()]


class QdrantIndex:
    """``Index`` with Qdrant's own client; ``client`` may be given instead of an address, and is then not closed."""

    def __init__(
        self,
        url: str | None = None,
        api_key: str | None = None,
        collection: str = "memories_v1",
        client: AsyncQdrantClient | None = None,
        seconds: int = 10,
        layout: Qdrant | None = None,
    ) -> None:
        if (url is None) == (client is None):
            raise ValueError("give either url or client")
        self._url, self._api_key, self._seconds = url, api_key, seconds
        self._layout = layout or Qdrant()
        self._given = client
        self._open: AsyncQdrantClient | None = None
        self._alias = self._name = rules.checked_name(collection)
        self._format = rules.CollectionFormat()
        self._schemas: dict[str, Schema] = {}
        self._points = 0

    async def start(self, schema: Schema) -> None:
        self._format.wanted = schema
        if self._open is None:
            self._open = self._given or self._connect()
            await self._warn_of_old_server()
        if self._name == self._alias:
            served = await self._served()
            if served is None:
                served = f"{self._alias}_{_FIRST}"
                await self._create(served, schema)
                await self._point_alias_to(served, None)
            self._schemas[served] = schema
        info = await self._verify()
        await self._ensure_field_indexes(schema, info)
        await self._follow_layout(info)
        if self._format.mismatch is not None:
            raise SchemaMismatchError(str(self._format.mismatch))

    def _connect(self) -> AsyncQdrantClient:
        return AsyncQdrantClient(
            url=self._url,
            api_key=self._api_key,
            timeout=self._seconds,
            check_compatibility=False,  # it would query the server in the constructor and block the event loop
        )

    async def version(self) -> str:
        """The server's version; also works while the index is not open. Raises ``PalimpsestError``."""
        client = self._open or self._given or self._connect()
        try:
            return str((await safely(client.info())).version)
        finally:
            if client not in (self._open, self._given):
                await client.close()

    async def _warn_of_old_server(self) -> None:
        version = await self.version()
        if tuple(int(part) for part in version.split(".")[:2] if part.isdigit()) < _IDF_PER_USER:
            log.warning("Qdrant %s counts document frequencies over all users; 1.19 counts them per user", version)

    async def stop(self) -> None:
        client, self._open = self._open, None
        if client is not None and client is not self._given:
            await client.close()

    @property
    def _client(self) -> AsyncQdrantClient:
        if self._open is None:
            raise rules.unreachable("the index is not open")
        return self._open

    async def _served(self) -> str | None:
        found = await safely(self._client.get_aliases())
        return next((one.collection_name for one in found.aliases if one.alias_name == self._alias), None)

    async def _create(self, name: str, schema: Schema) -> None:
        """Create the collection. If two processes start together, both try it, and one gets an error that it exists."""
        if not await safely(self._client.collection_exists(name)):
            await safely(self._create_if_missing(name, schema))

    async def _create_if_missing(self, name: str, schema: Schema) -> None:
        dense = models.VectorParams(size=schema.dimension, distance=models.Distance.COSINE)
        lexical = models.SparseVectorParams(modifier=models.Modifier.IDF)
        try:
            await self._client.create_collection(
                name,
                vectors_config={schema.dense_name: dense},
                sparse_vectors_config={schema.lexical_name: lexical},
                metadata={"model": schema.model},
                **qdrant_layout.creation(self._layout),
            )
        except UnexpectedResponse as error:
            if error.status_code != CONFLICT:
                raise

    async def _point_alias_to(self, name: str, before: str | None) -> None:
        operations: list[models.AliasOperations] = []
        if before is not None:
            operations.append(models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=self._alias)))
        operations.append(
            models.CreateAliasOperation(create_alias=models.CreateAlias(collection_name=name, alias_name=self._alias))
        )
        await safely(self._client.update_collection_aliases(operations))

    async def _verify(self) -> models.CollectionInfo:
        """Compare the stored form with the wanted one; ``healthy`` repeats this, because other processes may swap."""
        info = await safely(self._client.get_collection(self._name))
        vectors = info.config.params.vectors
        named = vectors if isinstance(vectors, dict) else {"": vectors} if vectors else {}
        self._format.compare(
            rules.Stored(
                model=(info.config.metadata or {}).get("model"),
                dense={name: (made.size, made.distance.value) for name, made in named.items()},
                lexical=tuple(info.config.params.sparse_vectors or {}),
            )
        )
        self._points = info.points_count or 0
        return info

    async def _ensure_field_indexes(self, schema: Schema, info: models.CollectionInfo) -> None:
        for name, params in qdrant_layout.field_indexes(schema).items():
            if name not in info.payload_schema:
                await safely(self._client.create_payload_index(self._name, name, params))

    async def _follow_layout(self, info: models.CollectionInfo) -> None:
        """Apply a changed layout. The server keeps answering, and rebuilds its graphs in the background."""
        changes = qdrant_layout.changes(self._layout, info)
        if changes:
            log.warning("the collection %s is changed to what the settings say: %s", self._name, ", ".join(changes))
            await safely(self._client.update_collection(self._name, **changes))

    async def upsert(self, points: Sequence[Point]) -> None:
        rules.checked_points(points)
        client = self._client
        made = [
            models.PointStruct(
                id=point.id, vector=self._format.vectors(point, _sparse), payload=rules.present(point.payload)
            )
            for point in points
        ]
        for batch in batches(made, rules.WRITE_BATCH):
            await safely(client.upsert(self._name, batch))
        self._points += len(made)

    async def set_dense(self, vectors: Mapping[str, Vector]) -> None:
        name, dimension = self._format.dense
        for batch in batches(list(vectors), rules.WRITE_BATCH):
            made = {i: rules.checked_vector(vectors[i], dimension) for i in batch}
            try:
                await self._set_dense(name, made)
            except PalimpsestError as error:
                if error.problem.category != "server":  # a missing point is reported in the same way
                    raise
                await self._set_dense(name, made)  # a point may have been deleted after its existence was checked

    async def _set_dense(self, name: str, vectors: Mapping[str, list[float]]) -> None:
        records = await safely(self._client.retrieve(self._name, list(vectors), with_payload=False))
        made = [models.PointVectors(id=record.id, vector={name: vectors[str(record.id)]}) for record in records]
        if made:
            await safely(self._client.update_vectors(self._name, made))

    async def set_payload(self, ids: Sequence[str], payload: Payload) -> None:
        if ids:
            known = models.Filter(must=[models.HasIdCondition(has_id=list(ids))])
            await safely(self._client.set_payload(self._name, payload, points=known))

    async def delete(self, ids: Sequence[str]) -> None:
        if ids:
            await safely(self._client.delete(self._name, models.PointIdsList(points=list(ids))))

    async def delete_where(self, where: Where) -> None:
        await safely(self._client.delete(self._name, models.FilterSelector(filter=filter_of(rules.owned(where)))))

    async def query_dense(self, vector: Vector, where: Where, limit: int) -> list[Hit]:
        name, dimension = self._format.dense
        exact = self._points <= EXACT_BELOW
        filters = [filter_of(where)] if exact else filters_by_owner(where)
        params = models.SearchParams(exact=exact)
        return await self._query(rules.checked_vector(vector, dimension), name, filters, limit, params)

    async def query_lexical(
        self, vector: SparseVector, where: Where, limit: int, corpus: Where | None = None
    ) -> list[Hit]:
        counted = filter_of(corpus or rules.idf_corpus(where))
        if not vector.indices:
            return []
        params = models.SearchParams(exact=True, idf=models.IdfCorpusParams(corpus=counted))
        return await self._query(_sparse(vector), self._format.lexical, [filter_of(where)], limit, params)

    async def _query(
        self,
        query: list[float] | models.SparseVector,
        using: str,
        filters: Sequence[models.Filter],
        limit: int,
        params: models.SearchParams,
    ) -> list[Hit]:
        """The best hits that match any of ``filters``."""

        async def ask(one: models.Filter, wanted: int) -> list[Hit]:
            found = await safely(
                self._client.query_points(
                    self._name,
                    query,
                    using=using,
                    query_filter=one,
                    search_params=params,
                    limit=wanted,
                    with_payload=False,
                )
            )
            return [Hit(str(point.id), point.score) for point in found.points]

        async def fetch(wanted: int) -> list[Hit]:
            answers = await asyncio.gather(*(ask(one, wanted) for one in filters))
            found = {hit.id: hit for answer in answers for hit in answer}
            return sorted(found.values(), key=lambda hit: -hit.score)[:wanted]

        return await rules.best(fetch, limit)

    async def count(self, where: Where) -> int:
        return (await safely(self._client.count(self._name, filter_of(where), exact=True))).count

    async def scroll(
        self, where: Where | None, limit: int, after: str | None = None, with_vectors: bool = False
    ) -> tuple[list[Point], str | None]:
        records, _ = await safely(
            self._client.scroll(
                self._name,
                scroll_filter=None if where is None else filter_of(where),
                limit=limit + 2,  # the one at ``after``, and one more to know whether there is another page
                offset=after,
                with_vectors=with_vectors,
            )
        )
        found = [record for record in records if str(record.id) != after]
        page = [self._point(record) for record in found[:limit]]
        return page, page[-1].id if page and len(found) > limit else None

    async def retrieve(self, ids: Sequence[str], with_vectors: bool = False) -> list[Point]:
        if not ids:
            return []
        records = await safely(self._client.retrieve(self._name, list(ids), with_vectors=with_vectors))
        return [self._point(record) for record in records]

    def _point(self, record: models.Record) -> Point:
        return self._format.point(record.id, rules.present(record.payload or {}), record.vector or {})

    async def rebuild(self, name: str, schema: Schema) -> QdrantIndex:
        """Also continues an unfinished collection with this name and schema; one with another schema is emptied."""
        if rules.checked_name(name) in (self._alias, await self._served()):
            raise ValueError(f"{name} is being served")
        index = self._for_collection(name)
        await index._create(name, schema)
        try:
            await index.start(schema)
        except SchemaMismatchError:
            await safely(self._client.delete_collection(name))
            await index._create(name, schema)
            await index.start(schema)
        self._schemas[name] = schema
        return index

    def _for_collection(self, name: str) -> Self:
        index = type(self)(client=self._client, collection=self._alias, layout=self._layout)
        index._open, index._name = self._client, name
        return index

    async def serving(self) -> str:
        served = await self._served()
        if served is None:
            raise rules.no_collection(self._alias)
        return served

    async def swap(self, name: str) -> str:
        before = await self._served()
        if before is None or not await safely(self._client.collection_exists(name)):
            raise rules.no_collection(name)
        await self._point_alias_to(name, before)
        self._format.wanted = self._schemas.get(name, self._format.wanted)
        await self._verify()
        return before

    async def drop(self, name: str) -> None:
        if rules.checked_name(name) == await self._served():
            raise ValueError(f"{name} is being served")
        await safely(self._client.delete_collection(name))

    async def healthy(self) -> bool:
        """Whether the server answers for the collection; its schema is compared again at the same time."""
        try:
            await self._verify()
        except PalimpsestError:
            return False
        return True


def _sparse(vector: SparseVector) -> models.SparseVector:
    return models.SparseVector(indices=vector.indices, values=vector.values)
