"""Tests finding and managing documents in the Library, and a question that waits for its documents."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import CDPSession, Page, expect

from core.library.records import CoveredPeriod, Document, Metadata, Organisation
from core.settings import Settings
from core.workbench import Workbench
from pages.kept_files import kept
from tests.interface.conftest import PATIENCE, Served

pytestmark = [pytest.mark.interface, pytest.mark.reader]

SAMPLES = Path(__file__).parents[2] / "sample_docs"
POLICY, CONTRACT = "travel-and-expense-policy-2024.md", "pelagit-metering-contract.pdf"
MANY = 300
KEYSTROKE_MS = 100
WITHOUT_MEANING = {"PALIMPSEST_DENSE_ENABLED": "false"}


def described(number: int) -> Document:
    """Makes one of many documents; they have three types, four organisations and five years."""
    return Document(
        id=f"doc_{number:032x}",
        user_id="local",
        filename=f"report-{number:03d}.pdf",
        mime="application/pdf",
        size=100_000 + number,
        sha256=f"{number:064x}",
        state="completed",
        metadata=Metadata(
            title=f"Report {number:03d} of the year",
            kind=("annual report", "quarterly report", "memo")[number % 3],
            organisations=[Organisation(name=f"Company {'ABCD'[number % 4]}")],
            periods=[CoveredPeriod(key=str(2018 + number % 5))],
        ),
        pages=number,
        chunks=1,
        searchable=1,
        embedded=1,
        added_at=1_700_000_000.0 + number,
        updated_at=0.0,
    )


def stock(home: Path) -> None:
    """Stores many documents that are only listed, and two that have text."""

    async def fill() -> None:
        workbench = Workbench(Settings(_env_file=None, home=home, dense_enabled=False))  # type: ignore[call-arg]
        await workbench.start()
        for name in (POLICY, CONTRACT):
            copy = home / name
            copy.write_bytes((SAMPLES / name).read_bytes())
            document = (await workbench.library.submit("local", copy, name)).document
            async for _ in workbench.ledger.tail("local", document.run_id or ""):
                pass
        for number in range(MANY):
            await workbench._catalogue.add(described(number))
        await workbench.stop()

    # The browser's event loop already runs in this thread.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, fill()).result()


@pytest.fixture(scope="module")
def served(serve: Callable[..., Served]) -> Served:
    return serve(stock, **WITHOUT_MEANING)


def rows(page: Page):
    return page.locator(".pal-library .rows .row:not(.head)")


@pytest.fixture
def library(served: Served, opened: Callable[..., Page]) -> Callable[..., Page]:
    def open_library(**given: object) -> Page:
        page = opened(f"{served.url}/?tab=library", **given)
        expect(rows(page)).to_have_count(MANY + 2)
        return page

    return open_library


def only(page: Page, year: str) -> None:
    """Filters the list to a company's five memos of one year."""
    for facet, value in (("Kind", "memo"), ("Organisation", "Company B"), ("Period", year)):
        page.get_by_label(facet).select_option(value)
    expect(rows(page)).to_have_count(5)


def test_filters_made_of_what_is_there_and_a_sort_by_any_column(library, shoot) -> None:
    page = library()
    only(page, "2020")
    expect(page.locator(".pal-library .count[role=status]")).to_have_text("5 of 302 documents")
    page.locator("[data-sort=pages]").click()
    expect(rows(page).locator(".cell.pages")).to_have_text(["257", "197", "137", "77", "17"])
    page.locator("[data-sort=pages]").click()
    expect(rows(page).locator(".cell.pages")).to_have_text(["17", "77", "137", "197", "257"])
    expect(page.locator(".head .cell.pages")).to_have_attribute("aria-sort", "ascending")
    shoot(page, "library-filtered")
    page.get_by_role("button", name="Clear filters").click()
    expect(rows(page)).to_have_count(MANY + 2)


def test_typing_narrows_three_hundred_rows_within_a_blink(library) -> None:
    page = library()
    session = page.context.new_cdp_session(page)
    # Processor time of the page's main thread, so that other work on the machine is not measured.
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.locator(".pal-library [data-search]").focus()
    began, letters = busy(session), "report 27"
    for letter in letters:
        page.keyboard.press(letter if letter != " " else "Space")
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    assert (busy(session) - began) / len(letters) <= KEYSTROKE_MS
    session.detach()
    expect(rows(page).filter(has_text="Report 27")).to_have_count(10)


def busy(session: CDPSession) -> float:
    """Milliseconds that the page has worked: scripts, style, layout and the rest."""
    metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    return 1000 * metrics["TaskDuration"]


def test_words_in_the_text_are_shown_in_place_and_open_the_page(library, shoot) -> None:
    page = library()
    page.evaluate(
        """async (bus) => {
            const { on } = await import(bus);
            on("palimpsest:open", (wanted) => { window.wanted = wanted; });
        }""",
        kept("/page/shared/bus.js"),
    )
    page.locator(".pal-library [data-search]").fill("raise prices notice")
    place = rows(page).filter(has_text="Smart Metering Contract").locator(".place").first
    expect(place.locator("mark").first).to_have_text(re.compile("price|raise|notice", re.IGNORECASE))
    expect(place).to_contain_text("p. ")
    shoot(page, "library-text-search")
    said = place.locator("small").inner_text()
    place.click()
    wanted = page.evaluate("window.wanted")
    assert f"p. {wanted['page']}" == said
    assert wanted["document"].startswith("doc_")
    assert wanted["item"].startswith("mem_")
    page.locator(".pal-library [data-search]").fill("zzzzqq")
    expect(page.locator(".pal-library .empty")).to_contain_text("No documents match")


