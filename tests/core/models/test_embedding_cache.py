from __future__ import annotations

from collections.abc import Mapping, Sequence
from zlib import crc32

import numpy as np
import pytest
from numpy.typing import NDArray

from core.clock import DAY
from core.models.embedding_cache import CachedEmbeddings, Json
from core.models.embeddings import Calibration, EmbeddingIdentity, Matrix


class CountingEmbeddings:
    """Counts its calls; the vector depends on the text and its kind (question or passage)."""

    def __init__(self, model: str = "counting") -> None:
        self.identity = EmbeddingIdentity(model, 8, Calibration(0.0, 1.0))
        self.asked: list[str] = []

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._vector("query", text)

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        return np.stack([self._vector("passage", text) for text in texts])

    def _vector(self, kind: str, text: str) -> NDArray[np.float32]:
        self.asked.append(text)
        seed = crc32(f"{self.identity.model}{kind}{text}".encode())
        vector = np.random.default_rng(seed).normal(size=8)
        return (vector / np.linalg.norm(vector)).astype(np.float32)


class Shelf:
    """A dictionary with the three methods of a collection that the cache uses."""

    def __init__(self) -> None:
        self.documents: dict[str, Json] = {}
        self.writes = 0
        self.broken = False

    async def find(self, filter: Mapping[str, object] | None = None) -> list[Json]:
        self._check()
        wanted = filter["_id"]["$in"]  # type: ignore[index]
        return [self.documents[id] for id in wanted if id in self.documents]

    async def upsert_many(self, documents: Sequence[Json]) -> None:
        self._check()
        self.writes += len(documents)
        self.documents |= {str(each["_id"]): each for each in documents}

    async def delete(self, filter: Mapping[str, object]) -> int:
        limit = filter["used_at"]["$lt"]  # type: ignore[index]
        old = [id for id, each in self.documents.items() if each["used_at"] < limit]  # type: ignore[operator]
        for id in old:
            del self.documents[id]
        return len(old)

    def _check(self) -> None:
        if self.broken:
            raise ConnectionError("gone")


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def inner() -> CountingEmbeddings:
    return CountingEmbeddings()


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cached(inner: CountingEmbeddings, shelf: Shelf, clock: Clock) -> CachedEmbeddings:
    return CachedEmbeddings(inner, shelf, clock, days=7)


async def test_a_text_is_embedded_once(cached: CachedEmbeddings, inner: CountingEmbeddings) -> None:
    first = await cached.embed_passages(["a", "b", "a"])
    second = await cached.embed_passages(["b", "a", "c"])
    assert inner.asked == ["a", "b", "c"]
    np.testing.assert_array_equal(first[0], first[2])
    np.testing.assert_array_equal(first[0], second[1])
    np.testing.assert_array_equal(first[1], second[0])


async def test_what_comes_from_the_cache_is_what_came_first(cached: CachedEmbeddings) -> None:
    np.testing.assert_array_equal(await cached.embed_query("שלום"), await cached.embed_query("שלום"))


async def test_half_precision_costs_little_and_length_stays_one(
    cached: CachedEmbeddings, inner: CountingEmbeddings
) -> None:
    kept = await cached.embed_query("a")
    assert np.linalg.norm(kept) == pytest.approx(1.0, abs=1e-6)
    assert kept @ await inner.embed_query("a") == pytest.approx(1.0, abs=1e-3)


async def test_spellings_of_one_text_share_a_vector(cached: CachedEmbeddings, inner: CountingEmbeddings) -> None:
    await cached.embed_query("צה״ל  אמר\n")
    await cached.embed_query('צה"ל אמר')
    assert inner.asked == ['צה"ל אמר']


async def test_questions_and_passages_are_kept_apart(cached: CachedEmbeddings, inner: CountingEmbeddings) -> None:
    query = await cached.embed_query("a")
    passage = (await cached.embed_passages(["a"]))[0]
    assert len(inner.asked) == 2
    assert query @ passage < 0.99


async def test_another_model_has_vectors_of_its_own(shelf: Shelf, clock: Clock) -> None:
    await CachedEmbeddings(CountingEmbeddings("one"), shelf, clock).embed_query("a")
    other = CountingEmbeddings("two")
    await CachedEmbeddings(other, shelf, clock).embed_query("a")
    assert other.asked == ["a"]


async def test_it_is_forgotten_seven_days_after_its_last_use(
    cached: CachedEmbeddings, inner: CountingEmbeddings, clock: Clock
) -> None:
    await cached.embed_query("a")
    clock.now += 6 * DAY
    await cached.embed_query("a")
    clock.now += 6 * DAY
    await cached.embed_query("a")
    assert inner.asked == ["a"], "each hit begins the seven days again"
    clock.now += 7 * DAY + 1
    await cached.embed_query("a")
    assert inner.asked == ["a", "a"]


async def test_a_hit_is_written_down_once_a_day(cached: CachedEmbeddings, shelf: Shelf, clock: Clock) -> None:
    for _ in range(10):
        await cached.embed_query("a")
    assert shelf.writes == 1
    clock.now += DAY
    for _ in range(10):
        await cached.embed_query("a")
    assert shelf.writes == 2


async def test_purging_removes_what_nobody_used(cached: CachedEmbeddings, shelf: Shelf, clock: Clock) -> None:
    await cached.embed_query("old")
    clock.now += 5 * DAY
    await cached.embed_query("new")
    clock.now += 3 * DAY
    assert await cached.purge() == 1
    assert len(shelf.documents) == 1


async def test_a_broken_cache_is_passed_by(cached: CachedEmbeddings, shelf: Shelf) -> None:
    shelf.broken = True
    assert (await cached.embed_query("a")).shape == (8,)
    assert (await cached.embed_passages(["a", "b"])).shape == (2, 8)


async def test_nothing_gives_nothing(cached: CachedEmbeddings) -> None:
    assert (await cached.embed_passages([])).shape == (0, 8)
