"""Tests details of the Qdrant adapter: how it handles servers' replies to failed requests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from uuid import UUID

import numpy as np
import pytest
from qdrant_client import AsyncQdrantClient, models
from qdrant_client.http.exceptions import UnexpectedResponse

from core.errors import PalimpsestError
from core.setting_groups import Qdrant
from core.store.index import Point, Schema, SchemaMismatchError, SparseVector, Where
from core.store.qdrant import QdrantIndex, filters_by_owner
from tests.qdrant_server import QdrantServer, running_qdrant
from tests.servers.local import LocalServer, Reply, hang_up, json_reply, silence

SCHEMA = Schema("small", 4, indexed_numbers=("created_at", "score"))
ADA = Where("ada")
ONE = str(UUID(int=1))


def error(text: str, status: int) -> Reply:
    """An error in Qdrant's format."""
    return json_reply({"status": {"error": text}, "time": 0.00001}, status)


def point(number: int, dense: np.ndarray | None = None) -> Point:
    return Point(str(UUID(int=number)), {"user_id": "ada", "tier": "books"}, SparseVector([1], [1.0]), dense)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QdrantServer]:
    with running_qdrant(tmp_path_factory.mktemp("qdrant")) as running:
        yield running


@pytest.fixture
async def index(server: QdrantServer) -> AsyncIterator[QdrantIndex]:
    made = QdrantIndex(url=server.url, seconds=2)
    await made.start(SCHEMA)
    yield made
    await made.stop()
    server.empty()


@pytest.mark.parametrize(
    ("reply", "category"),
    [
        (error("Must provide an API key or an Authorization bearer token", 401), "auth"),
        (error("Forbidden: Global manage access is required", 403), "auth"),
        (error("Not found: Collection `memories_v1` doesn't exist!", 404), "not_found"),
        (error("Operation 'count' timed out after 10 seconds", 408), "connection"),
        (error("Rate limiting exceeded: Read rate limit exceeded", 429), "connection"),
        (error("Service internal error: panicked", 500), "server"),
        (json_reply({}, 502), "connection"),
        (error("The replica set for shard 0 has no active replica", 503), "connection"),
        (error("Insufficient storage: no disk space left", 507), "server"),
        (hang_up(), "connection"),
        (silence(), "connection"),
    ],
    ids=[
        "no key",
        "forbidden",
        "no collection",
        "late",
        "many",
        "error",
        "gateway",
        "shard",
        "disk",
        "hung up",
        "silent",
    ],
)
async def test_an_answer_is_said_as_what_it_means(reply: Reply, category: str) -> None:
    async with LocalServer(reply) as local:
        index = QdrantIndex(url=local.url, seconds=1)
        index._open = index._connect()
        with pytest.raises(PalimpsestError) as raised:
            await index.count(ADA)
        await index.stop()
    assert raised.value.problem.category == category


