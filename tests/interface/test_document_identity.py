"""Tests correcting a document's type and details on its page: Enter saves, Esc cancels, and a refused value stays in
the input."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.interface.conftest import Served

pytestmark = pytest.mark.interface

SAMPLE = Path(__file__).parents[2] / "sample_docs" / "travel-and-expense-policy-2024.md"
READY = 60_000


@pytest.fixture(scope="module")
def served(serve) -> Iterator[Served]:
    return serve(PALIMPSEST_DENSE_ENABLED="false")


def detail(page: Page):
    page.locator(".pal-library .rows [data-document]").first.click()
    return page.locator(".pal-library .side")


def test_a_title_and_a_period_are_corrected_in_place(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(f"{served.url}/?tab=library")
    page.locator(".pal-library input[type=file]").set_input_files([SAMPLE])
    expect(page.locator(".pal-library .rows [data-document]").first).to_be_visible(timeout=READY)
    side = detail(page)
    expect(side.locator("[data-field=kind]")).to_have_text("Policy")

    side.locator("[data-field=title]").click()
    editor = side.locator(".identity-form input")
    editor.fill("Something else")
    editor.press("Escape")
    expect(side.locator("[data-field=title]")).to_have_text("Travel and Expense Policy 2024")

    side.locator("[data-field=title]").click()
    editor.fill("How to travel")
    shoot(page, "document-identity-editing")
    editor.press("Enter")
    expect(side.locator("[data-field=title]")).to_have_text("How to travel")
    expect(page.locator(".pal-library .rows [data-document]").first).to_contain_text("How to travel")

    side.locator("[data-field=periods]").click()
    editor.fill("some day")
    editor.press("Enter")
    expect(page.get_by_text("is not a period")).to_be_visible()
    expect(editor).to_have_value("some day")
    editor.fill("FY2022; Q2 2023")
    editor.press("Enter")
    expect(side.locator("[data-field=periods]")).to_have_text("FY2022, Q2 2023")
    expect(side.locator(".identity small").first).to_have_text("edited by you")

    side.locator("[data-field=kind]").click()
    side.locator(".identity-form select").select_option("memo")
    side.locator(".identity-form select").press("Enter")
    expect(side.locator("[data-field=kind]")).to_have_text("Memo")

    page.reload()
    page.wait_for_selector(".pal-header [role=tab][aria-selected=true]")
    expect(detail(page).locator("[data-field=title]")).to_have_text("How to travel")
    shoot(page, "document-identity")


def test_in_hebrew_on_a_phone_in_the_dark(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(f"{served.url}/?tab=library", width=390, height=844, dark=True, locale="he-IL")
    expect(page.locator(".pal-library .rows [data-document]").first).to_be_visible(timeout=READY)
    side = detail(page)
    expect(side.locator("[data-field=kind]")).to_have_text("מזכר")
    side.locator("[data-field=organisations]").click()
    expect(side.locator(".identity-form small")).to_contain_text("הקישו Enter לשמירה")
    shoot(page, "document-identity-he")
    side.locator(".identity-form input").press("Escape")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
