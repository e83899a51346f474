"""Multinomial logistic regression over dense and counted features, by Nesterov's accelerated gradient.

There are few rows and many features, so the squared penalty determines the optimum; numpy is sufficient.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class Counted:
    """A sparse matrix with the counted features of each row; rows have unit length, times ``scale``."""

    def __init__(self, rows: Sequence[Sequence[int]], width: int, scale: float) -> None:
        # Each row gets a last feature of value 0, because reduceat does not support empty rows.
        self.width = width + 1
        lengths = np.array([len(row) + 1 for row in rows])
        self._columns = np.array([column for row in rows for column in (*row, width)])
        self._starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        self._rows = np.repeat(np.arange(len(rows)), lengths)
        self._values = (scale / np.sqrt(np.maximum(1, lengths - 1)))[self._rows].astype(np.float32)
        self._values[self._columns == width] = 0.0

    def times(self, weights: Floats) -> Floats:
        """Returns (rows, k) for weights (width, k)."""
        product: Floats = np.add.reduceat(weights[self._columns] * self._values[:, None], self._starts, axis=0)
        return product

    def transposed_times(self, residuals: Floats) -> Floats:
        """Returns (width, k) for residuals (rows, k)."""
        parts = residuals[self._rows] * self._values[:, None]
        sums = [np.bincount(self._columns, part, minlength=self.width) for part in parts.T]
        return np.stack(sums, axis=1).astype(np.float32)


@dataclass(frozen=True)
class Fitted:
    """Fitted weights: ``dense`` (features, classes), ``counted`` (width, classes), ``bias`` (classes,)."""

    dense: Floats
    counted: Floats
    bias: Floats

    def probabilities(self, dense: Floats, counted: Counted) -> Floats:
        return softmax(dense @ self.dense + counted.times(self.counted) + self.bias)


@dataclass(frozen=True)
class Penalty:
    """Penalties of the squared weights, by kind of weight; the bias has no penalty."""

    dense: float = 0.015
    counted: float = 0.002


def softmax(scores: Floats) -> Floats:
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    result: Floats = shares / shares.sum(axis=1, keepdims=True)
    return result


def fit(
    dense: Floats, counted: Counted, labels: Sequence[int], weight: Floats, penalty: Penalty, steps: int = 300
) -> Fitted:
    """Fits the weights with the lowest penalised cross entropy. ``labels``: class of each row; ``weight``: each row's
    weight."""
    share = (weight / weight.sum()).astype(np.float32)[:, None]
    wanted = np.eye(max(labels) + 1, dtype=np.float32)[np.array(labels)]
    dense = np.hstack([dense, np.ones((len(dense), 1), dtype=np.float32)])
    rate = 1.0 / (0.55 * _largest(dense, counted, share) + max(penalty.dense, penalty.counted))
    held = np.full((dense.shape[1], 1), penalty.dense, dtype=np.float32)
    held[-1] = 0.0
    now = [
        np.zeros((dense.shape[1], wanted.shape[1]), np.float32),
        np.zeros((counted.width, wanted.shape[1]), np.float32),
    ]
    ahead, pace = [part.copy() for part in now], 1.0
    for _ in range(steps):
        residuals = (softmax(dense @ ahead[0] + counted.times(ahead[1])) - wanted) * share
        slopes = [
            dense.T @ residuals + held * ahead[0],
            counted.transposed_times(residuals) + penalty.counted * ahead[1],
        ]
        following = [part - np.float32(rate) * slope for part, slope in zip(ahead, slopes, strict=True)]
        faster = (1 + (1 + 4 * pace * pace) ** 0.5) / 2
        push = np.float32((pace - 1) / faster)
        ahead = [new + push * (new - old) for new, old in zip(following, now, strict=True)]
        now, pace = following, faster
    return Fitted(now[0][:-1], now[1], now[0][-1])


def _largest(dense: Floats, counted: Counted, share: Floats) -> float:
    """Returns the largest eigenvalue of the weighted second moments, by power iteration."""
    random = np.random.default_rng(0)
    one = random.standard_normal((dense.shape[1], 1)).astype(np.float32)
    two = random.standard_normal((counted.width, 1)).astype(np.float32)
    size = 1.0
    for _ in range(12):
        seen = (dense @ one + counted.times(two)) * share
        one, two = dense.T @ seen, counted.transposed_times(seen)
        size = float(np.sqrt((one**2).sum() + (two**2).sum()))
        one, two = one / size, two / size
    return size
