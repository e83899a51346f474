"""Tests the main task as a user does it: load documents, ask, watch, check the source."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.interface, pytest.mark.reader]

READY = 90_000


@pytest.fixture(scope="module")
def served(serve):
    return serve()


def ask(page: Page, question: str) -> None:
    page.locator(".composer textarea").fill(question)
    page.keyboard.press("Enter")


def answered(page: Page):
    answer = page.locator(".answer:not(.live)").last
    expect(answer).to_be_visible()
    return answer


def samples_are_findable(page: Page) -> None:
    page.locator("[role=tab][data-tab=library]").click()
    expect(page.locator(".pal-library .rows .row:not(.head)")).to_have_count(6, timeout=READY)
    page.locator("[role=tab][data-tab=chat]").click()


def test_samples_question_trace_answer_citation(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(served.url)
    shoot(page, "chat-empty")
    page.get_by_role("button", name="Load the samples").click()
    samples_are_findable(page)
    page.locator(".welcome .questions button").first.click()

    answer = answered(page)
    telling = answer.locator("blockquote", has_text="560").first
    expect(telling).to_be_visible()
    expect(answer).to_contain_text("No language model is set up")
    expect(answer.locator("[data-trace] .step")).not_to_have_count(0)
    expect(answer.locator("[data-trace]")).to_be_hidden()

    telling.locator(".cite").click()
    expect(page.locator(".dock .evidence mark", has_text="560")).to_be_visible()
    expect(page.locator(".dock .evidence h3")).to_contain_text("Travel and Expense Policy 2025")
    shoot(page, "chat-answer")

    assert re.search(r"[?&]c=conv_", page.url)
    page.reload()
    expect(page.locator(".answer .quoted")).to_contain_text("560")
    expect(page.locator(".question")).to_have_text(re.compile("night of lodging"))


def test_a_hebrew_question_gets_a_right_to_left_answer_with_a_hebrew_trace(
    served, opened: Callable[..., Page], shoot
) -> None:
    page = opened(served.url)
    samples_are_findable(page)
    ask(page, "מה הייתה הטמפרטורה הגבוהה ביותר שנמדדה בחצר ב'?")
    answer = answered(page)
    expect(answer).to_have_attribute("dir", "rtl")
    expect(answer.locator("blockquote").first).to_contain_text("46.8")
    expect(answer.locator("[data-trace]")).to_be_hidden()
    answer.get_by_role("button", name="שלבים").click()
    expect(answer.locator("[data-trace] .label").first).to_have_text("מבין את הבקשה שלך")
    expect(answer.locator("blockquote").first).to_have_css("direction", "rtl")
    shoot(page, "chat-hebrew-answer")


def test_a_hebrew_question_is_answered_from_an_english_document(served, opened: Callable[..., Page]) -> None:
    page = opened(served.url, locale="he-IL")
    samples_are_findable(page)
    page.locator("[role=tab][data-tab=library]").click()
    expect(page.locator(".pal-library .row.busy")).to_have_count(0, timeout=READY)
    page.locator("[role=tab][data-tab=chat]").click()
    page.locator(".welcome .questions button").last.click()
    expect(answered(page).locator(".body")).to_contain_text("49")


def test_the_whole_page_in_hebrew(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(served.url, locale="he-IL")
    expect(page.locator("[role=tab][data-tab=chat]")).to_have_text("שיחה")
    expect(page.locator(".pal-chat")).to_have_css("direction", "rtl")
    shoot(page, "chat-hebrew")


def test_a_question_without_an_answer_says_so(served, opened: Callable[..., Page]) -> None:
    page = opened(served.url)
    samples_are_findable(page)
    ask(page, "Who won the football world cup in 1998?")
    expect(answered(page)).to_contain_text("I have nothing to answer this from")


def test_a_question_that_cannot_be_used_is_refused_and_kept(served, opened: Callable[..., Page]) -> None:
    page = opened(served.url)
    ask(page, "x" * 100_000)
    problem = page.locator(".pal-notices .problem")
    expect(problem).to_contain_text("The question is too long.")
    expect(problem).to_contain_text("What to do")
    assert len(page.locator(".composer textarea").input_value()) == 100_000


def test_control_characters_are_taken_out_and_said(served, opened: Callable[..., Page]) -> None:
    page = opened(served.url)
    samples_are_findable(page)
    page.locator(".composer textarea").evaluate(
        "node => { node.value = 'How many \\u0007households\\u202e were left without water?'; }"
    )
    page.locator(".composer .send").click()
    expect(answered(page)).to_contain_text("2 invisible control characters were removed")
    expect(page.locator(".question")).to_have_text("How many households were left without water?")


@pytest.mark.parametrize(("width", "dark"), [(1440, False), (1440, True), (390, False), (390, True)])
def test_nothing_scrolls_sideways(served, opened: Callable[..., Page], shoot, width: int, dark: bool) -> None:
    page = opened(served.url, width=width, height=844 if width == 390 else 900, dark=dark)
    samples_are_findable(page)
    ask(page, "How many households in the Hadar zone were left without water, and for how long?")
    expect(answered(page).locator("blockquote").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shoot(page, f"chat-{width}-{'dark' if dark else 'light'}")
    page.locator("[role=tab][data-tab=library]").click()
    expect(page.locator(".pal-library .row").nth(1)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shoot(page, f"library-{width}-{'dark' if dark else 'light'}")
