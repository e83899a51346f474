from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.search.local_bm25 import Documents, LocalBm25, LocalBm25Cache

DOCUMENTS = [
    ("m3", ["water", "budget", "water"]),
    ("m1", ["budget", "city"]),
    ("m2", ["cat"]),
    ("m4", ["cat", "city", "budget", "water", "cat", "cat"]),
]


def textbook(documents: Iterable[tuple[str, list[str]]], query: list[str]) -> dict[str, float]:
    listed = list(documents)
    average = (sum(len(terms) for _, terms in listed) / len(listed)) or 1.0
    scores: dict[str, float] = {}
    for identifier, terms in listed:
        tf = Counter(terms)
        for term in query:
            n = sum(term in other for _, other in listed)
            if tf[term]:
                idf = log(1 + (len(listed) - n + 0.5) / (n + 0.5))
                weight = tf[term] * 2.2 / (tf[term] + 1.2 * (0.25 + 0.75 * len(terms) / average))
                scores[identifier] = scores.get(identifier, 0.0) + idf * weight
    return scores


TERM = st.sampled_from("abcdef")


@given(st.lists(st.lists(TERM, max_size=8), min_size=1, max_size=12), st.lists(TERM, max_size=4), st.integers(1, 15))
def test_scores_are_the_textbooks(texts: list[list[str]], query: list[str], limit: int) -> None:
    documents = [(f"m{place:02}", terms) for place, terms in enumerate(texts)]
    expected = textbook(documents, query)
    hits = LocalBm25(documents[::-1]).search(query, limit)
    assert len(hits) == min(limit, len(expected))
    assert {hit.id: pytest.approx(hit.score, rel=1e-4) for hit in hits} == {hit.id: expected[hit.id] for hit in hits}
    worst = min((hit.score for hit in hits), default=0.0)
    assert all(
        score <= worst * 1.0001 for identifier, score in expected.items() if identifier not in {h.id for h in hits}
    )


def test_ties_are_in_the_order_of_ids() -> None:
    index = LocalBm25([(f"m{number}", ["a"]) for number in (5, 2, 4, 1, 3)] + [("m0", ["b", "a"])])
    assert [hit.id for hit in index.search(["a"], 3)] == ["m1", "m2", "m3"]


def test_a_repeated_term_counts_as_often() -> None:
    index = LocalBm25(DOCUMENTS)
    once, twice = index.search(["city"], 9), index.search(["city", "city"], 9)
    assert [hit.score for hit in twice] == pytest.approx([2 * hit.score for hit in once])


def test_allowed_narrows_the_answer_but_not_the_frequencies() -> None:
    index = LocalBm25(DOCUMENTS)
    everyone = {hit.id: hit.score for hit in index.search(["water", "cat"], 9)}
    some = index.search(["water", "cat"], 9, allowed={"m2", "m3", "m9"})
    assert {hit.id: hit.score for hit in some} == {key: everyone[key] for key in ("m2", "m3")}
    assert index.search(["water"], 9, allowed=set()) == []


def test_a_constant_average_can_be_given() -> None:
    [hit] = LocalBm25([("m1", ["a", "b"]), ("m2", ["c"])], average_length=2.0).search(["a"], 1)
    assert hit.score == pytest.approx(log(2))


@pytest.mark.parametrize("documents", [[], [("m1", [])]])
def test_nothing_to_find(documents: list[tuple[str, list[str]]]) -> None:
    index = LocalBm25(documents)
    assert len(index) == len(documents)
    assert index.search(["a"], 5) == []
    assert LocalBm25(DOCUMENTS).search([], 5) == []
    assert LocalBm25(DOCUMENTS).search(["unknown"], 5) == []
    assert LocalBm25(DOCUMENTS).search(["cat"], 0) == []


class Source:
    """A source of documents that counts how often they were read."""

    def __init__(self) -> None:
        self.reads = 0
        self.gate = asyncio.Event()
        self.gate.set()
        self.broken = False

    async def load(self) -> Documents:
        self.reads += 1
        await self.gate.wait()
        if self.broken:
            raise ConnectionError("the truth is away")
        return DOCUMENTS


async def test_an_index_is_made_once_and_again_after_a_change() -> None:
    source, cache = Source(), LocalBm25Cache()
    first = await cache.get("ada", "books", (4, 1.0), source.load)
    assert await cache.get("ada", "books", (4, 1.0), source.load) is first
    assert source.reads == 1
    assert await cache.get("ada", "books", (4, 2.0), source.load) is not first
    assert await cache.get("ada", "history", (4, 2.0), source.load) is not first
    assert await cache.get("bob", "books", (4, 2.0), source.load) is not first
    assert source.reads == 4


async def test_many_who_ask_at_once_share_one_making() -> None:
    source, cache = Source(), LocalBm25Cache()
    source.gate.clear()
    asking = [asyncio.ensure_future(cache.get("ada", "books", (4, 1.0), source.load)) for _ in range(5)]
    await asyncio.sleep(0)
    asking[0].cancel()
    source.gate.set()
    made = await asyncio.gather(*asking[1:])
    assert source.reads == 1
    assert all(index is made[0] for index in made)


async def test_a_failure_is_not_remembered() -> None:
    source, cache = Source(), LocalBm25Cache()
    source.broken = True
    with pytest.raises(ConnectionError):
        await cache.get("ada", "books", (4, 1.0), source.load)
    source.broken = False
    assert len(await cache.get("ada", "books", (4, 1.0), source.load)) == 4


async def test_only_the_last_few_are_kept() -> None:
    source, cache = Source(), LocalBm25Cache(keep=2)
    for user in ("ada", "bob", "ada", "eve", "ada", "bob"):
        await cache.get(user, "books", (4, 1.0), source.load)
    assert source.reads == 4
