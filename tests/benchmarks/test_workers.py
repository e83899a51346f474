"""Tests the benchmark of several workers: which results fail its thresholds, and that no page is assigned to the wrong
document."""

from __future__ import annotations

import asyncio

import httpx
import numpy as np
import pytest

from benchmarks.slow_embeddings import SlowEmbeddings
from benchmarks.workers import Outcome, page, report

ALONE = Outcome(workers=1, seconds=100.0, lost=0, twice=0, batches=10, most=1, cpu=10.0)


def outcome(workers: int, seconds: float, lost: int = 0, twice: int = 0, most: int | None = None) -> Outcome:
    return Outcome(workers, seconds, lost, twice, 10, workers if most is None else most, 10.0)


@pytest.mark.parametrize(
    ("other", "failed"),
    [
        (outcome(2, 52.0), []),
        (outcome(2, 53.0), ["times as fast as one"]),
        (outcome(4, 27.7), []),
        (outcome(4, 28.0), ["times as fast as one"]),
        (outcome(2, 50.0, lost=1), ["lost (negated)"]),
        (outcome(2, 50.0, twice=1), ["twice (negated)"]),
        (outcome(2, 50.0, most=3), ["spare batches in flight"]),
    ],
)
def test_what_misses_a_floor_fails(other: Outcome, failed: list[str]) -> None:
    made = report([ALONE, other], 10, 0.3)
    assert [figure.name for figure in made.figures if not figure.passes] == failed


def test_no_page_is_another_s() -> None:
    pages = [page(number) for number in range(200)]
    assert len(set(pages)) == 200
    assert pages[7] == page(7)
    assert all(1_500 < len(each) < 3_000 for each in pages), "about a page"


async def test_the_endpoint_counts_texts_and_batches_in_flight() -> None:
    endpoint = SlowEmbeddings(0.05)
    async with endpoint.server() as server, httpx.AsyncClient() as client:

        async def ask(*texts: str) -> list[list[float]]:
            reply = await client.post(f"{server.url}/v1/embeddings", json={"input": list(texts)})
            return [row["embedding"] for row in reply.json()["data"]]

        first, again = await asyncio.gather(ask("a", "b"), ask("b"))
    assert endpoint.texts == {"a": 1, "b": 2}
    assert (endpoint.batches, endpoint.most) == (2, 2)
    assert first[1] == again[0] != first[0]
    assert np.linalg.norm(first[0]) == pytest.approx(1.0, abs=1e-3)
