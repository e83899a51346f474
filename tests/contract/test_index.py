"""Tests the ``Index`` contract on both engines: in this process, and behind a Qdrant stand-in's REST API."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol
from uuid import UUID

import numpy as np
import pytest
from qdrant_client import AsyncQdrantClient, models

from core.errors import PalimpsestError
from core.store.edge import EdgeIndex
from core.store.edge_collection import Collection, write_json
from core.store.index import Hit, Index, Payload, Point, Schema, SchemaMismatchError, SparseVector, Where
from core.store.qdrant import QdrantIndex
from tests.qdrant_server import QdrantServer, running_qdrant

SCHEMA = Schema("small", 4)
ADA, BOB = Where("ada"), Where("bob")


class Engine(Protocol):
    """A place where an index is stored. ``index()`` opens it, and may be called again after the previous index was
    stopped."""

    def index(self) -> Index: ...

    async def close(self) -> None: ...


class Edge:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made: list[EdgeIndex] = []

    def index(self) -> Index:
        self.made.append(EdgeIndex(self.folder))
        return self.made[-1]

    async def close(self) -> None:
        for index in self.made:
            await index.stop()


class Server:
    """A server that several indexes share; it is emptied before the next test."""

    def __init__(self, server: QdrantServer) -> None:
        self.server = server
        self.made: list[QdrantIndex] = []

    def index(self) -> Index:
        self.made.append(QdrantIndex(url=self.server.url))
        return self.made[-1]

    async def close(self) -> None:
        for index in self.made:
            await index.stop()
        self.server.empty()


@pytest.fixture(scope="module")
def qdrant(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QdrantServer]:
    with running_qdrant(tmp_path_factory.mktemp("qdrant")) as server:
        yield server


@pytest.fixture(params=["edge", "qdrant"])
async def engine(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Engine]:
    made: Engine = Edge(tmp_path / "index") if request.param == "edge" else Server(request.getfixturevalue("qdrant"))
    yield made
    await made.close()


@pytest.fixture
async def index(engine: Engine) -> Index:
    made = engine.index()
    await made.start(SCHEMA)
    return made


def uid(number: int) -> str:
    return str(UUID(int=number))


def vector(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float32)


def point(
    number: int,
    user: str = "ada",
    terms: Sequence[int] = (1,),
    dense: np.ndarray | None = None,
    **payload: str | float | bool | list[str] | None,
) -> Point:
    fields: Payload = {"user_id": user, "tier": "books", "status": "active", **payload}
    return Point(uid(number), fields, SparseVector(list(terms), [1.0] * len(terms)), dense)


def asking(*terms: int) -> SparseVector:
    return SparseVector(list(terms), [1.0] * len(terms))


def ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.id for hit in hits]


def numbered(*numbers: int) -> list[str]:
    return [uid(number) for number in numbers]


async def only(index: Index, number: int) -> Point:
    found, _ = await index.scroll(None, 100, with_vectors=True)
    return next(one for one in found if one.id == uid(number))


async def test_starting_twice_and_again_keeps_what_is_there(engine: Engine) -> None:
    first = engine.index()
    await first.start(SCHEMA)
    await first.start(SCHEMA)
    await first.upsert([point(1)])
    await first.stop()
    second = engine.index()
    await second.start(SCHEMA)
    assert await second.count(ADA) == 1
    assert await second.healthy()


async def test_a_field_index_that_is_missing_is_added(engine: Engine) -> None:
    first = engine.index()
    await first.start(Schema("small", 4, indexed_fields=("user_id",)))
    await first.upsert([point(1, tags=["x"])])
    await first.stop()
    second = engine.index()
    await second.start(SCHEMA)
    assert await second.count(Where("ada", {"tags": ["x"]})) == 1


async def test_a_point_is_found_by_text_first_and_by_meaning_later(index: Index) -> None:
    await index.upsert([point(1, terms=[7]), point(2, terms=[8])])
    assert ids(await index.query_lexical(asking(7), ADA, 5)) == numbered(1)
    assert await index.query_dense(vector(1, 0, 0, 0), ADA, 5) == []
    await index.set_dense({uid(1): vector(2, 0, 0, 0), uid(99): vector(1, 0, 0, 0)})
    hits = await index.query_dense(vector(1, 0, 0, 0), ADA, 5)
    assert ids(hits) == numbered(1)
    assert hits[0].score == pytest.approx(1.0)
    assert ids(await index.query_lexical(asking(7), ADA, 5)) == numbered(1)


async def test_the_dense_score_is_the_cosine(index: Index) -> None:
    await index.upsert([point(1, dense=vector(3, 4, 0, 0)), point(2, dense=vector(-1, 0, 0, 0))])
    hits = await index.query_dense(vector(5, 0, 0, 0), ADA, 5)
    assert [(hit.id, pytest.approx(hit.score)) for hit in hits] == [(uid(1), 0.6), (uid(2), -1.0)]


async def test_setting_a_payload_merges_and_keeps_the_vectors(index: Index) -> None:
    await index.upsert([point(1, dense=vector(0, 1, 0, 0), tags=["x"], score=0.5), point(2)])
    await index.set_payload([uid(1), uid(99)], {"status": "archived", "score": None, "always": True})
    found = await only(index, 1)
    assert found.payload == {
        "user_id": "ada",
        "tier": "books",
        "status": "archived",
        "tags": ["x"],
        "always": True,
    }
    assert found.dense is not None
    assert found.dense.tolist() == [0, 1, 0, 0]
    assert found.lexical == SparseVector([1], [1.0])
    assert (await only(index, 2)).payload["status"] == "active"


async def test_a_point_that_changes_its_tier_is_found_in_the_new_one_alone(index: Index) -> None:
    await index.upsert([point(1, tier="working"), point(2), Point(uid(3), {"user_id": "ada"}), point(4, "bob")])
    await index.set_payload(numbered(1, 3, 4, 99), {"tier": "history"})
    history, working = Where("ada", {"tier": ["history"]}), Where("ada", {"tier": ["working"]})
    assert [one.id for one in (await index.scroll(history, 9))[0]] == numbered(1, 3)
    assert await index.count(working) == 0
    assert await index.count(Where("ada", {"tier": ["history", "books"]})) == 3
    assert await index.count(Where("ada", {}, {"tier": ["history"]})) == 1
    assert await index.count(Where("bob", {"tier": ["history"]})) == 1
    await index.set_payload(numbered(1), {"tier": None})
    assert await index.count(history) == 1
    assert (await only(index, 3)).payload == {"user_id": "ada", "tier": "history"}


async def test_an_upsert_replaces_the_point(index: Index) -> None:
    await index.upsert([point(1, terms=[7], tags=["x"])])
    await index.upsert([point(1, terms=[8], note=None)])
    assert await index.query_lexical(asking(7), ADA, 5) == []
    assert (await only(index, 1)).payload == {"user_id": "ada", "tier": "books", "status": "active"}


async def test_a_point_may_have_no_vector_at_all(index: Index) -> None:
    await index.upsert([Point(uid(1), {"user_id": "ada"})])
    assert await index.count(ADA) == 1


async def test_deleting_ignores_what_is_not_there(index: Index) -> None:
    await index.upsert([point(1), point(2)])
    await index.delete([uid(1), uid(99)])
    await index.delete([])
    assert ids(await index.query_lexical(asking(1), ADA, 5)) == numbered(2)


async def test_deleting_where_stays_with_the_user(index: Index) -> None:
    await index.upsert([point(1, document_id="d"), point(2), point(3, "bob", document_id="d")])
    await index.delete_where(Where("ada", {"document_id": ["d"]}))
    assert await index.count(ADA) == 1
    assert await index.count(BOB) == 1


async def test_points_are_retrieved_by_id_with_their_vectors_when_asked(index: Index) -> None:
    await index.upsert([point(1, terms=(7,), dense=vector(1, 0, 0, 0), tags=["goal"]), point(2, "bob")])
    assert await index.retrieve([]) == []
    found = {each.id: each for each in await index.retrieve(numbered(2, 1, 9))}
    assert sorted(found) == numbered(1, 2)
    assert found[uid(1)].payload["tags"] == ["goal"]
    assert found[uid(1)].dense is None
    (whole,) = await index.retrieve(numbered(1), with_vectors=True)
    assert whole.dense is not None
    assert whole.dense.tolist() == [1, 0, 0, 0]
    assert whole.lexical == SparseVector([7], [1.0])


@pytest.mark.parametrize("page", [1, 2, 3, 5, 6])
async def test_scrolling_gives_every_point_once_in_id_order(index: Index, page: int) -> None:
    await index.upsert([point(number) for number in (5, 3, 1, 2, 4)] + [point(6, "bob")])
    seen: list[str] = []
    after: str | None = None
    for _ in range(10):
        points, after = await index.scroll(ADA, page, after)
        seen += [one.id for one in points]
        if after is None:
            break
    assert seen == numbered(1, 2, 3, 4, 5)


async def test_scrolling_goes_on_when_its_last_point_is_deleted(index: Index) -> None:
    await index.upsert([point(number) for number in range(1, 6)])
    _, after = await index.scroll(None, 2)
    assert after == uid(2)
    await index.delete([after])
    points, after = await index.scroll(None, 3, after)
    assert [one.id for one in points] == numbered(3, 4, 5)
    assert after is None


async def test_scrolling_gives_vectors_when_asked(index: Index) -> None:
    await index.upsert([point(1, dense=vector(1, 0, 0, 0))])
    [bare], _ = await index.scroll(ADA, 5)
    assert (bare.lexical, bare.dense) == (None, None)
    [full], _ = await index.scroll(ADA, 5, with_vectors=True)
    assert full.lexical == SparseVector([1], [1.0])
    assert full.dense is not None


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (Where("ada"), [1, 2, 3, 4]),
        (Where("ada", {"tags": ["x"]}), [1, 2]),
        (Where("ada", {"tags": ["x", "z"]}), [1, 2, 3]),
        (Where("ada", {"tags": ["x"], "tier": ["books"]}), [1]),
        (Where("ada", {}, {"tags": ["x"]}), [3, 4]),
        (Where("ada", {}, {"tags": ["y", "z"]}), [1, 4]),
        (Where("ada", {"tags": ["x"]}, {"tier": ["books"]}), [2]),
        (Where("ada", {"tags": []}), []),
        (Where("ada", {}, {"tags": []}), [1, 2, 3, 4]),
        (Where("ada", {"unknown": ["x"]}), []),
        (Where("bob", {"tags": ["x"]}), [5]),
        (Where("eve"), []),
    ],
)
async def test_filters(index: Index, where: Where, expected: list[int]) -> None:
    dense = vector(1, 0, 0, 0)
    await index.upsert(
        [
            point(1, tags=["x"], dense=dense),
            point(2, tags=["x", "y"], tier="history", dense=dense),
            point(3, tags=["z"], dense=dense),
            point(4, dense=dense),
            point(5, "bob", tags=["x"], dense=dense),
        ]
    )
    assert await index.count(where) == len(expected)
    assert ids(await index.query_lexical(asking(1), where, 9)) == numbered(*expected)
    assert ids(await index.query_dense(dense, where, 9)) == numbered(*expected)
    assert [one.id for one in (await index.scroll(where, 9))[0]] == numbered(*expected)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (Where("bob", org_id="office"), [1, 2, 5]),
        (Where("bob", {"tier": ["books"]}, org_id="office"), [1, 5]),
        (Where("bob", {"tier": ["books"], "tags": ["x"]}, org_id="office"), [1]),
        (Where("bob", {}, {"tags": ["x"]}, org_id="office"), [2, 5]),
        (Where("bob", org_id="archive"), [3, 5]),
        (Where("bob"), [5]),
        (Where("ada"), [1, 2, 3, 4]),
    ],
)
async def test_a_group_is_seen_beside_one_s_own(index: Index, where: Where, expected: list[int]) -> None:
    dense = vector(1, 0, 0, 0)
    await index.upsert(
        [
            point(1, tags=["x"], dense=dense, org_id="office"),
            point(2, tier="history", dense=dense, org_id="office"),
            point(3, dense=dense, org_id="archive"),
            point(4, dense=dense),
            point(5, "bob", dense=dense),
        ]
    )
    assert await index.count(where) == len(expected)
    assert ids(await index.query_lexical(asking(1), where, 9)) == numbered(*expected)
    assert ids(await index.query_dense(dense, where, 9)) == numbered(*expected)
    assert [one.id for one in (await index.scroll(where, 9))[0]] == numbered(*expected)


async def test_what_is_taken_back_from_a_group_is_the_owner_s_alone(index: Index) -> None:
    await index.upsert([point(1)])
    await index.set_payload(numbered(1), {"org_id": "office"})
    assert await index.count(Where("bob", org_id="office")) == 1
    await index.set_payload(numbered(1), {"org_id": None})
    assert await index.count(Where("bob", org_id="office")) == 0
    assert await index.count(ADA) == 1


async def test_nobody_deletes_what_is_a_group_s(index: Index) -> None:
    await index.upsert([point(1, org_id="office")])
    with pytest.raises(ValueError, match="own"):
        await index.delete_where(Where("bob", org_id="office"))
    assert await index.count(ADA) == 1


async def test_document_frequencies_are_those_of_what_may_be_seen(index: Index) -> None:
    """A group's passages are counted in document frequencies only when a member of the group searches."""
    await index.upsert([point(n, terms=terms, org_id="office") for n, terms in ((1, [1, 2]), (2, [1]))])
    alone, member = Where("ada", {"tier": ["books"]}), Where("ada", {"tier": ["books"]}, org_id="office")
    before = await index.query_lexical(asking(1, 2), alone, 5)
    assert await index.query_lexical(asking(1, 2), member, 5) == before
    await index.upsert([point(number, "bob", terms=[2], org_id="office") for number in range(10, 40)])
    assert await index.query_lexical(asking(1, 2), alone, 5) == before
    counted = await index.query_lexical(asking(1, 2), member, 1)
    assert counted == await index.query_lexical(asking(1, 2), Where("bob", {"tier": ["books"]}, org_id="office"), 1)
    assert counted[0].score != pytest.approx(before[0].score)


