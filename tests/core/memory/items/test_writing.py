from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import PalimpsestError
from core.memory.items.reading import ITEMS
from core.memory.items.writing import MemoryItems
from core.memory.maintenance.consistency import Consistency
from core.models.embedding_cache import CachedEmbeddings, passage_key
from core.models.embeddings import Embeddings
from core.search.sparse_vectors import query_vector
from core.store.edge import EdgeIndex
from core.store.index import Index, Schema, Where
from core.store.index_rules import unreachable
from core.store.items import MemoryItem, SectionRole
from core.store.sqlite.truth import SqliteTruth

MakeItem = Callable[..., MemoryItem]
ADA, BOB = "ada", "bob"
DOCUMENT = "doc_1"
LATER = 50.0


class CrashError(Exception):
    """Raised at the moment at which the simulated process dies."""


class Brittle:
    """Passes every call on to the real object, unless the test has set this method to fail."""

    def __init__(self, inner: object) -> None:
        self._inner = inner
        self.broken: dict[str, Exception] = {}
        self.passes: dict[str, int] = {}

    def __getattr__(self, name: str) -> Any:
        if name in self.broken:
            if not self.passes.get(name):
                raise self.broken[name]
            self.passes[name] -= 1
        return getattr(self._inner, name)


class BrittleTruth(Brittle):
    """A record store whose items collection can be set to fail."""

    def __init__(self, inner: SqliteTruth) -> None:
        super().__init__(inner)
        self.items = Brittle(inner.collection(ITEMS))

    def collection(self, name: str) -> Any:
        return self.items if name == ITEMS else self._inner.collection(name)  # type: ignore[attr-defined]


@pytest.fixture
def brittle_index(index: EdgeIndex) -> Any:
    return Brittle(index)


@pytest.fixture
def brittle_truth(truth: SqliteTruth) -> Any:
    return BrittleTruth(truth)


@pytest.fixture
async def items(brittle_truth: Any, brittle_index: Any, embeddings: Embeddings) -> MemoryItems:
    made = MemoryItems(brittle_truth, brittle_index, embeddings, lambda: LATER)
    await made.ensure()
    return made


async def by_words(index: Index, word: str, user_id: str = ADA) -> int:
    """How many points of a user the index finds by a word."""
    where = Where(user_id, none_of={"status": ["deleted"]})
    return len(await index.query_lexical(query_vector([word]), where, 10))


async def by_meaning(index: Index, user_id: str = ADA) -> int:
    return len(await index.query_dense(np.ones(4, dtype=np.float32) / 2, Where(user_id), 10))


async def consistent(truth: SqliteTruth, index: Index) -> bool:
    """The index holds exactly the record store's items, with a vector for each item that is marked to have one."""
    rows = await truth.collection(ITEMS).find(fields=["indexed", "embedded"])
    points, _ = await index.scroll(None, 100, with_vectors=True)
    vectors = sum(point.dense is not None for point in points)
    return (
        all(row["indexed"] for row in rows)
        and len(points) == len(rows)
        and vectors == sum(bool(row["embedded"]) for row in rows)
    )


async def test_an_item_is_found_by_words_at_once_and_by_meaning_once_embedded(
    items: MemoryItems, index: EdgeIndex, make_item: MakeItem
) -> None:
    await items.add(ADA, [make_item(1, "zebra"), make_item(2, "walrus")])
    assert (await by_words(index, "zebra"), await by_meaning(index)) == (1, 0)

    assert await items.embed_pending(ADA, DOCUMENT, 10) == 2
    assert await by_meaning(index) == 2
    stored = await items.get(ADA, make_item(1, "").id)
    assert stored
    assert stored.embedded
    assert stored.embedding.model == "axes"
    assert stored.embedding.last_indexed_at == LATER


@pytest.mark.parametrize("role", ["cover", "contents", "signatures", "exhibits", "boilerplate"])
async def test_what_is_no_body_is_done_without_a_vector(
    role: SectionRole, items: MemoryItems, truth: SqliteTruth, index: EdgeIndex, make_item: MakeItem
) -> None:
    bare = make_item(2, "walrus")
    assert bare.source.book
    bare.source.book.role = role
    await items.add(ADA, [make_item(1, "zebra"), bare])
    assert await items.count_pending_vectors(ADA, DOCUMENT) == 1
    assert await items.embed_pending(ADA, DOCUMENT, 10) == 1
    assert await items.count_pending_vectors(ADA, DOCUMENT) == 0
    assert await items.pending_among(ADA, [bare.id]) == []
    assert (await by_words(index, "walrus"), await by_meaning(index)) == (1, 1)
    report = await Consistency(truth, items.points, lambda: LATER).check("axes")
    assert report.differences == 0
    assert await items.repair() == 0


