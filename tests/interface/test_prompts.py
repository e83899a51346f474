"""Tests a model that sends its reasoning: the reasoning is shown folded next to the answer, with the question's total
cost below."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.servers.local import LocalServer, Request, asks_for_json, chat_stream, judgement

pytestmark = pytest.mark.interface

READY = 90_000


def respond(request: Request):
    if asks_for_json(request):
        return judgement()
    if "בישראל" in request.body["messages"][-1]["content"]:
        return chat_stream("<think>המדיניות קובעת 560</think>", "לילה במלון בישראל: עד 560 ש״ח [1].")
    return chat_stream("<thi", "nk>The policy of 2025 says 560.</th", "ink>", "In Israel ILS 560 a night [1].")


@pytest.fixture(scope="module")
def model_url() -> Iterator[str]:
    with LocalServer(responder=respond) as server:
        yield f"{server.url}/v1"


def ask(page: Page, question: str) -> None:
    page.locator(".composer textarea").fill(question)
    page.keyboard.press("Enter")


def test_reasoning_is_folded_and_the_bill_is_the_whole_turns(
    serve, model_url: str, opened: Callable[..., Page], shoot
) -> None:
    served = serve(
        PALIMPSEST_DENSE_ENABLED="false",
        PALIMPSEST_MODEL="openai:gpt-4.1",
        OPENAI_BASE_URL=model_url,
        OPENAI_API_KEY="none",
    )
    page = opened(served.url)
    page.locator("[role=tab][data-tab=library]").click()
    page.locator(".pal-library .empty button").first.click()
    expect(page.locator(".pal-library .rows .row:not(.head)")).to_have_count(6, timeout=READY)
    page.locator("[role=tab][data-tab=chat]").click()
    ask(page, "What is the limit for a hotel night in Israel under the 2025 travel policy?")
    answer = page.locator(".answer:not(.live)").last
    expect(answer.locator(".body")).to_contain_text("ILS 560 a night")
    expect(answer.locator(".body")).not_to_contain_text("The policy of 2025 says")
    reasoning = answer.locator(".reasoning")
    expect(reasoning.locator("p")).to_be_hidden()
    answer.get_by_role("button", name="Reasoning").click()
    expect(reasoning.locator("p")).to_be_visible()
    expect(reasoning.locator("p")).to_have_text("The policy of 2025 says 560.")
    bill = answer.locator("footer .spent")
    expect(bill).to_have_text(re.compile(r"^\d+ tokens$"))
    expect(bill).to_have_attribute("title", re.compile(r"^[3-9] model calls · \d+ input tokens · \d+ output tokens$"))
    shoot(page, "chat-reasoning")
    page.reload()
    expect(page.locator(".answer:not(.live) .reasoning p").last).to_have_text("The policy of 2025 says 560.")
    ask(page, "מהי התקרה ללילה במלון בישראל לפי מדיניות הנסיעות של 2025?")
    hebrew = page.locator(".answer:not(.live)").last
    expect(hebrew.locator(".body")).to_contain_text("560")
    expect(hebrew.locator("[data-unfold=reasoning]")).to_have_text("שרשרת המחשבה")
    shoot(page, "chat-reasoning-hebrew")
