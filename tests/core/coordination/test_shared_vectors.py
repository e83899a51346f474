from __future__ import annotations

import numpy as np

from core.clock import DAY
from core.coordination.shared_vectors import SharedVectors
from core.models.embedding_cache import CachedEmbeddings
from tests.core.coordination.conftest import Connect
from tests.core.models.test_embedding_cache import CountingEmbeddings, Shelf
from tests.redis_server import RedisServer

TEXTS = [f"text {number}" for number in range(600)]
"""Number of texts: more than one round trip to Redis can carry."""


def cached(connect: Connect, inner: CountingEmbeddings, shelf: Shelf) -> CachedEmbeddings:
    return CachedEmbeddings(inner, shelf, lambda: 1.0, shared=SharedVectors(connect(), 7))


async def test_a_text_that_one_process_embedded_is_embedded_by_no_other(connect: Connect) -> None:
    inner, shelf, empty = CountingEmbeddings(), Shelf(), Shelf()
    first = await cached(connect, inner, shelf).embed_passages(TEXTS)
    second = await cached(connect, inner, empty).embed_passages(TEXTS)
    assert inner.asked == TEXTS
    np.testing.assert_array_equal(first, second)


async def test_what_the_truth_remembers_is_shared_at_its_first_use(connect: Connect, redis: RedisServer) -> None:
    inner, shelf = CountingEmbeddings(), Shelf()
    await cached(connect, inner, shelf).embed_query("a")
    redis.client.flushall()
    await cached(connect, inner, shelf).embed_query("a")
    await cached(connect, inner, Shelf()).embed_query("a")
    assert inner.asked == ["a"]


async def test_a_vector_is_packed_float32_under_its_model_for_seven_days_from_its_last_use(
    connect: Connect, redis: RedisServer
) -> None:
    inner = CountingEmbeddings("the-model")
    vector = await cached(connect, inner, Shelf()).embed_query("a")
    (key,) = redis.client.keys("*")
    assert key.startswith(b"embedding:v1:the-model:")
    np.testing.assert_array_equal(np.frombuffer(redis.client.get(key), dtype="<f4"), vector)
    assert 0 < redis.client.ttl(key) <= 7 * DAY
    redis.client.expire(key, 100)
    await cached(connect, inner, Shelf()).embed_query("a")
    assert redis.client.ttl(key) > 6 * DAY


async def test_the_vector_of_a_text_that_is_gone_is_forgotten(connect: Connect, redis: RedisServer) -> None:
    inner, shelf = CountingEmbeddings(), ForgetfulShelf()
    kept = cached(connect, inner, shelf)
    await kept.embed_passages(["gone", "stays"])
    await kept.forget(["gone"])
    assert len(redis.client.keys("*")) == 1
    await kept.embed_passages(["gone", "stays"])
    assert inner.asked == ["gone", "stays", "gone"]


async def test_while_redis_is_killed_or_frozen_vectors_come_from_the_truth_and_afterwards_from_both(
    connect: Connect, redis: RedisServer
) -> None:
    inner, shelf = CountingEmbeddings(), Shelf()
    kept = cached(connect, inner, shelf)
    before = await kept.embed_passages(["a", "b"])
    redis.kill()
    killed = await kept.embed_passages(["a", "b", "c"])
    redis.start()
    redis.freeze()
    frozen = await kept.embed_passages(["a", "b", "c"])
    redis.thaw()
    back = await kept.embed_passages(["a", "b", "c"])
    assert inner.asked == ["a", "b", "c"], "nothing is computed twice"
    for each in (killed, frozen, back):
        np.testing.assert_array_equal(before, each[:2])
    assert len(redis.client.keys("*")) == 3, "it is taken up again by itself, though it came back empty"


class ForgetfulShelf(Shelf):
    async def delete(self, filter: dict[str, dict[str, list[str]]]) -> int:  # type: ignore[override]
        return sum(self.documents.pop(id, None) is not None for id in filter["_id"]["$in"])
