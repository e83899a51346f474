"""Tests open data in the workbench: a question answered without a model, the catalogue in memory and graph."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import openpyxl
import pytest

from core.memory.recall.records import MemoryQuery
from core.setting_groups import DataGov
from core.tools.datagov.ingestion import SOURCE
from pages.handlers.library import CitedTable, Shelf
from tests.servers.ckan import CkanServer, blocked
from tests.servers.ckan_catalogue import made_datasets
from tests.service.calling import Endpoints, Someone
from tests.service.conftest import Open
from tests.service.house import POLICY, House
from tests.service.test_found_tables import files

FEW = [each for each in made_datasets() if each.organisation in ("ministry-health", "home_front", "kkl")]
HOSPITALS = "אילו בתי חולים יש בירושלים לפי נתוני הממשלה?"


@asynccontextmanager
async def data_house(open_house: Open, **moods: object) -> AsyncIterator[tuple[House, CkanServer]]:
    async with CkanServer(datasets=FEW, **moods) as portal:  # type: ignore[arg-type]
        yield await open_house(datagov=DataGov(url=portal.url)), portal


async def test_hospitals_in_jerusalem_are_told_with_table_total_and_source(open_house: Open) -> None:
    async with data_house(open_house) as (house, _):
        await house.read("policy.md", POLICY)
        answer = await house.ask(HOSPITALS)
        source = next(each for each in answer.view.sources if each.table)
    assert source.title == "בתי חולים כלליים בישראל"
    assert source.table
    assert source.table.total == len(source.table.rows) == 4
    assert source.table.changed.startswith("2026")
    assert {row[source.table.columns.index("עיר")] for row in source.table.rows} == {"ירושלים"}
    assert source.table.roles[source.table.columns.index("מספר מיטות")] == "number"
    assert answer.view.response
    assert re.search(r"\[\d+\]", answer.view.response.text)


async def test_the_rows_are_downloaded_as_csv_and_as_a_workbook(open_house: Open) -> None:
    async with data_house(open_house) as (house, _):
        answer = await house.ask(HOSPITALS)
        source = next(each for each in answer.view.sources if each.table)
        address = f"/answers/{answer.asked.run_id}/sources/{source.number}"
        async with files(house, "ada") as client:
            lines = csv.reader(io.StringIO((await client.get(f"{address}.csv")).content.decode("utf-8-sig")))
            book = openpyxl.load_workbook(io.BytesIO((await client.get(f"{address}.xlsx")).content))
    assert source.table
    caption, head, *rows = [each for each in lines if each]
    assert caption[0] == source.title
    assert head == source.table.columns
    assert "שערי צדק" in {cell for row in rows for cell in row}
    (beds,) = [place for place, name in enumerate(source.table.columns) if name == "מספר מיטות"]
    told = sorted(float(str(row[beds])) for row in source.table.rows)
    assert sorted(float(row[beds]) for row in rows) == told
    assert sorted(row[beds] for row in book.active.iter_rows(values_only=True) if is_figure(row[beds])) == told


def is_figure(value: object) -> bool:
    return isinstance(value, int | float)


async def test_the_rows_are_kept_as_a_document_that_is_asked_about(
    open_house: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with data_house(open_house) as (house, portal):
        monkeypatch.setenv("GRADIO_TEMP_DIR", str(house.folder))
        answer = await house.ask(HOSPITALS)
        source = next(each for each in answer.view.sources if each.table)
        assert await house.workbench.library.find("ada") == [], "nothing is kept that was not asked for"
        cited = CitedTable(run_id=answer.asked.run_id, number=source.number)
        assert (await Shelf(house.workbench, Someone("ada")).keep_found_table("ada", cited))["status"] == "accepted"
        (document,) = await house.workbench.library.find("ada")
        assert (await house.settled(document)).filename == "בתי חולים כלליים בישראל.csv"
        asked_before = len(portal.requests)
        again = await house.ask("כמה מיטות יש בבית החולים שערי צדק?")
        assert len(portal.requests) == asked_before
    (beds,) = [
        str(row[source.table.columns.index("מספר מיטות")])
        for row in (source.table.rows if source.table else [])
        if any("שערי צדק" in str(cell) for cell in row)
    ]
    assert again.view.response
    assert beds.removesuffix(".0") in again.view.response.text.replace(",", "")
    assert [each.document_id for each in again.view.sources][:1] == [document.id]


async def test_a_portal_that_blocks_is_told_in_the_language_of_the_question(open_house: Open) -> None:
    async with data_house(open_house, moods=[blocked()] * 9) as (house, _):
        await house.read("policy.md", POLICY)
        answer = await house.ask(HOSPITALS)
    said = " ".join(words.to("he") for words in answer.view.notices)
    assert "נתוני ממשל פתוחים" in said or "אתר הנתונים הפתוחים" in said
    assert not any(each.table for each in answer.view.sources)


async def test_nothing_is_asked_of_the_portal_unless_somebody_asks_for_it(open_house: Open) -> None:
    async with data_house(open_house) as (house, portal):
        await house.read("policy.md", POLICY)
        await house.ask("What is reimbursed for a night in a hotel in Haifa?")
        await house.ask("כמה בתי חולים יש בירושלים?")
        assert portal.requests == []


# -- in memory and graph -----------------------------------------------------------------------


async def remembered(house: House, user: str = "ada") -> dict[str, str]:
    items = await house.workbench.memory.inspection.page(user, "patterns", limit=2_000)
    return {each.id: each.text for each in items if SOURCE in each.tags}


async def test_the_catalogue_is_taken_into_memory_and_graph_and_out_again(open_house: Open) -> None:
    async with data_house(open_house) as (house, _):
        memory, open_data = house.workbench.memory, house.workbench.open_data
        taken = await open_data.ingest(memory, "ada")
        assert (taken.added, taken.changed, taken.kept, taken.removed) == (len(FEW), 0, 0, 0)
        found = await memory.search(MemoryQuery(user_id="ada", text="מחירון תרופות מרבי לצרכן", tiers=["patterns"]))
        assert "מחירון תרופות" in found.hits[0].text
        await memory.settle()
        graph = await memory.knowledge.graph("ada", top=2_000)
        assert any("משרד הבריאות" in (node.label, *node.labels.values()) for node in graph.nodes)

        again = await open_data.ingest(memory, "ada")
        assert (again.added, again.changed, again.kept, again.removed) == (0, 0, len(FEW), 0)

        assert await open_data.forget(memory, "ada") == len(FEW)
        assert await remembered(house) == {}
        await memory.settle()
        assert (await memory.knowledge.graph("ada", top=2_000)).nodes == []


async def test_only_what_changed_is_written_anew(open_house: Open) -> None:
    async with data_house(open_house) as (house, portal):
        memory, open_data = house.workbench.memory, house.workbench.open_data
        await open_data.ingest(memory, "ada")
        before = await remembered(house)
        portal.datasets = [*FEW[1:-1], replace(FEW[-1], title="כותרת אחרת")]
        portal.__post_init__()
        await open_data.build()
        taken = await open_data.ingest(memory, "ada")
        assert (taken.added, taken.removed) == (0, 1)
        after = await remembered(house)
        assert len(after) == len(before) - 1
        assert sum("כותרת אחרת" in text for text in after.values()) == 1
        assert set(after) < set(before)


async def test_what_one_person_takes_in_nobody_else_sees(open_house: Open) -> None:
    async with data_house(open_house) as (house, _):
        await house.workbench.open_data.ingest(house.workbench.memory, "ada")
        assert await remembered(house, "ben") == {}
        assert await house.workbench.open_data.forget(house.workbench.memory, "ben") == 0
        assert len(await remembered(house)) > 0


@pytest.mark.parametrize("enabled", [True, False])
async def test_open_data_can_be_switched_off(open_house: Open, enabled: bool) -> None:
    house = await open_house(datagov=DataGov(enabled=enabled))
    names = {each.name for each in (await house.workbench.tools.view("ada")).tools}
    assert ("datagov_query" in names) is enabled
    if not enabled:
        ada = Endpoints(house, identity=Administrator())
        for refused in (ada.build_open_data(), ada.take_in_open_data()):
            assert "switched off" in (await refused)["problem"]["what"]


async def test_it_is_built_taken_in_and_out_by_endpoints_each_persons_own(open_house: Open) -> None:
    async with data_house(open_house) as (house, _):
        ada, bob = Endpoints(house, identity=Administrator()), Endpoints(house, "bob")
        assert "problem" in await bob.build_open_data()
        assert (await bob.open_data())["built_at"] is None
        assert (await ada.build_open_data())["datasets"] == len(FEW)
        assert (await ada.take_in_open_data())["added"] == len(FEW)
        state = await ada.open_data()
        assert (state["taken_in"], state["looked_at"], state["building"]) == (len(FEW), state["resources"], False)
        assert (await bob.open_data())["taken_in"] == 0
        assert "בתי חולים" in (await bob.search_open_data(query="בתי חולים"))["text"]
        assert (await bob.search_open_data(query="zebrafish"))["found"] is False
        assert await bob.forget_open_data() == {"forgotten": 0}
        assert await ada.forget_open_data() == {"forgotten": len(FEW)}


class Administrator(Someone):
    def __init__(self) -> None:
        super().__init__("ada")

    def is_administrator(self, user_id: str) -> bool:
        return True
