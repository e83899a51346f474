"""Uploads spreadsheets and queries them through the workbench: stored, corrected, isolated, removed and caught up."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.datasets.query.model import DataQuery
from core.datasets.store import DATASET_FILES
from core.errors import PalimpsestError, fail
from core.library.contents import DATASETS
from core.records.data_answer import DataAnswer
from tests.service.conftest import Open
from tests.service.house import POLICY, Answer, House

SALES = "Branch,Code,Sold\nHaifa,17,120.50\nEilat,9,80\nHaifa,12,9.50\n"


async def sold_in_haifa(house: House, user: str = "ada") -> float:
    [dataset] = await house.workbench.datasets.known(user)
    query = DataQuery.model_validate(
        {
            "dataset": dataset.id,
            "where": [{"column": "Branch", "value": "Haifa"}],
            "measures": [{"function": "sum", "column": "Sold"}],
        }
    )
    result = await house.workbench.datasets.run(user, query)
    return float(result.frame.iloc[0, 0])


def parquet_files(house: House) -> list[Path]:
    files = (house.workbench.settings.folder / "files").glob("*/*/content")
    return [path for path in files if path.read_bytes()[:4] == b"PAR1"]


async def test_a_spreadsheet_is_queried_corrected_and_removed(house: House) -> None:
    document = await house.read("sales.csv", SALES)
    assert await sold_in_haifa(house) == 130.0
    assert await house.workbench.datasets.known("bob") == []
    [dataset] = await house.workbench.datasets.known("ada", [document.id])
    corrected = await house.workbench.datasets.correct_column("ada", dataset.id, "c1", name="Till", type="code")
    assert (corrected.columns[1].name, corrected.columns[1].type) == ("Till", "code")
    with pytest.raises(PalimpsestError):
        await house.workbench.datasets.correct_column("bob", dataset.id, "c1", name="Mine")
    await house.workbench.truth.collection(DATASETS).delete({})
    await house.workbench._library._figures.catch_up()
    [again] = await house.workbench.datasets.known("ada")
    assert again == corrected
    with pytest.raises(PalimpsestError):
        await house.workbench.datasets.restore_column("bob", dataset.id, "c1")
    assert await house.workbench.datasets.restore_column("ada", dataset.id, "c1") == dataset
    await house.workbench.library.delete("ada", document.id)
    assert await house.workbench.datasets.known("ada") == []
    await house.workbench.library.upkeep.compact(0.0)
    await house.workbench._library._figures.catch_up()
    assert parquet_files(house) == []
    assert await house.workbench.truth.collection(DATASET_FILES).count() == 0


async def test_missing_local_copies_are_fetched_again(open_house: Open) -> None:
    house = await open_house()
    await house.read("sales.csv", SALES)
    for path in (house.workbench.settings.folder / "datasets").iterdir():
        path.unlink()
    assert await sold_in_haifa(house) == 130.0


async def test_a_table_of_things_in_a_document_is_a_dataset(house: House) -> None:
    rows = "".join(f"| Lathe {number} | {number}00 kg | Hall {number % 2} |\n" for number in range(1, 5))
    document = await house.read(
        "machines.md", f"# Machines\n\n| Machine | Weight | Place |\n|---|---|---|\n{rows}\nEnd.\n"
    )
    [dataset] = await house.workbench.datasets.known("ada", [document.id])
    assert [(column.name, column.type, column.unit) for column in dataset.columns] == [
        ("Machine", "text", ""),
        ("Weight", "number", "kg"),
        ("Place", "category", ""),
    ]


async def test_a_parquet_file_is_read_as_text_and_as_a_dataset(house: House, tmp_path: Path) -> None:
    import duckdb

    path = tmp_path / "made.parquet"
    duckdb.sql(f"COPY (SELECT 'Haifa' AS Branch, 130.0 AS Sold) TO '{path}' (FORMAT parquet)")
    document = await house.read("sales.parquet", path.read_bytes())
    assert document.state == "completed"
    assert await sold_in_haifa(house) == 130.0
    [chunk] = await house.workbench.library.chunks("ada", document.id)
    assert "Haifa" in chunk.text


async def test_the_dataset_of_a_long_file_stays_when_its_text_is_stored_in_pieces(house: House) -> None:
    lines = "".join(f"Branch {number % 7},{number},{number}.25\n" for number in range(20_000))
    document = await house.read("long.csv", f"Branch,Code,Sold\n{lines}")
    [dataset] = await house.workbench.datasets.known("ada", [document.id])
    assert dataset.rows == 20_000


ORDERS = "Order no,Order date,Ship date,Amount\n" + "".join(
    f"A{n},2024-0{1 + n % 3}-1{n % 9},2024-0{2 + n % 3}-1{n % 9},{n}.50\n" for n in range(1, 31)
)


async def test_an_unclear_question_about_rows_is_asked_back_and_the_answer_cites_rows(house: House) -> None:
    await house.read("orders.csv", ORDERS)
    asked = await house.ask("How many rows are dated March 2024?")
    assert asked.pending.kind == "column_choice"
    assert [choice.label for choice in asked.pending.choices] == ["Order date", "Ship date"]
    done = await house.reply(asked, asked.pending.choices[1].id)
    counted = computed(done)
    assert counted.rows == [[10]]
    assert counted.used == 10
    [source] = done.view.sources
    assert source.table is not None
    assert source.table.total == len(source.table.rows) == 10
    assert source.table.columns == ["Row", "Order no", "Order date", "Ship date", "Amount"]
    conversation = asked.asked.conversation.id
    bars = computed(await house.ask("Amount by month of ship date as bars", conversation_id=conversation))
    line = computed(await house.ask("as a line", conversation_id=conversation))
    assert (bars.chart, line.chart) == ("bar", "line")
    assert bars.query == line.query


def computed(done: Answer) -> DataAnswer:
    response = done.view.response
    assert response
    assert response.answer
    assert response.answer.data
    return response.answer.data


async def test_the_user_learns_that_a_query_was_stopped_and_the_documents_answer(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.read("sales.csv", SALES)

    async def stopped(*_: object) -> None:
        raise fail("timeout", "datasets.too_long", seconds=20)

    monkeypatch.setattr(house.workbench.datasets, "run", stopped)
    answer = await house.ask("What is the sum of Sold in Haifa?")
    [notice] = [words for words in answer.view.notices if "stopped after 20 seconds" in words.en]
    assert "Add a condition" in notice.en
    assert "20 שניות" in notice.he
    assert answer.view.outcome == "answered"
    assert answer.view.response is not None
    assert "Haifa" in answer.view.response.text


async def test_a_question_that_data_surely_answer_is_not_asked_back(house: House) -> None:
    """Without vectors, the words do not show whether a summary is requested."""
    await house.read("policy.md", POLICY)
    await house.read("invoices.csv", "Invoice,Client,Invoice total\n1,Acme,120.5\n2,Bolt,80\n3,Acme,60\n4,Cove,33\n")
    answer = await house.ask("invoice total by client")
    assert answer.view.response
    assert "Acme 180.5" in answer.view.response.text


async def test_a_computed_answer_can_be_rated(house: House) -> None:
    await house.read("sales.csv", SALES)
    memory = house.workbench.memory
    for outcome in ("worked", "failed"):
        answer = await house.ask("What is the total of Sold by Branch?")
        assert answer.view.response
        assert "Haifa" in answer.view.response.text
        assert any(entry.event.type == "memory.meta" for entry in answer.entries)
        effect = await memory.record_feedback("ada", answer.asked.message_id, outcome)
        assert effect.outcome == outcome
