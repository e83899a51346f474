"""Visits all pages of a workbench, with or without documents; yields the name of each page or panel that it reaches."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Locator, Page, expect

READY = 90_000
QUESTION = "How many households in the Hadar zone were left without water, and for how long?"


def tour(page: Page) -> Iterator[str]:
    """Waits at each page or panel until its main content is shown. Callers must leave the page as they found it."""
    yield from _chat(page)
    yield from _library(page)
    yield from _memory(page)
    yield from _knowledge(page)
    yield from _rest(page)


def go(page: Page, tab: str) -> None:
    page.locator(f".pal-header [role=tab][data-tab={tab}]").click()
    expect(page.locator("body")).to_have_attribute("data-tab", tab)


def seen(*places: Locator) -> None:
    for place in places:
        expect(place.first).to_be_visible()


def with_samples(page: Page) -> None:
    """Waits until all samples are read."""
    go(page, "library")
    rows = page.locator(".pal-library .rows .row:not(.head)")
    empty = page.locator(".pal-library .empty button")
    expect(rows.first.or_(empty)).to_be_visible()
    if empty.is_visible():
        empty.click()
    expect(rows).to_have_count(6, timeout=READY)
    expect(page.locator(".pal-library .row.busy")).to_have_count(0, timeout=READY)


def ask(page: Page, question: str, action: str = "auto") -> None:
    page.locator("[data-action]").select_option(action)
    page.locator(".composer textarea").fill(question)
    page.locator(".composer textarea").press("Enter")


def _chat(page: Page) -> Iterator[str]:
    seen(page.locator(".welcome h1"))
    yield "chat empty"
    with_samples(page)
    go(page, "chat")
    seen(page.locator(".welcome .questions button"))
    yield "chat with documents"
    ask(page, QUESTION)
    seen(page.locator(".answer:not(.live) blockquote"))
    yield "chat answer"
    page.locator(".answer:not(.live) [data-unfold=trace]").click()
    page.locator(".answer:not(.live) blockquote .cite").first.click()
    seen(page.locator(".dock .evidence"))
    yield "chat evidence"
    page.locator("[data-close-dock]").click()
    ask(page, "Compare @[Travel and Expense Policy 2024]", "compare")
    seen(page.locator(".pal-card"))
    yield "chat question of PalAssist"
    page.keyboard.press("Escape")
    expect(page.locator(".pal-card")).to_have_count(0)


def _library(page: Page) -> Iterator[str]:
    go(page, "library")
    row = page.locator(".pal-library .rows .row:not(.head)").first
    seen(row)
    yield "library"
    row.locator(".title").click()
    seen(page.locator(".pal-library .side .detail"))
    yield "library document"
    page.locator(".pal-library .side [data-open-page]").first.click()
    seen(page.locator(".pal-viewer[open]:not([aria-busy=true])"))
    yield "viewer"
    page.keyboard.press("Escape")
    expect(page.locator(".pal-viewer[open]")).to_have_count(0)


def _memory(page: Page) -> Iterator[str]:
    go(page, "memory")
    for view in ("search", "tiers", "bank", "goals", "conversation"):
        page.locator(f"[data-memory-tab={view}]").click()
        seen(page.locator(f".pal-memory [data-panel={view}]:visible"))
        yield f"memory {view}"


def _knowledge(page: Page) -> Iterator[str]:
    go(page, "knowledge")
    for view in ("graph", "table", "charts"):
        page.locator(f"[data-view-tab={view}]").first.click()
        expect(page.locator(".pal-knowledge")).to_have_attribute("data-view", view)
        yield f"knowledge {view}"


def _rest(page: Page) -> Iterator[str]:
    go(page, "personality")
    seen(page.locator(".pal-personality form.quick input"))
    yield "personality"
    page.locator(".pal-personality [data-view-tab=yaml]").click()
    seen(page.locator("#pal-yaml textarea"))
    yield "personality yaml"
    go(page, "tools")
    seen(page.locator(".pal-tools .servers > *"))
    yield "tools"
    go(page, "settings")
    seen(page.locator(".pal-settings .card.mine"), page.locator(".pal-settings .card.storage"))
    yield "settings"
    go(page, "system")
    seen(page.locator(".pal-system .card.upkeep button"), page.locator(".pal-system .card.storage"))
    yield "system"
