"""Tests two servers and two workers behind nginx: users can continue to work when one server and one worker die."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from tests.interface.conftest import READY, ROOT, Served
from tests.servers.local import LocalServer, Reply, Request, _delta, _send, asks_for_json, chat_stream, judgement
from tests.servers.processes import behind_nginx, serving, shared_stores, working

pytestmark = pytest.mark.interface

NAME, PASSWORD = "ada", "analytical engine"
KINDS = {".html", ".docx", ".pdf", ".md"}
REPORTS = [path for path in sorted((ROOT / "sample_docs").iterdir()) if path.suffix in KINDS]
READ_SECONDS = 120_000
ENDED_SECONDS = 45_000
"""Milliseconds: twenty seconds until a dead process's lease expires, and ten until the next check."""


@dataclass
class Model:
    """A model whose first answer pauses in the middle for as long as a client waits; all other answers are short."""

    asked: int = 0
    left: threading.Event = field(default_factory=threading.Event)

    def respond(self, request: Request) -> Reply:
        if asks_for_json(request):
            return judgement()
        self.asked += 1
        return self._stops if self.asked == 1 else chat_stream("Within sixty days [1].")

    async def _stops(self, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        await _send(writer, _delta({"content": "Half of an answer "}), "done")
        await asyncio.to_thread(self.left.wait, 120)


@dataclass
class House:
    """The whole installation: users reach it at ``url``; ``by_port`` holds the servers behind nginx."""

    url: str
    by_port: dict[str, Served]
    first_worker: Callable[[], None]
    """A function that kills the first worker."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    model = Model()
    with ExitStack() as stack:
        written = stack.enter_context(LocalServer(responder=model.respond))
        settings = {
            "PALIMPSEST_USERS": f'{{"{NAME}": "{PASSWORD}"}}',
            "PALIMPSEST_DENSE_ENABLED": "false",
            "PALIMPSEST_MODEL": "openai:scripted",
            "OPENAI_BASE_URL": f"{written.url}/v1",
            "OPENAI_API_KEY": "none",
        }
        shared = stack.enter_context(shared_stores(tmp_path / "shared"))
        leaving = {**settings, "PALIMPSEST_JOBS__WORKERS": "0"}
        servers = stack.enter_context(serving(shared, tmp_path, **leaving))
        first = stack.enter_context(working(shared, tmp_path / "first", **settings))
        stack.enter_context(working(shared, tmp_path / "second", **settings))
        url = stack.enter_context(behind_nginx(tmp_path / "nginx", servers))
        stack.callback(model.left.set)
        yield House(url, {str(each.port): each for each in servers}, first.kill)


def test_a_person_goes_on_when_a_worker_and_their_server_die(
    house: House, browser: Browser, shoot: Callable[[Page, str], None]
) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    live: list[str] = []

    def note(response: Response) -> None:
        if "/live/runs/" in response.url:
            live.append(response.headers.get("x-served-by", "").rpartition(":")[2])

    page.on("response", note)
    page.goto(f"{house.url}/login")
    page.locator("[name=name]").fill(NAME)
    page.locator("[name=password]").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector(READY)

    page.locator("[role=tab][data-tab=library]").click()
    page.locator(".pal-library input[type=file]").first.set_input_files(REPORTS)
    house.first_worker()
    rows = page.locator(".pal-library .rows .row:not(.head)")
    expect(rows.locator(".state").filter(has_text="Searchable")).to_have_count(len(REPORTS), timeout=READ_SECONDS)
    shoot(page, "processes-library")

    page.locator("[role=tab][data-tab=chat]").click()
    ask(page, "How soon must expenses be submitted under the 2024 policy?")
    expect(page.locator(".answer.live .body")).to_contain_text("Half of an answer")
    house.by_port[live[-1]].kill()
    ended = page.locator(".answer:not(.live)")
    expect(ended).to_contain_text("This answer was interrupted.", timeout=ENDED_SECONDS)
    expect(ended).to_contain_text("Half of an answer")
    shoot(page, "processes-interrupted")

    ask(page, "How soon must expenses be submitted under the 2024 policy?")
    again = page.locator(".answer:not(.live)").nth(1)
    expect(again).to_contain_text("Within sixty days", timeout=ENDED_SECONDS)
    expect(again.locator(".cite")).to_have_count(1)
    assert live[-1] in house.by_port
    assert len(set(live)) == len(house.by_port), "the other server told of the second one"
    shoot(page, "processes-went-on")
    context.close()


def ask(page: Page, question: str) -> None:
    page.locator(".composer textarea").fill(question)
    page.keyboard.press("Enter")
