"""Reuses browser pages across tests: size, colours and language -> a page like new, whose scripts are compiled.

More than half of a page load's cost is reading and compiling the same scripts. Each new profile and each new process
repeats it; Chromium starts a new process when a page returns to an origin from another one. So a page stays on its
origin.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType

from playwright.sync_api import Browser, Error, Page

PLAIN = "/page/shared/words.js"
"""A public file on the same origin; it is shown as text and runs nothing."""

Listeners = Mapping[str, Callable[..., None]]
NOBODY: Listeners = MappingProxyType({})
Place = tuple[str, str]
"""Origin and language. Compiled scripts keep importing from the origin that they were compiled for."""


class Browsing:
    """Each page has its own profile and is used by one test at a time; between tests it shows a text and stores
    nothing."""

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
        """A page with nothing stored at the ``origin`` and nothing running yet."""
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
        """Returns all taken pages; a page that cannot be navigated away is closed instead."""
        for page in list(self._taken):
            self._give_back(page)

    def _give_back(self, page: Page) -> None:
        place, listeners = self._taken.pop(page)
        context = page.context
        with suppress(Error):
            page.evaluate("() => null")  # Its error messages have been received by then.
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
