"""Measures how well passages are found: ``python -m benchmarks.retrieval --data ../shared/data``.

Every ranking comes from the pipeline that the pages call, over a temporary data directory with the packaged embedding
model:

* *dense*, *lexical*: only vector search or only keyword search, by its raw score;
* *rrf*: both, by reciprocal rank;
* *weighted*: both, by calibrated strength and neighbours: the default.

Floor: *weighted* is at least as good as the better of *dense* and *lexical*. The packaged model needs some minutes for
the passages; ``--cache FILE`` keeps its vectors for the next run.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from benchmarks.report import Figure, Report
from benchmarks.sets import TestSet, average, load_sets
from benchmarks.shelf import PATIENCE, Shelf, open_shelf
from core.resilience.dependencies import Deadline
from core.search.pipeline import SearchPipeline, Weigh, by_relevance, constant_profile
from core.search.request import ScoredHit, SearchRequest, silent
from core.store.items import LIBRARY

LIMIT = 36
"""Number of candidates in the Enhanced mode."""

Rankings = list[list[int]]


def alone(raw: Callable[[ScoredHit], float | None]) -> Weigh:
    """Returns a profile that uses only the raw score of keyword search or of vector search."""

    def weigh(candidates: Sequence[ScoredHit]) -> None:
        for each in candidates:
            score = raw(each)
            each.weighed = score if score is not None else -1.0

    return weigh


async def rankings(shelf: Shelf, test_set: TestSet, pipeline: SearchPipeline, weigh: Weigh) -> tuple[Rankings, float]:
    """Returns each question's results, best first, and the median milliseconds of a search."""
    found: Rankings = []
    times = []
    for question in test_set.questions:
        request = SearchRequest(test_set.name, question, limit=LIMIT, tiers=("books",), scopes=(LIBRARY,))
        began = time.perf_counter()
        result = await pipeline.search(request, Deadline(PATIENCE), silent, constant_profile(weigh))
        times.append((time.perf_counter() - began) * 1000)
        found.append([shelf.places[hit.item.id] for hit in result.hits])
    return found, median(times)


async def measure(data: Path, cache: Path | None) -> Report:
    report = Report("Retrieval: share of the expected passages found, 0..1")
    async with open_shelf(cache) as shelf:
        rrf = shelf.settings.search.model_copy(update={"fusion": "rrf"})
        runs: dict[str, tuple[SearchPipeline, Weigh]] = {
            "dense": (shelf.pipeline(), alone(lambda each: each.cosine)),
            "lexical": (shelf.pipeline(), alone(lambda each: each.bm25)),
            "rrf": (shelf.pipeline(rrf), by_relevance),
            "weighted": (shelf.pipeline(), by_relevance),
        }
        for test_set in load_sets(data):
            await shelf.store(test_set)
            ranked = {name: await rankings(shelf, test_set, *run) for name, run in runs.items()}
            _compare(report, test_set, {name: found for name, (found, _) in ranked.items()})
            report.notes.append(f"{test_set.name}: {ranked['weighted'][1]:.0f} ms a search (median).")
    return report


def _compare(report: Report, test_set: TestSet, ranked: dict[str, Rankings]) -> None:
    size = f"{len(test_set.questions)} questions, {len(test_set.passages)} passages"
    for wanted in test_set.measures:
        group = f"{test_set.name}: {wanted.name} ({size}; known: {wanted.reference or 'nothing'})"
        values = {name: average(wanted, found) for name, found in ranked.items()}
        lane = max(("dense", "lexical"), key=lambda name: values[name])
        for name, value in values.items():
            chosen = name == "weighted"
            report.add(
                Figure(
                    group=group,
                    name=name,
                    value=value,
                    baseline=values[lane] if chosen else None,
                    against=f"best lane ({lane})",
                    floor=values[lane] if chosen and wanted.decides else None,
                    goal=wanted.goal if chosen else None,
                )
            )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with heq/, code_search/ and chunking/")
    parser.add_argument("--cache", type=Path, help="file (.npz) that keeps embeddings between runs")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args(arguments)
    return asyncio.run(measure(options.data, options.cache)).finish(options.json)


if __name__ == "__main__":
    sys.exit(main())
