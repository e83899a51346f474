"""Tests files refused because of a full disk or too many waiting files: the Library shows the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.interface.browsing import Browsing
from tests.interface.conftest import READY, Served

pytestmark = [pytest.mark.interface]

MEGABYTE = 1024 * 1024


@pytest.fixture
def opened(browsing: Browsing) -> Iterator[Callable[..., Page]]:
    """Opens a page on which console errors are allowed: the browser logs an error for each refused upload."""

    def open_page(served: Served, locale: str = "en-US") -> Page:
        page = browsing.take(served.url, locale=locale)
        page.goto(f"{served.url}/?tab=library")
        page.wait_for_selector(READY)
        return page

    yield open_page
    browsing.give_back()


def sent(page: Page, folder: Path, *names: str, text: str = "A reservoir near Haifa holds water.") -> None:
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_text(f"{name}: {text}", encoding="utf-8")
    page.locator(".pal-library input[type=file]").set_input_files([folder / name for name in names])


@pytest.mark.parametrize(
    ("locale", "words"), [("en-US", "There is not enough disk space for another file."), ("he-IL", "אין מקום")]
)
def test_a_full_disk_is_said_once_for_all_files(
    serve: Callable[..., Served],
    opened: Callable[..., Page],
    shoot: Callable[..., None],
    tmp_path: Path,
    locale: str,
    words: str,
) -> None:
    served = serve(PALIMPSEST_LIMITS__DISK_LOW_BYTES=str(2**60))
    page = opened(served, locale)
    sent(page, tmp_path, "a.txt", "b.txt", "c.txt", "d.txt", "e.txt")
    card = page.locator(".pal-library .refusals .problem")
    expect(card).to_contain_text("(+2)")
    expect(card).to_have_count(1)
    expect(card).to_contain_text(words)
    expect(page.locator(".pal-library .arrivals .job")).to_have_count(0)
    expect(page.get_by_text("HTTP 507").locator("visible=true")).to_have_count(0)
    shoot(page, f"library-no-room-{locale[:2]}")


def test_a_person_who_sent_too_much_that_was_not_added_is_told(
    serve: Callable[..., Served], opened: Callable[..., Page], shoot: Callable[..., None], tmp_path: Path
) -> None:
    served = serve(PALIMPSEST_UPLOADS__UNSUBMITTED_BYTES=str(3 * MEGABYTE), PALIMPSEST_DENSE_ENABLED="false")
    page = opened(served)
    sent(page, tmp_path, "a.txt")
    expect(page.locator(".pal-library .rows .row:not(.head)")).to_have_count(1)
    sent(page, tmp_path / "changed", "a.txt", text="Other words. " * 200_000)
    expect(page.locator(".pal-library .arrivals .job")).to_contain_text("Replace")
    sent(page, tmp_path, "b.txt", text="More words. " * 60_000)
    card = page.locator(".pal-library .refusals .problem")
    expect(card).to_contain_text("b.txt: This file was not uploaded.")
    expect(card).to_contain_text("3 MB of your files have not been added")
    shoot(page, "library-unsubmitted")
    page.locator(".pal-library .arrivals").get_by_text("Replace").click()
    sent(page, tmp_path, "b.txt", text="More words. " * 60_000)
    expect(page.locator(".pal-library .rows .row:not(.head)")).to_have_count(2)
