"""Tests that vectors are computed soon after the text is stored, and that no caller waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence

import numpy as np
import pytest

from core.errors import PalimpsestError
from core.memory.items.embedding import Embedder
from core.memory.items.writing import MemoryItems
from core.models.embeddings import Calibration, EmbeddingIdentity, Matrix
from core.records.memory_meta import Tier
from core.resilience.dependencies import CircuitBreaker, Dependency
from core.store.edge import EdgeIndex
from core.store.index import Vector
from core.store.index_rules import unreachable
from core.store.items import ItemSource, MemoryItem, Timestamps
from core.store.sqlite.truth import SqliteTruth

MakeItem = Callable[..., MemoryItem]
ADA = "ada"


class Model:
    """Waits at its gate; fails while ``problem`` is set, and always for the texts that it refuses."""

    identity = EmbeddingIdentity("axes", 4, Calibration(0.0, 1.0))

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.gate.set()
        self.problem: Exception | None = None
        self.refuses = ""
        self.asked: list[int] = []
        self.begun = asyncio.Event()

    async def embed_query(self, text: str) -> Vector:
        return np.array([1, 0, 0, 0], dtype=np.float32)

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        self.asked.append(len(texts))
        self.begun.set()
        await self.gate.wait()
        if self.problem:
            raise self.problem
        if self.refuses and any(self.refuses in text for text in texts):
            raise ValueError("no such letters")
        return np.stack([await self.embed_query(text) for text in texts])


def memory(number: int, text: str = "fact", tier: Tier = "working") -> MemoryItem:
    return MemoryItem(
        id=f"mem_{number:032x}",
        user_id=ADA,
        tier=tier,
        text=text,
        scope="memory",
        source=ItemSource(type="user"),
        timestamps=Timestamps(created_at=1.0, updated_at=1.0),
    )


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
async def items(truth: SqliteTruth, index: EdgeIndex, model: Model) -> MemoryItems:
    made = MemoryItems(truth, index, model, lambda: 50.0)
    await made.ensure()
    return made


@pytest.fixture
async def embedder(items: MemoryItems, model: Model) -> AsyncIterator[Embedder]:
    made = Embedder(items, model, Dependency("vectors", 5.0, CircuitBreaker(failures=2, cooldown=0.0)), 2)
    yield made
    await made.stop()


async def waiting(items: MemoryItems) -> list[str]:
    return [item.text for item in await items.pending_vectors(None, None, 100)]


async def nothing_waits(items: MemoryItems) -> None:
    async with asyncio.timeout(30):
        while await waiting(items):  # noqa: ASYNC110 - nobody is told when the last vector is there
            await asyncio.sleep(0.001)


async def test_draining_embeds_every_memory_in_batches_and_leaves_books_to_their_jobs(
    items: MemoryItems, embedder: Embedder, model: Model, make_item: MakeItem
) -> None:
    await items.add(ADA, [memory(number) for number in range(1, 6)])
    await items.add(ADA, [make_item(9, "passage")])
    assert await embedder.drain() == 5
    assert model.asked == [2, 2, 1]
    assert await waiting(items) == ["passage"]
    assert await embedder.drain() == 0


async def test_passages_that_a_question_touched_come_before_everything(
    items: MemoryItems, embedder: Embedder, model: Model, make_item: MakeItem
) -> None:
    passages = [make_item(number, f"passage {number}") for number in range(10, 16)]
    await items.add(ADA, [memory(1), *passages])
    model.problem = unreachable("away")
    embedder.prefer(ADA, [passages[4].id, passages[1].id])
    with pytest.raises(PalimpsestError):
        await embedder.drain()
    model.problem = None
    embedder.prefer(ADA, [passages[4].id, passages[1].id, passages[2].id])
    assert await embedder.drain() == 4
    assert model.asked == [2, 2, 1, 1], "touched in batches, best first, then the memory"
    assert await waiting(items) == ["passage 10", "passage 13", "passage 15"]


async def test_what_is_of_somebody_else_or_has_its_vector_is_not_taken_up(
    items: MemoryItems, embedder: Embedder, model: Model, make_item: MakeItem
) -> None:
    theirs, done = make_item(10, "theirs", "bob"), make_item(11, "done")
    await items.add("bob", [theirs])
    await items.add(ADA, [done])
    await items.embed_pending(ADA, "doc_1", 10)
    model.asked.clear()
    embedder.prefer(ADA, [theirs.id, done.id, "mem_unknown"])
    assert await embedder.drain() == 0
    assert not model.asked


async def test_no_passage_is_computed_by_a_question_and_by_its_job(
    items: MemoryItems, embedder: Embedder, model: Model, make_item: MakeItem
) -> None:
    passages = [make_item(number, f"passage {number}") for number in range(10, 14)]
    await items.add(ADA, passages)
    model.gate.clear()
    job = asyncio.create_task(items.embed_pending(ADA, "doc_1", 3))
    await model.begun.wait()
    embedder.prefer(ADA, [passages[3].id, passages[0].id])
    touched = asyncio.create_task(embedder.drain())
    model.gate.set()
    assert (await job, await touched) == (3, 1)
    assert model.asked == [3, 1]


async def test_a_write_never_waits_for_the_model(items: MemoryItems, embedder: Embedder, model: Model) -> None:
    model.gate.clear()
    await embedder.start()
    await items.add(ADA, [memory(1)])
    embedder.wake()
    await model.begun.wait()
    assert len(await items.load(ADA, [memory(1).id])) == 1
    assert await waiting(items) == ["fact"]
    model.gate.set()
    await nothing_waits(items)


async def test_what_an_earlier_process_left_is_taken_up_at_the_start(items: MemoryItems, embedder: Embedder) -> None:
    await items.add(ADA, [memory(1), memory(2)])
    await embedder.start()
    await nothing_waits(items)


async def test_a_model_that_is_away_is_asked_again_at_the_next_upkeep(
    items: MemoryItems, embedder: Embedder, model: Model
) -> None:
    model.problem = unreachable("away")
    await embedder.start()
    await items.add(ADA, [memory(1)])
    embedder.wake()
    await model.begun.wait()
    with pytest.raises(PalimpsestError):
        await embedder.drain()
    model.problem = None
    embedder.wake()
    await nothing_waits(items)


async def test_a_text_that_the_model_refuses_holds_up_no_other(
    items: MemoryItems, embedder: Embedder, model: Model
) -> None:
    model.refuses = "unspeakable"
    texts = ["unspeakable", "fact 2", "fact 3", "unspeakable too", "fact 5"]
    await items.add(ADA, [memory(number, text) for number, text in enumerate(texts, start=1)])
    await embedder.drain()
    assert sorted(await waiting(items)) == ["unspeakable", "unspeakable too"]


async def test_while_the_index_is_of_another_model_nothing_is_embedded(items: MemoryItems, model: Model) -> None:
    await items.add(ADA, [memory(1)])
    assert await Embedder(items, model, Dependency("vectors", 5.0), 2, lambda: False).drain() == 0
    assert not model.asked


async def test_a_memory_is_kept_when_the_index_is_away_and_found_after_the_next_repair(
    items: MemoryItems, index: EdgeIndex, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> None:
        raise unreachable("away")

    with monkeypatch.context() as broken:
        broken.setattr(index, "upsert", away)
        await items.add(ADA, [memory(1)])
    assert len(await items.load(ADA, [memory(1).id])) == 1
    assert await items.repair() == 1
    assert await embedder.drain() == 1
