"""Follows one user through several processes in a real browser, with companies' reports: uploaded at one server, read
by workers (one of which is killed), asked about at another server, which is killed in the middle of an answer. The
page must continue."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, Response, expect, sync_playwright

from benchmarks.report import Figure, Report
from tests.equipment import find_browser
from tests.interface.conftest import ARGUMENTS, READY, Served
from tests.servers.processes import behind_nginx, serving, shared_stores, working

NAME, PASSWORD = "ada", "analytical engine"
READ_MS = 600_000
ENDED_MS = 60_000
WIDTHS = {1440: 900, 390: 844}
"""Heights of the window by its width."""
LOCALES = {"english": "en-US", "hebrew": "he-IL"}
NOT_LIVE = ".answer:not(.live)"
ROWS = ".pal-library .rows .row:not(.head)"


@dataclass(frozen=True)
class Asked:
    """A report, and a question about it."""

    report: Path
    question: str


def asked_about(folder: Path, count: int) -> list[Asked]:
    """Returns the smallest reports that ``questions.jsonl`` asks about, each with its first question."""
    found: dict[Path, str] = {}
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found.setdefault(folder / row["document"], row["question"])
    there = sorted((path for path in found if path.exists()), key=lambda path: path.stat().st_size)
    return [Asked(path, found[path]) for path in there[:count]]


class Journey:
    """What one user does and sees. ``shots`` is the folder for screenshots; ``seconds`` are durations by name."""

    def __init__(self, browser: Browser, shots: Path) -> None:
        self._browser = browser
        self._shots = shots
        self.seconds: dict[str, float] = {}
        self.live: list[str] = []
        """Ports of the servers that streamed answers, through nginx."""

    def signed_in(self, url: str) -> BrowserContext:
        context = self._browser.new_context(viewport={"width": 1440, "height": 900})
        page = self.page(context, url, "/login")
        page.locator("[name=name]").fill(NAME)
        page.locator("[name=password]").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_selector(READY)
        page.close()
        return context

    def page(self, context: BrowserContext, url: str, place: str = "/") -> Page:
        page = context.new_page()
        page.on("response", self._note)
        page.goto(url + place)
        return page

    def shoot(self, page: Page, name: str) -> None:
        self._shots.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=self._shots / f"{name}.png")

    def timed(self, name: str, step: Callable[[], None]) -> None:
        began = time.monotonic()
        step()
        self.seconds[name] = time.monotonic() - began

    def _note(self, response: Response) -> None:
        if "/live/runs/" in response.url:
            self.live.append(response.headers.get("x-served-by", "").rpartition(":")[2])

    # -- actions ----------------------------------------------------------------------------

    def give(self, page: Page, reports: Sequence[Path], meanwhile: Callable[[], None]) -> None:
        go(page, "library")
        page.locator(".pal-library input[type=file]").first.set_input_files(reports)
        expect(page.locator(ROWS)).to_have_count(len(reports), timeout=READ_MS)
        expect(page.locator(".pal-library .row.busy").first).to_be_visible()
        self.shoot(page, "reading-1440")
        meanwhile()
        ready = page.locator(ROWS).locator(".state").filter(has_text="Searchable")
        expect(ready).to_have_count(len(reports), timeout=READ_MS)
        self.shoot(page, "read-1440")

    def ask(self, page: Page, question: str) -> None:
        """Asks; if the workbench asks the user, chooses the first option."""
        before = page.locator(NOT_LIVE).count()
        begin(page, question)
        ended, card = page.locator(NOT_LIVE).nth(before), page.locator(".pal-card .choice")
        expect(ended.or_(card.first)).to_be_visible(timeout=ENDED_MS)
        if card.count():
            card.first.click()
            if page.locator(".pal-card [data-confirm]").count():
                page.locator(".pal-card [data-confirm]").click()
        expect(ended).to_be_visible(timeout=ENDED_MS)

    def every_look(self, context: BrowserContext, url: str, name: str) -> None:
        """Shows the same answer in both widths, both colour themes and both languages."""
        cookies = context.cookies()
        for language, locale in LOCALES.items():
            for dark in (False, True):
                seen = self._browser.new_context(locale=locale, color_scheme="dark" if dark else "light")
                seen.add_cookies(cookies)  # type: ignore[arg-type]
                page = self.page(seen, url)
                page.wait_for_selector(READY)
                for width, height in WIDTHS.items():
                    page.set_viewport_size({"width": width, "height": height})
                    for tab in ("library", "chat"):
                        go(page, tab)
                        self._settle(page, tab)
                        self.shoot(page, f"{name}-{tab}-{language}-{'dark' if dark else 'light'}-{width}")
                seen.close()

    def _settle(self, page: Page, tab: str) -> None:
        if tab == "library":
            expect(page.locator(ROWS).first).to_be_visible()
        elif not page.locator(NOT_LIVE).count():
            page.locator(".list .conversation > button").first.click()
            expect(page.locator(NOT_LIVE).first).to_be_visible()


def go(page: Page, tab: str) -> None:
    page.locator(f"[role=tab][data-tab={tab}]").first.click()
    expect(page.locator("body")).to_have_attribute("data-tab", tab)


def begin(page: Page, question: str) -> None:
    page.locator(".composer textarea").fill(question)
    page.keyboard.press("Enter")


def _travel(
    journey: Journey, servers: list[Served], url: str, kill: Callable[[], None], folder: Path, count: int
) -> int:
    """Returns how many questions were answered at the server that did not receive the reports."""
    asked = asked_about(folder, count)
    first, other = servers
    context = journey.signed_in(first.url)
    given = journey.page(context, first.url)
    given.wait_for_selector(READY)
    journey.timed(
        "five reports read, a worker killed", lambda: journey.give(given, [each.report for each in asked], kill)
    )
    given.close()

    page = journey.page(context, other.url)
    page.wait_for_selector(READY)
    go(page, "chat")
    for number, each in enumerate(asked, 1):
        page.locator("[data-new]").click()
        journey.timed(f"answer {number} at the other server", partial(journey.ask, page, each.question))
        journey.shoot(page, f"answer-{number}-1440")
    journey.every_look(context, other.url, "answered")
    page.close()
    journey.timed("an answer continues", lambda: _goes_on(journey, context, servers, url, asked[0].question))
    context.close()
    return len(asked)


def _goes_on(journey: Journey, context: BrowserContext, servers: list[Served], url: str, question: str) -> None:
    """Kills the server that streams the answer in the middle of it; the same page asks again."""
    page = journey.page(context, url)
    page.wait_for_selector(READY)
    go(page, "chat")
    journey.live.clear()
    begin(page, question)
    expect(page.locator(".answer.live")).to_be_visible()
    expect(page.locator(".answer.live .step").first).to_be_visible()
    next(each for each in servers if str(each.port) == journey.live[-1]).kill()
    expect(page.locator(NOT_LIVE).last).to_contain_text("This answer was interrupted.", timeout=ENDED_MS)
    journey.shoot(page, "interrupted-1440")
    journey.ask(page, question)
    journey.shoot(page, "went-on-1440")
    page.close()


def run(folder: Path, reports: int, shots: Path, place: Path) -> Report:
    """``folder`` has PDFs and their ``questions.jsonl``; ``place`` is an empty folder for the processes' data."""
    settings = {"PALIMPSEST_USERS": json.dumps({NAME: PASSWORD}), "PALIMPSEST_DENSE_ENABLED": "false"}
    made = Report(f"{reports} reports through two servers and two workers, in a browser")
    with ExitStack() as stack:
        shared = stack.enter_context(shared_stores(place / "shared"))
        servers = stack.enter_context(serving(shared, place, **settings, PALIMPSEST_JOBS__WORKERS="0"))
        killed = stack.enter_context(working(shared, place / "first", **settings))
        stack.enter_context(working(shared, place / "second", **settings))
        url = stack.enter_context(behind_nginx(place / "nginx", servers))
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        journey = Journey(browser, shots)
        answered = _travel(journey, servers, url, killed.kill, folder, reports)
        browser.close()
    made.add(Figure("journey", "answered at the other server", answered, floor=float(reports)))
    for name, seconds in journey.seconds.items():
        made.add(Figure("seconds", name, seconds))
    return made
