"""Tests tool servers in a real browser: tried, saved, changed, switched off, removed and restored."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.interface.held_calls import CALLS, held, is_of
from tests.servers.signing import Doorkeeper, behind_sign_in
from tests.servers.tools import Command, published, reference

pytestmark = pytest.mark.interface

CARD = ".pal-settings .card.tool-servers"
SECRET = "canary-7d1e55"


@pytest.fixture(scope="module")
def served(serve):
    return serve(PALIMPSEST_DENSE_ENABLED="false")


@pytest.fixture
def shared_folder(served) -> Path:
    folder = served.home.parent / "shared"
    folder.mkdir(exist_ok=True)
    (folder / "minutes.txt").write_text("The board met on Tuesday.", encoding="utf-8")
    return folder


def settings_of(page: Page) -> Locator:
    page.locator("[role=tab][data-tab=settings]").click()
    expect(page.locator(CARD)).to_be_visible()
    return page.locator(CARD)


def fill(card: Locator, name: str, command: Command) -> None:
    card.locator("[data-do=new]").click()
    card.locator("input[name=name]").fill(name)
    card.locator("input[name=command]").fill(command[0])
    card.locator("textarea[name=args]").fill("\n".join(command[1]))


def keep_and_begin_another_meanwhile(page: Page, card: Locator) -> None:
    """Starts another entry while the first is being saved: the form stays open with the typed values, and is then
    closed."""
    with held(page, CALLS, function="add_server"):
        with page.expect_request(is_of("add_server")):
            card.locator("[data-do=keep]").click()
        fill(card, "Begun meanwhile", ("another-program", []))
    expect(card.locator("[data-do=keep]")).to_be_enabled()
    expect(card.locator("input[name=name]")).to_have_value("Begun meanwhile")
    card.locator("[data-do=cancel]").click()


def row(card: Locator, name: str) -> Locator:
    return card.locator("li.server[data-id]").filter(has=card.page.locator("strong", has_text=name)).first


def test_servers_of_others_are_set_on_the_page(served, shared_folder: Path, opened: Callable[..., Page], shoot) -> None:
    page = opened(served.url)
    card = settings_of(page)
    expect(card.locator(".none")).to_be_visible()
    shoot(page, "tool-servers-none")

    fill(card, "Shared files", reference("filesystem", str(shared_folder)))
    card.get_by_role("button", name="Add a value").first.click()
    card.locator(".pair input").first.fill("BOARD_KEY")
    card.locator(".pair input[type=password]").first.fill(SECRET)
    card.locator("[data-do=try]").click()
    expect(card.locator(".tried li.server.ready")).to_be_visible()
    expect(card.locator(".tried [data-tool=write_file] .effects")).to_contain_text("may change data")
    expect(card.locator(".tried [data-tool=read_text_file] .effects")).to_have_text("only reads")
    shoot(page, "tool-servers-tried")
    expect(card.locator("li.server[data-id^=srv]")).to_have_count(0)

    card.locator("[data-do=keep]").click()
    files = row(card, "Shared files")
    expect(files).to_have_class("server ready")
    assert SECRET not in page.content()

    fill(card, "Clock", published("mcp_server_time"))
    card.locator("[data-do=keep]").click()
    clock = row(card, "Clock")
    expect(clock).to_have_class("server ready")
    clock.locator("summary").click()
    expect(clock.locator("[data-tool=get_current_time]")).to_be_visible()
    shoot(page, "tool-servers")

    fill(card, "Nothing", ("no-such-program", []))
    keep_and_begin_another_meanwhile(page, card)
    expect(row(card, "Nothing")).to_have_class("server failing")
    expect(row(card, "Nothing").locator(".trouble")).to_contain_text("no-such-program")
    shoot(page, "tool-servers-failing")

    files.get_by_role("button", name="Edit").click()
    expect(card.locator(".pair input").first).to_have_value("BOARD_KEY")
    expect(card.locator(".pair input[type=password]").first).to_have_value("")
    card.locator("input[name=name]").fill("Board files")
    card.locator("[data-do=keep]").click()
    board = row(card, "Board files")
    expect(board).to_have_class("server ready")

    board.get_by_role("button", name="Switch off").click()
    expect(board).to_have_class("server off")
    board.get_by_role("button", name="Switch on").click()
    expect(board).to_have_class("server ready")

    row(card, "Nothing").get_by_role("button", name="Remove").click()
    expect(card.locator("li.server[data-id]")).to_have_count(2)
    page.locator(".toast", has_text="Nothing").get_by_role("button", name="Undo").click()
    expect(card.locator("li.server[data-id]")).to_have_count(3)
    row(card, "Nothing").get_by_role("button", name="Remove").click()
    expect(card.locator("li.server[data-id]")).to_have_count(2)


@pytest.fixture
def vault() -> Iterator[str]:
    """A tool server that requires a sign-in; it runs in a separate thread."""
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, daemon=True).start()
    serving = behind_sign_in(Doorkeeper())
    yield asyncio.run_coroutine_threadsafe(serving.__aenter__(), loop).result(20)
    asyncio.run_coroutine_threadsafe(serving.__aexit__(None, None, None), loop).result(20)
    loop.call_soon_threadsafe(loop.stop)


def test_one_signs_in_to_a_remote_server(vault: str, served, opened: Callable[..., Page], shoot) -> None:
    page = opened(served.url)
    card = settings_of(page)
    card.locator("[data-do=new]").click()
    card.locator("input[name=name]").fill("Vault")
    card.locator("input[name=kind][value=address]").check()
    card.locator("input[name=url]").fill(vault)
    shoot(page, "tool-servers-address")
    card.locator("[data-do=keep]").click()
    row(card, "Vault").get_by_role("button", name="Sign in").click()
    expect(row(card, "Vault").get_by_role("link")).to_be_visible()
    shoot(page, "tool-servers-sign-in")
    with page.context.expect_page() as popup:
        row(card, "Vault").get_by_role("link").click()
    expect(popup.value.locator("[role=status]")).to_contain_text("You are signed in")
    shoot(popup.value, "tool-servers-signed-in")
    popup.value.close()
    expect(row(card, "Vault")).to_have_class("server ready")
    row(card, "Vault").get_by_role("button", name="Remove").click()
    expect(card.locator("li.server[data-id]")).to_have_count(2)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("narrow", {"width": 390, "height": 844}),
        ("dark", {"dark": True}),
        ("hebrew", {"locale": "he-IL"}),
        ("hebrew-narrow-dark", {"locale": "he-IL", "width": 390, "height": 844, "dark": True}),
    ],
)
def test_they_can_be_read_everywhere(name: str, given: dict, served, opened: Callable[..., Page], shoot) -> None:
    page = opened(served.url, **given)
    card = settings_of(page)
    expect(card.locator("li.server.ready")).to_have_count(2)
    card.locator("li.server.ready summary").first.click()
    card.locator("[data-do=new]").click()
    card.scroll_into_view_if_needed()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shoot(page, f"tool-servers-{name}")
    card.locator("form").scroll_into_view_if_needed()
    shoot(page, f"tool-servers-form-{name}")
