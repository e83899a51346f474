"""Exports the figures since the process started to Prometheus, as metric families with samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from core.operations.figures.figures import BOUNDS, Figures, Histogram

TIMES = {
    "answer": ("palimpsest_answer_seconds", "Seconds to the first event, the first words and the end", "until"),
    "stage": ("palimpsest_step_seconds", "Seconds per step of questions and of document reading", "step"),
    "tool": ("palimpsest_tool_seconds", "Seconds per tool call", "category"),
}
"""For each kind of duration: the metric family's name, its description, its label."""
COUNTS = {
    "answers": ("palimpsest_answers", "Answers by kind", "kind"),
    "outcomes": ("palimpsest_run_outcomes", "Questions by outcome", "outcome"),
    "readings": ("palimpsest_reading_outcomes", "Readings of files by outcome", "outcome"),
    "errors": ("palimpsest_run_errors", "Errors shown to users", "category"),
    "fallbacks": ("palimpsest_fallbacks", "Fallbacks used after failures", "of"),
    "language": ("palimpsest_questions", "Questions by language", "language"),
    "model": ("palimpsest_model", "Model calls, their tokens and their cost in US dollars", "of"),
    "tier_hits": ("palimpsest_answer_tier_hits", "Passages and memories given to answers", "tier"),
    "tool_calls": ("palimpsest_tool_calls", "Tool calls by outcome", "outcome"),
    "tools": ("palimpsest_tool_categories", "Tool calls by category", "category"),
    "memory": ("palimpsest_out_of_memory", "Work that was stopped because it used too much memory", "of"),
}
"""For each kind of count: the metric family's name, its description, its label."""
_BOUNDS = (*(str(bound) for bound in BOUNDS), "+Inf")


class FiguresExposition(Collector):
    """A Prometheus collector; ``figures`` returns the current figures."""

    def __init__(self, figures: Callable[[], Figures]) -> None:
        self._figures = figures

    def collect(self) -> Iterator[Metric]:
        """All families, including those without samples."""
        figures = self._figures()
        for kind, (name, told, label) in TIMES.items():
            times = HistogramMetricFamily(name, told, labels=[label])
            for value, histogram in sorted(figures.times_of(kind).items()):
                times.add_metric([value], _buckets(histogram), histogram.total)
            yield times
        for kind, (name, told, label) in COUNTS.items():
            counts = CounterMetricFamily(name, told, labels=[label])
            for value, amount in sorted(figures.of(kind).items()):
                counts.add_metric([value], amount)
            yield counts


def _buckets(histogram: Histogram) -> list[tuple[str, float]]:
    return [(bound, float(count)) for bound, count in zip(_BOUNDS, histogram.cumulative(), strict=True)]
