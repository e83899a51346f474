"""Delays calls from the page to the server, to check that user actions during the wait break nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Request, Route


@contextmanager
def held(page: Page, pattern: str, *, function: str = "") -> Iterator[list[Route]]:
    """Requests to ``pattern`` wait until the ``with`` block ends. If ``function`` is given, only calls of that server
    function wait."""
    kept: list[Route] = []

    def keep(route: Route) -> None:
        if not function or is_of(function)(route.request):
            kept.append(route)
        else:
            route.continue_()

    page.route(pattern, keep)
    yield kept
    for route in kept:
        route.continue_()
    page.unroute(pattern)


CALLS = "**/component_server/"


def is_of(function: str) -> Callable[[Request], bool]:
    """Whether a request calls this server function."""
    return lambda request: f'"fn_name":"{function}"' in (request.post_data or "")
