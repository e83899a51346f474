"""Tests the list of conversations: search, rename, export, delete and undo."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.interface

QUESTION = "How much notice must Pelagit give of a price rise?"


@pytest.fixture(scope="module")
def served(serve):
    return serve(PALIMPSEST_DENSE_ENABLED="false")


def asked(page: Page, question: str) -> None:
    page.locator(".composer textarea").fill(question)
    page.keyboard.press("Enter")
    expect(page.locator(".answer:not(.live)")).to_have_count(1)


def act(page: Page, title: str, word: str) -> None:
    """By keyboard: goes to the conversation's menu, opens it, chooses ``word``."""
    entry = page.locator(".list .conversation", has_text=title)
    entry.locator("summary").focus()
    page.keyboard.press("Enter")
    entry.get_by_role("button", name=word, exact=True).focus()
    page.keyboard.press("Enter")


def test_renamed_found_by_words_and_exported(served, opened, shoot, tmp_path: Path) -> None:
    page = opened(served.url)
    asked(page, QUESTION)
    act(page, QUESTION[:20], "Rename")
    page.keyboard.type("Price rises")
    page.keyboard.press("Enter")
    entry = page.locator(".list .conversation", has_text="Price rises")
    expect(entry).to_be_visible()
    page.locator("[data-search]").fill("notice must")
    expect(entry.locator("small")).to_contain_text("notice must Pelagit")
    page.locator("[data-search]").fill("giraffe")
    expect(page.locator(".list .none")).to_have_text("No matches.")
    page.locator("[data-search]").fill("")
    expect(entry).to_be_visible()
    entry.hover()
    entry.locator("summary").click()
    shoot(page, "conversations-menu")
    with page.expect_download() as download:
        entry.get_by_role("button", name="Export as Markdown").click()
    kept = tmp_path / "conversation.md"
    download.value.save_as(kept)
    assert download.value.suggested_filename == "Price rises.md"
    assert f"## {QUESTION}" in kept.read_text(encoding="utf-8")


def test_deleted_and_brought_back(served, opened, shoot) -> None:
    page = opened(served.url)
    asked(page, "Who approves trips?")
    act(page, "Who approves trips?", "Delete")
    expect(page.locator(".list .conversation", has_text="Who approves trips?")).to_have_count(0)
    expect(page.locator(".welcome")).to_be_visible()
    page.locator(".toast button").click()
    expect(page.locator(".list .conversation", has_text="Who approves trips?")).to_be_visible()
    expect(page.locator(".question")).to_have_text("Who approves trips?")


def test_several_are_deleted_together_and_brought_back_together(served, opened, shoot) -> None:
    page = opened(served.url)
    for question in ("Who signs the yearly budget?", "Who orders the meters?"):
        page.locator("[data-new]").click()
        asked(page, question)
    listed = page.locator(".list .conversation")
    of = {word: listed.filter(has_text=word) for word in ("Who signs", "Who orders")}
    page.locator("[data-select]").click()
    of["Who signs"].locator("input.pick").check()
    of["Who orders"].locator("button").first.click()
    expect(page.locator(".selection .count")).to_have_text("2 selected")
    shoot(page, "conversations-selected")
    page.locator("[data-search]").fill("Who orders")
    expect(page.locator(".selection .count")).to_have_text("1 selected")
    page.locator("[data-search]").fill("Who")
    of["Who signs"].locator("input.pick").check()
    page.locator(".selection").get_by_role("button", name="Delete", exact=True).click()
    for gone in of.values():
        expect(gone).to_have_count(0)
    expect(page.locator(".welcome")).to_be_visible()
    page.locator(".toast button").click()
    for back in of.values():
        expect(back).to_be_visible()
    expect(page.locator(".question")).to_have_text("Who orders the meters?")


def test_a_title_prints_names_without_marks(served, opened) -> None:
    page = opened(served.url)
    page.locator(".composer textarea").fill('What does @"Trips.docx" say about #meals?')
    page.keyboard.press("Enter")
    expect(page.locator(".list .conversation .title").first).to_have_text("What does Trips say about meals?")


def test_a_sent_question_is_edited_and_its_versions_stay_within_reach(served, opened, shoot) -> None:
    page = opened(served.url)
    asked(page, "Who audits the yearly accounts?")
    asked_again = page.locator(".composer textarea")
    asked_again.fill("Who pays the auditor?")
    page.keyboard.press("Enter")
    expect(page.locator(".answer:not(.live)")).to_have_count(2)
    question = page.locator(".question")
    question.first.hover()
    page.get_by_role("button", name="Edit this question").first.click()
    field = page.locator(".question-edit textarea")
    expect(field).to_have_value("Who audits the yearly accounts?")
    page.keyboard.press("Escape")
    expect(question).to_have_count(2)
    page.get_by_role("button", name="Edit this question").first.click()
    field.fill("Who audits the quarterly accounts?")
    page.keyboard.press("Enter")
    expect(question).to_have_text(["Who audits the quarterly accounts?"])
    expect(page.locator(".answer:not(.live)")).to_have_count(1)
    expect(page.locator(".version")).to_have_text("2 / 2")
    expect(page.locator(".list .title").first).to_have_text("Who audits the quarterly accounts?")
    shoot(page, "conversations-version")
    page.get_by_role("button", name="Earlier version of this question").click()
    expect(question).to_have_text(["Who audits the yearly accounts?", "Who pays the auditor?"])
    page.reload()
    expect(question).to_have_text(["Who audits the yearly accounts?", "Who pays the auditor?"])
    page.get_by_role("button", name="Later version of this question").click()
    expect(question).to_have_text(["Who audits the quarterly accounts?"])


def test_a_menu_and_what_has_the_focus_outlast_a_list_that_is_read_again(served, opened) -> None:
    page = opened(served.url)
    asked(page, QUESTION)
    entry = page.locator(".list .conversation", has_text=QUESTION[:20])
    page.locator("[data-new]").click()
    page.locator(".composer textarea").fill("Who keeps the minutes of the board?")
    page.keyboard.press("Enter")
    entry.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".list .conversation", has_text="Who keeps the minutes")).to_be_visible()
    expect(page.locator(".answer:not(.live)")).to_have_count(1)
    expect(entry.get_by_role("button", name="Rename", exact=True)).to_be_focused()


def test_in_hebrew(served, opened, shoot) -> None:
    page = opened(served.url, locale="he-IL", dark=True)
    asked(page, "Which trips must be approved by two?")
    english = page.locator(".list .conversation", has_text="Which trips")
    english.hover()
    shoot(page, "conversations-hebrew-english-title")
    menu, title = (english.locator(part).bounding_box() for part in ("summary", ".title"))
    assert menu
    assert title
    assert menu["x"] + menu["width"] <= title["x"], "it covers no letter"
    page.locator("[data-new]").click()
    asked(page, "מי מאשר נסיעות?")
    entry = page.locator(".list .conversation", has_text="מי מאשר נסיעות?")
    entry.hover()
    entry.locator("summary").click()
    expect(entry.get_by_role("button", name="מחיקה")).to_be_visible()
    shoot(page, "conversations-hebrew")
