from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

gc.disable()  # until all tests are collected: what is imported stays, and walking it again and again takes time


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The journeys come last: an open browser keeps an event loop in this thread, where no other could then run.

    Files with many of them are first among them, so that no worker is left alone with a long one.
    """
    tests = Counter(item.path for item in items)
    journeys = {item.path for item in items if "browser" in getattr(item, "fixturenames", ())}

    def place(item: pytest.Item) -> tuple[bool, int]:
        is_journey = item.path in journeys
        return is_journey, -tests[item.path] if is_journey else 0

    items.sort(key=place)


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def _collecting() -> Iterator[None]:
    """An application that is made and never started leaves collection off, and no later workbench would ever go."""
    yield
    if not gc.isenabled():
        gc.enable()
