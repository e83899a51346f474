from __future__ import annotations

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The journeys come last: an open browser keeps an event loop in this thread, where no other could then run."""
    items.sort(key=lambda item: item.get_closest_marker("interface") is not None)
