"""Tests API keys on the Settings tab: one is made, shown once, used by a program, and revoked."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.interface.conftest import Served

pytestmark = pytest.mark.interface

NAME = "Claude Desktop"
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "a program", "version": "1"},
    },
}


@pytest.fixture(scope="module")
def served(serve: Callable[..., Served]) -> Served:
    return serve(PALIMPSEST_DENSE_ENABLED="false")


def settings(page: Page) -> Page:
    page.locator("[role=tab][data-tab=settings]").click()
    expect(page.locator(".api-keys")).to_be_visible()
    return page


def opens(served: Served, secret: str) -> bool:
    """Whether the key works for the HTTP API; checks that it works for MCP in the same way."""
    headers = {"Authorization": f"Bearer {secret}"}
    plain = httpx.post(f"{served.url}/api/list_documents", json={}, headers=headers).status_code
    spoken = httpx.post(
        f"{served.url}/mcp", json=HELLO, headers={**headers, "Accept": "application/json, text/event-stream"}
    ).status_code
    assert plain == spoken
    assert plain in (200, 401)
    return plain == 200


def test_a_key_is_made_shown_once_used_and_revoked(
    served: Served, opened: Callable[..., Page], shoot: Callable[[Page, str], None]
) -> None:
    page = settings(opened(served.url))
    card = page.locator(".api-keys")
    expect(card.locator(".about code")).to_have_text(f"{served.url}/mcp")
    expect(card.locator(".none")).to_be_visible()
    card.locator("input[name=name]").fill(NAME)
    page.keyboard.press("Enter")
    expect(card.locator(".made")).to_be_visible()
    secret = card.locator(".made input").input_value()
    expect(card.locator(".keys li")).to_have_count(1)
    expect(card.locator(".keys code")).to_have_text(f"{secret[:12]}…")
    expect(card.locator(".keys small")).to_contain_text("not used yet")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    card.locator("[data-do=copy]").click()
    expect(card.locator("[data-do=copy]")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == secret
    assert opens(served, secret)
    assert not opens(served, f"{secret}x")
    card.scroll_into_view_if_needed()
    shoot(page, "api-keys")

    page.locator("[role=tab][data-tab=chat]").click()
    settings(page)
    expect(card.locator(".made")).to_be_hidden()
    assert card.locator(".made input").input_value() == ""
    expect(card.locator(".keys small")).to_contain_text("last used")
    assert secret not in page.content()

    card.get_by_role("button", name=f"Revoke {NAME}").click()
    expect(card.locator(".keys li")).to_have_count(1)
    assert opens(served, secret), "nothing is revoked by one press"
    card.get_by_role("button", name="Revoke permanently").click()
    expect(card.locator(".keys li")).to_have_count(0)
    expect(page.locator(".pal-notices .toast")).to_contain_text("was revoked")
    assert not opens(served, secret)


def test_it_is_read_from_right_to_left_in_the_dark_and_on_a_small_screen(
    served: Served, opened: Callable[..., Page], shoot: Callable[[Page, str], None]
) -> None:
    page = settings(opened(served.url, width=390, height=844, dark=True, locale="he-IL"))
    card = page.locator(".api-keys")
    card.locator("input[name=name]").fill("סוכן הדוחות של הצוות")
    page.keyboard.press("Enter")
    expect(card.locator(".made p")).to_contain_text("סוכן הדוחות של הצוות")
    card.scroll_into_view_if_needed()
    shoot(page, "api-keys-hebrew-small")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = card.locator(".keys li button").bounding_box()
    assert box
    assert box["height"] >= 24