def test_selected_with_keyboard_and_shift_and_asked_about(library, shoot) -> None:
    page = library()
    only(page, "2020")
    rows(page).first.focus()
    for key in ("Space", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    rows(page).nth(2).locator("input[type=checkbox]").click(modifiers=["Shift"])
    bar = page.locator(".pal-library .selection")
    expect(bar).to_contain_text("3 selected")
    shoot(page, "library-selected")
    bar.get_by_role("button", name="Compare").click()
    composer = page.locator(".composer textarea")
    expect(composer).to_have_value(re.compile(r'^Compare (@"Report \d+ of the year" ?){3}$'))
    expect(page.locator("[data-action]")).to_have_value("compare")
    page.locator(".pal-header [role=tab][data-tab=library]").click()
    bar.get_by_role("button", name="Ask about these").click()
    expect(composer).to_have_value(re.compile(r'^(@"Report \d+ of the year" ){3}$'))


def test_a_new_title_in_place_stays(library) -> None:
    page = library()
    page.locator(".pal-library [data-search]").fill("report 004")
    rows(page).first.hover()
    rows(page).first.get_by_role("button", name="Change the title").click()
    page.get_by_label("New title").fill("The fourth of them")
    page.get_by_label("New title").press("Enter")
    page.locator(".pal-library [data-search]").fill("fourth of them")
    expect(rows(page).first.locator(".title")).to_contain_text("The fourth of them")
    page.reload()
    expect(rows(page).filter(has_text="The fourth of them")).to_have_count(1)


def test_many_are_deleted_with_one_undo(library) -> None:
    page = library()
    only(page, "2021")
    page.get_by_label("Select all documents in the list").check()
    page.locator(".pal-library .selection").get_by_role("button", name="Delete").click()
    expect(rows(page)).to_have_count(0)
    page.locator(".pal-notices").get_by_role("button", name="Undo").click()
    expect(rows(page)).to_have_count(5)


def test_a_phone_scrolls_in_one_direction_in_both_languages(library, shoot) -> None:
    for locale in ("en-US", "he-IL"):
        page = library(width=390, height=844, locale=locale, dark=locale == "he-IL")
        page.locator(".pal-library .pick input").nth(1).check()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        shoot(page, f"library-phone-{locale[:2]}")


# -- waiting ------------------------------------------------------------------------------------


def held_reader(served: Served) -> int:
    """Stops the process that reads a file for this workbench, in the middle of the file; returns its process id."""
    parent, ends = served.process.pid if served.process else 0, time.monotonic() + PATIENCE / 1000
    while time.monotonic() < ends:
        for child in map(int, Path(f"/proc/{parent}/task/{parent}/children").read_text().split()):
            with contextlib.suppress(OSError):  # it may have ended since it was listed
                if b"core.library.reader" in Path(f"/proc/{child}/cmdline").read_bytes():
                    os.kill(child, signal.SIGSTOP)
                    return child
    raise AssertionError("no file is being read")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are found where Linux lists them")
def test_a_question_waits_is_answered_from_what_is_ready_and_then_in_full(
    serve: Callable[..., Served], opened: Callable[..., Page], tmp_path: Path, shoot
) -> None:
    policy, contract = tmp_path / "policy.md", tmp_path / "contract.md"
    policy.write_text("# Travel policy\n\nA night in a hotel in Haifa is reimbursed up to 560 shekels.\n")
    contract.write_text("# Metering contract\n\nPelagit must give notice of a price rise 60 days before it.\n")
    served = serve(**WITHOUT_MEANING, PALIMPSEST_DEADLINES__WAIT_FOR_TEXT="0.5")
    page = opened(f"{served.url}/?tab=library")
    page.locator(".pal-library input[type=file]").set_input_files(policy)
    expect(page.locator(".pal-library .row.by_words, .pal-library .row.ready")).to_have_count(1, timeout=60_000)
    page.locator(".pal-library input[type=file]").set_input_files(contract)
    reader = held_reader(served)
    try:
        expect(page.locator(".pal-library .row.busy .state").filter(has_text="Reading")).to_have_count(1)
        page.locator(".pal-header [role=tab][data-tab=chat]").click()
        page.locator(".composer textarea").fill("How long before a price rise must Pelagit give notice?")
        page.locator(".composer textarea").press("Enter")
        live = page.locator(".answer.live")
        expect(live.locator(".trace")).to_contain_text("1 of 2 documents is still being read")
        now = page.get_by_role("button", name="Answer now from the documents that are ready")
        expect(now).to_be_visible()
        shoot(page, "waiting-offer")
        now.click()
        first = page.locator(".answer:not(.live)")
        expect(first).to_contain_text("Answered from 1 of 2 documents")
        expect(first).not_to_contain_text("I searched all")
        shoot(page, "waiting-answered-in-part")
    finally:
        os.kill(reader, signal.SIGCONT)
    full = page.locator(".answer:not(.live)").nth(1)
    expect(full).to_contain_text("Updated answer from all 2 documents", timeout=60_000)
    expect(full).to_contain_text("60 days")
    shoot(page, "waiting-answered-in-full")
    page.reload()
    expect(page.locator(".answer:not(.live)")).to_have_count(2)
    expect(page.locator(".question")).to_have_count(1)


def test_the_first_question_to_the_samples_is_answered_rightly(
    serve: Callable[..., Served], opened: Callable[..., Page]
) -> None:
    page = opened(serve().url)
    page.locator(".welcome").get_by_role("button", name="Load the samples").click()
    page.locator(".welcome .questions button").first.click()
    answer = page.locator(".answer:not(.live)").last
    expect(answer.locator(".first-line")).to_contain_text("2025: ₪560", timeout=90_000)
    expect(answer).not_to_contain_text("found no passage that answers this")
