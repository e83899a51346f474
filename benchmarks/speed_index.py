"""Measures the embedded index with synthetic vectors."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from benchmarks.speed_section import Floor, Options, Section, awaited, percentiles
from core.search.sparse_vectors import document_vector, query_vector
from core.store.edge import EdgeIndex
from core.store.index import Point, Schema, SparseVector, Where

DIMENSION = 384
QUERIES = 200
TERMS_PER_ITEM = 100
TERMS_PER_QUERY = 8
VOCABULARY = 50_000
CANDIDATES = 36
"""Number of candidates per search method for the widest common question: three times twelve sources."""


Query = tuple[NDArray[np.float32], SparseVector]


@dataclass(frozen=True)
class Corpus:
    """Random unit vectors (shape items × 384) and terms drawn by Zipf's law; 90 % of the items belong to one user, 90 %
    are book passages."""

    vectors: NDArray[np.float32]
    terms: NDArray[np.int64]

    @classmethod
    def random(cls, options: Options) -> Corpus:
        chance = np.random.default_rng(options.seed)
        vectors = chance.standard_normal((options.items, DIMENSION), dtype=np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return cls(vectors, chance.zipf(1.2, (options.items, TERMS_PER_ITEM)) % VOCABULARY)

    def points(self) -> Iterator[Point]:
        for place, vector in enumerate(self.vectors):
            terms = [f"t{term}" for term in self.terms[place]]
            yield Point(
                id=str(UUID(int=place + 1)),
                payload={
                    "user_id": "bob" if place % 10 == 0 else "ada",
                    "tier": "history" if place // 10 % 10 == 0 else "books",
                    "status": "active",
                },
                lexical=document_vector(terms, TERMS_PER_ITEM),
                dense=vector,
            )

    def queries(self, options: Options) -> list[Query]:
        """Returns vectors near an item's, and some of that item's terms."""
        chance = np.random.default_rng(options.seed + 1)
        made = []
        for place in chance.integers(0, len(self.vectors), QUERIES):
            near = self.vectors[place] + 0.05 * chance.standard_normal(DIMENSION, dtype=np.float32)
            terms = chance.choice(self.terms[place], TERMS_PER_QUERY)
            made.append(((near / np.linalg.norm(near)).astype(np.float32), query_vector(f"t{term}" for term in terms)))
        return made


def index(options: Options) -> Section:
    """Compares the embedded index with a numpy scan of the same matrix."""
    corpus = Corpus.random(options)
    queries = corpus.queries(options)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        values = asyncio.run(_index(Path(folder), corpus, queries))
    return Section(
        values,
        [Floor("hybrid_p95_ratio", 3.0)],
        f"{options.items} items, synthetic: random vectors of {DIMENSION} dimensions, {TERMS_PER_ITEM} terms each\n"
        "drawn by Zipf's law; says nothing about quality. A hybrid query is a dense and a lexical one at once, both\n"
        "filtered by user and tier; 'small user' has a tenth of the items. After each, numpy scans all vectors.",
    )


def _on_disk(folder: Path) -> int:
    """Returns bytes: blocks, because the engine's files are sparse."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*"))


async def _index(folder: Path, corpus: Corpus, queries: list[Query]) -> dict[str, float]:
    served = EdgeIndex(folder)
    await served.start(Schema("synthetic", DIMENSION))
    values = {"upsert_s": await _fill(served, corpus), "size_mb": _on_disk(folder) / 1e6}
    for name, user in (("hybrid", "ada"), ("hybrid_small_user", "bob")):
        values |= await _hybrid(served, name, Where(user, {"tier": ["books"]}), queries, corpus.vectors)
    await served.stop()
    values["reopen_ms"] = await _reopen(folder)
    return values


async def _fill(served: EdgeIndex, corpus: Corpus) -> float:
    """Returns seconds of writing only; making the points is not counted."""
    elapsed = 0.0
    points = corpus.points()
    while batch := list(islice(points, 1_000)):
        began = time.perf_counter()
        await served.upsert(batch)
        elapsed += time.perf_counter() - began
    return elapsed


async def _hybrid(
    served: EdgeIndex, name: str, where: Where, queries: list[Query], vectors: NDArray[np.float32]
) -> dict[str, float]:
    both: list[float] = []
    dense: list[float] = []
    lexical: list[float] = []
    scan: list[float] = []
    for vector, terms in queries:
        by_meaning = partial(served.query_dense, vector, where, CANDIDATES)
        by_text = partial(served.query_lexical, terms, where, CANDIDATES)
        both.append(await awaited(lambda: asyncio.gather(by_meaning(), by_text())))  # noqa: B023
        dense.append(await awaited(by_meaning))
        lexical.append(await awaited(by_text))
        began = time.perf_counter()
        _scan(vectors, vector)
        scan.append((time.perf_counter() - began) * 1000)
    values = percentiles(name, both) | percentiles(f"{name}_scan", scan)
    for share in (50, 95):
        values[f"{name}_p{share}_ratio"] = values[f"{name}_p{share}_ms"] / values[f"{name}_scan_p{share}_ms"]
    return values | percentiles(f"{name}_dense", dense) | percentiles(f"{name}_lexical", lexical)


async def _reopen(folder: Path) -> float:
    began = time.perf_counter()
    served = EdgeIndex(folder)
    await served.start(Schema("synthetic", DIMENSION))
    elapsed = (time.perf_counter() - began) * 1000
    await served.stop()
    return elapsed


def _scan(vectors: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.int64]:
    scores = vectors @ query
    best = np.argpartition(-scores, CANDIDATES)[:CANDIDATES]
    return best[np.argsort(-scores[best])]
