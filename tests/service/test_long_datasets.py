"""Tests that each row of a long table is found by its words, though only its beginning has passages; and that a slow
query stops at its deadline and does not delay another user."""

from __future__ import annotations

import asyncio
import time

import pytest

from core.datasets.query.model import DataQuery
from core.datasets.query.run import QueryRunner
from core.datasets.writing import DatasetWriting
from pages.handlers.chat import Chat, Evidence
from pages.handlers.data_viewer import DataViewer, RowsShown
from tests.core.library.record_tables.orders import order_file
from tests.service.calling import Someone
from tests.service.house import POLICY, House

ROWS = 1_500
LAST = f"ORD-{ROWS:07d}"
SLOW = "SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b"


@pytest.fixture(autouse=True)
def long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes tables of some hundred rows long ones, without texts that get vectors."""
    for module in ("library.record_tables.sizes", "library.record_tables.large_files", "datasets.rows.row_search"):
        monkeypatch.setattr(f"core.{module}.PASSAGE_ROWS", 1_000)
    monkeypatch.setattr("core.library.record_tables.large_files.BEGINNING_ROWS", 100)
    monkeypatch.setattr("core.datasets.words.links.MOST_VALUES", 1_000)
    monkeypatch.setattr("core.library.record_tables.large_files.text_columns", lambda _: frozenset())


async def shown(house: House, question: str, user: str = "ada") -> str:
    found = await house.search(question, user)
    return "\n".join(passage.text for source in found.sources for passage in source.passages)


async def test_each_row_is_found_by_its_words(house: House) -> None:
    document = await house.read("orders.csv", order_file(ROWS))
    assert document.state == "completed"
    assert "dataset" in document.notes[0][0]
    assert document.chunks < 20
    assert LAST in await shown(house, f"What is the amount of {LAST}?")
    assert "4494.5" in await shown(house, "Which order is of 4,494.50?")
    assert "driver w502" in await shown(house, "What did driver w502 say?")
    assert await house.found(f"C{(ROWS - 1) % 89}-{ROWS - 1}") == {"orders.csv"}
    assert LAST not in await shown(house, f"What is the amount of {LAST}?", "bob")
    answer = await house.ask(f"What is the amount of {LAST}?")
    assert answer.view.response
    assert "4,500" in answer.view.response.text
    await house.workbench.library.delete("ada", document.id)
    assert LAST not in await shown(house, f"What is the amount of {LAST}?")


async def test_a_cited_row_that_is_no_passage_opens_as_the_answer_kept_it(house: House) -> None:
    await house.read("policy.md", POLICY)
    await house.read("orders.csv", order_file(ROWS))
    answer = await house.ask("What did driver w502 say?")
    [source] = answer.view.sources
    assert source.passages[0].item_id == ""
    asked = Evidence(run_id=answer.asked.run_id, number=1, item_id=None, quote="driver w502")
    reply = await Chat(house.workbench, Someone("ada")).evidence("ada", asked)
    assert "w502" in str(reply["html"])


async def test_rows_that_are_in_no_dataset_are_passages(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(DatasetWriting, "_write", fails)
    document = await house.read("orders.csv", order_file(ROWS))
    assert document.state == "completed"
    assert document.chunks > 50
    assert LAST in await shown(house, f"What is the amount of {LAST}?")
    await house.assert_whole(document)


async def test_a_slow_query_is_stopped_and_others_are_answered_meanwhile(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    for user in ("ada", "bob"):
        await house.read("sales.csv", "Region,Amount\nNorth,10\nSouth,32\nEast,8\n", user)
    (of_ada,) = await house.workbench.datasets.known("ada")
    run, stopped = QueryRunner.run, list[float]()

    def slow_for_ada(self: QueryRunner, query: DataQuery, known: dict[str, object]) -> object:
        if of_ada.id in known:
            try:
                self.select(SLOW, {}, 5.0)
            finally:
                stopped.append(time.monotonic())
        return run(self, query, known)  # type: ignore[arg-type]

    monkeypatch.setattr(QueryRunner, "run", slow_for_ada)
    asking = asyncio.create_task(house.ask("What is the total amount?"))
    answer = await house.ask("What is the total amount?", "bob")
    answered = time.monotonic()
    async with asyncio.timeout(60):
        await asking
    assert answer.view.response
    assert "50" in answer.view.response.model_dump_json()
    assert stopped
    assert answered < stopped[0]


async def test_a_search_in_the_document_reaches_all_rows_and_opens_the_page_of_a_row(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = await house.read("orders.csv", order_file(ROWS))
    datasets = house.workbench.datasets
    assert (await datasets.rows_with("ada", document.id, LAST)).total == 0  # all rows are in the text of the viewer
    monkeypatch.setattr("core.datasets.rows.row_hits.MOST_ROWS", 1_000)
    [hit] = (await datasets.rows_with("ada", document.id, f"{LAST.lower()} 4,500")).rows
    assert (hit.row, hit.match) == (ROWS + 1, LAST)
    assert (await datasets.rows_with("ada", document.id, "ORD-")).total == ROWS
    assert (await datasets.rows_with("bob", document.id, LAST)).total == 0
    viewer = DataViewer(house.workbench, Someone("ada"))
    reply = await viewer.data_view("ada", RowsShown(dataset=hit.dataset, row=hit.row))
    assert f'data-row="{ROWS + 1}"' in str(reply["html"])
    assert 'data-row="2"' not in str(reply["html"])
