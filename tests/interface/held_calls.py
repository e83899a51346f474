"""Calls of the page that are kept on their way: what is done meanwhile must not break it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Route


@contextmanager
def held(page: Page, pattern: str, *, function: str = "") -> Iterator[list[Route]]:
    """Requests to ``pattern`` wait until the block ends; with ``function`` only calls of that server function."""
    kept: list[Route] = []

    def keep(route: Route) -> None:
        if f'"fn_name":"{function}"' in (route.request.post_data or "") or not function:
            kept.append(route)
        else:
            route.continue_()

    page.route(pattern, keep)
    yield kept
    for route in kept:
        route.continue_()
    page.unroute(pattern)


CALLS = "**/component_server/"
