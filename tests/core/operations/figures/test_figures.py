"""Tests histograms with fixed buckets: their statistics are right, and they do not grow."""

from __future__ import annotations

import random

import pytest

from core.operations.figures.figures import BOUNDS, MOST_NAMES, Figures, Histogram, together


def test_quantiles_lie_within_a_bucket_of_the_exact_ones() -> None:
    drawn = random.Random(7)
    observed = sorted(drawn.lognormvariate(0.0, 1.2) for _ in range(4_000))
    histogram = Histogram()
    for seconds in observed:
        histogram.observe(seconds)
    for share in (0.5, 0.95, 0.99):
        exact = observed[int(share * len(observed))]
        upper = next(bound for bound in BOUNDS if bound >= exact)
        lower = max((bound for bound in BOUNDS if bound < exact), default=0.0)
        assert lower <= histogram.quantile(share) <= upper
    assert histogram.mean == pytest.approx(sum(observed) / len(observed))


def test_within_a_bucket_it_is_interpolated() -> None:
    histogram = Histogram(buckets={BOUNDS.index(2.0): 4})
    assert [histogram.quantile(share) for share in (0.25, 0.5, 1.0)] == [1.625, 1.75, 2.0]


def test_nothing_observed_is_nought_and_what_no_bucket_holds_its_lower_end() -> None:
    assert Histogram().quantile(0.5) == 0.0
    assert Histogram(buckets={len(BOUNDS): 2}).quantile(0.5) == BOUNDS[-1]


def test_spans_add_up() -> None:
    first, second = Figures(), Figures()
    for each, seconds in ((first, 0.2), (second, 9.0)):
        each.time("answer:whole", seconds)
        each.count("outcomes:answered")
    both = together([first, second])
    assert both.time_of("answer:whole").count == 2
    assert both.time_of("answer:whole").total == pytest.approx(9.2)
    assert both.of("outcomes") == {"answered": 2}
    assert first.time_of("answer:whole").count == 1


def test_names_are_bounded() -> None:
    figures = Figures()
    for number in range(2 * MOST_NAMES):
        figures.count(f"tools:{number}")
        figures.time(f"tool:{number}", 0.1)
    assert (len(figures.counts), len(figures.times)) == (MOST_NAMES, MOST_NAMES)
