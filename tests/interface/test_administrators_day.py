"""Tests an administrator's day in a real browser: finds and fixes faults, restores lost data, and reviews what was
done."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.interface.conftest import READY, ROOT, Served
from tests.interface.tour import ask, go

pytestmark = [pytest.mark.interface, pytest.mark.reader]

POLICY = ROOT / "sample_docs" / "travel-and-expense-policy-2024.md"
QUESTION = "What is the lodging limit in Israel?"
ANSWER = "620"
PEOPLE = '{"ada": "analytical", "bob": "builder"}'
VECTORS_MS = 60_000
"""Milliseconds in which the packaged model embeds one short document, also on a busy machine."""


def test_a_day(serve: Callable[..., Served], signed_in, tmp_path: Path, shoot) -> None:
    served = serve(PALIMPSEST_USERS=PEOPLE)
    ada = signed_in(served, "ada", "analytical")
    switch(ada, "meaning", on=False)
    take_in(ada, POLICY)
    find_why_by_words_only_and_set_it_right(ada, shoot)
    archive = take_a_backup(ada, tmp_path)
    lose_the_index_and_rebuild_while_asking(ada, served, shoot)
    somebody_deletes_a_document(signed_in(served, "bob", "builder"))
    see_who_it_was(ada, shoot)
    switch_a_feature_off(ada)
    look_at_it_narrow_dark_and_hebrew(ada, shoot)
    elsewhere = serve(PALIMPSEST_USERS=PEOPLE)
    restore_elsewhere(signed_in(elsewhere, "ada", "analytical"), archive, shoot)


def system(page: Page) -> Locator:
    go(page, "system")
    card = page.locator(".pal-system")
    expect(card.locator(".page")).to_have_attribute("data-state", "ready")
    expect(card.locator(".looking")).to_be_hidden()
    return card


def switch(page: Page, name: str, *, on: bool) -> None:
    row = system(page).locator(f"[data-feature={name}]")
    row.locator("[data-do=switch]").click()
    expect(row).to_have_attribute("data-on", str(on).lower())


def take_in(page: Page, file: Path) -> None:
    go(page, "library")
    page.locator(".pal-library input[type=file]").set_input_files(file)
    row = page.locator(".pal-library .rows .row:not(.head)")
    expect(row).to_have_count(1)
    expect(page.locator(".pal-library .row.busy")).to_have_count(0, timeout=VECTORS_MS)


def answered(page: Page) -> Locator:
    """The answer to the question, in a new conversation."""
    go(page, "chat")
    page.locator("[data-new]:visible").first.click()
    ask(page, QUESTION)
    answer = page.locator(".answer:not(.live)")
    expect(answer).to_contain_text(ANSWER)
    return answer


def find_why_by_words_only_and_set_it_right(page: Page, shoot) -> None:
    expect(answered(page)).to_contain_text("Semantic search is switched off")
    shoot(page, "day-by-words-only")
    card = system(page)
    told = card.locator("li[data-warning=meaning_switched_off]")
    expect(told).to_contain_text("switched off")
    expect(told).to_contain_text("What to do")
    shoot(page, "day-what-is-wrong")
    switch(page, "meaning", on=True)
    expect(told).to_have_count(0)
    until_all_is_found_by_meaning(page)
    expect(answered(page)).not_to_contain_text("switched off")


def until_all_is_found_by_meaning(page: Page) -> None:
    """Refreshes the health card until it no longer reports missing vectors."""
    ends, card = time.monotonic() + VECTORS_MS / 1000, system(page)
    while card.locator("li[data-warning=vectors_missing]").count():
        assert time.monotonic() < ends
        with page.expect_response(lambda reply: '"doctor"' in (reply.request.post_data or "")):
            card.locator(".health").get_by_role("button", name="Check again").click()
        expect(card.locator(".looking")).to_be_hidden()


def take_a_backup(page: Page, folder: Path) -> Path:
    backups = system(page).locator(".backups")
    backups.locator("[data-do=backup]").click()
    row = backups.locator("li[data-backup]")
    expect(row).to_have_count(1)
    with page.expect_download() as coming:
        row.get_by_text("Download").click()
    return Path(shutil.copy(coming.value.path(), folder / "everyone.zip"))


def lose_the_index_and_rebuild_while_asking(page: Page, served: Served, shoot) -> None:
    shutil.rmtree(served.home / "index")
    card = system(page)
    shoot(page, "day-index-lost")
    rebuild = card.locator("[data-task=rebuild]")
    rebuild.locator("[data-do=begin]").click()
    answered(page)
    expect(system(page).locator("[data-task=rebuild]")).to_contain_text("Last rebuilt")
    card.locator("[data-do=check]").click()
    expect(card.locator("[data-task=check] .came")).to_contain_text("The index matches all of them")
    served.kill()
    served.start()
    page.reload()
    page.wait_for_selector(READY)
    answered(page)


def somebody_deletes_a_document(page: Page) -> None:
    take_in(page, POLICY)
    page.locator(".pal-library .rows .row:not(.head)").hover()
    page.locator(".pal-library .rows .row:not(.head)").get_by_role("button", name="Delete").click()
    expect(page.locator(".pal-library .rows .row:not(.head)")).to_have_count(0)


def see_who_it_was(page: Page, shoot) -> None:
    trail = system(page).locator(".audit")
    trail.locator("select").select_option("deleted")
    entry = trail.locator(".entries li")
    expect(entry).to_have_count(1)
    expect(entry).to_contain_text(f"bob deleted {POLICY.name}")
    trail.scroll_into_view_if_needed()
    shoot(page, "day-who-deleted")


def switch_a_feature_off(page: Page) -> None:
    switch(page, "knowledge", on=False)
    expect(page.locator(".pal-header [data-tab=knowledge]")).to_be_hidden()


def look_at_it_narrow_dark_and_hebrew(page: Page, shoot) -> None:
    card = system(page)
    page.screenshot(path="tests/interface/screenshots/day-wide.png", full_page=True)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.screenshot(path="tests/interface/screenshots/day-narrow.png", full_page=True)
    page.locator("[data-theme-switch]").click()
    page.locator("[data-ui-language]").click()
    expect(card.locator("h1")).to_have_text("מערכת")
    expect(card.locator(".looking")).to_be_hidden()
    expect(card.locator("[data-feature=memory]")).to_contain_text("זיכרון")
    expect(card.locator(".audit .entries li").first).to_contain_text("מחיקה")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.screenshot(path="tests/interface/screenshots/day-narrow-hebrew.png", full_page=True)


def restore_elsewhere(page: Page, archive: Path, shoot) -> None:
    backups = system(page).locator(".backups")
    backups.locator("[data-backup-file]").set_input_files(archive)
    row = backups.locator("li[data-backup]")
    row.locator("[data-do=preview]").click()
    expect(row.locator(".preview")).to_contain_text("Nothing has been changed yet")
    shoot(page, "day-restore-preview")
    row.locator("[data-do=restore]").click()
    expect(row.locator(".preview")).to_contain_text("Restored:")
    go(page, "library")
    expect(page.locator(".pal-library .rows .row:not(.head)")).to_have_count(1)
    expect(page.locator(".pal-library .row.busy")).to_have_count(0, timeout=VECTORS_MS)
    answered(page)