async def test_an_item_from_before_there_were_roles_wants_its_vector(
    items: MemoryItems, truth: SqliteTruth, make_item: MakeItem
) -> None:
    await items.add(ADA, [make_item(1, "zebra")])
    row = await truth.collection(ITEMS).get(make_item(1, "").id)
    assert row
    del row["source"]["book"]["role"]  # type: ignore[call-overload, index, union-attr]
    await truth.collection(ITEMS).upsert(row)
    assert await items.count_pending_vectors(ADA, DOCUMENT) == 1


CRASHES = {
    "truth written, index failing": ("index", "upsert", 0),
    "index written, mark failing": ("truth", "bulk", 1),
}


@pytest.mark.parametrize(("where", "method", "passes"), CRASHES.values(), ids=CRASHES)
async def test_repair_finishes_what_a_crash_interrupts(
    where: str,
    method: str,
    passes: int,
    items: MemoryItems,
    brittle_truth: Any,
    brittle_index: Any,
    truth: SqliteTruth,
    index: EdgeIndex,
    make_item: MakeItem,
) -> None:
    breaking = brittle_index if where == "index" else brittle_truth.items
    breaking.broken[method], breaking.passes[method] = CrashError(), passes
    with pytest.raises(CrashError):
        await items.add(ADA, [make_item(1, "zebra"), make_item(2, "walrus")])
    breaking.broken.clear()
    assert not (await truth.collection(ITEMS).find(fields=["indexed"]))[0]["indexed"]

    assert await items.repair() == 2
    assert await consistent(truth, index)
    assert await by_words(index, "zebra") == 1
    assert await items.repair() == 0


@pytest.mark.parametrize(("where", "method"), [("index", "set_dense"), ("truth", "bulk")])
async def test_vectors_are_set_again_when_a_crash_comes_between_them_and_their_mark(
    where: str,
    method: str,
    items: MemoryItems,
    brittle_truth: Any,
    brittle_index: Any,
    truth: SqliteTruth,
    index: EdgeIndex,
    make_item: MakeItem,
) -> None:
    await items.add(ADA, [make_item(1, "zebra")])
    breaking = brittle_index if where == "index" else brittle_truth.items
    breaking.broken[method] = CrashError()
    with pytest.raises(CrashError):
        await items.embed_pending(ADA, DOCUMENT, 10)
    breaking.broken.clear()

    assert await items.count_pending_vectors(ADA, DOCUMENT) == 1
    assert await items.embed_pending(ADA, DOCUMENT, 10) == 1
    assert await consistent(truth, index)


async def test_an_index_that_fails_during_repair_leaves_the_work_for_the_next(
    items: MemoryItems, brittle_index: Any, truth: SqliteTruth, index: EdgeIndex, make_item: MakeItem
) -> None:
    brittle_index.broken["upsert"] = unreachable("down")
    for call in (lambda: items.add(ADA, [make_item(1, "zebra")]), items.repair):
        with pytest.raises(PalimpsestError):
            await call()
    brittle_index.broken.clear()
    await items.repair()
    assert await consistent(truth, index)


async def test_embedding_does_not_wait_for_repair(items: MemoryItems, brittle_index: Any, make_item: MakeItem) -> None:
    brittle_index.broken["upsert"] = CrashError()
    with pytest.raises(CrashError):
        await items.add(ADA, [make_item(1, "zebra")])
    brittle_index.broken.clear()
    assert await items.embed_pending(ADA, DOCUMENT, 10) == 1


async def test_embedding_and_repair_at_once_lose_no_vector(
    items: MemoryItems, truth: SqliteTruth, index: EdgeIndex, make_item: MakeItem
) -> None:
    await items.add(ADA, [make_item(number, "zebra") for number in range(1, 9)])
    await items.forget_index()

    async def embed() -> None:
        while await items.embed_pending(ADA, DOCUMENT, 2):
            pass

    await asyncio.gather(embed(), items.repair(), items.repair())
    assert await consistent(truth, index)
    assert await by_meaning(index) == 8


async def test_adding_the_same_ids_again_overwrites_them(
    items: MemoryItems, truth: SqliteTruth, index: EdgeIndex, make_item: MakeItem
) -> None:
    await items.add(ADA, [make_item(1, "zebra")])
    await items.embed_pending(ADA, DOCUMENT, 10)
    await items.add(ADA, [make_item(1, "walrus")])
    assert (await by_words(index, "zebra"), await by_words(index, "walrus")) == (0, 1)
    assert await by_meaning(index) == 0
    assert await consistent(truth, index)


