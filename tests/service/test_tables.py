"""Tests an uploaded document's tables over HTTP: listed, shown, downloaded, and only for their owner."""

from __future__ import annotations

import io

import httpx
import openpyxl
import pytest
from fastapi import FastAPI

from pages.auth import Identity, Requested
from pages.tables import table_routes
from tests.service.house import House

CSV = "(in thousands);2022;2021\nCosts;(1,577);—\n=1+1;5;6\n"


class Someone(Identity):
    """A fake sign-in check; the test sets the user."""

    def __init__(self, name: str | None) -> None:
        self.name = name

    def user(self, request: Requested) -> str | None:
        return self.name


@pytest.fixture
async def address(house: House) -> str:
    document = await house.read("figures.csv", CSV)
    return f"/documents/{document.id}/tables"


def client(house: House, name: str | None = "ada") -> httpx.AsyncClient:
    app = FastAPI()
    app.include_router(table_routes(house.workbench, Someone(name)))
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://here")


async def test_tables_are_listed_drawn_and_downloaded(house: House, address: str) -> None:
    async with client(house) as page:
        (row,) = (await page.get(address)).json()
        assert (row["number"], row["rows"], row["columns"], row["units"]) == (0, 2, 2, "in thousands")
        drawn = await page.get(f"{address}/0")
        assert drawn.headers["content-type"].startswith("text/html")
        assert "(1,577)" in drawn.text
        assert f"{address}/0.xlsx" in drawn.text
        written = await page.get(f"{address}/0.csv")
        assert "Costs,-1577,0" in written.content.decode("utf-8-sig")
        assert "'=1+1,5,6" in written.content.decode("utf-8-sig")
        assert "attachment" in written.headers["content-disposition"]
        sheet = openpyxl.load_workbook(io.BytesIO((await page.get(f"{address}/0.xlsx")).content)).active
        assert sheet is not None
        assert [cell.value for cell in list(sheet.rows)[-1]] == ["=1+1", 5, 6]


@pytest.mark.parametrize("path", ["", "/0", "/0.csv", "/0.xlsx"])
async def test_nobody_else_sees_them(house: House, address: str, path: str) -> None:
    async with client(house, "another") as page:
        assert (await page.get(address + path)).status_code == 404
    async with client(house, None) as page:
        assert (await page.get(address + path)).status_code == 401


@pytest.mark.parametrize("path", ["/7", "/-1", "/x", "/0.pdf"])
async def test_what_is_not_there_is_not_found(house: House, address: str, path: str) -> None:
    async with client(house) as page:
        assert (await page.get(address + path)).status_code in (404, 422)
        assert (await page.get("/documents/doc_nothing/tables/0")).status_code == 404
