from __future__ import annotations

import gc

import pytest

gc.disable()  # until all tests are collected: what is imported stays, and walking it again and again takes time


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The journeys come last: an open browser keeps an event loop in this thread, where no other could then run."""
    items.sort(key=lambda item: item.get_closest_marker("interface") is not None)


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.enable()
