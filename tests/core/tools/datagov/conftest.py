from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from core.resilience.dependencies import CircuitBreaker, Dependency
from core.tools.datagov.index import CatalogueIndex, index_of
from core.tools.datagov.portal import Portal
from tests.servers.ckan_catalogue import made_map


@cache
def _index() -> CatalogueIndex:
    return index_of(made_map())


@pytest.fixture
def index() -> CatalogueIndex:
    """A search index of the whole test catalogue."""
    return _index()


@pytest.fixture
def pauses() -> list[float]:
    """Records the waiting times in seconds, without waiting."""
    return []


@pytest.fixture
def portal_at(pauses: list[float]) -> Callable[..., Portal]:
    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    def build(address: str, seconds: float = 5.0, failures: int = 100) -> Portal:
        dependency = Dependency("The portal", seconds * 4 + 1, CircuitBreaker(failures, 30.0))
        return Portal(address, seconds, dependency, sleep)

    return build
