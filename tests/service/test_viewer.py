"""Tests the document viewer's data over HTTP: pages, positions, downloads; access, and messages when something is
unavailable."""

from __future__ import annotations

import asyncio
import io
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import docx
import httpx
import openpyxl
import pytest
from fastapi import FastAPI
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from core.errors import PalimpsestError
from core.library.records import Document
from core.library.viewing.orders import Inspect
from core.setting_groups import Chunking, Limits
from pages.documents import disposition, document_routes
from pages.handlers.chat import Chat, Evidence
from tests.service.calling import Someone
from tests.service.house import House, until

SENTENCE = "The Hadar reservoir holds forty-two thousand cubic metres of water."
HOSTILE = """<html><body><h1 onclick="steal()">Report</h1><script>steal()</script><p class="pal-header">Fine text.</p>
<img src="http://evil.example/x.png"><form action="/logout"><input name="a"><button>Go</button></form>
<a href="javascript:steal()">bad</a> <a href="https://good.example/">good</a><iframe src="/"></iframe>
<div style="position:fixed;inset:0">over</div></body></html>"""


def pdf(pages: int = 3, *, labels: bool = False) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out)
    for number in range(1, pages + 1):
        if labels:
            canvas.addPageLabel(number - 1, style="ROMAN_LOWER", start=number)
        canvas.drawString(72, 700, f"Chapter {number} of the yearly report on water, with its measurements.")
        canvas.drawString(72, 660, SENTENCE if number == 2 else f"Reservoir {number} was empty all year long.")
        canvas.showPage()
    canvas.save()
    return out.getvalue()


class Asker:
    """Fake sessions: the cookie contains the user's name."""

    def user(self, request: httpx.Request) -> str | None:
        return request.cookies.get("who")


@pytest.fixture
async def client(house: House) -> AsyncIterator[httpx.AsyncClient]:
    app = FastAPI()
    app.include_router(document_routes(house.workbench, Asker()))  # type: ignore[arg-type]
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://test", cookies={"who": "ada"}) as client:
        yield client


async def passage(house: House, document: Document, words: str) -> str:
    """The id of the passage with these words."""
    return next(each.id for each in await house.workbench.library.chunks("ada", document.id) if words in each.text)


async def test_a_paged_document_says_what_it_is(house: House, client: httpx.AsyncClient) -> None:
    document = await house.read("water.pdf", pdf(labels=True))
    told = (await client.get(f"/documents/{document.id}/info")).json()
    assert (told["kind"], told["pages"], len(told["sizes"])) == ("pages", 3, 3)
    assert told["labels"] == ["i", "ii", "iii"]
    assert told["filename"] == "water.pdf"


async def test_a_page_is_drawn_once_at_the_next_width_and_kept(house: House, client: httpx.AsyncClient) -> None:
    document = await house.read("water.pdf", pdf())
    answer = await client.get(f"/documents/{document.id}/pages/2.webp", params={"w": 700})
    picture = Image.open(io.BytesIO(answer.content))
    assert (picture.format, picture.width) == ("WEBP", 800)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "private" in answer.headers["Cache-Control"]
    folder = house.workbench.settings.folder / "pages" / document.id
    kept = folder / "2-800.webp"
    made = kept.stat().st_ino
    assert (await client.get(f"/documents/{document.id}/pages/2.webp", params={"w": 790})).content == answer.content
    assert kept.stat().st_ino == made
    assert not list(folder.glob("*.part"))


async def test_a_quote_has_its_place_on_its_page(house: House, client: httpx.AsyncClient) -> None:
    document = await house.read("water.pdf", pdf())
    asked = {"item": await passage(house, document, "Hadar"), "quote": SENTENCE}
    place = (await client.get(f"/documents/{document.id}/place", params=asked)).json()
    assert (place["found"], place["page"]) == ("quote", 2)
    ((left, top, width, height),) = place["marks"]["2"]["quote"]
    assert left == pytest.approx(72 / 595.28, abs=0.01)
    assert top < 1 - 660 / 841.89 < top + height
    assert 0.4 < width < 0.8


async def test_words_are_found_in_the_document(house: House, client: httpx.AsyncClient) -> None:
    document = await house.read("water.pdf", pdf())
    hits = (await client.get(f"/documents/{document.id}/search", params={"q": "HADAR  reservoir"})).json()["hits"]
    assert [hit["match"] for hit in hits] == ["Hadar reservoir"]
    assert (await client.get(f"/documents/{document.id}/search", params={"q": " "})).json()["hits"] == []
    found = (await client.get(f"/documents/{document.id}/search", params={"q": "chapter"})).json()
    assert (found["total"], len(found["hits"])) == (3, 3)


