"""A bank of a thousand entries: filtered as one types, put away and brought back, promoted when it is due."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.interface.memories import entries, keep, remembered

pytestmark = pytest.mark.interface

MOST_MILLISECONDS = 200
WATCH = """() => {
  window.keystrokes = [];
  document.querySelector('.pal-memory [data-filter]').addEventListener('input', (event) => {
    requestAnimationFrame(() => requestAnimationFrame(() => keystrokes.push(performance.now() - event.timeStamp)));
  }, { capture: true });
}"""
"""From the keystroke to the frame after the one that shows what it did."""


@pytest.fixture(scope="module")
def served(serve):
    rising = remembered("Seals of the old pump come from Pelagit.", score=0.95, uses=3)
    failing = remembered("Seals of the old pump come from nowhere.", score=0.1, uses=2)

    def prepare(home: Path) -> None:
        keep(home, [*entries(), rising, failing])

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
    assert max(took) < MOST_MILLISECONDS
