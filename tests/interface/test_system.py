"""Tests the System tab in a real browser: view, compare, back up, preview a restore, rebuild the index."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.interface.commands import Commands
from tests.interface.conftest import ROOT

pytestmark = pytest.mark.interface

POLICY = ROOT / "sample_docs" / "travel-and-expense-policy-2024.md"


def test_an_administrator_looks_and_looks_after(serve, opened: Callable[..., Page], shoot) -> None:
    served = serve(PALIMPSEST_DENSE_ENABLED="false")
    assert Commands.beside(served)("add", str(POLICY)).code == 0
    page = opened(served.url + "/?tab=system")
    card = page.locator(".pal-system")
    look_at_health(card, page)
    compare_and_rebuild(card)
    back_up_and_restore(card, page)
    switch_a_feature_off_and_on(card, page)
    shoot(page, "system")
    see_it_narrow_dark_and_hebrew(page, card, shoot)


def look_at_health(card, page: Page) -> None:
    """Embeddings are off and there is no model, so the page must not say that everything works."""
    expect(card.locator("li[data-warning=meaning_switched_off]")).to_contain_text("What to do")
    expect(card.locator("li[data-warning=model_absent]")).to_be_visible()
    expect(card.locator(".looking")).to_be_hidden()
    expect(card.locator(".summary")).to_have_attribute("data-state", "amber")
    expect(card.locator(".summary")).not_to_contain_text("Everything works")
    expect(page.locator("[data-health]")).to_have_attribute("data-state", "amber")
    expect(card.locator(".work")).to_contain_text("Nothing is running")
    expect(card.locator(".called td").first).to_be_visible()
    expect(card.locator(".storage dt").first).to_be_visible()
    expect(card.locator(".figures td", has_text="Extracting text")).to_be_visible()
    expect(card.locator(".figures figcaption", has_text="Storage used")).to_be_visible()
    expect(card.locator(".errors")).to_contain_text("No errors")


def compare_and_rebuild(card) -> None:
    card.locator("[data-do=check]").click()
    expect(card.locator("[data-task=check] .came")).to_contain_text("The index matches all of them")
    expect(card.locator("[data-do=repair]")).to_be_hidden()
    card.locator("[data-do=promote-look]").click()
    expect(card.locator("[data-task=promote] .came")).to_contain_text("None of your memories needs to be moved")
    card.locator("[data-do=begin]").click()
    rebuild = card.locator("[data-task=rebuild]")
    expect(rebuild).to_contain_text("Last rebuilt")
    rebuild.locator("[data-do=roll_back]").click()
    expect(rebuild).to_contain_text("in use again")


def back_up_and_restore(card, page: Page) -> None:
    backups = card.locator(".backups")
    expect(backups).to_contain_text("There are no backups yet")
    backups.locator("[data-do=backup]").click()
    row = backups.locator("li[data-backup]")
    expect(row).to_contain_text("all users")
    with page.expect_download() as coming:
        row.get_by_text("Download").click()
    archive = coming.value.path()
    assert archive.read_bytes()[:2] == b"PK"
    row.locator("[data-do=preview]").click()
    expect(row.locator(".preview")).to_contain_text("Nothing has been changed yet")
    expect(row.locator(".preview td").first).to_have_text("Documents")
    row.locator("[data-do=restore]").click()
    expect(row.locator(".preview")).to_contain_text("Restored:")
    backups.locator("[data-backup-file]").set_input_files(
        {"name": "copy.zip", "mimeType": "application/zip", "buffer": archive.read_bytes()}
    )
    expect(backups.locator("li[data-backup]")).to_have_count(2)
    expect(backups).to_contain_text("uploaded")


def switch_a_feature_off_and_on(card, page: Page) -> None:
    """When a feature is switched off, it disappears from the header immediately; a feature that is set in the
    environment cannot be switched here."""
    graph = card.locator("[data-feature=knowledge]")
    graph.locator("[data-do=switch]").click()
    expect(graph).to_have_attribute("data-on", "false")
    expect(page.locator("nav [data-tab=knowledge]")).to_be_hidden()
    graph.evaluate(
        "(row) => row.scrollIntoView()"
    )  # In one step, because the row is drawn again whenever the System tab receives an update.
    page.screenshot(path="tests/interface/screenshots/system-features.png")
    graph.locator("[data-do=switch]").click()
    expect(graph).to_have_attribute("data-on", "true")
    expect(page.locator("nav [data-tab=knowledge]")).to_be_visible()
    expect(card.locator("[data-feature=meaning] [data-do=switch]")).to_be_disabled()


def see_it_narrow_dark_and_hebrew(page: Page, card, shoot) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("[data-theme-switch]").click()
    page.locator("[data-ui-language]").click()
    expect(card.locator("h1")).to_have_text("מערכת")
    expect(card.locator(".looking")).to_be_hidden()
    expect(card.locator(".summary")).to_have_text(re.compile("תשומת לב"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.screenshot(path="tests/interface/screenshots/system-narrow.png", full_page=True)
    shoot(page, "system-narrow-top")
