"""Chooses the data files of a turn: only those that are read completely."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from core.datasets.records import Dataset
from core.datasets.words.understanding import Absent, Evidence, Understood
from core.graph.nodes.datasets.data_files import DataFiles, data_files
from core.graph.services import Services
from core.graph.state import State
from core.library.records import Document


def _services(*documents: Document) -> Services:
    async def by_id(_: State) -> dict[str, Document]:
        return {each.id: each for each in documents}

    async def known(_: State) -> list[Any]:
        return []

    async def datasets(_: str, wanted: list[str]) -> list[Dataset]:
        return [Dataset(id=f"set_{each}", document_id=each, name=each) for each in wanted]

    turn = SimpleNamespace(by_id=by_id, known=known, fetched=known)
    return cast(Services, SimpleNamespace(turn=turn, datasets=SimpleNamespace(known=datasets)))


def _document(name: str, state: str, chunks: int = 0) -> Document:
    given = {
        "id": name, "user_id": "ada", "filename": name, "mime": "", "size": 1, "sha256": "", "state": state,
        "metadata": {"title": name}, "chunks": chunks, "searchable": chunks, "added_at": 0, "updated_at": 0,
    }  # fmt: skip
    return Document.model_validate(given)


async def _found(text: str) -> DataFiles:
    services = _services(
        _document("tea_orders.csv", "completed", 3),
        _document("coffee_orders.csv", "processing"),
        _document("stored_prices.csv", "processing", 2),
        _document("failed_prices.csv", "failed", 2),
        _document("policy.pdf", "completed", 9),
    )
    state = cast(State, {"asked": SimpleNamespace(text=text, user_id="ada")})
    return await data_files(services, state)


async def test_files_that_are_not_read_are_left_out_and_named() -> None:
    found = await _found("total amount")
    assert {each.document_id for each in found.datasets} == {"tea_orders.csv", "stored_prices.csv"}
    assert found.unread is None
    named = await _found("total amount in coffee_orders.csv")
    assert named.unread is not None
    assert named.unread.filename == "coffee_orders.csv"
    other = await _found("total amount in tea_orders.csv")
    assert [each.document_id for each in other.datasets] == ["tea_orders.csv"]
    assert other.is_named


async def test_reports_may_answer_unless_a_message_is_surely_about_the_data() -> None:
    absent, query = Absent("column", "profit", "Tea"), cast(Any, None)
    files = await _found("profit by region")
    assert not files.answers(absent)
    assert files.answers(Absent("column", "profit", "Tea", evidence=Evidence(columns=1, values=1)))
    assert files.answers(Absent("column", "profit", "Tea", evidence=Evidence(follows=True)))
    assert (await _found("profit in tea_orders.csv")).answers(absent)
    assert not (await _found("profit in tea_orders.csv and policy.pdf")).answers(absent)
    assert not files.answers(Understood(query, is_sure=True, assumed=("Amount",), evidence=Evidence(values=1)))
    assert files.answers(Understood(query, is_sure=True, evidence=Evidence(values=1)))
    assert not files.answers(Understood(query, is_sure=False, evidence=Evidence(values=2)))