async def test_a_server_that_asks_for_a_pause_is_left_alone() -> None:
    """The client raises a special error for a reply that names a waiting time."""

    async def reply(writer: asyncio.StreamWriter) -> None:
        body = b'{"status":{"error":"Rate limiting exceeded"},"time":0}'
        writer.write(b"HTTP/1.1 429 X\r\nRetry-After: 3\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        await writer.drain()

    async with LocalServer(reply) as local:
        index = QdrantIndex(url=local.url, seconds=1)
        index._open = index._connect()
        with pytest.raises(PalimpsestError) as raised:
            await index.count(ADA)
        await index.stop()
    assert raised.value.problem.category == "connection"


async def test_processes_that_start_at_once_share_one_collection(server: QdrantServer) -> None:
    indexes = [QdrantIndex(url=server.url) for _ in range(6)]
    await asyncio.gather(*(index.start(SCHEMA) for index in indexes))
    await indexes[0].upsert([point(1)])
    assert [await index.count(ADA) for index in indexes] == [1] * 6
    for index in indexes:
        await index.stop()
    server.empty()


async def test_who_comes_second_to_make_a_collection_goes_on(index: QdrantIndex, server: QdrantServer) -> None:
    """The server replies with a conflict."""
    served = await index.serving()
    with pytest.raises(UnexpectedResponse) as raised:
        await index._client.create_collection(served, vectors_config={})
    assert raised.value.status_code == 409
    await index._create_if_missing(served, SCHEMA)


async def test_a_collection_that_somebody_removed_is_not_there(index: QdrantIndex, server: QdrantServer) -> None:
    server.empty()
    with pytest.raises(PalimpsestError) as raised:
        await index.count(ADA)
    assert raised.value.problem.category == "not_found"
    assert not await index.healthy()


async def test_vectors_of_another_model_than_is_served_by_now_are_a_mismatch(
    index: QdrantIndex, server: QdrantServer
) -> None:
    """Another process reindexed with its own model and switched the alias, so this process's vectors have the wrong
    size."""
    other = QdrantIndex(url=server.url)
    with pytest.raises(SchemaMismatchError):
        await other.start(Schema("large", 8))
    await other.rebuild("fresh", Schema("large", 8))
    await other.swap("fresh")
    dense = np.ones(4, dtype=np.float32)
    await index.upsert([point(1)])
    for refused in (index.upsert([point(2, dense)]), index.query_dense(dense, ADA, 5), index.set_dense({ONE: dense})):
        with pytest.raises(SchemaMismatchError):
            await refused
    assert await index.count(ADA) == 1
    await other.stop()


async def test_a_vector_for_a_point_that_goes_meanwhile_is_let_go(
    index: QdrantIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The point exists when it is looked up, and is gone when its vector arrives."""
    await index.upsert([point(1), point(2)])
    retrieve = AsyncQdrantClient.retrieve
    looked = 0

    async def and_then_remove(client: AsyncQdrantClient, *given: object, **named: object) -> object:
        nonlocal looked
        found = await retrieve(client, *given, **named)  # type: ignore[arg-type]
        looked += 1
        if looked == 1:
            await index.delete([ONE])
        return found

    monkeypatch.setattr(AsyncQdrantClient, "retrieve", and_then_remove)
    await index.set_dense({str(UUID(int=number)): np.ones(4, dtype=np.float32) for number in (1, 2)})
    assert [hit.id for hit in await index.query_dense(np.ones(4, dtype=np.float32), ADA, 5)] == [str(UUID(int=2))]


async def test_a_server_that_is_killed_is_taken_up_again_with_what_it_acknowledged(tmp_path: Path) -> None:
    with running_qdrant(tmp_path / "qdrant") as server:
        index = QdrantIndex(url=server.url, seconds=1)
        await index.start(SCHEMA)
        await index.upsert([point(1, np.ones(4, dtype=np.float32))])
        server.freeze()
        assert not await index.healthy()
        server.thaw()
        server.kill()
        assert not await index.healthy()
        server.start()
        assert await index.healthy()
        assert await index.count(ADA) == 1
        assert await index.serving() == "memories_v1_first"
        await index.stop()


def layout(info: models.CollectionInfo) -> tuple[object, ...]:
    params, graph = info.config.params, info.config.hnsw_config
    held = (params.shard_number, params.replication_factor, params.write_consistency_factor)
    return graph.m, graph.payload_m, *held, info.config.quantization_config


async def test_a_collection_is_laid_out_for_many_people(index: QdrantIndex) -> None:
    info = await index._client.get_collection("memories_v1")
    assert layout(info) == (0, 16, 1, 1, 1, None)
    fields = {name: (one.data_type, one.params) for name, one in info.payload_schema.items()}
    kind, user = fields["user_id"]
    assert isinstance(user, models.KeywordIndexParams)
    assert (user.is_tenant, user.enable_hnsw) == (True, True)
    tier = fields["tier"][1]
    assert isinstance(tier, models.KeywordIndexParams)
    assert (tier.is_tenant, tier.enable_hnsw) == (None, False)
    assert {str(fields[name][0].value) for name in ("created_at", "score")} == {"float"}
    assert kind == models.PayloadSchemaType.KEYWORD


async def test_an_earlier_collection_is_changed_in_place_but_for_its_shards(
    index: QdrantIndex, server: QdrantServer
) -> None:
    wanted = Qdrant(graph="all", links=32, shards=6, replicas=3, write_replicas=2, quantization="scalar")
    later = QdrantIndex(url=server.url, layout=wanted)
    await index.upsert([point(1)])
    await later.start(SCHEMA)
    info = await later._client.get_collection("memories_v1")
    *held, quantization = layout(info)
    assert held == [32, 32, 1, 3, 2]
    assert isinstance(quantization, models.ScalarQuantization)
    assert await later.count(ADA) == 1
    await later.rebuild("fresh", SCHEMA)
    assert layout(await later._client.get_collection("fresh"))[2] == 6
    await index.start(SCHEMA)
    assert layout(await index._client.get_collection("memories_v1")) == (0, 16, 1, 1, 1, None)
    await later.stop()


def test_more_copies_than_there_are_cannot_be_waited_for() -> None:
    with pytest.raises(ValueError, match="WRITE_REPLICAS"):
        Qdrant(replicas=1, write_replicas=2)


async def test_own_and_shared_passages_are_asked_for_by_the_graph_of_each(
    index: QdrantIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search graph of one user's points leads to no other user's points, so own and shared passages are searched
    separately. A hit found twice is returned once; the best hits come first."""
    vectors = np.random.default_rng(7).normal(size=(60, 4)).astype(np.float32)
    owners = ("ada", None), ("bob", "office"), ("ada", "office"), ("eve", None)
    await index.upsert(
        [
            Point(str(UUID(int=number)), {"user_id": user, "org_id": group, "tier": "books"}, None, vectors[number])
            for number, (user, group) in ((number, owners[number % 4]) for number in range(60))
        ]
    )
    where = Where("ada", {"tier": ["books"]}, org_id="office")
    scanned = await index.query_dense(vectors[0], where, 12)
    asked: list[object] = []
    query = AsyncQdrantClient.query_points

    async def and_note(client: AsyncQdrantClient, *given: object, **named: object) -> object:
        asked.append(named["query_filter"])
        return await query(client, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(AsyncQdrantClient, "query_points", and_note)
    monkeypatch.setattr("core.store.qdrant.EXACT_BELOW", -1)
    assert await index.query_dense(vectors[0], where, 12) == scanned
    assert asked == filters_by_owner(where)
    assert len(asked) == 2