@pytest.mark.parametrize("where", [Where(""), Where("", org_id="office"), Where("ada", {"user_id": ["bob"]})])
async def test_nobody_asks_without_being_one_user(index: Index, where: Where) -> None:
    with pytest.raises(ValueError, match="user"):
        await index.count(where)


async def test_a_point_without_a_user_is_refused(index: Index) -> None:
    with pytest.raises(ValueError, match="user_id"):
        await index.upsert([Point(uid(1), {"tier": "books"})])


async def test_an_empty_query_finds_nothing(index: Index) -> None:
    await index.upsert([point(1)])
    assert await index.query_lexical(SparseVector([], []), ADA, 5) == []


async def test_the_largest_term_id_is_kept(index: Index) -> None:
    await index.upsert([point(1, terms=[2**32 - 1]), point(2, terms=[2**31])])
    assert ids(await index.query_lexical(asking(2**32 - 1), ADA, 5)) == numbered(1)


async def test_ties_are_cut_by_id_whatever_the_order_of_writing(index: Index) -> None:
    numbers = list(range(1, 121))
    np.random.default_rng(1).shuffle(numbers)
    await index.upsert([point(number, dense=vector(1, 0, 0, 0)) for number in numbers])
    await index.set_payload(numbered(3, 1), {"status": "archived"})
    assert ids(await index.query_lexical(asking(1), ADA, 4)) == numbered(1, 2, 3, 4)
    assert ids(await index.query_dense(vector(1, 0, 0, 0), ADA, 4)) == numbered(1, 2, 3, 4)


