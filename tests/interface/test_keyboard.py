"""Tests everything by keyboard: the palette, the shortcuts, the shortcut list, and a day's work without a mouse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.interface.tour import QUESTION, with_samples

pytestmark = pytest.mark.interface

NOTE = b"The Oleander pump was replaced on 3 May 2025 and runs at 41 litres a second."
TABS = 40
"""Maximum number of presses of Tab; if the wanted element is not reached by then, the test fails."""


@pytest.fixture(scope="module")
def served(serve):
    return serve(PALIMPSEST_DENSE_ENABLED="false")


def palette(page: Page, typed: str) -> Locator:
    """Opens the command palette and types; returns the marked entry, which Enter would choose."""
    page.keyboard.press("Control+KeyK")
    expect(page.locator(".pal-palette[open] input")).to_be_focused()
    page.keyboard.type(typed)
    return page.locator(".pal-palette [aria-selected=true]")


def command(page: Page, typed: str, shown: str) -> None:
    expect(palette(page, typed)).to_contain_text(shown)
    page.keyboard.press("Enter")
    expect(page.locator(".pal-palette")).to_be_hidden()


def tab_to(page: Page, wanted: str, key: str = "Tab") -> None:
    for _ in range(TABS):
        page.keyboard.press(key)
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", wanted):
            return
    raise AssertionError(f"{wanted} is not reached by {key}")


def test_the_palette_goes_opens_asks_and_switches(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(served.url)
    with_samples(page)
    body = page.locator("body")
    command(page, "settings", "Settings")
    expect(body).to_have_attribute("data-tab", "settings")
    command(page, "spend travel", "Vendor spend and travel claims")
    expect(page.locator(".pal-viewer[open] [data-title]")).to_have_text("Vendor spend and travel claims 2024-2025")
    command(page, "deep", "Deep")
    expect(page.locator("[data-mode=deep]")).to_have_attribute("aria-checked", "true")
    command(page, "dark", "Switch to dark theme")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    command(page, "עבר", "עברית")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    command(page, "ספרי", "ספרייה")
    expect(body).to_have_attribute("data-tab", "library")
    palette(page, "zzz")
    shoot(page, "palette-hebrew")
    page.keyboard.press("Escape")
    command(page, QUESTION, QUESTION)
    expect(body).to_have_attribute("data-tab", "chat")
    expect(page.locator(".question")).to_have_text(QUESTION)
    expect(page.locator(".answer:not(.live)")).to_contain_text("312")
    command(page, "english", "English")
    command(page, "light", "Switch to light theme")
    command(page, "enhanced", "Enhanced")


def test_shortcuts_the_card_of_keys_and_the_skip_link(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(served.url)
    body = page.locator("body")
    expect(page.locator(".welcome h1")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    shoot(page, "skip-link")
    page.keyboard.press("Enter")
    expect(page.locator(".composer textarea")).to_be_focused()
    page.keyboard.type("really?")
    expect(page.locator(".composer textarea")).to_have_value("really?")
    expect(page.locator(".pal-help")).to_be_hidden()
    for key, tab in (("KeyB", "library"), ("KeyP", "personality"), ("KeyM", "chat")):
        page.keyboard.press(f"Control+Shift+{key}")
        expect(body).to_have_attribute("data-tab", tab)
    expect(page.locator(".dock .pal-memory [name=query]")).to_be_focused()
    page.keyboard.press("Control+Shift+KeyB")
    expect(body).to_have_attribute("data-tab", "library")
    page.keyboard.press("Shift+Slash")
    expect(page.locator(".pal-help[open]")).to_contain_text("Ctrl+Shift+M")
    page.keyboard.press("Escape")
    expect(page.locator(".pal-help")).to_be_hidden()


def test_a_day_by_keys_alone(served, opened: Callable[..., Page]) -> None:
    """Asks, looks at a source, answers PalAssist, adds a document, deletes it, and undoes that."""
    page = opened(served.url)
    with_samples(page)
    command(page, "chat", "Chat")
    tab_to(page, ".composer textarea")
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    expect(page.locator(".answer:not(.live) blockquote .cite").first).to_be_visible()
    tab_to(page, "blockquote .cite", "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".dock .evidence mark").first).to_be_visible()
    tab_to(page, ".dock [data-close-dock]")
    page.keyboard.press("Enter")
    expect(page.locator(".dock")).to_be_hidden()

    tab_to(page, ".composer [data-action]", "Shift+Tab")
    page.keyboard.type("Compare")
    tab_to(page, ".composer textarea", "Shift+Tab")
    page.keyboard.type("@[Travel and Expense Policy 2024] ")
    page.keyboard.press("Enter")
    expect(page.locator(".pal-card")).to_contain_text("Which document should I compare it with?")
    expect(page.locator(".pal-card [data-choice]").first).to_be_focused()
    tab_to(page, ".composer textarea")
    page.keyboard.type("@expense policy 2025")
    expect(page.locator(".mentions li")).to_have_count(1)
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator(".answer:not(.live) table").last).to_contain_text("ILS 2,000 or less")


def test_a_document_is_added_deleted_and_taken_back_by_keys(
    served, opened: Callable[..., Page], tmp_path: Path
) -> None:
    page = opened(served.url)
    page.on(
        "filechooser", lambda _: None
    )  # The browser must intercept the file dialog before the key that opens it is pressed.
    with_samples(page)
    note = tmp_path / "oleander.txt"
    note.write_bytes(NOTE)
    rows = page.locator(".pal-library .rows .row:not(.head)")
    tab_to(page, ".pal-library .drop", "Shift+Tab")
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    chooser.value.set_files(note)
    mine = rows.filter(has_text="oleander")
    expect(mine).to_have_count(1)
    expect(page.locator(".pal-library .row.busy")).to_have_count(0, timeout=90_000)
    page.locator(".pal-library .drop").focus()
    tab_to(page, ".pal-library .rows .row")
    page.keyboard.press("Home")
    expect(mine).to_be_focused()
    page.keyboard.press("Delete")
    expect(mine).to_have_count(0)
    expect(page.locator(".pal-notices [data-undo]")).to_be_visible()
    page.keyboard.press("Control+KeyZ")
    expect(mine).to_have_count(1)
