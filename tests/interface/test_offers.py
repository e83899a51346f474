"""Tests that facts that users state about themselves are suggested under the answer; only accepted ones are kept."""

from __future__ import annotations

import pytest
from gradio_client import Client
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.interface


@pytest.fixture(scope="module")
def served(serve):
    return serve(PALIMPSEST_DENSE_ENABLED="false")


def ask(page: Page, text: str) -> None:
    answers = page.locator(".answer:not(.live)").count()
    page.locator(".composer textarea").fill(text)
    page.keyboard.press("Enter")
    expect(page.locator(".answer:not(.live)")).to_have_count(answers + 1)


def test_a_statement_is_accepted_by_keyboard_and_kept(served, opened, shoot) -> None:
    page = opened(served.url)
    ask(page, "I work as an auditor at Northwind Water. What is the lodging limit?")
    card = page.locator(".offer")
    expect(card).to_contain_text("Remember this?")
    expect(card).to_contain_text("I work as an auditor at Northwind Water.")
    shoot(page, "offer")
    card.locator("[data-offer-accept]").focus()
    page.keyboard.press("Enter")
    expect(card).to_have_attribute("data-state", "accepted")
    expect(card.locator("[data-offer-undo]")).to_be_focused()

    client = Client(served.url, verbose=False)
    [offer] = client.predict("", "accepted", api_name="/list_offers")["offers"]
    assert offer["text"] == "I work as an auditor at Northwind Water."
    assert offer["memory_id"]
    page.reload()
    expect(page.locator(".offer")).to_have_attribute("data-state", "accepted")
    ask(page, "I work as an auditor at Northwind Water. And the meal limit?")
    expect(page.locator(".offer")).to_have_count(1)

    page.locator("[data-offer-undo]").click()
    expect(page.locator(".offer")).to_have_attribute("data-state", "offered")
    assert client.predict("", "accepted", api_name="/list_offers")["offers"] == []
    assert client.predict(offer["id"], api_name="/accept_offer")["state"] == "accepted"
    assert "problem" in client.predict("offer_" + "0" * 32, api_name="/decline_offer")


def test_a_hebrew_statement_is_declined_and_not_offered_again(served, opened, shoot) -> None:
    page = opened(served.url, width=390, height=844, locale="he-IL")
    ask(page, "אני עובדת כמבקרת פנים בנורתווינד. מה תקרת הלינה?")
    card = page.locator(".offer")
    expect(card).to_contain_text("לזכור את זה?")
    assert card.evaluate("node => getComputedStyle(node).direction") == "rtl"
    shoot(page, "offer-hebrew")
    card.get_by_role("button", name="לא עכשיו").click()
    expect(card).to_have_attribute("data-state", "declined")
    expect(card).to_contain_text("לא נשמר")
    ask(page, "אני עובדת כמבקרת פנים בנורתווינד. מה תקרת הארוחות?")
    expect(page.locator(".offer")).to_have_count(1)
    page.reload()
    expect(page.locator(".offer")).to_have_attribute("data-state", "declined")