async def test_document_frequencies_are_those_of_the_user_and_the_tiers(index: Index) -> None:
    await index.upsert([point(1, terms=[1, 2]), point(2, terms=[1])])
    before = await index.query_lexical(asking(1, 2), Where("ada", {"tier": ["books"]}), 5)
    others = [point(number, "bob", terms=[2]) for number in range(10, 40)]
    await index.upsert([*others, point(3, terms=[2], tier="history")])
    assert await index.query_lexical(asking(1, 2), Where("ada", {"tier": ["books"]}), 5) == before
    narrowed = Where("ada", {"tier": ["books"], "status": ["active"]})
    assert await index.query_lexical(asking(1, 2), narrowed, 5) == before
    wider = await index.query_lexical(asking(1, 2), Where("ada", {"tier": ["books"]}), 5, corpus=ADA)
    assert wider[0].score != pytest.approx(before[0].score)


@pytest.mark.parametrize(
    ("wanted", "differs"),
    [
        (Schema("large", 4), "the model is small, not large"),
        (Schema("small", 8), "the dimension is 4, not 8"),
        (Schema("small", 4, dense_name="meaning"), "the dense vector is named dense, not meaning"),
        (Schema("small", 4, lexical_name="words"), "the lexical vector is named lexical, not words"),
    ],
)
async def test_a_mismatch_is_loud_and_text_search_goes_on(engine: Engine, wanted: Schema, differs: str) -> None:
    first = engine.index()
    await first.start(SCHEMA)
    await first.upsert([point(1, dense=vector(1, 0, 0, 0))])
    await first.stop()
    second = engine.index()
    with pytest.raises(SchemaMismatchError) as raised:
        await second.start(wanted)
    assert differs in str(raised.value)
    assert f"Reindex to use {wanted.model}, or set the embedding model back to small" in str(raised.value)
    await second.upsert([point(2)])
    await second.set_payload([uid(2)], {"status": "archived"})
    assert ids(await second.query_lexical(asking(1), ADA, 5)) == numbered(1, 2)
    dense = np.ones(wanted.dimension, dtype=np.float32)
    for refused in (
        second.query_dense(dense, ADA, 5),
        second.set_dense({uid(1): dense}),
        second.upsert([point(3, dense=dense)]),
    ):
        with pytest.raises(SchemaMismatchError):
            await refused


