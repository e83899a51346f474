"""Measures search in memories of long conversations: ``python -m benchmarks.locomo --data ../shared/data/locomo``.

Every ranking comes from the pipeline that the memory uses, over a temporary data directory with the packaged embedding
model: *bm25* and *dense* (only keyword search or only vector search, by its raw score), *rrf* (both, by reciprocal
rank) and *episodes* (``core.search.scoring.episodes``, with the shipped weights). *left out* is the same with weights
fitted on the other four conversations, so no question influences its own ranking. A session has the rank of its best
statement.

The floors are the figures of a forty-line implementation of the same idea. The packaged model needs some minutes to
embed the statements; ``--cache FILE`` keeps its vectors for the next run.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

import numpy as np
from numpy.typing import NDArray

from benchmarks.conversations import CATEGORIES, WHERE, Conversation, Question, load, remember
from benchmarks.report import Figure, Report
from benchmarks.temporary_workbench import PATIENCE, open_workbench
from core.memory.retrieval import Retrieval
from core.question.analysis import analyse
from core.resilience.dependencies import Deadline
from core.search.item_cache import ItemCache
from core.search.pipeline import Pipeline
from core.search.request import ScoredHit, SearchRequest, silent
from core.search.scoring.calibration import item_terms
from core.search.scoring.episodes import WEIGHTS, Episodes, features, with_lead
from core.store.items import MEMORY

ALL = 10_000
STEPS = 150
SESSIONS = 2.0
"""When fitting, the weight of finding the right session, relative to finding the right statement."""
RATE = 0.5
Matrix = NDArray[np.float64]

GOALS = {"turn R@5": 0.75, "turn R@10": 0.85, "turn MRR": 0.62, "session Hit@1": 0.82, "session R@10": 0.975}
FLOORS = {"turn R@5": 0.67, "turn R@10": 0.79, "turn MRR": 0.56, "session Hit@1": 0.775, "session R@10": 0.956}


@dataclass(frozen=True)
class Ranked:
    """A question's results, best first: memory ids, and the session of each."""

    question: Question
    ids: list[str]
    sessions: list[str]


@dataclass(frozen=True)
class Known:
    """The features of all candidates of one question; ``gold`` are the rows that answer it, ``near`` other rows of the
    same sessions."""

    question: Question
    ids: list[str]
    sessions: list[str]
    values: Matrix
    gold: NDArray[np.int64]
    near: NDArray[np.int64]


def _reciprocal(hit: ScoredHit) -> float:
    return sum(1 / (60 + rank) for rank in (hit.dense_rank, hit.lexical_rank) if rank is not None)


LANES: dict[str, Callable[[ScoredHit], float]] = {
    "bm25": lambda hit: hit.bm25 if hit.bm25 is not None else -1.0,
    "dense": lambda hit: hit.cosine if hit.cosine is not None else -1.0,
    "rrf": _reciprocal,
}
"""Ranking profiles: keyword or vector search only, by its raw score, and both by reciprocal rank."""


def scores(found: Sequence[Ranked], session_of: Mapping[str, str]) -> dict[str, float]:
    """Returns the mean of each measure."""
    taken: dict[str, list[float]] = {name: [] for name in GOALS}
    for each in found:
        gold, wanted = each.question.gold, {session_of[memory] for memory in each.question.gold}
        sessions = list(dict.fromkeys(each.sessions))
        taken["turn R@5"].append(len(gold & set(each.ids[:5])) / len(gold))
        taken["turn R@10"].append(len(gold & set(each.ids[:10])) / len(gold))
        taken["turn MRR"].append(next((1 / n for n, memory in enumerate(each.ids, 1) if memory in gold), 0.0))
        taken["session Hit@1"].append(float(sessions[:1] != [] and sessions[0] in wanted))
        taken["session R@10"].append(len(wanted & set(sessions[:10])) / len(wanted))
    return {name: mean(values) for name, values in taken.items()}


async def search(
    pipeline: Pipeline, conversation: Conversation, question: Question, *, episodic: bool
) -> list[ScoredHit]:
    request = SearchRequest(
        conversation.user_id,
        question.text,
        limit=ALL,
        tiers=("history",),
        scopes=(MEMORY,),
        episodic=episodic,
        names=conversation.speakers if episodic else (),
    )
    return (await pipeline.search(request, Deadline(PATIENCE), silent)).hits


def ranked(question: Question, hits: Sequence[ScoredHit]) -> Ranked:
    return Ranked(question, [hit.item.id for hit in hits], [hit.item.place.episode or "" for hit in hits])


async def known(
    retrieval: Retrieval, counts: ItemCache[Counter[str]], question: Question, hits: Sequence[ScoredHit], user: str
) -> Known:
    around = await retrieval.items.around(user, [hit.item for hit in hits])
    values = features(analyse(question.text), hits, Episodes(hits, around, counts.of))
    ids, sessions = [hit.item.id for hit in hits], [hit.item.place.episode or "" for hit in hits]
    gold = np.array([n for n, memory in enumerate(ids) if memory in question.gold], dtype=np.int64)
    wanted = {sessions[n] for n in gold}
    near = np.array([n for n, session in enumerate(sessions) if session in wanted], dtype=np.int64)
    matrix = np.stack([values[name] for name in WEIGHTS], axis=1)
    return Known(question, ids, sessions, matrix, gold, near)


