"""Reuses browser pages across tests. Returns a page for a size, colour scheme and language: it looks new, but its
scripts are already compiled.

More than half of the time to load a page is spent on reading and compiling the same scripts. Each new browser profile
and each new browser process repeats this work; Chromium starts a new process when a page returns to an origin from
another one. Therefore each page stays on its origin.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType

from playwright.sync_api import Browser, Error, Page

PLAIN = "/page/shared/words.js"
"""A public file on the same origin, which a page shows between tests; it is plain text and runs no script."""

Listeners = Mapping[str, Callable[..., None]]
NOBODY: Listeners = MappingProxyType({})
Place = tuple[str, str]
"""(origin, language). Pages are kept per origin, because compiled scripts import from the origin that they were
compiled for."""


class Browsing:
    """A pool of browser pages. Each page has its own profile and is used by one test at a time; between tests it shows
    a text file and stores nothing."""

    def __init__(self, browser: Browser, patience: int) -> None:
        self._browser = browser
        self._patience = patience
        self._idle: dict[Place, list[Page]] = {}
        self._taken: dict[Page, tuple[Place, Listeners]] = {}

    def take(
        self,
        origin: str,
        *,
        width: int = 1440,
        height: int = 900,
        dark: bool = False,
        locale: str = "en-US",
        listeners: Listeners = NOBODY,
    ) -> Page:
        """Returns a page on ``origin`` that has nothing stored and runs nothing yet."""
        idle = self._idle.setdefault((origin, locale), [])
        page = idle.pop() if idle else self._browser.new_context(locale=locale).new_page()
        page.set_default_timeout(self._patience)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="dark" if dark else "light")
        for event, listener in listeners.items():
            page.on(event, listener)  # type: ignore[call-overload]
        self._taken[page] = (origin, locale), listeners
        return page

    def give_back(self) -> None:
        """Takes back all pages from the test; a page that cannot leave its address is closed instead."""
        for page in list(self._taken):
            self._give_back(page)

    def _give_back(self, page: Page) -> None:
        place, listeners = self._taken.pop(page)
        context = page.context
        with suppress(Error):
            page.evaluate("() => null")  # After this call, all of the page's error messages have been received.
        for event, listener in listeners.items():
            page.remove_listener(event, listener)
        try:
            page.unroute_all(behavior="ignoreErrors")
            page.goto(place[0] + PLAIN)
            page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
            page.mouse.move(-1, -1)
            for other in context.pages:
                if other != page:
                    other.close()
            context.clear_cookies()
        except Error:
            context.close()
        else:
            self._idle[place].append(page)