async def test_a_mismatch_ends_when_a_rebuilt_collection_is_served(engine: Engine) -> None:
    first = engine.index()
    await first.start(SCHEMA)
    await first.stop()
    second = engine.index()
    wanted = Schema("large", 8)
    with pytest.raises(SchemaMismatchError):
        await second.start(wanted)
    rebuilt = await second.rebuild("fresh", wanted)
    await rebuilt.upsert([point(1, dense=np.ones(8, dtype=np.float32))])
    await second.swap("fresh")
    assert ids(await second.query_dense(np.ones(8, dtype=np.float32), ADA, 5)) == numbered(1)


@pytest.mark.parametrize("dense", [vector(1, 0), vector(1, 0, 0, float("nan"))])
async def test_a_bad_vector_is_refused_before_it_is_stored(index: Index, dense: np.ndarray) -> None:
    await index.upsert([point(1)])
    for refused in (index.set_dense({uid(1): dense}), index.upsert([point(2, dense=dense)])):
        with pytest.raises((SchemaMismatchError, ValueError)):
            await refused
    assert await index.count(ADA) == 1


async def test_rebuild_swap_and_drop_while_serving(index: Index, engine: Engine) -> None:
    await index.upsert([point(number) for number in range(1, 31)])
    rebuilt = await index.rebuild("second", SCHEMA)
    assert await rebuilt.count(ADA) == 0
    stopped = asyncio.Event()
    seen: set[int] = set()

    async def ask() -> None:
        while not stopped.is_set():
            seen.add(len(await index.query_lexical(asking(1), ADA, 50)))

    asker = asyncio.create_task(ask())
    await rebuilt.upsert([point(number) for number in range(1, 41)])
    assert await index.count(ADA) == 30
    before = await index.swap("second")
    assert await index.count(ADA) == 40
    assert await index.swap(before) == "second"
    assert await index.count(ADA) == 30
    assert await index.swap("second") == before
    await index.drop(before)
    stopped.set()
    await asker
    assert seen <= {30, 40}
    await rebuilt.stop()
    assert await index.count(ADA) == 40
    await index.stop()
    again = engine.index()
    await again.start(SCHEMA)
    assert await again.count(ADA) == 40
    with pytest.raises(PalimpsestError) as raised:
        await again.swap(before)
    assert raised.value.problem.category == "not_found"


