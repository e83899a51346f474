"""A served workbench of its own for each module, and a real browser to drive it."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.equipment import find_browser

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
"""Milliseconds to wait for what must come: what is tested is that it comes, not how busy the machine is."""
STARTING = 180
"""Seconds for a server to come up: on a busy machine importing alone has taken half a minute."""
expect.set_options(timeout=PATIENCE)

GRADIO_RELOAD = re.compile(r"AbortError|net::ERR_ABORTED")
"""Gradio's own complaint when a page is left while it streams."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Served:
    """A workbench in a process of its own, on a home of its own."""

    def __init__(self, home: Path, **environment: str) -> None:
        self.home = home
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith(("PALIMPSEST_", "OPENAI_"))},
            "PALIMPSEST_HOME": str(home),
            "PALIMPSEST_PORT": str(self.port),
            **environment,
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        log = (self.home.parent / f"{self.home.name}.log").open("ab")
        self.process = subprocess.Popen(
            [sys.executable, "app.py"], cwd=ROOT, env=self._environment, stdout=log, stderr=log
        )
        self._until_healthy()

    def _until_healthy(self) -> None:
        ends = time.monotonic() + STARTING
        while time.monotonic() < ends:
            if self.process is not None and self.process.poll() is not None:
                break
            try:
                if httpx.get(f"{self.url}/health", timeout=2).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.1)
        raise AssertionError((self.home.parent / f"{self.home.name}.log").read_text()[-4000:])

    def kill(self) -> None:
        """As a power cut would."""
        if self.process:
            self.process.kill()
            self.process.wait()

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Served]]:
    started: list[Served] = []

    def start(prepare: Callable[[Path], None] | None = None, **environment: str) -> Served:
        served = Served(tmp_path_factory.mktemp("home") / "palimpsest", **environment)
        served.home.mkdir()
        if prepare:
            prepare(served.home)
        started.append(served)
        served.start()
        return served

    yield start
    for served in started:
        served.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find_browser()
    assert path, "no Chromium: run `make equipment`"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture
def opened(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open pages that may not complain: no console error, no request to another host."""
    complaints: list[str] = []
    contexts = []

    def open_page(url: str, *, width: int = 1440, height: int = 900, dark: bool = False, locale: str = "en-US") -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            locale=locale,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: _note(complaints, message.type, message.text))
        page.on("pageerror", lambda error: complaints.append(f"page error: {error}"))
        page.on("request", lambda request: _local(complaints, request.url))
        page.goto(url)
        page.wait_for_selector(".pal-header [role=tab][aria-selected=true]")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not complaints, complaints


def _note(complaints: list[str], kind: str, text: str) -> None:
    if kind == "error" and not GRADIO_RELOAD.search(text):
        complaints.append(f"console: {text}")


def _local(complaints: list[str], url: str) -> None:
    if not url.startswith(("http://127.0.0.1", "data:", "blob:")):
        complaints.append(f"foreign request: {url}")


@pytest.fixture
def shoot() -> Callable[[Page, str], None]:
    """Keep a screenshot for people to look at."""

    def take(page: Page, name: str) -> None:
        SCREENSHOTS.mkdir(exist_ok=True)
        page.screenshot(path=SCREENSHOTS / f"{name}.png")

    return take
