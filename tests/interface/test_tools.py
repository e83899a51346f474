"""Tests tools in a real browser: external tools are called, need consent and fail; each tool is described, tried and
switched off."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.interface.test_model import ask
from tests.interface.test_tool_servers import fill, row, settings_of
from tests.servers.local import LocalServer, Reply, Request, asks_for_json, chat_stream, judgement, tool_stream
from tests.servers.tools import ours, published, reference

pytestmark = pytest.mark.interface

NOTE = "Bring the ledger.\n\n" + "\n".join(f"{number}. The chair signs page {number}." for number in range(1, 30))
CALLS = {
    "what time": ("get_current_time", {"timezone": "Asia/Jerusalem"}),
    "minutes": ("read_file", {"path": "minutes.txt"}),
    "write": ("write_file", {"path": "note.txt", "content": NOTE}),
    "environment": ("die", {}),
}
"""The first tool call that the model makes for a question in these tests; its answer repeats the result."""


def respond(request: Request) -> Reply:
    if asks_for_json(request):
        return judgement()
    messages = request.body["messages"]
    question = str(next(each["content"] for each in reversed(messages) if each["role"] == "user")).lower()
    results = [str(each["content"]) for each in messages if each["role"] == "tool"]
    offered = [each["function"]["name"] for each in request.body.get("tools") or []]
    wanted = next((call for words, call in CALLS.items() if words in question), None)
    if wanted and not results:
        named = [name for name in offered if name.endswith(wanted[0])]
        return tool_stream((named[0], wanted[1])) if named else chat_stream(f"I was offered only {offered}.")
    return chat_stream(f"The tool said: {' '.join(results)[:600]} [1]")


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    with LocalServer(responder=respond) as server:
        yield server.url + "/v1"


@pytest.fixture(scope="module")
def served(serve, model: str):
    return serve(
        PALIMPSEST_DENSE_ENABLED="false",
        PALIMPSEST_MODEL="openai:scripted",
        PALIMPSEST_MODEL_TOOLS="true",
        OPENAI_BASE_URL=model,
        OPENAI_API_KEY="none",
    )


@pytest.fixture(scope="module")
def folder(served) -> Path:
    shared = served.home.parent / "board"
    shared.mkdir(exist_ok=True)
    (shared / "minutes.txt").write_text("The board met on Tuesday and chose the blue boat.", encoding="utf-8")
    return shared


def answered(page: Page, count: int) -> Locator:
    answers = page.locator(".answer:not(.live)")
    expect(answers).to_have_count(count)
    return answers.last


def agree(page: Page, choice: str) -> None:
    page.locator(f".pal-card[data-kind=tool_choice] [data-choice={choice}]").click()


def chosen_servers(page: Page, folder: Path) -> None:
    card = settings_of(page)
    for name, command in (
        ("Board files", reference("filesystem", str(folder))),
        ("Clock", published("mcp_server_time")),
        ("Frail", ours("dying", str(folder.parent / "starts"))),
    ):
        fill(card, name, command)
        card.locator("[data-do=keep]").click()
        expect(row(card, name)).to_have_class("server ready")


def test_servers_of_others_answer_act_when_agreed_to_and_die(
    served, folder: Path, opened: Callable[..., Page], shoot
) -> None:
    page = opened(served.url)
    chosen_servers(page, folder)
    page.locator("[role=tab][data-tab=chat]").click()

    ask(page, "What time is it in Jerusalem by the clock tool?")
    card = page.locator(".pal-card[data-kind=tool_choice]")
    expect(card).to_contain_text("Clock")
    shoot(page, "tools-reading-asked")
    agree(page, "always")
    expect(answered(page, 1)).to_contain_text("Asia/Jerusalem")

    ask(page, "Read the minutes in the board files.")
    expect(card).to_contain_text("Board files")
    agree(page, "always")
    told = answered(page, 2)
    expect(told).to_contain_text("chose the blue boat")
    shoot(page, "tools-files-answer")

    ask(page, "Please write a file with the note, in the board files.")
    expect(card).to_contain_text("Bring the ledger.")
    expect(card).to_be_focused()
    page.keyboard.press("Enter")
    shoot(page, "tools-acting-asked")
    expect(card.locator("pre")).to_be_hidden()
    card.locator("summary").click()
    expect(card.locator("pre")).to_have_text(NOTE)
    shoot(page, "tools-acting-unfolded")
    expect(card.locator("[data-choice=once]")).to_be_enabled()
    assert not (folder / "note.txt").exists(), "nothing is written before its person has agreed"
    agree(page, "once")
    answered(page, 3)
    assert (folder / "note.txt").read_text(encoding="utf-8") == NOTE

    ask(page, "Tell me the environment of the frail server.")
    agree(page, "once")
    died = answered(page, 4)
    expect(died.locator("[data-trace], .body, p").first).to_be_attached()
    expect(died).to_contain_text(re.compile("could not be reached|not reached|broke off|stopped", re.IGNORECASE))
    shoot(page, "tools-died")


def test_what_is_asked_before_acting_can_be_read_in_hebrew_on_a_small_screen(
    served, folder: Path, opened: Callable[..., Page], shoot
) -> None:
    page = opened(served.url, width=390, height=844, dark=True, locale="he-IL")
    ask(page, "נא write file עם הפתק, בתיקייה board files")
    card = page.locator(".pal-card[data-kind=tool_choice]")
    expect(card).to_be_focused()
    expect(card).to_have_attribute("dir", "rtl")
    expect(card.locator("summary")).to_contain_text("תווים")
    shoot(page, "tools-acting-hebrew-small")
    card.locator("summary").click()
    shoot(page, "tools-acting-hebrew-unfolded")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    agree(page, "never")
    answered(page, 1)


def test_the_tools_tab_tells_tries_and_switches(served, folder: Path, opened: Callable[..., Page], shoot) -> None:
    page = opened(f"{served.url}/?tab=tools")
    tools = page.locator(".pal-tools")
    reading = tools.locator("li[data-tool$=read_file]")
    expect(reading.locator("summary")).to_contain_text("1 call")
    reading.locator("summary").click()
    reading.locator("input[name=path]").fill("minutes.txt")
    reading.get_by_role("button", name="Try it").click()
    expect(reading.locator(".outcome")).to_contain_text("blue boat")
    expect(reading.locator("summary")).to_contain_text("2 calls")
    shoot(page, "tools-tab")

    reading.get_by_role("button", name="Switch off").click()
    expect(reading.locator(".chip")).to_have_text("switched off")
    expect(reading.locator("form")).to_have_count(0)
    reading.get_by_role("button", name="Switch on").click()
    expect(reading.locator(".chip")).to_have_text("ready")

    agreed = tools.locator(".agreements li", has_text="Clock")
    expect(agreed).to_contain_text("always")
    agreed.get_by_role("button").click()
    expect(agreed).to_have_count(0)


@pytest.mark.parametrize(
    ("name", "given"),
    [("narrow-dark", {"width": 390, "height": 844, "dark": True}), ("hebrew", {"locale": "he-IL"})],
)
def test_the_tools_tab_can_be_read_everywhere(
    name: str, given: dict, served, opened: Callable[..., Page], shoot
) -> None:
    page = opened(f"{served.url}/?tab=tools", **given)
    page.locator(".pal-tools li[data-tool=list_documents] summary").click()
    expect(page.locator(".pal-tools li[data-tool=list_documents] dl")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shoot(page, f"tools-tab-{name}")
