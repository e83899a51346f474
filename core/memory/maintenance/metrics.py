"""Counts events and measures their durations since the process started.

Totals can be exported in Prometheus format; percentiles are exact over the latest calls of each kind.
"""

from __future__ import annotations

from collections import deque
from typing import Literal, get_args

import numpy as np
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.registry import Collector
from pydantic import BaseModel

from core.resilience.dependencies import CircuitBreaker, Observation, Observer, State
from core.search.request import SearchRecord
from core.store.items import Outcome

WINDOW = 1024
"""How many of the latest calls of one kind are used for percentiles."""
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.5, 4.0, 5.0, 10.0, 15.0, 60.0)
"""Histogram buckets in seconds; they include the default deadlines of the settings."""

Count = Literal[
    "searches", "skipped", "fallbacks", "outcomes", "promotions", "merges", "repairs", "reindex_batches", "tools_saved"
]
Level = Literal["bank_active", "items", "waiting_for_vector"]


class Latency(BaseModel):
    """Latency in milliseconds over the last ``WINDOW`` calls; ``count`` is the number of all calls."""

    count: int
    p50: float
    p95: float
    p99: float


class Calls(BaseModel):
    """Results of the calls to one dependency; ``last`` is the latest call's duration in milliseconds."""

    ok: int = 0
    error: int = 0
    timeout: int = 0
    refused: int = 0
    breaker: State = "closed"
    last: float = 0.0
    latency: Latency


class Snapshot(BaseModel):
    """All metrics; the stages of a search and the dependencies by name."""

    stages: dict[str, Latency]
    dependencies: dict[str, Calls]
    counts: dict[Count, int]
    outcomes: dict[Outcome, int]
    confidence: dict[str, int]
    levels: dict[Level, float]


class Timings:
    """The latest durations of one kind."""

    def __init__(self) -> None:
        self._count = 0
        self._last: deque[float] = deque(maxlen=WINDOW)

    def add(self, milliseconds: float) -> None:
        self._count += 1
        self._last.append(milliseconds)

    @property
    def last(self) -> float:
        return self._last[-1] if self._last else 0.0

    def latency(self) -> Latency:
        p50, p95, p99 = np.percentile(self._last, (50, 95, 99)) if self._last else (0.0, 0.0, 0.0)
        return Latency(count=self._count, p50=float(p50), p95=float(p95), p99=float(p99))


class Metrics:
    """The process's metrics. Recording never fails and takes microseconds; methods must be called from the event loop
    only."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self._stage_seconds = Histogram(
            "palimpsest_stage_seconds", "Stages of a search", ["stage"], registry=registry, buckets=BUCKETS
        )
        self._call_seconds = Histogram(
            "palimpsest_call_seconds", "Calls to a dependency", ["dependency"], registry=registry, buckets=BUCKETS
        )
        self._calls = Counter(
            "palimpsest_calls",
            "Calls to a dependency by what became of them",
            ["dependency", "outcome"],
            registry=registry,
        )
        self._events = Counter("palimpsest_events", "What has happened", ["kind"], registry=registry)
        self._outcomes = Counter("palimpsest_outcomes", "Outcomes applied", ["outcome"], registry=registry)
        self._confidence = Counter("palimpsest_confidence", "Confidence of searches", ["confidence"], registry=registry)
        self._levels = Gauge("palimpsest_level", "How much there is", ["of"], registry=registry)
        self._stages: dict[str, Timings] = {}
        self._dependencies: dict[str, Timings] = {}
        self._breakers: dict[str, CircuitBreaker] = {}
        self._listeners: list[Observer] = []
        for kind in get_args(Count):
            self._events.labels(kind)

    def listen(self, observer: Observer) -> None:
        """Also notify ``observer`` of every call."""
        self._listeners.append(observer)

    def export(self, collector: Collector) -> None:
        """Include another collector's metrics in the exported text."""
        self._registry.register(collector)

    # -- recording -------------------------------------------------------------------------

    def observe(self, observation: Observation) -> None:
        """The ``Observer`` of every ``Dependency``; calls refused by a circuit breaker have no duration."""
        name = observation.dependency
        self._calls.labels(name, observation.outcome).inc()
        timings = self._dependencies.setdefault(name, Timings())
        if observation.breaker:
            self._breakers[name] = observation.breaker
        if observation.outcome != "refused":
            timings.add(observation.milliseconds)
            self._call_seconds.labels(name).observe(observation.milliseconds / 1000)
        for listener in self._listeners:
            listener(observation)

    def stage(self, name: str, milliseconds: float) -> None:
        self._stages.setdefault(name, Timings()).add(milliseconds)
        self._stage_seconds.labels(name).observe(milliseconds / 1000)

    def record_search(self, record: SearchRecord) -> None:
        self.count("searches")
        self.count("skipped", len(record.skipped))
        self._confidence.labels(record.confidence).inc()
        for stage in record.stages:
            self.stage(stage.name, stage.milliseconds)

    def outcome(self, outcome: Outcome) -> None:
        self.count("outcomes")
        self._outcomes.labels(outcome).inc()

    def count(self, kind: Count, amount: int = 1) -> None:
        self._events.labels(kind).inc(amount)

    def level(self, of: Level, value: float) -> None:
        self._levels.labels(of).set(value)

    # -- reading ---------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        calls: dict[str, dict[str, int]] = {}
        for (name, outcome), value in _values(self._calls, "dependency", "outcome").items():
            calls.setdefault(name, {})[outcome] = int(value)
        return Snapshot.model_validate(
            {
                "stages": {name: timings.latency() for name, timings in self._stages.items()},
                "dependencies": {
                    name: {
                        **calls.get(name, {}),
                        "breaker": self._breakers[name].state if name in self._breakers else "closed",
                        "last": timings.last,
                        "latency": timings.latency(),
                    }
                    for name, timings in self._dependencies.items()
                },
                "counts": _by_label(self._events, "kind"),
                "outcomes": _by_label(self._outcomes, "outcome"),
                "confidence": _by_label(self._confidence, "confidence"),
                "levels": _by_label(self._levels, "of"),
            }
        )

    def count_of(self, kind: Count) -> int:
        """The number of these events since the start."""
        return int(_by_label(self._events, "kind")[kind])

    def prometheus(self) -> str:
        """All metrics in Prometheus' text format."""
        return generate_latest(self._registry).decode()


def _values(metric: Counter | Gauge, *labels: str) -> dict[tuple[str, ...], float]:
    return {
        tuple(sample.labels[label] for label in labels): sample.value
        for family in metric.collect()
        for sample in family.samples
        if not sample.name.endswith("_created")
    }


def _by_label(metric: Counter | Gauge, label: str) -> dict[str, float]:
    return {values[0]: value for values, value in _values(metric, label).items()}
