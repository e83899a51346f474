"""Tests web pages in the library: added, read again, refused."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from core.errors import PalimpsestError
from core.tools.web.fetching import PageReader
from core.tools.web.web_pages import WebPages
from pages.actions import OneDocument
from pages.auth import LOCAL, Identity
from pages.handlers.library import Listing, Shelf
from pages.handlers.web_pages import PageAddress, WebPageShelf
from tests.people import Named
from tests.servers.local import LocalServer, Reply, Request
from tests.service.conftest import Open
from tests.service.house import House
from viz.document import detail

WORDS = "The reservoir at Hadar holds {} cubic metres of water, as was measured in March by its keepers. "


def reply(body: str | bytes, status: int = 200, kind: str = "text/html; charset=utf-8") -> Reply:
    raw = body.encode() if isinstance(body, str) else body

    async def write(writer: asyncio.StreamWriter) -> None:
        head = f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {len(raw)}\r\nConnection: close\r\n\r\n"
        writer.write(head.encode() + raw)
        await writer.drain()

    return write


def address(server: LocalServer, path: str) -> str:
    return f"http://www.example.com:{server.url.rpartition(':')[2]}{path}"


def page_of(figure: int) -> str:
    text = WORDS.format(figure) * 5
    return f"<html><head><title>Reservoirs</title></head><body><article><p>{text}</p></article></body></html>"


def reading_here(house: House) -> None:
    """Resolves every host name to this machine, which is treated as public."""

    async def here(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    workbench = house.workbench
    reader = PageReader(workbench.settings, 10.0, here, lambda _: True)
    workbench.web_pages = WebPages(workbench.settings, workbench.library, lambda: 1_760_000_000.0, reader)


def shelf_of(house: House) -> WebPageShelf:
    return WebPageShelf(house.workbench, Identity(house.workbench.settings, Named()))


async def test_a_page_is_added_with_its_address_and_its_newer_state_replaces_it(open_house: Open) -> None:
    house = await open_house()
    reading_here(house)
    shelf, library = shelf_of(house), house.workbench.library
    said = [page_of(560)]

    def now(_: Request) -> Any:
        return reply(said[0])

    async with LocalServer(responder=now) as server:
        url = address(server, "/reservoirs")
        first: Any = await shelf.add_page(LOCAL, PageAddress(address=f" {url} "))
        assert (first["status"], first["updated"]) == ("accepted", False)
        assert first["document"]["filename"] == "Reservoirs.html"
        assert first["document"]["origin"]["url"] == url
        document = await house.settled(await library.get(LOCAL, first["document"]["id"]))
        assert document.metadata.title == "Reservoirs"
        assert "560 cubic metres" in await library.text(LOCAL, document.id)
        drawn = detail(document, [], await library.outline(LOCAL, document.id), "en")
        assert url in drawn
        assert "saved on 2025-10-09" in drawn

        same: Any = await shelf.update_page(LOCAL, OneDocument(id=document.id))
        assert same["status"] == "duplicate"
        said[0] = page_of(720)
        again: Any = await shelf.add_page(LOCAL, PageAddress(address=url))
        assert (again["status"], again["updated"]) == ("accepted", True)
        newer = await house.settled(await library.get(LOCAL, again["document"]["id"]))
        assert newer.replaces == document.id
        assert "720 cubic metres" in await library.text(LOCAL, newer.id)
        assert [each.id for each in await library.find(LOCAL)] == [newer.id]


async def test_a_pdf_stays_one_and_other_kinds_are_refused_in_words(open_house: Open) -> None:
    house = await open_house()
    reading_here(house)
    shelf = shelf_of(house)
    gives = {
        "/a/report%20one.pdf": reply(b"%PDF-1.4 a report", kind="application/pdf"),
        "/film": reply(b"\x00\x01", kind="video/mp4"),
        "/gone": reply("no", status=404),
        "/large": reply(b"<html>" + b"x" * 11_000_000),
        "/empty": reply(" "),
    }
    async with LocalServer(responder=lambda request: gives[request.path]) as server:
        kept: Any = await shelf.add_page(LOCAL, PageAddress(address=address(server, "/a/report%20one.pdf")))
        assert kept["document"]["filename"] == "report one.pdf"
        for path, why in (
            ("/film", "not text"),
            ("/gone", "404"),
            ("/large", "10.0 MB"),
            ("/empty", "no readable text"),
        ):
            with pytest.raises(PalimpsestError) as caught:
                await shelf.add_page(LOCAL, PageAddress(address=address(server, path)))
            assert why in caught.value.problem.words.en, path
    given = (await house.give("note.txt", "A note.", LOCAL)).document
    with pytest.raises(PalimpsestError, match="was not updated"):
        await shelf.update_page(LOCAL, OneDocument(id=given.id))


async def test_what_is_no_public_address_is_refused_and_the_switch_holds(open_house: Open) -> None:
    house = await open_house()
    shelf = shelf_of(house)
    for given, why in (("http://169.254.169.254/latest", "public"), ("localhost/x", "public"), ("  ", "No address")):
        with pytest.raises(PalimpsestError) as caught:
            await shelf.add_page(LOCAL, PageAddress(address=given))
        assert why in caught.value.problem.words.en
    shelf = shelf_of(house := await open_house(web_enabled=False))
    with pytest.raises(PalimpsestError) as caught:
        await shelf.add_page(LOCAL, PageAddress(address="example.org"))
    assert "switched off" in caught.value.problem.why.en
    listed: Any = await Shelf(house.workbench, shelf._identity).documents(LOCAL, Listing())
    assert listed["reads_web"] is False
