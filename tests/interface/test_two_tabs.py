"""Tests two tabs on one conversation, and a server that disconnects and returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.interface.browsing import Browsing
from tests.interface.conftest import READY, Served
from tests.interface.tour import QUESTION, ask, go, with_samples

pytestmark = pytest.mark.interface

FURTHER = "What is the lodging limit in Israel in 2025?"


@pytest.fixture(scope="module")
def served(serve: Callable[..., Served]) -> Served:
    return serve(PALIMPSEST_DENSE_ENABLED="false")


@pytest.fixture
def page(browsing: Browsing, served: Served) -> Iterator[Page]:
    """A page on which console errors are allowed: the browser logs one when no server answers."""
    page = browsing.take(served.url)
    page.goto(served.url)
    page.wait_for_selector(READY)
    with_samples(page)
    go(page, "chat")
    yield page
    browsing.give_back()


def test_what_is_asked_in_one_tab_is_seen_in_the_other(page: Page) -> None:
    ask(page, QUESTION)
    expect(page.locator(".answer:not(.live)")).to_contain_text("312")
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator(".answer:not(.live)")).to_contain_text("312")
    for asking, seeing, question, many in ((page, other, FURTHER, 2), (other, page, QUESTION, 3)):
        ask(asking, question)
        expect(seeing.locator(".question")).to_have_count(many)
        expect(seeing.locator(".question").last).to_have_text(question)
        for each in (asking, seeing):
            expect(each.locator(".answer:not(.live)")).to_have_count(many)
            expect(each.locator(".answer")).to_have_count(many)
    for saying, hearing, outcome in ((page, other, "worked"), (other, page, "failed")):
        saying.locator(f"[data-outcome={outcome}]").last.click()
        expect(hearing.locator(f"[data-outcome={outcome}]").last).to_have_attribute("aria-pressed", "true")
        expect(hearing.locator("[data-feedback] .effect").last).not_to_be_empty()


def test_a_lost_connection_is_said_and_mended_and_the_run_goes_on(page: Page, served: Served) -> None:
    ask(page, "Compare @[Travel and Expense Policy 2024]", "compare")
    expect(page.locator(".pal-card")).to_contain_text("Which document should I compare it with?")
    served.kill()
    expect(page.locator(".thread .lost")).to_be_visible()
    expect(page.locator(".pal-notices .gone")).to_contain_text("Connection to the workbench lost")
    served.start()
    expect(page.locator(".pal-notices .gone")).to_have_count(0)
    expect(page.locator(".thread .lost")).to_have_count(0)
    expect(page.locator(".pal-card")).to_contain_text("Which document should I compare it with?")
    page.locator(".composer textarea").fill("@[Travel and Expense Policy 2025]")
    page.locator(".composer textarea").press("Enter")
    expect(page.locator(".answer:not(.live) table")).to_contain_text("ILS 2,000 or less")
    expect(page.locator(".answer")).to_have_count(1)