async def test_a_pending_document_becomes_visible_in_one_step(items: MemoryItems, make_item: MakeItem) -> None:
    chunks = [make_item(number, "zebra", status="pending") for number in (1, 2)]
    await items.add(ADA, chunks)
    assert await items.load(ADA, [chunk.id for chunk in chunks]) == []
    await items.activate_document(ADA, DOCUMENT)
    assert len(await items.load(ADA, [chunk.id for chunk in chunks])) == 2
    assert [chunk.place.order for chunk in await items.of_document(ADA, DOCUMENT)] == [1, 2]


async def test_bury_and_revive(items: MemoryItems, index: EdgeIndex, make_item: MakeItem) -> None:
    item = make_item(1, "zebra")
    await items.add(ADA, [item])
    await items.bury_document(ADA, DOCUMENT)
    assert await items.load(ADA, [item.id]) == []
    assert await by_words(index, "zebra") == 0
    await items.revive_document(ADA, DOCUMENT)
    assert len(await items.load(ADA, [item.id])) == 1
    assert await by_words(index, "zebra") == 1


async def test_burying_needs_no_index_and_reviving_changes_nothing_without_one(
    items: MemoryItems, brittle_index: Any, index: EdgeIndex, make_item: MakeItem
) -> None:
    item = make_item(1, "zebra")
    await items.add(ADA, [item])
    await items.bury_document(ADA, DOCUMENT)
    brittle_index.broken["set_payload"] = unreachable("down")
    await items.bury_document(ADA, DOCUMENT)
    assert await items.load(ADA, [item.id]) == []
    with pytest.raises(PalimpsestError):
        await items.revive_document(ADA, DOCUMENT)
    assert await items.load(ADA, [item.id]) == []

    brittle_index.broken.clear()
    await items.revive_document(ADA, DOCUMENT)
    assert len(await items.load(ADA, [item.id])) == await by_words(index, "zebra") == 1


async def test_removing_leaves_neither_item_nor_point(
    items: MemoryItems, truth: SqliteTruth, index: EdgeIndex, make_item: MakeItem
) -> None:
    await items.add(ADA, [make_item(1, "zebra"), make_item(2, "walrus", document_id="doc_2")])
    await items.remove_document(ADA, DOCUMENT)
    assert await truth.collection(ITEMS).count() == 1
    assert await consistent(truth, index)


async def test_a_document_takes_the_cached_vectors_of_its_texts_with_it_unless_another_has_the_text(
    truth: SqliteTruth, index: EdgeIndex, embeddings: Embeddings, make_item: MakeItem
) -> None:
    cache = truth.collection("embedding_cache")
    items = MemoryItems(truth, index, CachedEmbeddings(embeddings, cache, lambda: LATER), lambda: LATER)
    await items.ensure()
    await items.add(ADA, [make_item(1, "zebra"), make_item(2, "walrus"), make_item(3, "zebra", document_id="doc_2")])
    for document in (DOCUMENT, "doc_2"):
        await items.embed_pending(ADA, document, 10)
    assert await cache.count() == 2
    await items.remove_document(ADA, DOCUMENT)
    assert {row["_id"] for row in await cache.find()} == {passage_key(embeddings.identity, "zebra")}
    await items.remove_document(ADA, "doc_2")
    assert await cache.count() == 0


async def test_removing_without_an_index_hides_at_once_and_is_finished_by_repair(
    items: MemoryItems, brittle_index: Any, truth: SqliteTruth, index: EdgeIndex, make_item: MakeItem
) -> None:
    item = make_item(1, "zebra")
    await items.add(ADA, [item])
    brittle_index.broken["delete"] = unreachable("down")
    await items.remove_document(ADA, DOCUMENT)
    assert await items.load(ADA, [item.id]) == []
    assert await by_words(index, "zebra") == 1, "the point is a ghost until repair"

    brittle_index.broken.clear()
    assert await items.repair() == 1
    assert await truth.collection(ITEMS).count() == 0
    assert await consistent(truth, index)


async def test_what_was_removed_does_not_come_back_with_a_shorter_reading_of_the_same_document(
    items: MemoryItems, brittle_index: Any, truth: SqliteTruth, index: EdgeIndex, make_item: MakeItem
) -> None:
    await items.add(ADA, [make_item(1, "zebra"), make_item(2, "walrus")])
    brittle_index.broken["delete"] = unreachable("down")
    await items.remove_document(ADA, DOCUMENT)
    brittle_index.broken.clear()
    await items.add(ADA, [make_item(1, "zebra", status="pending")])
    await items.activate_document(ADA, DOCUMENT)
    await items.bury_document(ADA, DOCUMENT)
    await items.revive_document(ADA, DOCUMENT)
    assert [item.text for item in await items.of_document(ADA, DOCUMENT)] == ["zebra"]

    await items.repair()
    assert [item.text for item in await items.of_document(ADA, DOCUMENT)] == ["zebra"]
    assert await consistent(truth, index)


