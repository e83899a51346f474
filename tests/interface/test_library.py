"""Tests adding documents: several at the same time, a reload in the middle, a broken one, delete and undo."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from zlib import crc32

import pytest
from playwright.sync_api import Page, expect

from tests.interface.commands import Commands
from tests.interface.conftest import Served
from tests.servers.local import LocalServer, Reply, Request, json_reply

pytestmark = [pytest.mark.interface, pytest.mark.reader]

SAMPLES = Path(__file__).parents[2] / "sample_docs"
FIVE = [
    "travel-and-expense-policy-2024.md",
    "travel-and-expense-policy-2025.docx",
    "pelagit-metering-contract.pdf",
    "vendor-spend-2024-2025.xlsx",
    "incident-report-hadar-zone.html",
]
READY = 90_000
EMBEDS = Event()
"""While this is set, the embedding endpoint answers."""
EMBEDS.set()


def by_words(request: Request) -> Reply:
    """Returns vectors made of hashed words: this file tests how documents are processed, not search quality."""
    EMBEDS.wait(READY / 1000)
    vectors = [[0.01] * 384 for _ in request.body["input"]]
    for vector, text in zip(vectors, request.body["input"], strict=True):
        for word in text.split():
            vector[crc32(word.encode()) % 384] += 1.0
    return json_reply({"data": [{"index": number, "embedding": vector} for number, vector in enumerate(vectors)]})


@pytest.fixture(scope="module")
def served(serve) -> Iterator[Served]:
    with LocalServer(responder=by_words) as server:
        yield serve(EMBEDDING_URL=f"{server.url}/v1")


def rows(page: Page):
    return page.locator(".pal-library .rows .row:not(.head)")


def test_the_empty_library_says_what_to_do(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(f"{served.url}/?tab=library")
    expect(page.locator(".pal-library .empty")).to_contain_text("No documents yet")
    expect(page.locator(".pal-library .empty button")).to_have_text("Load the samples")
    shoot(page, "library-empty")


def test_five_formats_together_survive_a_reload_and_become_ready(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(f"{served.url}/?tab=library")
    EMBEDS.clear()  # So that no document is ready before the test has seen it in processing.
    try:
        page.locator(".pal-library input[type=file]").set_input_files([SAMPLES / name for name in FIVE])
        expect(page.locator(".pal-library .row.busy").first).to_be_visible()
        shoot(page, "library-reading")
        page.reload()
    finally:
        EMBEDS.set()
    page.wait_for_selector(".pal-header [role=tab][aria-selected=true]")
    # It depends on the machine whether some documents are still in processing; each shows its own state.
    expect(page.locator(".pal-library .row .state").first).not_to_be_empty()
    expect(rows(page)).to_have_count(5, timeout=READY)
    expect(page.locator(".pal-library .row.busy")).to_have_count(0, timeout=READY)
    expect(rows(page).locator(".state").filter(has_text="Ready")).to_have_count(5)
    shoot(page, "library-ready")


def test_a_row_opens_its_metadata_and_passages(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(f"{served.url}/?tab=library")
    rows(page).filter(has_text="pelagit-metering-contract.pdf").click()
    side = page.locator(".pal-library .side")
    expect(side).to_contain_text("Smart Metering Contract")
    expect(side.locator(".chunks details")).not_to_have_count(0)
    side.locator(".chunks summary").first.click()
    expect(side.locator(".chunks details[open] p")).to_be_visible()
    shoot(page, "library-detail")


def test_a_broken_file_says_what_why_and_what_to_do(served, opened: Callable[..., Page], tmp_path: Path, shoot) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes((SAMPLES / "pelagit-metering-contract.pdf").read_bytes()[:3000])
    page = opened(f"{served.url}/?tab=library")
    page.locator(".pal-library input[type=file]").set_input_files(broken)
    job = page.locator(".pal-library .row.failed")
    expect(job).to_contain_text("broken.pdf", timeout=READY)
    expect(job.locator(".why")).to_contain_text("damaged")
    shoot(page, "library-broken")
    job.get_by_role("button", name="Delete").click()
    expect(job).to_have_count(0)
    page.reload()
    expect(rows(page)).to_have_count(5)
    expect(page.locator(".pal-library .row.failed")).to_have_count(0)


def test_files_that_are_too_large_or_empty_are_refused_with_words(
    served, opened: Callable[..., Page], tmp_path: Path
) -> None:
    large, empty = tmp_path / "large.txt", tmp_path / "empty.txt"
    large.write_bytes(b"word " * (11 * 1024 * 1024))
    empty.touch()
    page = opened(f"{served.url}/?tab=library")
    expect(rows(page)).to_have_count(5)
    page.locator(".pal-library input[type=file]").set_input_files([large, empty])
    notices = page.locator(".pal-library .refusals .problem")
    expect(notices.filter(has_text="large.txt is too large. Its size is 55.0 MB; the limit is")).to_be_visible()
    expect(notices.filter(has_text="empty.txt is empty.")).to_be_visible()
    expect(rows(page)).to_have_count(5)


def test_the_same_file_again_is_recognised(served, opened: Callable[..., Page]) -> None:
    page = opened(f"{served.url}/?tab=library")
    expect(rows(page)).to_have_count(5)
    page.locator(".pal-library input[type=file]").set_input_files(SAMPLES / FIVE[0])
    expect(page.locator(".pal-notices")).to_contain_text("is already in the library")
    expect(rows(page)).to_have_count(5)


def test_the_same_name_with_other_content_asks(served, opened: Callable[..., Page], tmp_path: Path) -> None:
    other = tmp_path / FIVE[0]
    other.write_text("# Another policy\n\nTrains only.", encoding="utf-8")
    page = opened(f"{served.url}/?tab=library")
    page.locator(".pal-library input[type=file]").set_input_files(other)
    arrival = page.locator(".pal-library .arrivals .job")
    expect(arrival).to_contain_text("already in the library with different content")
    arrival.get_by_role("button", name="Keep both").click()
    expect(rows(page)).to_have_count(6, timeout=READY)


def test_many_at_once_are_told_as_one_line_and_the_list_is_asked_for_once(
    served, opened: Callable[..., Page], tmp_path: Path, shoot
) -> None:
    files = [tmp_path / f"note-{number}.txt" for number in range(12)]
    for number, file in enumerate(files):
        file.write_text(f"Note {number} of the inspection.", encoding="utf-8")
    page = opened(f"{served.url}/?tab=library")
    expect(rows(page)).to_have_count(6)
    asked: list[str] = []
    page.on(
        "request",
        lambda request: (
            asked.append(str(json.loads(request.post_data or "{}").get("fn_name")))
            if "component_server" in request.url
            else None
        ),
    )
    summary = page.locator(".pal-library .arrivals .summary")
    page.locator(".pal-library input[type=file]").set_input_files(files)
    expect(summary).to_contain_text("Uploading:")
    shoot(page, "library-many")
    expect(rows(page)).to_have_count(18, timeout=READY)
    expect(summary).to_have_count(0)
    expect(page.locator(".pal-library .row.busy")).to_have_count(0, timeout=READY)
    assert asked.count("for_each") <= 4
    assert asked.count("documents") <= 4

    page.locator(".pal-library input[type=file]").set_input_files(files)
    expect(page.locator(".pal-notices")).to_contain_text("12 of these files are already in the library.")
    for file in files[:3]:
        file.write_text(f"{file.name}, corrected.", encoding="utf-8")
    page.locator(".pal-library input[type=file]").set_input_files(files[:3])
    together = page.locator(".pal-library .arrivals .for-all")
    expect(together).to_contain_text("3 files have the same name as a document with different content")
    shoot(page, "library-names-taken")
    with page.expect_response(lambda response: "for_each" in (response.request.post_data or "")):
        together.get_by_role("button", name="Replace").click()
    expect(page.locator(".pal-library .arrivals .job")).to_have_count(0)
    page.reload()
    expect(rows(page)).to_have_count(18)
    expect(page.locator(".pal-library .row.busy")).to_have_count(0, timeout=READY)
    for file in files:
        rows(page).filter(has_text=file.name).get_by_role("checkbox").click()
    page.locator(".pal-library .selection").get_by_role("button", name="Delete").click()
    expect(rows(page)).to_have_count(6)


def test_delete_can_be_undone(served, opened: Callable[..., Page]) -> None:
    page = opened(f"{served.url}/?tab=library")
    expect(rows(page)).to_have_count(6)
    rows(page).filter(has_text="incident-report").get_by_role("button", name="Delete").click()
    expect(rows(page)).to_have_count(5)
    page.locator(".pal-notices").get_by_role("button", name="Undo").click()
    expect(rows(page)).to_have_count(6)


def test_search_narrows_the_list(served, opened: Callable[..., Page]) -> None:
    page = opened(f"{served.url}/?tab=library")
    page.locator(".pal-library [data-search]").fill("incident report ir-2025")
    expect(rows(page).first).to_contain_text("Incident report IR-2025-014")
    expect(rows(page).filter(has_text="Travel and Expense Policy 2025")).to_have_count(0)
    page.locator(".pal-library [data-search]").fill("no such hippopotamus")
    expect(page.locator(".pal-library .empty")).to_contain_text("No documents match")


def test_the_limits_are_changed_on_the_page_and_hold_at_once(
    served, opened: Callable[..., Page], tmp_path: Path, shoot
) -> None:
    page = opened(f"{served.url}/?tab=library")
    limits = page.locator(".pal-library .limits")
    expect(limits).to_contain_text("Up to 50 MB and 5,000 pages per file")
    limits.locator("button").click()
    shoot(page, "library-limits")
    limits.locator("input[name='limits.file_bytes']").fill("2")
    limits.locator("input[name='limits.file_bytes']").press("Tab")
    expect(limits).to_contain_text("Up to 2 MB")
    large = tmp_path / "large.txt"
    large.write_bytes(b"A line of a long report.\n" * 120_000)
    page.locator(".pal-library input[type=file]").set_input_files(large)
    alert = page.locator("[role=alert]").filter(has_text="large.txt")
    expect(alert).to_contain_text("the limit is 2.0 MB")
    expect(alert).to_contain_text("Library > Limits")
    page.reload()
    expect(limits).to_contain_text("Up to 2 MB")
    limits.locator("button").first.click()
    limits.get_by_role("button", name="Restore the default").click()
    expect(limits).to_contain_text("Up to 50 MB")


def test_a_transcript_is_remembered_with_who_said_what(
    served, opened: Callable[..., Page], tmp_path: Path, shoot
) -> None:
    meeting = tmp_path / "depot-meeting.txt"
    meeting.write_text(
        "Noa: The valve at the depot leaks again.\nDan: I will order a new one.\n"
        "Noa: The pump is loud, too.\nDan: The pump can wait until spring.\n",
        encoding="utf-8",
    )
    page = opened(f"{served.url}/?tab=library")
    page.locator(".pal-library input[type=file]").set_input_files(meeting)
    row = rows(page).filter(has_text="depot-meeting.txt")
    expect(row.locator(".state")).to_contain_text("Ready", timeout=READY)
    row.click()
    speakers = page.locator(".pal-library .side .speakers")
    expect(speakers).to_contain_text("Noa (2), Dan (2)")
    speakers.get_by_role("button", name="Remember who said what").click()
    expect(page.locator(".pal-notices .toast")).to_contain_text("4 messages were saved to memory")
    shoot(page, "library-transcript")
    page.locator(".pal-notices").get_by_role("button", name="Show them").click()
    expect(page.locator(".pal-memory .hits .hit").first).to_contain_text("Noa: The", timeout=READY)


def test_a_file_that_failed_while_nobody_looked_is_told_at_the_next_visit(
    serve, opened: Callable[..., Page], tmp_path: Path, shoot
) -> None:
    served = serve(PALIMPSEST_DENSE_ENABLED="false")
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.4\nnothing follows")
    Commands.beside(served)("add", str(broken))
    page = opened(served.url)
    told = page.locator(".pal-notices .unseen")
    expect(told).to_contain_text("could not be read: broken.pdf")
    shoot(page, "unseen-failure")
    told.get_by_role("button", name="Open the Library").click()
    expect(told).to_have_count(0)
    expect(rows(page).filter(has_text="broken.pdf")).to_contain_text("Try again")
    broken.write_bytes(b"%PDF-1.4\nnothing follows here either")
    Commands.beside(served)("add", str(broken.rename(tmp_path / "another.pdf")))
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{served.url}/?tab=chat")
    expect(told).to_contain_text("This file could not be read: another.pdf")
    shoot(page, "unseen-failure-narrow")
    told.get_by_role("button", name="Details").click()
    told.get_by_role("button", name="Delete it").click()
    expect(told).to_have_count(0)
    page.locator(".pal-header [role=tab][data-tab=library]").click()
    expect(rows(page)).to_have_count(1)
