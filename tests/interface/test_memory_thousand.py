"""Tests a bank of a thousand entries: filtered while typing, archived and restored, promoted when due."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.interface.memories import entries, keep, remembered

pytestmark = pytest.mark.interface

MOST_MILLISECONDS = 200
"""Limit for the median time of a keystroke. The slowest keystroke depends on the machine; benchmarks measure it
(docs/benchmarks.md)."""
UNTIL_OVER = 40.0
"""Seconds until the server has started: it promotes memories at the start, so the test can only check a later
promotion."""
WATCH = """() => {
  window.keystrokes = [];
  document.querySelector('.pal-memory [data-filter]').addEventListener('input', (event) => {
    requestAnimationFrame(() => requestAnimationFrame(() => keystrokes.push(performance.now() - event.timeStamp)));
  }, { capture: true });
}"""
"""Measures the time from the keystroke to the frame after the one that shows its effect."""

SEEN = """() => {
  const node = document.activeElement;
  const style = getComputedStyle(node);
  const ring = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
  return [node.textContent || node.type, ring || style.boxShadow !== 'none'];
}"""


@pytest.fixture(scope="module")
def served(serve):
    rising = remembered("Seals of the old pump come from Pelagit.", score=0.95, uses=3)
    passing = remembered("Seals of the old pump are green this week.", score=0.4, uses=1)

    def prepare(home: Path) -> None:
        passing.timestamps.expires_at = time.time() + UNTIL_OVER
        keep(home, [*entries(), rising, passing])

    return serve(prepare, PALIMPSEST_DENSE_ENABLED="false")


@pytest.fixture
def tab(served, opened: Callable[..., Page]) -> Callable[..., Page]:
    return lambda part="bank", **options: opened(f"{served.url}/?tab=memory&m={part}", **options)


def panel(page: Page, name: str) -> Locator:
    return page.locator(f".pal-memory [data-panel={name}]")


@pytest.mark.parametrize(("locale", "words", "left"), [("en-US", "pump haifa", 5), ("he-IL", "המקהלה בקיוטו", 5)])
def test_each_keystroke_is_painted_at_once(tab, locale: str, words: str, left: int) -> None:
    page = tab(locale=locale)
    bank = panel(page, "bank")
    expect(bank.locator(".count").first).to_contain_text("1000")
    page.evaluate(WATCH)
    field = bank.locator("[data-filter]")
    field.focus()
    for number, letter in enumerate(words[:10], start=1):
        page.keyboard.press(letter) if letter.isascii() else page.keyboard.insert_text(letter)
        page.wait_for_function("count => window.keystrokes.length === count", arg=number)
    took = page.evaluate("keystrokes")
    expect(bank.locator(".item")).to_have_count(left)
    print(f"{locale}: worst {max(took):.0f} ms, median {sorted(took)[5]:.0f} ms of {len(took)} keystrokes")
    assert sorted(took)[5] < MOST_MILLISECONDS


def test_a_hit_is_pinned_to_the_bank(tab) -> None:
    page = tab("search")
    search = panel(page, "search")
    search.locator("input[name=query]").fill("seals Pelagit")
    search.locator("input[name=query]").press("Enter")
    hit = search.locator(".hit", has_text="come from Pelagit").first
    hit.get_by_role("button", name="Add to the memory bank").click()
    hit.locator("form.entry textarea").fill("Seals of the new pump come from Pelagit as well.")
    hit.locator("form.entry button[type=submit]").click()
    expect(page.locator(".pal-notices .toast")).to_contain_text("Added to the memory bank")
    page.locator(".pal-memory [data-memory-tab=bank]").click()
    expect(panel(page, "bank").locator(".item").first).to_contain_text("new pump come from Pelagit")


def test_an_entry_is_archived_and_restored(tab) -> None:
    page = tab()
    bank = panel(page, "bank")
    words = "choir in Kyoto moved"
    bank.locator("[data-filter]").fill(words)
    entry = bank.locator(".item", has_text=words)
    expect(bank.locator(".item")).to_have_count(1)
    entry.get_by_role("button", name="Archive").click()
    expect(entry).to_have_count(0)
    bank.locator("[data-status=archived]").click()
    entry.get_by_role("button", name="Restore").click()
    expect(entry).to_have_count(0)
    bank.locator("[data-status=active]").click()
    expect(entry).to_be_visible()


def test_the_keyboard_is_always_seen(tab) -> None:
    page = tab()
    bank = panel(page, "bank")
    bank.locator("[data-filter]").fill("orchard in Porto is insured")
    expect(bank.locator(".item")).to_have_count(1)
    page.locator(".pal-memory [data-memory-tab=bank]").focus()
    reached = set()
    for _ in range(30):
        page.keyboard.press("Tab")
        name, seen = page.evaluate(SEEN)
        reached.add(name)
        assert seen, f"the focus cannot be seen on {name}"
        if name == "Delete":
            break
    assert {"Archived", "Add a fact", "Edit", "Archive", "Delete"} <= reached


def test_switched_off_it_says_so_and_all_of_it_opens(serve, opened, shoot) -> None:
    off = serve(PALIMPSEST_DENSE_ENABLED="false", PALIMPSEST_MEMORY__ENABLED="false")
    page = opened(f"{off.url}/?tab=memory", width=390, height=844)
    expect(page.locator(".pal-memory .off")).to_contain_text("Memory is switched off")
    for name in ("tiers", "bank", "goals", "conversation", "search"):
        page.locator(f".pal-memory [data-memory-tab={name}]").click()
        expect(panel(page, name)).to_be_visible()
        expect(panel(page, name).locator(".failed, .skeleton")).to_have_count(0)
    shoot(page, "memory-off")
    expect(page.locator(".pal-notices .problem")).to_have_count(0)


def test_what_is_due_is_seen_before_it_moves(tab, shoot) -> None:
    page = tab("tiers")
    tiers = panel(page, "tiers")
    due = tiers.locator(".due-body")
    over = due.locator("li", has_text="expired")
    ends = time.monotonic() + UNTIL_OVER
    while not over.count() and time.monotonic() < ends:
        with page.expect_response(lambda response: "component_server" in response.url):
            page.locator(".pal-memory [data-memory-tab=tiers]").click()
    expect(over).to_contain_text("are green this week")
    shoot(page, "memory-due")
    due.locator("[data-promote]").click()
    expect(page.locator(".pal-notices .toast")).to_contain_text("moved.")
    expect(due).to_contain_text("Nothing to do now")
    page.locator(".pal-memory .card[data-tier=patterns]").click()
    risen = tiers.locator(".items .item", has_text="from Pelagit")
    risen.locator("summary").click()
    expect(risen.locator(".past")).to_contain_text("Working → History")
