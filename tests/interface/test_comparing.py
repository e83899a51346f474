"""Tests a comparison on the page: shown in tables with citations, saved as Word, CSV and Markdown."""

from __future__ import annotations

import io
from collections.abc import Callable

import docx
import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.interface.test_asking import ask, with_samples

pytestmark = pytest.mark.interface


@pytest.fixture(scope="module")
def served(serve):
    return serve(PALIMPSEST_DENSE_ENABLED="false")


def test_two_policies_are_compared_and_kept(served, opened: Callable[..., Page], shoot) -> None:
    page = with_samples(opened(served.url))
    ask(page, "Compare the 2024 and 2025 travel policies")
    answer = page.locator(".answer:not(.live)").first
    expect(answer).to_contain_text("Differences")
    expect(answer).to_contain_text("Similarities")
    expect(answer.locator("table").first).to_contain_text("2024")
    expect(answer.locator("table").first.locator("th"), "the two that are meant, and no third one").to_have_count(3)
    assert answer.locator("table [data-cite]").count() >= 4
    shoot(page, "comparison")
    word = answer.get_by_role("link", name="Word")
    written = docx.Document(io.BytesIO(httpx.get(f"{served.url.rstrip('/')}{word.get_attribute('href')}").content))
    assert len(written.tables) >= 1
    address = page.url
    page.close()
    for name, how in (
        ("comparison-phone", {"width": 390, "height": 844}),
        ("comparison-dark-hebrew", {"dark": True, "locale": "he-IL"}),
    ):
        other = opened(address, **how)
        expect(other.locator(".answer:not(.live)").first).to_contain_text("Differences")
        assert other.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        shoot(other, name)
        other.close()