async def test_repair_leaves_a_buried_document_alone(
    items: MemoryItems, truth: SqliteTruth, make_item: MakeItem
) -> None:
    await items.add(ADA, [make_item(1, "zebra")])
    await items.bury_document(ADA, DOCUMENT)
    await items.repair()
    assert await truth.collection(ITEMS).count() == 1


async def empty(index: EdgeIndex, folder: Path, schema: Schema) -> None:
    """Simulates that the index folder was deleted between two starts."""
    await index.stop()
    shutil.rmtree(folder)
    await index.start(schema)


async def test_a_lost_index_is_noticed_and_filled_again(
    items: MemoryItems,
    truth: SqliteTruth,
    index: EdgeIndex,
    tmp_path: Path,
    schema: Schema,
    make_item: MakeItem,
) -> None:
    assert not await items.index_is_lost(), "nothing is lost of nothing"
    await items.add(ADA, [make_item(1, "zebra"), make_item(2, "walrus", document_id="doc_2")])
    await items.add(BOB, [make_item(3, "zebra", BOB, "doc_3")])
    await items.embed_pending(ADA, DOCUMENT, 10)
    assert not await items.index_is_lost()

    await empty(index, tmp_path / "index", schema)
    assert await items.index_is_lost()
    assert await items.forget_index() == 3
    assert not await items.index_is_lost()
    assert await items.repair() == 3
    assert await consistent(truth, index)
    assert (await by_words(index, "zebra"), await by_words(index, "zebra", BOB)) == (1, 1)
    assert await items.embed_pending(ADA, DOCUMENT, 10) == 1


async def test_two_users_never_see_each_others_items(
    items: MemoryItems, truth: SqliteTruth, index: EdgeIndex, make_item: MakeItem
) -> None:
    mine, theirs = make_item(1, "zebra"), make_item(2, "zebra", BOB)
    await items.add(ADA, [mine])
    await items.add(BOB, [theirs])
    both = [mine.id, theirs.id]
    assert [item.id for item in await items.load(ADA, both)] == [mine.id]
    assert [item.id for item in await items.load(BOB, both)] == [theirs.id]
    assert await items.get(ADA, theirs.id) is None
    assert [item.id for item in await items.of_document(BOB, DOCUMENT)] == [theirs.id]

    with pytest.raises(PalimpsestError):
        await items.add(ADA, [theirs])
    hostile: list[Callable[[str, str], Awaitable[None]]] = [items.bury_document, items.remove_document]
    for act in hostile:
        await act(ADA, DOCUMENT)
        assert [item.text for item in await items.load(BOB, both)] == ["zebra"]
        assert await by_words(index, "zebra", BOB) == 1
    assert await items.count_pending_vectors(BOB, DOCUMENT) == 1


async def test_without_an_embedding_model_nothing_is_embedded(
    truth: SqliteTruth, index: EdgeIndex, make_item: MakeItem
) -> None:
    items = MemoryItems(truth, index, None, lambda: LATER)
    await items.add(ADA, [make_item(1, "zebra")])
    assert await items.embed_pending(ADA, DOCUMENT, 10) == 0
    assert await by_words(index, "zebra") == 1


@pytest.mark.parametrize(("expires_at", "shown"), [(None, True), (LATER + 1, True), (LATER, False), (LATER - 1, False)])
@pytest.mark.parametrize("tier", ["working", "history"])
async def test_a_memory_is_invisible_the_moment_its_time_is_over(
    tier: str, expires_at: float | None, shown: bool, items: MemoryItems, make_item: MakeItem
) -> None:
    item = make_item(1, "zebra")
    times = item.timestamps.model_copy(update={"expires_at": expires_at})
    await items.add(ADA, [item.model_copy(update={"tier": tier, "timestamps": times})])
    assert bool(await items.load(ADA, [item.id])) == shown


async def test_of_two_writers_the_index_believes_the_one_whom_the_truth_believes(
    items: MemoryItems, index: EdgeIndex, make_item: MakeItem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first writer is delayed on its way to the index, and the second overtakes it."""
    held, go, wrote = asyncio.Event(), asyncio.Event(), asyncio.Event()
    put, index_items = items.points.put, items._index_items
    calls = 0

    async def told(ids: Any) -> None:
        if held.is_set():
            wrote.set()
        await index_items(ids)

    async def slow(points: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == 1:
            held.set()
            await go.wait()
        await put(points)

    monkeypatch.setattr(items.points, "put", slow)
    monkeypatch.setattr(items, "_index_items", told)
    first = asyncio.create_task(items.add(ADA, [make_item(1, "zebra")]))
    await held.wait()
    second = asyncio.create_task(items.add(ADA, [make_item(1, "walrus")]))
    await wrote.wait()
    go.set()
    await asyncio.gather(first, second)
    assert (await by_words(index, "zebra"), await by_words(index, "walrus")) == (0, 1)
