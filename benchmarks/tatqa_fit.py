"""Fits the confidence of an answer from a table: ``python -m benchmarks.tatqa_fit --data FILE [--write]``.

Every candidate answer that the rules give for the questions of even contexts is a row: its reasons, and whether it is
right (exact match and scale). A logistic regression with a ridge is fitted by Newton's method. The reported figures
come from five folds over contexts, so that each row is judged by a fit without its document. ``--write`` writes the
coefficients and thresholds into ``core/figures/tables/sureness.yaml``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml
from numpy.typing import NDArray

from benchmarks.tatqa import WHERE, strings_of
from benchmarks.tatqa_metric import score
from benchmarks.tatqa_rules import candidates_of

Numbers = NDArray[np.float64]

TARGET = Path(__file__).parents[1] / "core" / "figures" / "tables" / "sureness.yaml"
FOLDS, RIDGE, STEPS = 5, 3.0, 30
RIGHT_WHEN_HIGH, MOST_WRONG = 0.94, 0.055
"""Targets in the half used for tuning: minimum share of right answers with high confidence, and maximum share of wrong
ones without doubt. With search and text, about two percentage points fewer are right."""
LEAST_ROWS = 8
"""Minimum number of candidates with a reason; rarer reasons are left out."""


@dataclass(frozen=True)
class Row:
    """A candidate answer to a question, and whether it is right."""

    question: int
    context: int
    reasons: dict[str, float]
    right: bool


def rows_of(contexts: Sequence[tuple[int, dict]]) -> list[Row]:  # type: ignore[type-arg]
    rows: list[Row] = []
    asked = 0
    for number, context in contexts:
        questions = context["questions"]
        for question, found in zip(
            questions, candidates_of(number, context, [each["question"] for each in questions]), strict=True
        ):
            asked += 1
            for candidate in found:
                said, scale = strings_of(candidate.answer.model_dump(mode="json"))
                exact, _ = score(question["answer"], question["answer_type"], question["scale"], said, scale)
                rows.append(Row(asked, number, candidate.reasons, exact == 1.0))
    return rows


def fit(table: Numbers, right: Numbers) -> Numbers:
    """Returns the coefficients, the bias last."""
    table = np.hstack([table, np.ones((len(table), 1))])
    weights = np.zeros(table.shape[1])
    ridge = np.eye(table.shape[1]) * RIDGE
    ridge[-1, -1] = 1e-6
    for _ in range(STEPS):
        said = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (said - right) + ridge @ weights
        bend = (table * (said * (1 - said))[:, None]).T @ table + ridge
        weights = weights - np.linalg.solve(bend, slope)
    return weights


def said_of(table: Numbers, weights: Numbers) -> Numbers:
    said: Numbers = 1 / (1 + np.exp(-(table @ weights[:-1] + weights[-1])))
    return said


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    if not options.data.exists():
        print(f"Skipped: {options.data} does not exist. {WHERE}")
        return 0
    every = list(enumerate(json.loads(options.data.read_text(encoding="utf-8"))))
    even = [each for each in every if each[0] % 2 == 0]
    asked = sum(len(context["questions"]) for _, context in even)
    rows = rows_of(even)
    names = sorted(
        name
        for name in {name for row in rows for name in row.reasons}
        if sum(bool(row.reasons.get(name)) for row in rows) >= LEAST_ROWS
    )
    table = np.array([[row.reasons.get(name, 0.0) for name in names] for row in rows])
    right = np.array([row.right for row in rows], dtype=float)
    said = np.zeros(len(rows))
    for fold in range(FOLDS):
        out = np.array([row.context // 2 % FOLDS == fold for row in rows])
        said[out] = said_of(table[out], fit(table[~out], right[~out]))
    high, doubtful = report(rows, said, asked)
    weights = fit(table, right)
    if options.write:
        fitted = {
            "high": round(high, 3),
            "doubtful": round(doubtful, 3),
            "bias": round(float(weights[-1]), 3),
            "weights": {name: round(float(weight), 3) for name, weight in zip(names, weights[:-1], strict=True)},
        }
        TARGET.write_text(
            "# Fitted by benchmarks.tatqa_fit; do not change by hand.\n" + yaml.safe_dump(fitted, sort_keys=False),
            encoding="utf-8",
        )
    return 0


def report(rows: Sequence[Row], said: Numbers, asked: int) -> tuple[float, float]:
    """Prints the results of the best candidates; returns the thresholds for high confidence and for doubt."""
    best: dict[int, tuple[float, bool]] = {}
    for row, sureness in zip(rows, said, strict=True):
        best[row.question] = max(best.get(row.question, (0.0, False)), (float(sureness), row.right))
    ordered = sorted(best.values(), reverse=True)
    right = np.cumsum([float(each) for _, each in ordered])
    count = np.arange(1, len(ordered) + 1)
    print(f"{asked} questions, {len(rows)} candidates, best one right: {right[-1] / asked:.3f}")
    high_at = max((place for place in range(len(ordered)) if right[place] / count[place] >= RIGHT_WHEN_HIGH), default=0)
    high = ordered[high_at][0]
    print(f"high from {high:.3f}: {count[high_at]} answers, {right[high_at] / count[high_at]:.3f} right")
    sure_at = max(
        (place for place in range(len(ordered)) if (count[place] - right[place]) / asked <= MOST_WRONG), default=0
    )
    doubtful = ordered[sure_at][0]
    print(f"no doubt from {doubtful:.3f}: {count[sure_at]} answers, {right[sure_at] / count[sure_at]:.3f} right")
    for low in np.arange(0.0, 1.0, 0.1):
        within = [each for each in ordered if low <= each[0] < low + 0.1]
        if within:
            print(f"  {low:.1f}: {len(within):4d}, {sum(each[1] for each in within) / len(within):.3f} right")
    return high, doubtful


if __name__ == "__main__":
    sys.exit(main())
