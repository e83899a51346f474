"""Worked, partly, failed: what a person says under an answer, and what they then see of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.interface.conftest import Served

pytestmark = pytest.mark.interface

QUESTION = "How much notice must Pelagit give of a price rise?"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("given")
    (folder / "contract.md").write_text(
        "# Metering contract\n\nPelagit must give notice of a price rise ninety days before it takes effect.\n",
        encoding="utf-8",
    )
    (folder / "hebrew.md").write_text(
        "# חוזה מנייה\n\nפלגית תודיע על העלאת מחיר תשעים יום לפני כניסתה לתוקף.\n", encoding="utf-8"
    )
    return folder


def start(
    serve: Callable[..., Served], folder: Path, opened: Callable[..., Page], file: str = "contract.md", **given: str
) -> Page:
    served = serve(PALIMPSEST_DENSE_ENABLED="false", **given)
    page = opened(served.url)
    page.locator("[role=tab][data-tab=library]").click()
    expect(page.locator(".pal-library .empty button")).to_be_visible()
    page.locator(".pal-library input[type=file]").first.set_input_files(folder / file)
    expect(page.locator(".pal-library .rows .row:not(.head)")).to_have_count(1)
    expect(page.locator(".pal-library .row.busy")).to_have_count(0)
    page.locator("[role=tab][data-tab=chat]").click()
    return page


def ask(page: Page, question: str = QUESTION) -> None:
    """Ask, and wait for the row under the answer."""
    before = page.locator("[data-feedback]").count()
    page.locator(".composer textarea").fill(question)
    page.keyboard.press("Enter")
    expect(page.locator("[data-feedback]")).to_have_count(before + 1)


def row(page: Page):
    return page.locator("[data-feedback]").last


def test_failed_then_the_same_again_is_lower_and_says_why(serve, folder: Path, opened, shoot) -> None:
    page = start(serve, folder, opened)
    ask(page)
    row(page).get_by_role("button", name="Failed").focus()
    page.keyboard.press("Enter")
    effect = row(page).locator(".effect")
    expect(effect).to_contain_text("0.50 → 0.20")
    expect(effect).to_contain_text(re.compile(r"Metering contract.*ranks lower by \d\d%", re.DOTALL))
    expect(row(page).get_by_role("button", name="Failed")).to_have_attribute("aria-pressed", "true")
    shoot(page, "feedback-failed")
    ask(page)
    row(page).get_by_role("button", name=re.compile("Known context")).click()
    known = page.locator(".dock .known-context")
    expect(known).to_contain_text(QUESTION)
    expect(known).to_contain_text("score 0.20")
    shoot(page, "feedback-known-context")
    page.reload()
    expect(page.locator("[data-feedback]").first.get_by_role("button", name="Failed")).to_have_attribute(
        "aria-pressed", "true"
    )
    page.locator("[data-feedback]").first.get_by_role("button", name="Worked").click()
    expect(page.locator("[data-feedback]").first.locator(".effect")).to_contain_text("→ 0.70")


def test_three_times_worked_is_a_pattern(serve, folder: Path, opened) -> None:
    page = start(serve, folder, opened)
    for tier in ("0.70", "now in history", "now in patterns"):
        ask(page)
        row(page).get_by_role("button", name="Worked").click()
        expect(row(page).locator(".effect")).to_contain_text(tier)


def test_where_scoring_is_enforced_the_composer_waits_for_a_word(serve, folder: Path, opened, shoot) -> None:
    page = start(serve, folder, opened, PALIMPSEST_MEMORY__ENFORCE_SCORING="true")
    ask(page)
    field = page.locator(".composer textarea")
    expect(field).to_be_disabled()
    expect(field).to_have_attribute("placeholder", "Say above how the last answer did, to go on")
    expect(page.locator("[data-feedback].owed")).to_have_count(1)
    shoot(page, "feedback-owed")
    row(page).get_by_role("button", name="Partly").click()
    expect(field).to_be_enabled()


def test_in_hebrew(serve, folder: Path, opened, shoot) -> None:
    page = start(serve, folder, opened, "hebrew.md")
    ask(page, "כמה זמן מראש פלגית תודיע על העלאת מחיר?")
    row(page).get_by_role("button", name="לא עבד").click()
    expect(row(page).locator(".effect")).to_contain_text("ידורג נמוך יותר")
    shoot(page, "feedback-hebrew")