async def test_each_match_counts_once_although_passages_overlap_and_tables_repeat_their_heading(
    open_house, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentence = "The valve of yard {n} was opened and the valve of hall {n} was closed."
    rows = "".join(f"| Pump {n} | {n} |\n" for n in range(60))
    text = " ".join(sentence.format(n=n) for n in range(40)) + f"\n\n| Machine | Valves |\n|---|---|\n{rows}"
    house = await open_house(chunking=Chunking(max_tokens=60, overlap_tokens=20))
    document = await house.read("valves.md", text)
    found = await house.workbench.viewer.search("ada", document.id, "valve")
    assert found.total == 81
    assert len(found.hits) == 81
    monkeypatch.setattr("core.library.viewing.searching.MOST_HITS", 5)
    found = await house.workbench.viewer.search("ada", document.id, "valve")
    assert (found.total, len(found.hits)) == (81, 5)


@pytest.mark.parametrize("path", ["info", "pages/1.webp", "place?quote=water", "search?q=water", "reading", "original"])
async def test_the_document_of_another_is_not_there(house: House, client: httpx.AsyncClient, path: str) -> None:
    document = await house.read("water.pdf", pdf())
    for who in ("noga", ""):
        client.cookies = httpx.Cookies({"who": who} if who else {})
        answer = await client.get(f"/documents/{document.id}/{path}", params=None)
        assert answer.status_code == (404 if who else 401)
        assert set(answer.json()["problem"]) == {"what", "why", "remedy"}


@pytest.mark.parametrize("hostile", ["doc_1", "..%2F..%2Fsettings", "doc_" + "g" * 32, "mem_" + "0" * 32, "%00"])
async def test_a_hostile_id_is_not_found(client: httpx.AsyncClient, hostile: str) -> None:
    assert (await client.get(f"/documents/{hostile}/pages/1.webp")).status_code == 404
    assert (await client.get(f"/documents/{hostile}/original")).status_code == 404


@pytest.mark.parametrize("page", [0, -1, 4, 10**9])
async def test_a_page_that_is_not_there_is_told_in_the_readers_language(
    house: House, client: httpx.AsyncClient, page: int
) -> None:
    document = await house.read("water.pdf", pdf())
    answer = await client.get(f"/documents/{document.id}/pages/{page}.webp", params={"ui": "he"})
    assert answer.status_code == 404
    assert answer.json()["problem"]["why"] == "במסמך 3 עמודים."


async def test_the_original_comes_whole_under_its_own_name(house: House, client: httpx.AsyncClient) -> None:
    data = pdf()
    document = await house.read('דו"ח מים 2024.pdf', data)
    answer = await client.get(f"/documents/{document.id}/original")
    assert answer.content == data
    assert answer.headers["Content-Disposition"].startswith("attachment;")
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_the_name_of_a_download_cannot_leave_its_header() -> None:
    told = disposition('a"; filename="b.exe\r\nX: 1 דוח.pdf')
    assert "\r" not in told
    assert "\n" not in told
    assert told.count('"') == 2
    assert told.endswith("%D7%93%D7%95%D7%97.pdf")


async def test_html_is_shown_without_what_runs_fetches_or_sends(house: House, client: httpx.AsyncClient) -> None:
    document = await house.read("report.html", HOSTILE)
    assert (await client.get(f"/documents/{document.id}/info")).json()["kind"] == "reading"
    html = (await client.get(f"/documents/{document.id}/reading")).json()["html"]
    assert "Fine text." in html
    assert 'href="https://good.example/"' in html
    for forbidden in ("steal", "onclick", "<img", "<form", "<input", "<button", "<iframe", "style=", "pal-header"):
        assert forbidden not in html


async def test_word_excel_markdown_and_tables_of_text_are_shown_as_what_they_are(
    house: House, client: httpx.AsyncClient
) -> None:
    word, book = io.BytesIO(), io.BytesIO()
    written = docx.Document()
    written.add_heading("Storage", 1)
    written.add_paragraph("The meters are stored in Haifa.", style="List Bullet")
    written.save(word)
    workbook = openpyxl.Workbook()
    workbook.active.title = "Costs"
    for row in (["Item", "Cost"], ["Pump <b>", 1234.5], ["Pipe", 12]):
        workbook.active.append(row)
    workbook.save(book)
    given = {
        "memo.docx": (word.getvalue(), ["<h1>Storage</h1>", "<li>The meters are stored in Haifa.</li>"]),
        "costs.xlsx": (book.getvalue(), ["<h2>Costs</h2>", ">Pump &lt;b&gt;</td>", ">1234.5</td>"]),
        "notes.md": (b"# Notes\n\n- first\n\n<script>x()</script>\n", ["<h1>Notes</h1>", "<li>first</li>"]),
        "sums.csv": (b"name,sum\nAda,12\nNoga,14\n", [">Ada</td>", ">name</th>"]),
        "plain.txt": ("שלום לכולם\nבשורה השנייה".encode(), ["<pre>שלום לכולם\nבשורה השנייה</pre>"]),
    }
    for name, (data, expected) in given.items():
        document = await house.read(name, data)
        html = (await client.get(f"/documents/{document.id}/reading")).json()["html"]
        for part in expected:
            assert part in html, name
        assert "<script" not in html


async def test_a_format_without_a_rendition_is_read_from_its_passages(house: House, client: httpx.AsyncClient) -> None:
    document = await house.read("letter.rtf", rb"{\rtf1\ansi The pump <b> was mended in May.\par}")
    html = (await client.get(f"/documents/{document.id}/reading")).json()["html"]
    assert "<p>The pump &lt;b&gt; was mended in May.</p>" in html


async def test_a_drawing_process_that_is_killed_is_told_and_begun_again(
    house: House, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = await house.read("water.pdf", pdf())
    await client.get(f"/documents/{document.id}/info")
    process = house.workbench.viewer._drawing._process
    assert process
    os.kill(process.pid, signal.SIGSTOP)
    waiting = asyncio.create_task(client.get(f"/documents/{document.id}/pages/1.webp"))

    async def asked() -> bool:
        return house.workbench.viewer._drawing._lock.locked()

    await until(asked, "the order")
    os.kill(process.pid, signal.SIGKILL)
    answer = await waiting
    assert answer.status_code == 500
    assert answer.json()["problem"]["what"] == "This page cannot be shown."
    folder = house.workbench.settings.folder / "pages" / document.id
    assert {path.name for path in folder.iterdir()} == {"anatomy.json"}
    assert (await client.get(f"/documents/{document.id}/pages/1.webp")).status_code == 200


async def test_a_drawing_process_that_stalls_is_ended(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    document = await house.read("water.pdf", pdf())
    viewer = house.workbench.viewer
    await viewer.view("ada", document.id)
    process = viewer._drawing._process
    assert process
    os.kill(process.pid, signal.SIGSTOP)
    monkeypatch.setattr(viewer._drawing, "_seconds", 0.2)
    with pytest.raises(PalimpsestError) as error:
        await viewer.picture("ada", document.id, 1, 800)
    assert error.value.problem.category == "timeout"
    assert process.returncode is not None
    monkeypatch.undo()
    assert await viewer.picture("ada", document.id, 1, 800)


async def test_a_broken_file_ends_in_words_and_not_in_a_crash(house: House, tmp_path: Path) -> None:
    (tmp_path / "broken").write_bytes(b"%PDF-1.7 and then nothing")
    with pytest.raises(PalimpsestError) as error:
        await house.workbench.viewer._drawing.ask(Inspect(path=tmp_path / "broken"))
    assert error.value.problem.category == "server"


async def test_pictures_go_with_their_document_and_with_their_time(open_house) -> None:
    house = await open_house(limits=Limits(picture_bytes=30_000))
    viewer, library = house.workbench.viewer, house.workbench.library
    document = await house.read("water.pdf", pdf())
    folder = house.workbench.settings.folder / "pages" / document.id
    for page, width in ((1, 2600), (2, 2600), (3, 2600), (3, 320)):
        await viewer.picture("ada", document.id, page, width)
    (folder / "1-320.webp.0.part").write_bytes(b"half")
    os.utime(folder / "1-320.webp.0.part", (0, 0))
    await viewer.tidy()
    kept = {path.name for path in folder.iterdir()}
    assert "3-320.webp" in kept
    assert not {"1-2600.webp", "1-320.webp.0.part"} & kept
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 30_000
    await library.delete("ada", document.id)
    await viewer.tidy()
    assert not folder.exists()


async def evidence(house: House, run_id: str, ui: str = "en") -> str:
    reply = await Chat(house.workbench, Someone("ada")).evidence("ada", Evidence(run_id=run_id, number=1, ui=ui))
    return str(reply["html"])


async def test_a_citation_of_a_deleted_document_says_so_and_keeps_its_quote(house: House) -> None:
    document = await house.read("water.pdf", pdf())
    asked = await house.ask("How much water does the Hadar reservoir hold?")
    assert "data-page-card" in await evidence(house, asked.asked.run_id)
    await house.workbench.library.delete("ada", document.id)
    told = await evidence(house, asked.asked.run_id)
    assert "This document was deleted on " in told
    assert "forty-two thousand" in told
    assert await house.workbench.library.upkeep.compact(-1.0) == 1
    assert "This document was deleted on " in await evidence(house, asked.asked.run_id)
    assert "המסמך הזה נמחק" in await evidence(house, asked.asked.run_id, "he")


@pytest.mark.parametrize("first_goes_last", [False, True])
async def test_a_citation_of_a_replaced_document_leads_to_the_newest_version(
    house: House, first_goes_last: bool
) -> None:
    first = await house.read("water.pdf", pdf())
    asked = await house.ask("How much water does the Hadar reservoir hold?")
    for pages in (4, 5):
        newer = await house.settled((await house.give("water.pdf", pdf(pages), choice="replace")).document)
        told = await evidence(house, asked.asked.run_id)
        assert "was replaced by a newer version on " in told
        assert f'data-document-id="{newer.id}"' in told
    catalogue = house.workbench._catalogue
    buried = await catalogue.deleted_before(1e12)
    assert len(buried) == 2
    for document in sorted(buried, key=lambda each: each.id != first.id, reverse=first_goes_last):
        await house.workbench.library.departures.note(document)
        await catalogue.forget("ada", document.id)
    told = await evidence(house, asked.asked.run_id)
    assert f'data-document-id="{newer.id}"' in told
    assert await house.workbench.library.departure("ada", newer.id) is None
    assert first.id != newer.id