def fitted(questions: Sequence[Known]) -> Matrix:
    """Fits weights that rank answering statements and their sessions first (softmax over candidates, by Adam)."""
    weights = np.zeros(len(WEIGHTS))
    momentum, spread = np.zeros_like(weights), np.zeros_like(weights)
    usable = [each for each in questions if len(each.gold)]
    for step in range(STEPS):
        gradient = -1e-3 * weights
        for each in usable:
            raised = each.values @ weights
            chance = np.exp(raised - raised.max())
            chance /= chance.sum()
            expected = chance @ each.values
            for rows, counts in ((each.gold, 1.0), (each.near, SESSIONS)):
                right = chance[rows] / chance[rows].sum()
                gradient += counts * (right @ each.values[rows] - expected) / len(usable)
        momentum = 0.9 * momentum + 0.1 * gradient
        spread = 0.99 * spread + 0.01 * gradient**2
        weights += RATE * (1.0 if step < STEPS * 2 // 3 else 0.3) * momentum / (np.sqrt(spread) + 1e-3)
    return weights


def reranked(each: Known, weights: Matrix) -> Ranked:
    order = np.argsort(-with_lead(each.values @ weights, each.sessions), kind="stable").tolist()
    return Ranked(each.question, [each.ids[n] for n in order], [each.sessions[n] for n in order])


async def measure(data: Path, cache: Path | None) -> Report:
    report = Report("Conversations: evidence found by turn and by session, 0..1")
    conversations = load(data)
    session_of: dict[str, str] = {}
    found: dict[str, list[Ranked]] = {}
    features_of: list[list[Known]] = []
    times: list[float] = []
    async with open_workbench(cache) as workbench:
        retrieval, counts = workbench.retrieval, ItemCache(item_terms)
        for conversation in conversations:
            user = conversation.user_id
            ids = await remember(workbench.memory, user, conversation)
            await workbench.memory.settle()
            session_of |= {ids[place]: session.transcript.id for place, session, _ in conversation.turns}
            features_of.append([])
            for question in (each.among(ids) for each in conversation.questions):
                plain = await search(retrieval.pipeline, conversation, question, episodic=False)
                for name, score in LANES.items():
                    found.setdefault(name, []).append(ranked(question, sorted(plain, key=score, reverse=True)))
                began = time.perf_counter()
                hits = await search(retrieval.pipeline, conversation, question, episodic=True)
                times.append((time.perf_counter() - began) * 1000)
                found.setdefault("episodes", []).append(ranked(question, hits))
                features_of[-1].append(await known(retrieval, counts, question, hits, user))
    _compare(report, found, session_of)
    _left_out(report, features_of, found, session_of)
    report.notes.append(f"{median(times):.0f} ms a search of {ALL} hits (median).")
    return report


def _compare(report: Report, found: dict[str, list[Ranked]], session_of: Mapping[str, str]) -> None:
    total = len(found["episodes"])
    groups: list[tuple[str, Callable[[Ranked], bool]]] = [(f"all ({total} questions)", lambda _: True)]
    groups += [(name, lambda each, c=c: each.question.category == c) for c, name in CATEGORIES.items()]  # type: ignore[misc]
    for group, belongs in groups:
        whole = group.startswith("all")
        by_name = {
            name: scores([each for each in rows if belongs(each)], session_of)
            for name, rows in found.items()
            if any(belongs(each) for each in rows)
        }
        for measure_name in GOALS:
            for name, values in by_name.items():
                own = name == "episodes"
                report.add(
                    Figure(
                        group=f"{group}: {measure_name}",
                        name=name,
                        value=values[measure_name],
                        baseline=by_name["bm25"][measure_name] if own else None,
                        against="bm25",
                        floor=FLOORS[measure_name] if own and whole else None,
                        goal=GOALS[measure_name] if own and whole else None,
                    )
                )


def _left_out(
    report: Report,
    features_of: Sequence[Sequence[Known]],
    found: dict[str, list[Ranked]],
    session_of: Mapping[str, str],
) -> None:
    rows: list[Ranked] = []
    for place, questions in enumerate(features_of):
        others = [each for other, rest in enumerate(features_of) if other != place for each in rest]
        weights = fitted(others)
        rows += [reranked(each, weights) for each in questions]
        said = ", ".join(f"{name} {weight:.1f}" for name, weight in zip(WEIGHTS, weights, strict=True))
        report.notes.append(f"Fitted without conversation {place + 1}: {said}.")
    values, shipped = scores(rows, session_of), scores(found["episodes"], session_of)
    for name, value in values.items():
        report.add(
            Figure(
                group=f"weights fitted on the other four: {name}",
                name="left out",
                value=value,
                baseline=shipped[name],
                against="shipped weights",
                goal=GOALS[name],
            )
        )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with locomo_public5.json")
    parser.add_argument("--cache", type=Path, help="file (.npz) that keeps embeddings between runs")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args(arguments)
    if not (options.data / "locomo_public5.json").exists():
        print(f"Skipped: {options.data} has no locomo_public5.json. {WHERE}")
        return 0
    return asyncio.run(measure(options.data, options.cache)).finish(options.json)


if __name__ == "__main__":
    sys.exit(main())