async def test_an_unfinished_rebuild_is_gone_on_with_unless_made_for_another_model(index: Index) -> None:
    rebuilt = await index.rebuild("second", SCHEMA)
    await rebuilt.upsert([point(1)])
    await rebuilt.stop()
    assert await (await index.rebuild("second", SCHEMA)).count(ADA) == 1
    assert await (await index.rebuild("second", Schema("large", 8))).count(ADA) == 0


async def test_what_is_served_is_neither_dropped_nor_rebuilt(index: Index) -> None:
    await index.rebuild("second", SCHEMA)
    await index.swap("second")
    with pytest.raises(ValueError, match="being served"):
        await index.drop("second")
    with pytest.raises(ValueError, match="being served"):
        await index.rebuild("second", SCHEMA)
    with pytest.raises(ValueError, match="not a collection name"):
        await index.rebuild("../outside", SCHEMA)


async def test_a_closed_index_says_so_at_once(index: Index) -> None:
    await index.upsert([point(1)])
    await index.stop()
    calls: list[Callable[[], object]] = [
        lambda: index.count(ADA),
        lambda: index.query_lexical(asking(1), ADA, 5),
        lambda: index.upsert([point(2)]),
        lambda: index.scroll(None, 5),
    ]
    for call in calls:
        with pytest.raises(PalimpsestError) as raised:
            await call()  # type: ignore[misc]
        assert raised.value.problem.category == "connection"
    assert not await index.healthy()
    await index.start(SCHEMA)
    assert await index.healthy()


