"""Compares the start of the workbench and the loading of its page with an earlier commit, in seconds, in alternating
runs.

    python -m benchmarks.start BEFORE [--runs 5] [--json FILE]

``BEFORE`` is a checkout of the project at the commit to compare with. Each run starts both workbenches, one after the
other, on empty directories, and loads the page in Chromium: with a new profile, then again after another page. A page
counts as loaded when it can be used. Medians are reported; the exit code is 1 if one is over a tenth more than before.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import httpx
from playwright.sync_api import Browser, sync_playwright

from benchmarks.one_process import spent, started
from benchmarks.report import Figure, Report
from benchmarks.served import STARTUP, wait
from tests.equipment import find_browser
from tests.interface.browsing import PLAIN
from tests.interface.conftest import ARGUMENTS, READY, ROOT, environment_for
from tests.mongodb import free_port

MOST = 1.1
"""Maximum time, as a multiple of the earlier commit's."""
LATER = 5
"""Number of loads after the first one."""


@dataclass(frozen=True)
class Waited:
    """Seconds until it answers, processor seconds until then, seconds until the page is usable in a new profile and in
    a known one; and the kilobytes of the page itself."""

    start: float
    processor: float
    first_load: float
    later_load: float
    page_kb: float


def load(browser: Browser, url: str) -> tuple[float, float]:
    """Returns the first load in a profile, and the median of the later ones."""
    page = browser.new_page()
    taken = []
    for _ in range(1 + LATER):
        began = time.perf_counter()
        page.goto(url)
        page.wait_for_selector(READY)
        taken.append(time.perf_counter() - began)
        page.goto(url + PLAIN)
    page.close()
    return taken[0], statistics.median(taken[1:])


def measured(root: Path, home: Path, browser: Browser) -> Waited:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    given = environment_for(home, port, PALIMPSEST_DATAGOV__ENABLED="false")  # the portal needs the network
    given.pop("PYTHONDONTWRITEBYTECODE", None)
    began = time.perf_counter()
    with started(root, home, given) as process:
        wait(lambda: httpx.get(f"{url}/health", timeout=2).is_success, STARTUP)
        start, processor = time.perf_counter() - began, spent(process)
        sent = len(httpx.get(url, timeout=60).content) / 1_000
        return Waited(start, processor, *load(browser, url), sent)


def report(before: Sequence[Waited], now: Sequence[Waited]) -> Report:
    made = Report(f"A start and a page, {len(now)} runs in turn, medians")
    for field in fields(Waited):
        was, is_now = (statistics.median(getattr(each, field.name) for each in runs) for runs in (before, now))
        made.add(Figure(field.name, "kB" if field.name == "page_kb" else "seconds", is_now, was, "before"))
        made.add(Figure(field.name, f"before by now (1 by {MOST})", was / is_now, floor=1 / MOST))
    return made


def run(root: Path, runs: int) -> Report:
    before: list[Waited] = []
    now: list[Waited] = []
    with tempfile.TemporaryDirectory(prefix="palimpsest-start-") as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        for number in range(runs + 1):
            both = [("before", root, before), ("now", ROOT, now)]
            for name, place, into in both if number % 2 else reversed(both):
                found = measured(place, Path(folder) / f"{name}-{number}", browser)
                print(number, name, *(f"{each:.2f}" for each in astuple(found)), flush=True)
                if number:  # The first start of each checkout compiles its sources, so it is not measured.
                    into.append(found)
        browser.close()
    return report(before, now)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    return run(given.before, given.runs).finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
