"""Tests model tasks other than answers, on the page: both sides of a question, adapted tone, web pages merged into a
summary; in both languages, light and dark, wide and narrow."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import count

import pytest
from playwright.sync_api import Page, expect

from tests.interface.test_model import READY, with_samples
from tests.servers.local import LocalServer, Reply, Request, asks_for_json, chat_stream, json_reply, judgement

pytestmark = pytest.mark.interface

SIDES = {
    "en": ("Arguments for", "Arguments against", "On balance"),
    "he": ("טיעונים בעד", "טיעונים נגד", "מענה לטענות האלה", "בשקלול הדברים"),
}
DEBATE = {
    "en": {
        "arguments_for": [
            {
                "text": "A fixed limit of ILS 560 a night keeps the cost of a trip known before it begins.",
                "sources": [1],
            },
            {"text": "Finance compares it with prices once a year.", "sources": [1]},
        ],
        "arguments_against": [{"text": "No exception can be had after the trip.", "sources": [1, 99]}],
        "counterarguments": [],
        "conclusion": "The limit is plain and strict [1]; what decides is how often rooms cost more.",
    },
    "he": {
        "arguments_for": [{"text": "החלפה עצמית מחזירה את המונים לפעולה בלי להמתין לספק.", "sources": [1]}],
        "arguments_against": [{"text": "חוות הדעת המשפטית טרם התקבלה.", "sources": [1]}],
        "counterarguments": [{"text": "את העלות אפשר לדרוש מ־Pelagit אחר כך.", "sources": [1]}],
        "conclusion": "ההחלפה מהירה אך סיכונה משפטי [1]; מה שיכריע הוא חוות הדעת.",
    },
}
QUESTION = {
    "en": "What are the pros and cons of the lodging limit of the 2025 travel policy?",
    "he": "מה היתרונות והחסרונות של ההחלפה לפי @meter-storage-memo-2025.docx?",
}
TONE = {
    "en": "hey, what do i get for a hotel night in israel in 2025? thx",
    "he": "אהלן, מה העלות של החלפה עצמית של המונים? תודה",
}
MET = {"en": "in a casual tone", "he": "בטון קליל"}
WEB = {
    "results": [
        {
            "title": "Hotel prices in 2026",
            "url": "https://example.org/prices",
            "content": "A hotel night in Israel cost 610 shekels on average in 2026.",
            "score": 0.9,
        }
    ]
}
JOINED = {
    "statements": [
        {"text": "An average night cost ILS 610 in 2026, above the limit.", "pages": [2], "relation": "differs"}
    ]
}
POINTS = {"points": [{"text": "A hotel night in Israel is paid up to ILS 560.", "passages": [1]}]}


def respond(request: Request) -> Reply:
    first, last = (str(request.body["messages"][n]["content"]) for n in (0, -1))
    if "write down both sides" in last:
        return chat_stream(json.dumps(DEBATE["he" if "היתרונות" in last else "en"], ensure_ascii=False))
    if "Combine the results of a web search" in first:
        return chat_stream(json.dumps(JOINED))
    if "take notes for a summary" in first:
        return chat_stream(json.dumps(POINTS))
    if "Write web search queries" in first:
        return chat_stream(json.dumps({"queries": ["hotel prices"]}))
    return judgement() if asks_for_json(request) else chat_stream("In Israel ILS 560 a night [1].")


@pytest.fixture(scope="module")
def served(serve: Callable[..., object]) -> Iterator[object]:
    with LocalServer(responder=respond) as model, LocalServer(json_reply(WEB)) as web:
        yield serve(
            PALIMPSEST_DENSE_ENABLED="false",
            PALIMPSEST_MODEL="openai:scripted",
            PALIMPSEST_TASKS__DEBATE="true",
            OPENAI_BASE_URL=f"{model.url}/v1",
            OPENAI_API_KEY="none",
            TAVILY_API_KEY="t",
            PALIMPSEST_TAVILY_URL=web.url,
        )


def send(page: Page, question: str) -> None:
    """Clicks the send button, because Enter would choose a document from the list that "@" opens."""
    page.locator(".composer textarea").fill(question)
    page.keyboard.press("Escape")
    page.locator(".composer .send").click()


def finished(page: Page, number: int) -> None:
    expect(page.locator(".answer:not(.live)")).to_have_count(number, timeout=READY)


def test_both_sides_a_tone_that_is_met_and_pages_that_are_joined(served, opened: Callable[..., Page], shoot) -> None:
    places = [("en", 1440, False), ("he", 390, True), ("en", 390, False), ("he", 1440, True)]
    for number, (language, width, dark) in zip(count(), places, strict=False):
        page = opened(served.url, width=width, dark=dark, locale="he-IL" if language == "he" else "en-US")
        with_samples(page) if number == 0 else None
        send(page, QUESTION[language])
        finished(page, 1)
        answer = page.locator(".answer:not(.live)").last
        for side in SIDES[language]:
            expect(answer.locator(".body strong", has_text=side)).to_be_visible()
        expect(answer.locator(".body .cite").first).to_be_visible()
        expect(answer.locator(".body")).not_to_contain_text("99")
        expect(answer).to_have_attribute("dir", "rtl" if language == "he" else "ltr")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        shoot(page, f"debate-{language}-{width}")
        if width == 1440:
            send(page, TONE[language])
            finished(page, 2)
            met = page.locator(".answer:not(.live)").last
            met.locator("[data-unfold=trace]").click()
            expect(met.locator(".trace")).to_contain_text(MET[language])
            shoot(page, f"tone-{language}")
    page = opened(served.url)
    page.locator("[data-web]").click()
    send(page, "Summarize @travel-and-expense-policy-2025.docx")
    finished(page, 1)
    answer = page.locator(".answer:not(.live)").last
    expect(answer.locator(".body")).to_contain_text("Differs: An average night cost ILS 610 in 2026")
    expect(answer.locator(".body")).not_to_contain_text("on average in 2026.")
    answer.locator("[data-unfold=support]").click()
    expect(answer.locator(".support-of")).to_contain_text("Differs: An average night")
    answer.locator(".body strong", has_text="Differs:").scroll_into_view_if_needed()
    shoot(page, "blended")
