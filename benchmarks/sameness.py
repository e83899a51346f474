"""Fits weights that distinguish two wordings of one question from two similar questions: ``python -m
benchmarks.sameness --data ../shared/data/roampal [--cache FILE.npz]``.

It uses pairs of one topic, from the cases of ``benchmarks.neighbours`` and all their rewordings: pairs of one case ask
the same, pairs of two cases do not. Pairs of two even rows fit the weights of
``core.memory.outcomes.question_similarity``; those of two odd rows are reported separately. It prints the weights, the
thresholds of log-odds that only given shares of similar questions exceed, and the pairs above them.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.neighbours import Case, cases
from benchmarks.outcomes_adversarial import WHERE, load
from benchmarks.shelf import KeptEmbeddings
from core.memory.outcomes.question_similarity import Question, by_meaning
from core.models.build import build_embeddings
from core.settings import Settings

Floats = NDArray[np.float64]
PENALTY = 0.01
STEPS = 60
SHARES = (0.98, 0.99, 0.995, 0.998, 0.9995, 1.0)


@dataclass(frozen=True)
class Pair:
    features: tuple[float, ...]
    same: bool
    half: int | None
    free: bool
    """Whether the case is from the topics of ``neighbours.yaml``, whose rewordings share almost no word with the
    question."""


async def pairs(all_cases: Sequence[Case], further: dict[str, Sequence[str]], embeddings: KeptEmbeddings) -> list[Pair]:
    """Returns the pairs. ``further`` maps a case's question to more rewordings, besides the one in the case."""
    asked = [[each.query, each.words, *further.get(each.query, ())] for each in all_cases]
    vectors = {text: await embeddings.embed_query(text) for texts in asked for text in texts}
    known = {text: Question(text) for text in vectors}
    embeddings.save()

    def pair(one: str, other: str, same: bool, half: int | None, free: bool) -> Pair:
        a, b = known[one], known[other]
        cosine = float(np.dot(vectors[one], vectors[other]))
        return Pair(by_meaning(a, b, cosine, embeddings.identity.calibration), same, half, free)

    found = []
    for case, texts in zip(all_cases, asked, strict=True):
        free = case.topic not in ("coding", "office")
        half = 0 if case.calibrates else 1
        found += [pair(one, other, True, half, free) for one, other in combinations(texts, 2)]
    for (case, texts), (beside, others) in combinations(zip(all_cases, asked, strict=True), 2):
        if case.topic == beside.topic:
            half = (0 if case.calibrates else 1) if case.calibrates == beside.calibrates else None
            found += [pair(one, other, False, half, False) for one in texts[:2] for other in others]
    return found


def fitted(rows: Floats, same: Floats) -> Floats:
    """Returns weights and constant of a logistic regression, by Newton's method."""
    rows = np.c_[rows, np.ones(len(rows))]
    weights = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (chance - same) + PENALTY * weights
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows + PENALTY * np.eye(len(weights))
        weights -= np.linalg.solve(curve, slope)
    return weights


def told(name: str, found: Sequence[Pair], columns: slice) -> None:
    rows = np.array([each.features[columns] for each in found])
    same, free = np.array([each.same for each in found]), np.array([each.free for each in found])
    half = np.array([-1 if each.half is None else each.half for each in found])
    weights = fitted(rows[half == 0], same[half == 0].astype(float))
    odds = np.c_[rows, np.ones(len(rows))] @ weights
    print(f"{name}: weights {weights.round(2).tolist()}")
    for share in SHARES:
        least = float(np.quantile(odds[(half == 0) & ~same], share))
        line = [f"{word} {(odds[part] > least).mean():.3f}" for word, part in (
            ("odd neighbours", (half == 1) & ~same),
            ("rewordings, even", (half == 0) & same & ~free),
            ("odd", (half == 1) & same & ~free),
            ("free rewordings, even", (half == 0) & same & free),
            ("odd", (half == 1) & same & free),
        )]  # fmt: skip
        print(f"  above {least:6.2f} (even neighbours {1 - share:.3f}): {', '.join(line)}")
    some = np.percentile(odds[same & ~free & (half == 0)], [5, 10, 25, 50, 75])
    print(f"  log-odds of even rewordings at 5, 10, 25, 50, 75 %: {some.round(1).tolist()}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help=WHERE)
    parser.add_argument("--cache", type=Path, help="keep embeddings in this file between runs")
    given = parser.parse_args()
    embeddings = KeptEmbeddings(build_embeddings(Settings()), given.cache)
    further = {each.query: each.rewordings for each in load(given.data)}
    found = asyncio.run(pairs(cases(given.data), further, embeddings))
    told("by embeddings and keywords", found, slice(0, None))
    told("by words", found, slice(1, None))
    return 0


if __name__ == "__main__":
    sys.exit(main())
