"""Tests open data in a real browser and by command, with hospitals in Jerusalem: the map of data sets is built, the
catalogue is added and removed."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from threading import Event

import pytest
from playwright.sync_api import Page, expect

from tests.interface.commands import Commands
from tests.interface.conftest import Served
from tests.interface.test_model import ask
from tests.servers.ckan import CkanServer
from tests.servers.ckan_catalogue import made_datasets
from tests.servers.local import Reply, Request

pytestmark = pytest.mark.interface

WHOLE_WORDS = """(word) => [...document.querySelectorAll(".dock .data-table td")].some(
  (cell) => cell.textContent.includes(word) && cell.offsetHeight > 0 && cell.offsetHeight < 80)"""
BEDS = """(figure) => {
  const place = [...figure.querySelectorAll("thead th")].findIndex((head) => head.textContent.includes("מספר מיטות"));
  return [...figure.querySelectorAll("tbody tr")].map((row) => Number(row.cells[place].dataset.value));
}"""
HEALTH = [each for each in made_datasets() if each.group == "health"]


@pytest.fixture(scope="module")
def portal() -> Iterator[CkanServer]:
    with CkanServer(datasets=HEALTH) as server:
        yield server


@pytest.fixture(scope="module")
def served(serve: Callable[..., Served], portal: CkanServer) -> Served:
    return serve(PALIMPSEST_DENSE_ENABLED="false", PALIMPSEST_DATAGOV__URL=portal.url)


@pytest.mark.parametrize(("width", "dark"), [(1440, False), (390, True)])
def test_hospitals_in_jerusalem(served: Served, opened: Callable[..., Page], shoot, width: int, dark: bool) -> None:
    page = opened(served.url, width=width, dark=dark, locale="he-IL")
    ask(page, "אילו בתי חולים יש בירושלים לפי נתוני הממשלה?")
    answer = page.locator(".answer:not(.live)").last
    expect(answer.locator("table")).to_be_visible(timeout=60_000)
    expect(answer).to_contain_text("שערי צדק")
    expect(answer).to_contain_text("4 מתוך 4")
    expect(answer).not_to_contain_text("סורוקה")
    expect(answer).to_contain_text(re.compile(r"עודכן לאחרונה 2026-\d\d-\d\d; הקטלוג מיום \d{4}-\d\d-\d\d"))
    expect(answer).to_contain_text("בתי חולים כלליים בישראל")
    shoot(page, f"open-data-{width}")
    answer.locator(".cite").first.click()
    table = page.locator(".dock .data-table")
    expect(table.locator("table")).to_have_attribute("dir", "rtl")
    expect(table).to_have_attribute("data-sideways", "")
    expect(table.locator(".further")).to_be_visible()
    # A word is never broken in the middle.
    page.wait_for_function(WHOLE_WORDS, arg="ירושלים")
    shoot(page, f"open-data-dock-{width}")
    table.locator("[data-wide-table]").click()
    wide = page.locator("dialog.wide-table")
    expect(wide).to_be_visible()
    assert (wide.bounding_box() or {"width": 0})["width"] > 0.9 * width
    shoot(page, f"open-data-wide-{width}")
    page.keyboard.press("Escape")
    expect(wide).to_have_count(0)


def test_the_rows_are_sorted_downloaded_and_kept(served: Served, opened: Callable[..., Page], tmp_path: Path) -> None:
    page = opened(served.url, locale="he-IL")
    ask(page, "אילו בתי חולים יש בירושלים לפי נתוני הממשלה?")
    page.locator(".answer:not(.live) .cite").first.click(timeout=60_000)
    table = page.locator(".dock [data-tables] .data-table, .dock[data-tables] .data-table")
    heading = table.locator("thead th", has_text="מספר מיטות")
    heading.locator("[data-sort]").click()
    expect(heading).to_have_attribute("aria-sort", "descending")
    falling = table.evaluate(BEDS)
    assert falling == sorted(falling, reverse=True)
    assert len(set(falling)) > 1
    heading.locator("[data-sort]").click()
    expect(heading).to_have_attribute("aria-sort", "ascending")
    assert table.evaluate(BEDS) == sorted(falling)
    for kind in ("csv", "xlsx"):
        with page.expect_download() as given:
            table.locator(f"a[href$='.{kind}']").click()
        assert given.value.suggested_filename == f"בתי חולים כלליים בישראל.{kind}"
        given.value.save_as(tmp_path / kind)
    assert "שערי צדק" in (tmp_path / "csv").read_text("utf-8-sig")
    assert (tmp_path / "xlsx").read_bytes().startswith(b"PK")
    page.locator(".dock [data-keep]").click()
    expect(page.locator(".pal-notices .toast").last).to_contain_text("בתי חולים כלליים בישראל")


def test_the_map_is_built_and_searched_by_the_command(served: Served) -> None:
    commands = Commands.beside(served)
    built = commands("datagov", "build", "--json")
    assert (built.code, built.json["datasets"]) == (0, len(HEALTH)), built.err
    status = commands("datagov", "status")
    assert f"{len(HEALTH)} data sets" in status.out
    found = commands("datagov", "search", "בתי", "חולים")
    assert found.code == 0
    assert "בתי חולים כלליים בישראל" in found.out
    assert commands("datagov", "search", "zebrafish", "--json").json["found"] is False
    refused = commands("datagov", "search")
    assert refused.code == 1
    assert "Traceback" not in refused.err


def test_the_command_builds_it_alone(portal: CkanServer, tmp_path) -> None:
    commands = Commands.on(tmp_path / "home", 0, PALIMPSEST_DATAGOV__URL=portal.url)
    assert "There is no local catalogue" in commands("datagov", "status").out
    assert commands("datagov", "build").code == 0
    assert f"{len(HEALTH)} data sets" in commands("datagov", "status").out


def stopped_after(portal: CkanServer, looks: int) -> Event:
    """Replaces all data sets of the portal. After ``looks`` requests for resources, the portal waits until the test
    lets it continue."""
    portal.datasets = [replace(each, name=f"{each.name} anew") for each in HEALTH]
    portal.__post_init__()
    answers, go_on, seen = portal.responder, Event(), count()
    assert answers

    def respond(request: Request) -> Reply:
        reply = answers(request)
        if "datastore_search" not in request.path or next(seen) < looks:
            return reply

        async def later(writer: asyncio.StreamWriter) -> None:
            await asyncio.to_thread(go_on.wait)
            await reply(writer)

        return later

    portal.responder = respond
    return go_on


def test_the_catalogue_is_built_taken_in_and_out_on_the_page(
    served: Served, portal: CkanServer, opened: Callable[..., Page], shoot
) -> None:
    page = opened(served.url + "/?tab=tools", locale="he-IL")
    card = page.locator(".pal-tools .open-data")
    expect(card).to_be_visible()
    go_on = stopped_after(portal, 7)
    card.locator("[data-do=build]").click()
    expect(card.locator(".said")).to_contain_text(re.compile(r"בודקים קבצים: \d+ מתוך \d\d"))
    expect(card.locator("progress")).to_be_visible()
    expect(card.locator("[data-do=build]")).to_be_disabled()
    shoot(page, "open-data-building")
    go_on.set()
    expect(card.locator(".said")).to_contain_text(re.compile(rf"{len(HEALTH)} מאגרים, \d+ מתוך \d+"))
    expect(card.locator("progress")).to_be_hidden()
    expect(card.locator("[data-do=forget]")).to_have_count(0)
    card.locator("[data-do=take-in]").click()
    expect(card.locator(".said")).to_contain_text(f"{len(HEALTH)} מאגרים נמצאים בזיכרון")
    shoot(page, "open-data-card")
    card.locator("[data-do=forget]").click()
    expect(card.locator(".said")).to_contain_text("לא נוסף לזיכרון")
    page.locator(".pal-notices .toast").last.get_by_role("button").click()
    expect(card.locator(".said")).to_contain_text(f"{len(HEALTH)} מאגרים נמצאים בזיכרון")
    narrow = opened(served.url + "/?tab=tools", width=390, dark=True)
    expect(narrow.locator(".pal-tools .open-data .said")).to_contain_text(f"{len(HEALTH)} data sets are in your memory")
    narrow.locator(".pal-tools .open-data").scroll_into_view_if_needed()
    shoot(narrow, "open-data-card-390")
