"""Measures the upload of many files on the Library page, with a served workbench and Chromium, while questions are
asked.

The files are generated one-page texts, or the smallest PDFs of a ``--folder``, without vectors. It measures the seconds
until all files are accepted and until all can be searched, the page's calls and bytes, the longest time for which the
page was frozen, the server's processor seconds, and the answer times for questions about the sample documents, asked
through the API before and during the upload. With ``--people`` the users sign in, so that rate limits apply.

    python -m benchmarks.many_files [--files 300] [--folder FOLDER] [--people] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psutil
from playwright.sync_api import Browser, Page, expect, sync_playwright

from benchmarks.report import Figure, Report
from benchmarks.served import ANSWERING, serving
from benchmarks.workers import page as text_of
from tests.equipment import find_browser
from tests.interface.conftest import ARGUMENTS, READY

NAME, PASSWORD = "ada", "analytical engine"
QUESTION = "What is the daily meal limit in the 2025 travel policy?"
QUIET = 12
PATIENCE_MS = 3_600_000
ROWS = ".pal-library .rows .row:not(.head)"
WATCH = """() => {
  window.longestPause = 0;
  let before = performance.now();
  setInterval(() => {
    const now = performance.now();
    window.longestPause = Math.max(window.longestPause, now - before);
    before = now;
  }, 20);
}"""


@dataclass
class Watched:
    """The number of the page's requests by server function, and the bytes that the page received."""

    calls: Counter[str] = field(default_factory=Counter)
    received: float = 0.0
    problems: int = 0

    def follow(self, page: Page) -> None:
        network = page.context.new_cdp_session(page)
        network.send("Network.enable")
        network.on("Network.requestWillBeSent", self._asked)
        network.on("Network.dataReceived", self._got)

    def _asked(self, event: dict[str, dict[str, str]]) -> None:
        request = event["request"]
        if "component_server" in request["url"]:
            self.calls[str(json.loads(request.get("postData", "{}")).get("fn_name"))] += 1
        elif "/upload" in request["url"]:
            self.calls["upload"] += 1

    def _got(self, event: dict[str, float]) -> None:
        self.received += event["dataLength"]


class Questions:
    """Questions asked one after the other, each in a new conversation."""

    def __init__(self, url: str, cookies: Iterable[tuple[str, str]]) -> None:
        self._client = httpx.Client(base_url=url, cookies=dict(cookies), timeout=ANSWERING)

    def ask(self) -> float:
        began = time.monotonic()
        self._client.post("/api/ask", json={"question": QUESTION}).raise_for_status()
        return time.monotonic() - began

    @contextmanager
    def meanwhile(self) -> Iterator[list[float]]:
        waits: list[float] = []
        over = threading.Event()

        def go_on() -> None:
            while not over.wait(1.0):
                waits.append(self.ask())

        asking = threading.Thread(target=go_on)
        asking.start()
        try:
            yield waits
        finally:
            over.set()
            asking.join()


def processor_seconds(process_id: int) -> float:
    """Returns the processor seconds of a server and of its readers that have ended."""
    times = psutil.Process(process_id).cpu_times()
    return float(times.user + times.system + times.children_user + times.children_system)


def opened(browser: Browser, url: str, *, people: bool) -> Page:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{url}/login" if people else f"{url}/?tab=library")
    if people:
        page.locator("[name=name]").fill(NAME)
        page.locator("[name=password]").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_selector(READY)
        page.goto(f"{url}/?tab=library")
    page.wait_for_selector(READY)
    return page


def smallest(folder: Path, count: int) -> list[Path]:
    return sorted(folder.glob("*.pdf"), key=lambda path: path.stat().st_size)[:count]


def files_in(folder: Path, count: int) -> list[Path]:
    files = [folder / f"report-{number}.txt" for number in range(count)]
    for number, file in enumerate(files):
        file.write_text(text_of(number), encoding="utf-8")
    return files


def drop(page: Page, files: Sequence[Path], there: int) -> tuple[float, float]:
    """Uploads the files; returns the seconds until all are rows of the list, and until all can be searched."""
    began = time.monotonic()
    page.locator(".pal-library input[type=file]").first.set_input_files(files)
    expect(page.locator(ROWS)).to_have_count(there + len(files), timeout=PATIENCE_MS)
    taken = time.monotonic() - began
    expect(page.locator(".pal-library .row.busy")).to_have_count(0, timeout=PATIENCE_MS)
    return taken, time.monotonic() - began


def measure(count: int, given: Path | None, *, people: bool) -> Report:
    made = Report(f"{count} files dropped together")
    settings = {"PALIMPSEST_DENSE_ENABLED": "false"}
    if people:
        settings["PALIMPSEST_USERS"] = json.dumps({NAME: PASSWORD})
    with tempfile.TemporaryDirectory(prefix="palimpsest-many-", ignore_cleanup_errors=True) as folder:
        files = smallest(given, count) if given else files_in(Path(folder), count)
        with serving(Path(folder) / "home", settings) as (url, process_id), sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
            page, watched = opened(browser, url, people=people), Watched()
            page.get_by_role("button", name="Load the samples").last.click()
            expect(page.locator(f"{ROWS}:not(.busy)")).not_to_have_count(0, timeout=PATIENCE_MS)
            expect(page.locator(f"{ROWS}.busy")).to_have_count(0, timeout=PATIENCE_MS)
            there = page.locator(ROWS).count()
            signed_in = ((each["name"], each["value"]) for each in page.context.cookies())
            questions = Questions(url, signed_in)
            quiet = sorted(questions.ask() for _ in range(QUIET))
            watched.follow(page)
            page.evaluate(WATCH)
            spent = processor_seconds(process_id)
            with questions.meanwhile() as waits:
                taken, ready = drop(page, files, there)
            spent = processor_seconds(process_id) - spent
            watched.problems = page.locator(".pal-notices .problem").count()
            still = float(page.evaluate("window.longestPause"))
            browser.close()
    _tell(
        made,
        watched,
        {
            "all accepted": taken,
            "all can be searched": ready,
            "server's processor time": spent,
            "longest freeze of the page": still / 1000,
        },
    )
    _tell_waits(made, quiet, sorted(waits))
    return made


def _tell(made: Report, watched: Watched, seconds: dict[str, float]) -> None:
    for name, value in seconds.items():
        made.add(Figure("seconds", name, value))
    made.add(Figure("of the page", "megabytes received", watched.received / 1e6))
    made.add(Figure("of the page", "problems shown", watched.problems))
    for name, calls in watched.calls.most_common(6):
        made.add(Figure("of the page", f"calls: {name}", calls))


def _tell_waits(made: Report, quiet: list[float], beside: list[float]) -> None:
    for share in (0.5, 0.95):
        before, during = (waits[min(int(share * len(waits)), len(waits) - 1)] for waits in (quiet, beside))
        made.add(Figure("seconds of an answer", f"p{share * 100:.0f} of {len(beside)}", during, before, "quiet"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--folder", type=Path, help="folder of PDFs; the smallest ones are dropped")
    parser.add_argument("--people", action="store_true", help="sign in, so that rate limits apply")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    return measure(given.files, given.folder, people=given.people).finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
