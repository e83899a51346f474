"""Tests rows that a tool found for a question: cited, shown, downloaded, and saved as a document."""

from __future__ import annotations

import io

import httpx
import openpyxl
import pytest
from fastapi import FastAPI

from core.events import Sources
from core.tools.definition import IntentSignal
from core.tools.tool import FoundTable, ToolResult
from pages.answer_files import answer_routes
from pages.handlers.library import CitedTable, Shelf
from tests.core.tools.made import Made, Server, definition
from tests.service.calling import Someone
from tests.service.house import House

ROWS = FoundTable(
    title="Lighthouses",
    columns=["Name", "Metres", "Note"],
    rows=[["Stella Maris", 20, "=1+1"], ["Ashdod", 42, None], ["Acre", 16, "old"]],
    total=5,
    changed="2026-02-03",
)


@pytest.fixture
async def asked(house: House) -> tuple[House, str]:
    tool = Made(
        definition("find_lighthouses", signals=[IntentSignal(patterns=["lighthouses"])]),
        [ToolResult(text="Stella Maris 20, Ashdod 42, Acre 16", tables=[ROWS])],
    )
    await house.workbench.tools.registry.register(Server("made", [tool]), own=True)
    answer = await house.workbench.ask("ada", "Which lighthouses are there?")
    await house.entries("ada", answer.run_id)
    return house, answer.run_id


def files(house: House, user: str) -> httpx.AsyncClient:
    app = FastAPI()
    app.include_router(answer_routes(house.workbench, Someone(user)))  # type: ignore[arg-type]
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://here")


async def test_the_rows_are_a_source_of_the_answer(asked: tuple[House, str]) -> None:
    house, run_id = asked
    entries = await house.entries("ada", run_id)
    (source,) = next(each.event.sources for each in reversed(entries) if isinstance(each.event, Sources))
    assert source.table
    assert (source.title, source.table.total, len(source.table.rows)) == ("Lighthouses", 5, 3)


async def test_they_are_downloaded_and_never_run_as_formulas(asked: tuple[House, str]) -> None:
    house, run_id = asked
    async with files(house, "ada") as client:
        csv = (await client.get(f"/answers/{run_id}/sources/1.csv")).content.decode("utf-8-sig")
        book = openpyxl.load_workbook(io.BytesIO((await client.get(f"/answers/{run_id}/sources/1.xlsx")).content))
    assert "Ashdod,42" in csv
    assert "'=1+1" in csv
    assert [cell.data_type for row in book.active for cell in row if cell.value == "=1+1"] == ["s"]


async def test_nobody_else_has_them(asked: tuple[House, str]) -> None:
    house, run_id = asked
    async with files(house, "bob") as client:
        assert (await client.get(f"/answers/{run_id}/sources/1.csv")).status_code == 404
    async with files(house, "ada") as client:
        assert (await client.get(f"/answers/{run_id}/sources/9.csv")).status_code == 404


async def test_kept_as_a_document_they_are_asked_about(
    asked: tuple[House, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    house, run_id = asked
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(house.folder))
    kept = await Shelf(house.workbench, Someone("ada")).keep_found_table("ada", CitedTable(run_id=run_id, number=1))
    assert kept["status"] == "accepted"
    (document,) = await house.workbench.library.find("ada")
    settled = await house.settled(document)
    assert settled.filename == "Lighthouses.csv"
    passages = await house.workbench.library.chunks("ada", settled.id)
    assert "Ashdod" in "\n".join(each.text for each in passages)
    again = await Shelf(house.workbench, Someone("ada")).keep_found_table("ada", CitedTable(run_id=run_id, number=1))
    assert again["status"] == "duplicate"
