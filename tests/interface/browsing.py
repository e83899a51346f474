"""Pages that serve one test after another: size, colours and language -> a page as new, whose scripts are compiled.

More than half of what a load costs is reading and compiling the same scripts, which each new profile does again, and
each new process: Chromium begins one for whoever comes back to an origin from elsewhere, so that a page stays there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType

from playwright.sync_api import Browser, Error, Page

PLAIN = "/page/shared/words.js"
"""A place of the same origin that is open to everybody; it is shown as text and runs nothing."""

Listeners = Mapping[str, Callable[..., None]]
NOBODY: Listeners = MappingProxyType({})
Place = tuple[str, str]
"""Origin and language. What is compiled once goes on importing from the origin that it was compiled for."""


class Browsing:
    """Each page has a profile of its own and is in one test at a time; between two it shows a text, nothing stored."""

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
        """A page of which nothing is stored at the ``origin``, and where nothing runs yet."""
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
        """All that are taken; those that cannot be led away are closed instead."""
        for page in list(self._taken):
            self._give_back(page)

    def _give_back(self, page: Page) -> None:
        place, listeners = self._taken.pop(page)
        context = page.context
        with suppress(Error):
            page.evaluate("() => null")  # What it has complained of is heard by then.
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
