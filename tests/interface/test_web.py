"""Tests web search as an addition to documents: switched on for one question, labelled as web, reported when
unavailable."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.servers.local import LocalServer, json_reply

pytestmark = pytest.mark.interface

PAGE = {
    "results": [
        {
            "title": "Bank of Israel",
            "url": "https://www.boi.example.org/rate",
            "content": "The interest rate of the Bank of Israel was set at 4.25 percent in November 2026.",
        }
    ]
}
QUESTION = "What is the current interest rate of the Bank of Israel?"
HEBREW = "מהי ריבית בנק ישראל? Bank of Israel interest rate"


@pytest.fixture(scope="module")
def engine() -> Iterator[LocalServer]:
    with LocalServer(json_reply(PAGE)) as server:
        yield server


@pytest.fixture(scope="module")
def url(serve, engine: LocalServer) -> str:
    return serve(PALIMPSEST_DENSE_ENABLED="false", TAVILY_API_KEY="t", PALIMPSEST_TAVILY_URL=engine.url).url


def ask(page: Page, question: str) -> None:
    page.locator(".composer textarea").fill(question)
    page.keyboard.press("Enter")


@pytest.mark.parametrize(
    ("question", "locale", "width", "dark", "name"),
    [
        (QUESTION, "en-US", 1440, False, "web"),
        (QUESTION, "en-US", 390, False, "web-narrow"),
        (HEBREW, "he-IL", 390, True, "web-hebrew"),
    ],
)
def test_a_page_of_the_web_is_cited_as_one(
    url: str, opened: Callable[..., Page], shoot, question: str, locale: str, width: int, dark: bool, name: str
) -> None:
    page = opened(url, width=width, dark=dark, locale=locale)
    page.locator("[data-web]").click()
    expect(page.locator("[data-web]")).to_have_attribute("aria-pressed", "true")
    shoot(page, f"{name}-composer")
    ask(page, question)
    answer = page.locator(".answer:not(.live)").last
    expect(answer.locator(".quoted")).to_contain_text("4.25 percent")
    expect(page.locator("[data-web]")).to_have_attribute("aria-pressed", "false")
    shoot(page, f"{name}-answer")
    answer.locator(".quoted button.cite").first.click()
    card = page.locator(".dock .evidence")
    expect(card).to_be_visible()
    link = card.locator("a")
    expect(link).to_have_attribute("href", "https://www.boi.example.org/rate")
    expect(link).to_have_attribute("rel", "noopener noreferrer nofollow")
    shoot(page, name)


def test_without_a_key_the_switch_says_what_it_needs(serve, opened: Callable[..., Page]) -> None:
    page = opened(serve(PALIMPSEST_DENSE_ENABLED="false").url)
    switch = page.locator("[data-web]")
    expect(switch).to_be_disabled()
    expect(switch).to_have_attribute("title", re.compile("System page"))
