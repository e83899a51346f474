"""Tests questions over large tables: answers have a limited size, and are computed in a process that can be killed."""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import replace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from core.datasets.query.compile import Compiled, compiled
from core.figures.records import Candidate
from core.library.tables.packing import LARGE_CELLS, pack, rows_from, unpack
from core.library.tables.records import Cell, Column, Row, Table
from core.records.answer import MOST_CELLS, Answer, CellReference
from pages.tables import table_routes
from tests.service.calling import Someone
from tests.service.house import POLICY, House

ROWS = 3_000
COUNTED = "How many orders are there?"
LISTED = "List all orders"
PLAIN = "What is reimbursed for a hotel in Haifa?"
ENDLESS = "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range < 0"


def orders(count: int) -> str:
    lines = [f"ORD-{n:05d},{n % 28 + 1},{n % 90 + 10},{(n % 90 + 10) * 3}" for n in range(count)]
    return "\n".join(["Order,Day,Quantity,Amount", *lines])


def orders_page(count: int) -> str:
    """A web page with the table; unlike data files, pages are answered from their stored tables."""
    head, *rows = orders(count).split("\n")
    cells = [("th", head), *(("td", row) for row in rows)]
    lines = [f"<tr><{tag}>{line.replace(',', f'</{tag}><{tag}>')}</{tag}></tr>" for tag, line in cells]
    return f"<html><body><h1>Orders</h1><table>{''.join(lines)}</table></body></html>"


def endless(*_: object) -> list[Candidate]:
    while True:
        pass


@pytest.fixture
async def ordered(house: House) -> House:
    await house.read("orders.csv", orders(ROWS))
    return house


@pytest.fixture
async def shown(house: House) -> House:
    await house.read("orders.html", orders_page(ROWS))
    return house


async def test_an_answer_over_many_rows_stays_small(shown: House) -> None:
    answer = await shown.ask(COUNTED)
    response = answer.view.response
    assert response
    assert response.answer
    assert response.answer.value == ROWS
    assert len(response.answer.cells) == MOST_CELLS
    assert response.answer.more_cells == ROWS - MOST_CELLS
    assert "2,980 more" in response.answer.line
    assert len(response.model_dump_json()) < 60_000


async def test_an_answer_from_many_rows_of_a_data_file_stays_small(ordered: House) -> None:
    counted, listed = (await ordered.ask(COUNTED)).view.response, (await ordered.ask(LISTED)).view.response
    assert counted
    assert counted.answer
    assert counted.answer.value == ROWS
    assert listed
    assert listed.answer
    assert listed.answer.data
    assert "2,980 more" in listed.answer.line
    assert len(listed.model_dump_json()) < 60_000


async def test_an_endless_calculation_is_stopped_and_others_are_answered_meanwhile(
    shown: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await shown.read("policy.md", POLICY, "bob")
    workers = shown.workbench.responsiveness.workers
    workers.seconds = 3.0
    monkeypatch.setattr("core.graph.answering.first_line.answer_from_large_tables", endless)
    counting = asyncio.create_task(shown.ask(COUNTED))
    async with asyncio.timeout(60):
        meanwhile = await shown.ask(PLAIN, "bob")
        assert meanwhile.view.response
        stopped = await counting
    assert stopped.view.response
    assert re.search(r"stopped after \d+ seconds", stopped.notices)
    assert "Ask about a smaller part" in stopped.notices
    assert [each.name.en for each in workers.stopped] == ["The calculation from the table"]


async def test_an_endless_query_is_stopped_and_others_are_answered_meanwhile(
    ordered: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await ordered.read("policy.md", POLICY, "bob")

    def endless_query(*given: Any) -> Compiled:
        return replace(compiled(*given), sql=ENDLESS)

    monkeypatch.setattr("core.datasets.query.run.compiled", endless_query)
    monkeypatch.setattr(ordered.workbench.datasets._runner, "_seconds", 3.0)
    counting = asyncio.create_task(ordered.ask(COUNTED))
    async with asyncio.timeout(60):
        meanwhile = await ordered.ask(PLAIN, "bob")
        assert meanwhile.view.response
        stopped = await counting
    assert stopped.view.response
    assert "stopped after 3 seconds" in caplog.text


async def test_a_row_far_down_is_drawn_where_it_is_cited(ordered: House) -> None:
    (document,) = await ordered.workbench.library.find("ada")
    app = FastAPI()
    app.include_router(table_routes(ordered.workbench, Someone("ada")))  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://here") as page:
        drawn = await page.get(f"/documents/{document.id}/tables/0?row=2900&column=2")
        assert "ORD-02900" in drawn.text
        assert "data-asked" in drawn.text
        assert "of 3,000" in drawn.text
        assert drawn.text.count("<tr") < 600
        written = await page.get(f"/documents/{document.id}/tables/0.csv")
        assert written.text.count("ORD-") == ROWS


def test_a_packed_table_has_all_its_rows() -> None:
    rows = [Row(label=str(n), cells=[Cell(text=str(n * 2), value=n * 2, kind="number")]) for n in range(LARGE_CELLS)]
    table = Table(columns=[Column(header=["Twice"])], rows=rows)
    packed = pack(table)
    assert (packed.rows, packed.row_count) == ([], LARGE_CELLS)
    assert pack(packed) is packed
    assert unpack(packed) == table
    for first, most in ((0, 3), (499, 2), (LARGE_CELLS - 1, 10), (LARGE_CELLS, 5), (750, 1200)):
        assert rows_from(packed, first, most) == rows[first : first + most]


def test_an_answer_that_was_stored_without_limits_is_read_within_them() -> None:
    cell = CellReference(number=1, document_id="doc_1", table=0, row=1, column=1, text="7")
    began = time.process_time()
    answer = Answer.model_validate(
        {
            "kind": "count",
            "line": "20,000: " + "row, " * 20_000 + "[1]",
            "value": [str(n) for n in range(20_000)],
            "cells": [cell.model_dump(mode="json")] * 20_000,
        }
    )
    assert time.process_time() - began < 0.2
    assert len(answer.cells) == MOST_CELLS
    assert answer.more_cells == 20_000 - MOST_CELLS
    assert answer.line.endswith("… [1]")
    assert len(answer.model_dump_json()) < 200_000
