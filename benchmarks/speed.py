"""How fast the parts are, each beside something everybody can repeat: ``python -m benchmarks.speed``.

Times of one machine mean little on another, so a section states ratios to a yardstick measured in the same run.
A section is a function from ``Options`` to ``Section``; put it into ``SECTIONS`` and it is run, printed and checked.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from core.search.lexical import document_vector, query_vector
from core.store.edge import EdgeIndex
from core.store.index import Point, Schema, SparseVector, Where

DIMENSION = 384
QUERIES = 200
TERMS_PER_ITEM = 100
TERMS_PER_QUERY = 8
VOCABULARY = 50_000
CANDIDATES = 36
"""Candidates of a lane for the widest common question: three times twelve sources."""


Query = tuple[NDArray[np.float32], SparseVector]


@dataclass(frozen=True)
class Options:
    items: int = 100_000
    seed: int = 7


@dataclass(frozen=True)
class Floor:
    """What a value may be at most."""

    value: str
    most: float


@dataclass(frozen=True)
class Section:
    """Values by name (the unit is in the name), what they may be, and what a reader must know of them."""

    values: dict[str, float]
    floors: list[Floor] = field(default_factory=list)
    note: str = ""

    @property
    def missed(self) -> list[Floor]:
        return [floor for floor in self.floors if self.values[floor.value] > floor.most]


def percentiles(name: str, milliseconds: list[float]) -> dict[str, float]:
    """p50 and p95 under ``<name>_p50_ms`` and ``<name>_p95_ms``."""
    return {f"{name}_p{share}_ms": float(np.percentile(milliseconds, share)) for share in (50, 95)}


async def awaited(call: Callable[[], Awaitable[object]]) -> float:
    """Milliseconds until what ``call`` returns was there."""
    began = time.perf_counter()
    await call()
    return (time.perf_counter() - began) * 1000


@dataclass(frozen=True)
class Corpus:
    """Random unit vectors (shape items × 384) and terms drawn by Zipf's law; 90 % are of one user, 90 % books."""

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
        """A vector near an item's, and some of that item's terms."""
        chance = np.random.default_rng(options.seed + 1)
        made = []
        for place in chance.integers(0, len(self.vectors), QUERIES):
            near = self.vectors[place] + 0.05 * chance.standard_normal(DIMENSION, dtype=np.float32)
            terms = chance.choice(self.terms[place], TERMS_PER_QUERY)
            made.append(((near / np.linalg.norm(near)).astype(np.float32), query_vector(f"t{term}" for term in terms)))
        return made


def index(options: Options) -> Section:
    """The embedded index against a scan of the same matrix by numpy."""
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


async def _index(folder: Path, corpus: Corpus, queries: list[Query]) -> dict[str, float]:
    served = EdgeIndex(folder)
    await served.start(Schema("synthetic", DIMENSION))
    values = {"upsert_s": await _fill(served, corpus), "size_mb": await served.size_bytes() / 1e6}
    for name, user in (("hybrid", "ada"), ("hybrid_small_user", "bob")):
        values |= await _hybrid(served, name, Where(user, {"tier": ["books"]}), queries, corpus.vectors)
    await served.stop()
    values["reopen_ms"] = await _reopen(folder)
    return values


async def _fill(served: EdgeIndex, corpus: Corpus) -> float:
    """Seconds of writing alone; making the points is not counted."""
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


SECTIONS: dict[str, Callable[[Options], Section]] = {"index": index}


def report(sections: dict[str, Section]) -> str:
    """The sections as lines to read."""
    lines: list[str] = []
    for name, section in sections.items():
        lines += [f"== {name}", section.note]
        lines += [f"  {value:<36} {number:12.3f}" for value, number in section.values.items()]
        for floor in section.floors:
            verdict = "MISSED" if floor in section.missed else "held"
            lines.append(f"  {floor.value} at most {floor.most:g}: {verdict}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Run the sections asked for; 1 when a floor is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=Options.items, help="items in the index (default %(default)s)")
    parser.add_argument("--only", nargs="+", choices=sorted(SECTIONS), default=list(SECTIONS), metavar="SECTION")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the values there")
    asked = parser.parse_args(arguments)
    options = Options(items=asked.items)
    sections = {name: SECTIONS[name](options) for name in asked.only}
    print(report(sections))
    if asked.json:
        asked.json.write_text(json.dumps({name: asdict(made) for name, made in sections.items()}, indent=2), "utf-8")
    return int(any(section.missed for section in sections.values()))


if __name__ == "__main__":
    sys.exit(main())
