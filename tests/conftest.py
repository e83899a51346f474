from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

gc.disable()  # until all tests are collected: scanning the imported objects repeatedly takes time


SELDOM = 50_000, 20, 100
"""Garbage collection thresholds, the same as in a served workbench. With Python's defaults, parsing all sources took
five times as long."""

LONG = {
    "test_model.py": 120,
    "test_accessibility.py": 100,
    "test_administrators_day.py": 60,
    "test_several_processes.py": 50,
    "test_memory_thousand.py": 40,
    "test_moving_house.py": 30,
    "test_model_tasks.py": 20,
}
"""Seconds that a test file takes, for files whose number of tests is a poor estimate."""
USUAL = 2.5
"""Seconds that a browser test takes."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Runs browser tests last: an open browser keeps an event loop in this thread, and no other loop could then run.

    The longest files come first among them, so that no worker is left with a long one at the end.
    """
    tests = Counter(item.path for item in items)
    journeys = {item.path for item in items if "browser" in getattr(item, "fixturenames", ())}

    def place(item: pytest.Item) -> tuple[bool, float]:
        if item.path not in journeys:
            return False, 0
        return True, -LONG.get(item.path.name, USUAL * tests[item.path])

    items.sort(key=place)


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SELDOM)
    gc.enable()


@pytest.fixture(autouse=True)
def _collecting() -> Iterator[None]:
    """Turns garbage collection on again after each test: an application that is created but never started leaves it
    off, and then later workbenches are never freed."""
    yield
    if not gc.isenabled():
        gc.enable()