async def test_many_tasks_may_write_and_read_at_once(index: Index) -> None:
    async def write(user: str, start: int) -> None:
        for number in range(start, start + 30, 10):
            await index.upsert([point(n, user) for n in range(number, number + 10)])
            await index.set_dense({uid(n): vector(1, 0, 0, 0) for n in range(number, number + 10)})
            await index.query_dense(vector(1, 0, 0, 0), Where(user), 5)

    await asyncio.gather(*(write(user, start) for user, start in (("ada", 100), ("bob", 200), ("eve", 300))))
    assert [await index.count(Where(user)) for user in ("ada", "bob", "eve")] == [30, 30, 30]


async def test_another_distance_is_a_mismatch(engine: Engine, tmp_path: Path) -> None:
    if isinstance(engine, Server):
        client = AsyncQdrantClient(url=engine.server.url, check_compatibility=False)
        await client.create_collection(
            "memories_v1_first",
            vectors_config={"dense": models.VectorParams(size=4, distance=models.Distance.DOT)},
            sparse_vectors_config={"lexical": models.SparseVectorParams(modifier=models.Modifier.IDF)},
            metadata={"model": "small"},
        )
        await client.close()
    else:
        import qdrant_edge

        folder = tmp_path / "index" / "collections" / "memories_v1"
        (folder / "shard").mkdir(parents=True)
        write_json(folder / "schema.json", {"model": "small"})
        qdrant_edge.EdgeShard.create(
            str(folder / "shard"),
            qdrant_edge.EdgeConfig(
                vectors={"dense": qdrant_edge.EdgeVectorParams(4, qdrant_edge.Distance.Dot)},
                sparse_vectors={"lexical": qdrant_edge.EdgeSparseVectorParams(modifier=qdrant_edge.Modifier.Idf)},
            ),
        ).close()
    with pytest.raises(SchemaMismatchError, match="the distance is Dot, not Cosine"):
        await engine.index().start(SCHEMA)


async def test_a_server_that_is_not_there_is_a_connection_error() -> None:
    index = QdrantIndex(url="http://127.0.0.1:9", seconds=1)
    with pytest.raises(PalimpsestError) as raised:
        await index.start(SCHEMA)
    assert raised.value.problem.category == "connection"
    assert not await index.healthy()
    await index.stop()


async def test_a_folder_that_is_open_elsewhere_is_a_connection_error(tmp_path: Path) -> None:
    first, second = EdgeIndex(tmp_path), EdgeIndex(tmp_path)
    await first.start(SCHEMA)
    with pytest.raises(PalimpsestError) as raised:
        await second.start(SCHEMA)
    assert raised.value.problem.category == "connection"
    await first.upsert([point(1)])
    assert await first.count(ADA) == 1
    await first.stop()


async def test_an_unreadable_shard_is_set_aside(tmp_path: Path) -> None:
    first = EdgeIndex(tmp_path)
    await first.start(SCHEMA)
    await first.upsert([point(1)])
    await first.stop()
    collection = Collection(tmp_path / "collections" / "memories_v1")
    for path in (collection.folder / "shard" / "segments").glob("*/segment.json"):
        path.write_text("{torn")
    second = EdgeIndex(tmp_path)
    await second.start(SCHEMA)
    assert await second.count(ADA) == 0
    assert (collection.folder / "shard.unreadable").exists()
    await second.stop()


_CHILD = """
import asyncio, sys
from pathlib import Path
from uuid import UUID
import numpy as np
from core.store.edge import EdgeIndex
from core.store.index import Point, Schema, SparseVector

async def main():
    index = EdgeIndex(Path(sys.argv[1]))
    await index.start(Schema("small", 4))
    for number in range(1, 100_000):
        made = Point(str(UUID(int=number)), {"user_id": "ada"}, SparseVector([number], [1.0]))
        await index.upsert([made])
        await index.set_dense({made.id: np.ones(4, dtype=np.float32)})
        print(number, flush=True)

asyncio.run(main())
"""


@pytest.mark.faults
async def test_acknowledged_writes_survive_a_kill(tmp_path: Path) -> None:
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(sys.executable, "-c", _CHILD, str(tmp_path), stdout=pipe)
    assert child.stdout is not None
    acknowledged = 0
    async for line in child.stdout:
        acknowledged = int(line)
        if acknowledged == 200:
            child.kill()
    await child.wait()
    index = EdgeIndex(tmp_path)
    await index.start(SCHEMA)
    assert acknowledged >= 200
    assert await index.count(ADA) >= acknowledged
    assert len(await index.query_dense(np.ones(4, dtype=np.float32), ADA, acknowledged)) == acknowledged
    assert ids(await index.query_lexical(asking(acknowledged), ADA, 5)) == numbered(acknowledged)
    await index.stop()
