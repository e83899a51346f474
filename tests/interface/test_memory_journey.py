"""Tests a fact's path from the chat to the memory bank, into the next answer, and out again when it is corrected."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.interface

QUESTION = "On which floor is the archive room?"
OLD, NEW = "The archive room is on the third floor.", "The archive room is on the ground level."


def ask(page: Page, text: str) -> None:
    page.locator("[role=tab][data-tab=chat]").click()
    answers = page.locator(".answer:not(.live)").count()
    page.locator(".composer textarea").fill(text)
    page.keyboard.press("Enter")
    expect(page.locator(".answer:not(.live)")).to_have_count(answers + 1)


def known(page: Page) -> Locator:
    """Returns the "known context" part of the last answer."""
    run = page.locator(".answer").last.get_attribute("data-run")
    page.locator("[data-feedback]").last.locator("[data-known]").click()
    dock = page.locator(f".dock [data-panel=memory][data-run={run}]:not([aria-busy])")
    return dock.locator(".known-context > .items")


def bank(page: Page) -> Locator:
    page.locator("[role=tab][data-tab=memory]").click()
    page.locator(".pal-memory [data-memory-tab=bank]").click()
    return page.locator(".pal-memory [data-panel=bank]")


def test_remembered_used_corrected_and_never_used_again_as_it_was(serve, opened, shoot) -> None:
    page = opened(serve(PALIMPSEST_DENSE_ENABLED="false").url)
    ask(page, "Remember that the archive room is on the third floor.")
    expect(page.locator(".offer")).to_have_attribute("data-state", "accepted")
    expect(bank(page).locator(".item")).to_contain_text(OLD)

    ask(page, QUESTION)
    expect(known(page)).to_contain_text(OLD)
    shoot(page, "memory-journey-known")

    bank(page).get_by_role("button", name="Edit").click()
    page.locator("form.entry textarea").fill(NEW)
    page.locator("[role=tab][data-tab=chat]").click()
    bank(page).locator("form.entry button[type=submit]").click()
    expect(page.locator(".pal-memory [data-panel=bank] .item")).to_contain_text(NEW)

    ask(page, QUESTION)
    used = known(page).locator("li", has=page.locator(".tier", has_text="M"))
    expect(used).to_contain_text(NEW)
    expect(used).not_to_contain_text("third floor")
    expect(page.locator(".answer").last).not_to_contain_text("third floor")
