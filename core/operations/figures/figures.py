"""Holds durations and counts for a period of time: histograms with fixed buckets, and sums.

Names are ``kind:label`` (``stage:searching``), each of letters, digits and underscores; histograms hold seconds. The
code limits the possible names, so that memory does not grow with use (docs/specification.md, "Figures").
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from pydantic import BaseModel, Field

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 15.0, 30.0, 60.0, 180.0)
"""Upper bounds of the buckets in seconds; one more bucket has no bound."""
MOST_NAMES = 256
"""Maximum number of names for durations and for counts; further names are ignored."""


class Histogram(BaseModel):
    """A histogram; ``buckets``: observations by bucket number, without empty buckets."""

    buckets: dict[int, int] = {}
    total: float = 0.0

    @property
    def count(self) -> int:
        return sum(self.buckets.values())

    @property
    def mean(self) -> float:
        """The mean in seconds; 0 without observations."""
        return self.total / self.count if self.buckets else 0.0

    def observe(self, seconds: float) -> None:
        bucket = bisect_left(BOUNDS, seconds)
        self.buckets[bucket] = self.buckets.get(bucket, 0) + 1
        self.total += seconds

    def add(self, other: Histogram) -> None:
        for bucket, count in other.buckets.items():
            self.buckets[bucket] = self.buckets.get(bucket, 0) + count
        self.total += other.total

    def quantile(self, share: float) -> float:
        """The quantile in seconds: ``share`` of all observations are below it, assuming an even spread within a bucket.
        In the unbounded bucket it is that bucket's lower bound; 0 without observations."""
        rank, below = share * self.count, 0
        for bucket in sorted(self.buckets):
            inside = self.buckets[bucket]
            if below + inside >= rank:
                lower = BOUNDS[bucket - 1] if bucket else 0.0
                upper = BOUNDS[bucket] if bucket < len(BOUNDS) else lower
                return lower + (upper - lower) * (rank - below) / inside
            below += inside
        return 0.0

    def cumulative(self) -> list[int]:
        """The number of observations at or below each bound, then the total number."""
        counts, below = [], 0
        for bucket in range(len(BOUNDS) + 1):
            below += self.buckets.get(bucket, 0)
            counts.append(below)
        return counts


class Figures(BaseModel):
    """All figures for one period of time; single values or another period's figures can be added."""

    times: dict[str, Histogram] = Field(default_factory=dict)
    counts: dict[str, float] = Field(default_factory=dict)

    def time(self, name: str, seconds: float) -> None:
        if name in self.times or len(self.times) < MOST_NAMES:
            self.times.setdefault(name, Histogram()).observe(max(0.0, seconds))

    def count(self, name: str, amount: float = 1) -> None:
        if amount and (name in self.counts or len(self.counts) < MOST_NAMES):
            self.counts[name] = self.counts.get(name, 0) + amount

    def add(self, other: Figures) -> None:
        for name, histogram in other.times.items():
            self.times.setdefault(name, Histogram()).add(histogram)
        for name, amount in other.counts.items():
            self.count(name, amount)

    def of(self, kind: str) -> dict[str, float]:
        """Counts of one kind, by label."""
        return {name.partition(":")[2]: count for name, count in self.counts.items() if name.startswith(f"{kind}:")}

    def times_of(self, kind: str) -> dict[str, Histogram]:
        """Histograms of one kind by label."""
        return {name.partition(":")[2]: each for name, each in self.times.items() if name.startswith(f"{kind}:")}

    def time_of(self, name: str) -> Histogram:
        return self.times.get(name, Histogram())

    @property
    def is_empty(self) -> bool:
        return not self.times and not self.counts


def together(spans: Iterable[Figures]) -> Figures:
    """The sum of the figures for several periods."""
    found = Figures()
    for each in spans:
        found.add(each)
    return found
