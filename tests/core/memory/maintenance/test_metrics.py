"""Tests that measured values are reported both as numbers and as Prometheus text."""

from __future__ import annotations

import asyncio

import pytest
from prometheus_client.parser import text_string_to_metric_families

from core.errors import PalimpsestError
from core.memory.maintenance.metrics import WINDOW, Metrics
from core.resilience.dependencies import CircuitBreaker, Dependency, Observation
from core.search.request import SearchRecord, Stage
from core.words import Words


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


def test_percentiles_are_exact_over_the_window_and_the_count_is_of_all(metrics: Metrics) -> None:
    for milliseconds in range(WINDOW + 100):
        metrics.stage("dense", float(milliseconds))
    latency = metrics.snapshot().stages["dense"]
    assert latency.count == WINDOW + 100
    first = 100
    assert latency.p50 == pytest.approx(first + (WINDOW - 1) * 0.50)
    assert latency.p95 == pytest.approx(first + (WINDOW - 1) * 0.95)
    assert latency.p99 == pytest.approx(first + (WINDOW - 1) * 0.99)


def test_nothing_recorded_is_nothing_told(metrics: Metrics) -> None:
    found = metrics.snapshot()
    assert not found.stages
    assert not found.dependencies
    assert set(found.counts.values()) == {0}
    assert "palimpsest_events_total" in metrics.prometheus()


async def test_a_dependency_tells_what_became_of_its_calls(metrics: Metrics) -> None:
    dependency = Dependency("The cross-encoder", 0.02, CircuitBreaker(failures=2, cooldown=60), metrics.observe)

    async def well() -> None:
        return None

    async def badly() -> None:
        raise RuntimeError

    await dependency.attempt(well)
    with pytest.raises(RuntimeError):
        await dependency.attempt(badly)
    with pytest.raises(PalimpsestError):
        await dependency.attempt(lambda: asyncio.Event().wait())
    with pytest.raises(PalimpsestError):
        await dependency.attempt(well)
    calls = metrics.snapshot().dependencies["The cross-encoder"]
    assert (calls.ok, calls.error, calls.timeout, calls.refused) == (1, 1, 1, 1)
    assert calls.latency.count == 3


def test_a_search_is_counted_with_its_stages(metrics: Metrics) -> None:
    record = SearchRecord("en", [Stage("dense", 3.0, 7)], [Words(en="left out", he="הושמט")], confidence="high")
    metrics.record_search(record)
    metrics.outcome("worked")
    metrics.count("repairs", 3)
    metrics.level("bank_active", 12)
    found = metrics.snapshot()
    assert (found.counts["searches"], found.counts["skipped"], found.counts["repairs"]) == (1, 1, 3)
    assert found.outcomes == {"worked": 1}
    assert found.confidence == {"high": 1}
    assert found.levels == {"bank_active": 12.0}
    assert found.stages["dense"].count == 1


def test_prometheus_can_read_it(metrics: Metrics) -> None:
    metrics.observe(Observation('Search "by" meaning\n', 12.0, "ok"))
    metrics.count("promotions", 2)
    families = {family.name: family for family in text_string_to_metric_families(metrics.prometheus())}
    promoted = [each.value for each in families["palimpsest_events"].samples if each.labels.get("kind") == "promotions"]
    assert promoted[0] == 2
    assert families["palimpsest_call_seconds"].samples[0].labels["dependency"] == 'Search "by" meaning\n'


def test_two_processes_in_one_do_not_share_their_numbers(metrics: Metrics) -> None:
    metrics.count("merges")
    assert Metrics().snapshot().counts["merges"] == 0
