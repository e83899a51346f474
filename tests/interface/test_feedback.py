"""Tests feedback (worked, partly, failed) under an answer, and its visible effects."""

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
    """Asks, and waits for the feedback row under the answer."""
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
    expect(effect).to_contain_text(f"will rank lower when you ask “{QUESTION}”")
    expect(effect).to_contain_text(re.compile(r"Metering contract.*Will rank lower for this question", re.DOTALL))
    expect(row(page).get_by_role("button", name="Failed")).to_have_attribute("aria-pressed", "true")
    shoot(page, "feedback-failed")
    ask(page)
    row(page).get_by_role("button", name=re.compile("Used from memory")).click()
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


def test_a_reason_is_kept_taken_back_and_told_when_the_same_is_asked_again(serve, folder, opened, shoot) -> None:
    page = start(serve, folder, opened)
    ask(page)
    row(page).get_by_role("button", name="Worked").click()
    expect(row(page).locator(".told")).to_contain_text("higher")
    expect(row(page).locator(".why")).to_have_count(0)
    row(page).get_by_role("button", name="Failed").click()
    outdated = row(page).get_by_role("button", name="Outdated")
    outdated.click()
    expect(outdated).to_have_attribute("aria-pressed", "true")
    outdated.click()
    expect(outdated).to_have_attribute("aria-pressed", "false")
    expect(row(page).locator(".kept")).to_have_count(0)
    outdated.press("Enter")
    expect(outdated).to_have_attribute("aria-pressed", "true")
    expect(row(page).locator(".kept")).to_have_text("Your reason was saved: outdated")
    shoot(page, "feedback-reason")
    ask(page)
    row(page).get_by_role("button", name=re.compile("Used from memory")).click()
    expect(page.locator(".dock .known-context .failed")).to_contain_text("failed before: outdated")
    shoot(page, "feedback-failed-before")
    page.locator("[role=tab][data-tab=memory]").click()
    page.locator(".pal-memory [data-memory-tab=tiers]").click()
    past = page.locator(".pal-memory details.history").last
    past.locator("summary").click()
    expect(past).to_contain_text("Did not help answer (outdated)")
    shoot(page, "feedback-history")


def test_the_right_answer_is_asked_for_and_leads_the_next_answer(serve, folder: Path, opened, shoot) -> None:
    page = start(serve, folder, opened)
    ask(page)
    row(page).get_by_role("button", name="Failed").click()
    field = row(page).get_by_role("textbox", name="What is the right answer?")
    field.fill("<b>never</b>")
    field.press("Enter")
    given = row(page).locator(".correction")
    expect(given).to_contain_text("From now on: <b>never</b>")
    expect(given).to_contain_text("No document says it")
    field.fill("ninety days")
    field.press("Enter")
    expect(given).to_contain_text(re.compile(r"Before:.*From now on: ninety days · Metering contract", re.DOTALL))
    expect(given.locator("blockquote")).to_have_text(
        "Pelagit must give notice of a price rise ninety days before it takes effect."
    )
    expect(row(page).locator(".numbers li").first).to_be_hidden()
    row(page).get_by_text("Change of scores").click()
    expect(row(page).locator(".numbers li").first).to_be_visible()
    shoot(page, "feedback-correction")
    ask(page)
    line = page.locator(".answer").last.locator(".first-line")
    expect(line.locator(".says")).to_contain_text("ninety days")
    expect(line.locator(".corrected")).to_contain_text("You gave this answer on")
    expect(page.locator(".answer").last.locator(".state.corrected")).to_have_text("Corrected by you")
    shoot(page, "feedback-corrected")
    line.get_by_role("button", name="Undo").click()
    expect(line.locator(".corrected")).to_have_text("Undone. The next answer comes from your documents again.")
    expect(page.locator(".correction")).to_have_count(0)
    ask(page)
    expect(page.locator(".answer").last.locator(".corrected")).to_have_count(0)


def test_three_times_worked_is_a_pattern(serve, folder: Path, opened) -> None:
    page = start(serve, folder, opened)
    for tier in ("0.70", "moved to history", "moved to patterns"):
        ask(page)
        row(page).get_by_role("button", name="Worked").click()
        expect(row(page).locator(".effect")).to_contain_text(tier)


def test_where_scoring_is_enforced_the_composer_waits_for_a_word(serve, folder: Path, opened, shoot) -> None:
    page = start(serve, folder, opened, PALIMPSEST_MEMORY__ENFORCE_SCORING="true")
    ask(page)
    field = page.locator(".composer textarea")
    expect(field).to_be_disabled()
    expect(field).to_have_attribute("placeholder", "Rate the last answer above to continue")
    expect(page.locator("[data-feedback].owed")).to_have_count(1)
    shoot(page, "feedback-owed")
    row(page).get_by_role("button", name="Partly").click()
    expect(field).to_be_enabled()


def test_in_hebrew(serve, folder: Path, opened, shoot) -> None:
    page = start(serve, folder, opened, "hebrew.md")
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark")
    ask(page, "כמה זמן מראש פלגית תודיע על העלאת מחיר?")
    row(page).get_by_role("button", name="לא עבד").click()
    expect(row(page).locator(".effect")).to_contain_text("נמוך יותר כשתשאלו")
    row(page).get_by_role("button", name="לא עדכני").click()
    expect(row(page).locator(".kept")).to_contain_text("לא עדכני")
    field = row(page).get_by_role("textbox", name="מהי התשובה הנכונה?")
    field.fill("תשעים יום")
    field.press("Enter")
    expect(row(page).locator(".correction")).to_contain_text("מעכשיו: תשעים יום")
    shoot(page, "feedback-hebrew")
