"""Measures how soon the Knowledge tab shows a large graph: generated texts, a served workbench, a real browser.

``python -m benchmarks.explorer [--texts N] [--json FILE]`` needs Chromium and the development packages.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import httpx

from benchmarks.graphs_speed import texts
from benchmarks.report import Figure, Report
from core.settings import Settings
from core.workbench import Workbench
from tests.equipment import find_browser

ROOT = Path(__file__).parents[1]
GOALS = {500: 1.5, 2_000: 4.0}
"""Maximum seconds from requesting a number of concepts until they are painted."""
TIMES = 3
USER = "local"
SECTIONS = 200
"""Number of texts per document."""


async def fill(home: Path, count: int) -> None:
    """Uploads the texts as sections of documents; the graph is built from them when the workbench is served."""
    workbench = Workbench(Settings(_env_file=None, home=home, dense_enabled=False))  # type: ignore[call-arg]
    await workbench.start()
    written = [f"# Note {number}\n\n{text}" for number, text in enumerate(texts(count))]
    for start in range(0, count, SECTIONS):
        path = home / f"notes-{start}.md"
        path.write_text("\n\n".join(written[start : start + SECTIONS]), encoding="utf-8")
        accepted = await workbench.library.submit(USER, path, path.name)
        async for _ in workbench.ledger.tail(USER, accepted.document.run_id or ""):
            pass
    await workbench.stop()


@contextmanager
def served(home: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    given = {"PALIMPSEST_HOME": str(home), "PALIMPSEST_PORT": str(port), "PALIMPSEST_DENSE_ENABLED": "false"}
    process = subprocess.Popen([sys.executable, "app.py"], cwd=ROOT, env={**os.environ, **given})
    url = f"http://127.0.0.1:{port}"
    try:
        ends = time.monotonic() + 120
        while time.monotonic() < ends:
            try:
                if httpx.get(f"{url}/health", timeout=5).status_code == 200:
                    break
            except httpx.TransportError:
                time.sleep(0.2)
        yield url
    finally:
        process.terminate()
        process.wait(20)


def measure(report: Report, url: str) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"])
        for size, goal in GOALS.items():
            first: list[float] = []
            again: list[float] = []
            for _ in range(TIMES):
                page = browser.new_page(viewport={"width": 1440, "height": 900})
                page.goto(f"{url}/?tab=knowledge")
                page.wait_for_selector(".pal-knowledge[data-painted]", timeout=120_000)
                page.wait_for_selector(".pal-knowledge .partial", state="hidden", timeout=600_000)
                for seconds in (first, again):
                    page.locator("[data-filter=top]").select_option("20")
                    page.wait_for_selector('.pal-knowledge[data-nodes="20"]', timeout=120_000)
                    page.locator("[data-filter=top]").select_option(str(size))
                    page.wait_for_selector(f'.pal-knowledge[data-nodes="{size}"]', timeout=120_000)
                    seconds.append(float(page.locator(".pal-knowledge").get_attribute("data-painted") or 0) / 1000)
                page.close()
            against = f"laid out before (slowest of the first {max(first):.2f})"
            told = "reached" if max(first) <= goal else "NOT reached"
            name = f"paint of {size} concepts, s (at most {goal:g}: {told})"
            report.add(Figure("explorer", name, median(first), median(again), against))
        browser.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=1_000)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    report = Report("The Knowledge tab with a large graph of made-up texts")
    with TemporaryDirectory(prefix="palimpsest-benchmark-", ignore_cleanup_errors=True) as home:
        asyncio.run(fill(Path(home), given.texts))
        with served(Path(home)) as url:
            measure(report, url)
    return report.finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
