"""Fixtures: a separate served workbench for each module, and a real browser to drive it."""

from __future__ import annotations

import os
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.process import BaseProcess
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from tests.equipment import find_browser
from tests.interface.browsing import Browsing
from tests.servers.forked import forked
from tests.servers.workbench import serve as serve_workbench

ROOT = Path(__file__).parents[2]
SCREENSHOTS = Path(__file__).parent / "screenshots"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
]
PATIENCE = 20_000
"""Milliseconds to wait for expected content: tests check that it appears, not how busy the machine is."""
STARTING = 180
"""Seconds for a server to start: on a busy machine the imports have taken half a minute."""
expect.set_options(timeout=PATIENCE)

GRADIO_RELOAD = re.compile(r"AbortError|net::ERR_ABORTED")
"""Gradio's own error message when the user leaves a page during streaming; tests ignore it."""


READY = ".pal-header [role=tab][aria-selected=true]"
"""Elements that are present when a workbench page is ready for use."""

ENDED: list[int] = []
"""Ports of workbenches that have ended, the most used first. The browser caches compiled scripts by address, so a new
workbench on such a port loads faster."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _used_before() -> int | None:
    """Returns a port from ``ENDED`` that is still free."""
    while ENDED:
        port = ENDED.pop(0)
        with socket.socket() as probe, suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # The server sets the same option.
            probe.bind(("127.0.0.1", port))
            return port
    return None


def environment_for(home: Path, port: int, **given: str) -> dict[str, str]:
    """The environment of a workbench on this data directory, without variables of the user who runs the tests."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("PALIMPSEST_", "OPENAI_"))}
    rates = {f"PALIMPSEST_RATES__{name}": "100000" for name in ("SESSION", "USER", "ADDRESS", "SIGN_IN")}
    return {**inherited, **rates, "PALIMPSEST_HOME": str(home), "PALIMPSEST_PORT": str(port), **given}


class Served:
    """A workbench in a separate process with a separate data directory. With ``reader``, files are read in a further
    process."""

    def __init__(self, home: Path, *, reader: bool = False, **environment: str) -> None:
        self.home = home
        self._reader = reader
        self.port = _used_before() or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._environment = environment_for(home, self.port, **environment)
        self.process: BaseProcess | None = None

    @property
    def log(self) -> Path:
        return self.home.parent / f"{self.home.name}.log"

    def start(self) -> None:
        self.log.touch()
        self.process = forked(serve_workbench, self._environment, ROOT, self.log, self._reader)
        self.process.start()
        until_healthy(self.url, self.process.is_alive, self.log)

    def kill(self) -> None:
        """Kills it as a power cut would."""
        if self.process:
            self.process.kill()
            self.process.join()

    def stop(self) -> None:
        if self.process and self.process.is_alive():
            self.process.terminate()
            self.process.join(20)
            self.kill()


def until_healthy(url: str, alive: Callable[[], bool], log: Path) -> None:
    ends = time.monotonic() + STARTING
    while time.monotonic() < ends and alive():
        try:
            if httpx.get(f"{url}/health", timeout=2).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise AssertionError(log.read_text()[-4000:])


@pytest.fixture(scope="module")
def serve(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Served]]:
    reader = request.node.get_closest_marker("reader") is not None
    started: list[Served] = []

    def start(prepare: Callable[[Path], None] | None = None, **environment: str) -> Served:
        served = Served(tmp_path_factory.mktemp("home") / "palimpsest", reader=reader, **environment)
        served.home.mkdir()
        if prepare:
            prepare(served.home)
        started.append(served)
        served.start()
        return served

    yield start
    for served in started:
        served.stop()
    ENDED[:0] = [served.port for served in started]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find_browser()
    assert path, "no Chromium: run `make equipment`"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def browsing(browser: Browser) -> Browsing:
    return Browsing(browser, PATIENCE)


@pytest.fixture
def opened(browsing: Browsing) -> Iterator[Callable[..., Page]]:
    """Opens pages on which no console error and no request to another host may occur."""
    complaints: list[str] = []
    listeners = {
        "console": lambda message: _note(complaints, message),
        "pageerror": lambda error: complaints.append(f"page error: {error}"),
        "request": lambda request: _local(complaints, request.url),
    }

    def open_page(
        url: str, *, width: int = 1440, height: int = 900, dark: bool = False, locale: str = "en-US", until: str = READY
    ) -> Page:
        origin = "/".join(url.split("/")[:3])
        page = browsing.take(origin, width=width, height=height, dark=dark, locale=locale, listeners=listeners)
        page.goto(url)
        page.wait_for_selector(until)
        return page

    yield open_page
    browsing.give_back()
    assert not complaints, complaints


@pytest.fixture
def signed_in(browsing: Browsing) -> Iterator[Callable[[Served, str, str], Page]]:
    """A user's own signed-in page: ``signed_in(served, name, password)``."""

    def sign_in(served: Served, name: str, password: str) -> Page:
        page = browsing.take(served.url)
        page.goto(served.url)
        page.fill("input[name=name]", name)
        page.fill("input[name=password]", password)
        page.click("button")
        page.wait_for_selector(READY)
        return page

    yield sign_in
    browsing.give_back()


def _note(complaints: list[str], said: ConsoleMessage) -> None:
    if said.type == "error" and not GRADIO_RELOAD.search(said.text):
        complaints.append(f"console: {said.text} at {said.location.get('url')}")


def _local(complaints: list[str], url: str) -> None:
    if not url.startswith(("http://127.0.0.1", "data:", "blob:")):
        complaints.append(f"foreign request: {url}")


@pytest.fixture
def shoot() -> Callable[[Page, str], None]:
    """Saves a screenshot for people to look at."""

    def take(page: Page, name: str) -> None:
        SCREENSHOTS.mkdir(exist_ok=True)
        page.screenshot(path=SCREENSHOTS / f"{name}.png")

    return take
