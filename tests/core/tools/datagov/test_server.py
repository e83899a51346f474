"""Tests the open data tools: a question answered with a table, counts and sums, and notes on old or partial data."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import JsonValue

from core.clock import DAY
from core.errors import PalimpsestError
from core.setting_groups import DataGov
from core.settings import Settings
from core.tools.datagov import answers as answers_module
from core.tools.datagov.index import index_of
from core.tools.datagov.map_files import MapFiles
from core.tools.datagov.server import FOLDER, DatagovServer
from core.tools.definition import ToolDefinition
from core.tools.tool import Caller, ToolResult
from tests.servers.ckan import CkanServer, blocked
from tests.servers.ckan_catalogue import made_datasets, made_map

HE, EN = Caller("ada", "he"), Caller("ada", "en")
BUILT = 1_000_000.0
"""When the map was built."""
TOOLS = {"datagov_query", "datagov_search", "datagov_dataset", "datagov_rows", "datagov_list"}


@dataclass
class OpenData:
    """A tool server over a portal whose map is already built."""

    portal: CkanServer
    server: DatagovServer
    now: list[float]

    async def call(self, name: str, caller: Caller = HE, **arguments: JsonValue) -> ToolResult:
        tool = next(each for each in self.server.tools() if each.definition.name == name)
        return await tool.call(arguments, caller)

    async def ask(self, question: str, caller: Caller = HE) -> ToolResult:
        return await self.call("datagov_query", caller, question=question)


@pytest.fixture(scope="module")
def portal() -> Iterator[CkanServer]:
    with CkanServer() as server:
        yield server


@pytest.fixture(scope="module")
def mapped(portal: CkanServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The portal's map on disk: built once, which takes half a second."""
    folder, known = tmp_path_factory.mktemp("mapped"), made_map(portal.url, built_at=BUILT)
    MapFiles(folder).save(known, index_of(known))
    return folder


@pytest.fixture
async def data(portal: CkanServer, mapped: Path, tmp_path: Path) -> AsyncIterator[OpenData]:
    now = [BUILT]

    async def sleep(_: float) -> None:
        """Returns immediately, so that no test waits."""

    portal.requests, portal.moods = [], []
    shutil.copytree(mapped, tmp_path / FOLDER)
    settings = Settings(_env_file=None, home=tmp_path, datagov=DataGov(url=portal.url))  # type: ignore[call-arg]
    server = DatagovServer(settings, lambda: now[0], sleep)
    await server.start()
    try:
        yield OpenData(portal, server, now)
    finally:
        await server.stop()


async def test_hospitals_in_jerusalem_with_their_phones(data: OpenData) -> None:
    result = await data.ask("אילו בתי חולים יש בירושלים ומה הטלפון שלהם?")
    (table,) = result.tables
    assert table.title == "בתי חולים כלליים בישראל"
    assert table.columns[:2] == ["שם", "טלפון"]
    city = table.columns.index("עיר")
    assert {row[city] for row in table.rows} == {"ירושלים"}
    assert {"הדסה עין כרם", "הדסה הר הצופים", "שערי צדק"} <= {row[0] for row in table.rows}
    assert table.total == len(table.rows) == 4
    assert table.url is not None
    assert table.url.startswith(data.portal.url)
    assert (table.changed[:4], table.publisher) == ("2026", "משרד הבריאות")
    assert "עודכן לאחרונה 2026" in result.text
    assert "הקטלוג מיום 1970-01-12" in result.text
    assert "| שערי צדק | 02-6555111 |" in result.text
    assert [table.roles[place] for place in (0, 1, city)] == ["text", "text", "place"]


async def test_english_questions_find_hebrew_sets(data: OpenData) -> None:
    result = await data.ask("hospitals in Jerusalem with phone numbers", EN)
    assert result.tables[0].title == "בתי חולים כלליים בישראל"
    assert "(column “" in result.text


async def test_how_many_is_the_portals_count(data: OpenData) -> None:
    result = await data.ask("כמה רופאי שיניים יש בישראל?")
    assert result.tables[0].total == 1900
    assert result.text.startswith("1,900 שורות מתאימות.")
    assert len(result.tables[0].rows) == 100
    assert "מוצגות 100 מתוך 1,900 שורות." in result.text


async def test_a_sum_of_a_part_says_of_how_many(data: OpenData, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers_module, "MOST_ROWS", 200)
    result = await data.ask("total government support to charities", EN)
    assert "(from 200 of 1,900 rows)" in result.text
    monkeypatch.setattr(answers_module, "MOST_ROWS", 10_000)
    whole = await data.ask("total government support to charities", EN)
    assert " of 1,900 rows)" not in whole.text
    assert "סכום:" in whole.text


async def test_a_name_that_no_set_speaks_of_is_sought_in_the_rows(data: OpenData) -> None:
    result = await data.ask("כמה כלי רכב דו גלגליים של טויוטה רשומים?")
    maker = result.tables[0].columns.index("tozeret_nm")
    assert {row[maker] for row in result.tables[0].rows} == {"טויוטה"}
    assert result.tables[0].total is not None
    assert result.tables[0].total < 1800
    unknown = await data.ask("כמה כלי רכב דו גלגליים של בטמוביל רשומים?")
    assert "באף שורה לא מופיע „בטמוביל”" in unknown.text
    assert unknown.tables[0].total == 1800


async def test_a_place_that_no_row_names_finds_nothing_and_says_so(data: OpenData) -> None:
    result = await data.ask("מקוואות בקריית שמונה")
    assert not result.found
    assert result.tables == []
    assert "אין ב„מקוואות טהרה” שורות של המקום ששאלתם עליו." in result.text


async def test_vague_questions_are_told_what_can_be_asked(data: OpenData) -> None:
    result = await data.ask("נתונים")
    assert not result.found
    assert "אפשר לשאול למשל על" in result.text
    assert data.portal.requests == []


async def test_sets_without_rows_are_told_with_their_address(data: OpenData) -> None:
    result = await data.ask("תצלום אוויר של נתניה")
    assert result.tables == []
    assert "תצלום אוויר 2015 - גיליון נתניה" in result.text
    assert f"{data.portal.url}/dataset/" in result.text


async def test_what_is_lacking_and_how_old_the_map_is_is_said(data: OpenData) -> None:
    lacking = await data.ask("בתי מרקחת בחיפה עם דואל")
    assert lacking.found
    asked = await data.ask('בתי מרקחת בחיפה עם דוא"ל')
    assert 'במאגר אין עמודה עבור: דוא"ל.' in asked.text
    data.now[0] += 8 * DAY
    old = await data.ask("בתי מרקחת בחיפה")
    assert "הוא נבנה מחדש" in old.text
    await data.server.catalogue.settled()
    assert data.server.catalogue.state.built_at == data.now[0]


async def test_who_is_blocked_is_told_so(data: OpenData) -> None:
    data.portal.moods = [blocked()] * 3
    with pytest.raises(PalimpsestError) as caught:
        await data.ask("בתי מרקחת בחיפה")
    assert caught.value.problem.category == "connection"


async def test_sets_are_found_with_how_well_they_fit_and_why(data: OpenData) -> None:
    result = await data.call("datagov_search", EN, query="בתי חולים", limit=3)
    (table,) = result.tables
    assert len(table.rows) == 3
    assert table.rows[0][0] == "בתי חולים כלליים בישראל"
    scores = [row[table.columns.index("Match")] for row in table.rows]
    assert scores == sorted(scores, reverse=True)  # type: ignore[type-var]
    assert "title 0." in str(table.rows[0][table.columns.index("Why")])
    assert any("607 data sets" in note.en for note in result.notes)
    assert data.portal.requests == []


async def test_a_set_is_shown_and_its_rows_read(data: OpenData) -> None:
    hospitals = next(each for each in made_datasets() if each.name == "hospitals")
    for identifier in (hospitals.id, hospitals.slug, f"{data.portal.url}/dataset/{hospitals.slug}"):
        shown = await data.call("datagov_dataset", EN, dataset=identifier)
        assert shown.tables[0].title == hospitals.title
    assert "טלפון" in shown.text
    rows = await data.call(
        "datagov_rows", EN, resource=hospitals.resource_id, filters={"עיר": "חיפה"}, columns=["שם", "עיר"], limit=2
    )
    assert rows.tables[0].columns == ["שם", "עיר"]
    assert rows.tables[0].rows[0] == ['רמב"ם', "חיפה"]
    with pytest.raises(PalimpsestError) as caught:
        await data.call("datagov_rows", EN, resource="nothing")
    assert caught.value.problem.category == "not_found"
    with pytest.raises(PalimpsestError) as caught:
        await data.call("datagov_rows", EN, resource=hospitals.resource_id, filters={"no": "column"})
    assert caught.value.problem.category == "validation"


@pytest.mark.parametrize(
    ("kind", "named"),
    [("organizations", "משרד הבריאות"), ("groups", "בריאות"), ("tags", "אשפוז"), ("categories", "healthcare")],
)
async def test_publishers_and_subjects_are_listed(data: OpenData, kind: str, named: str) -> None:
    result = await data.call("datagov_list", HE, kind=kind)
    assert named in {cell for row in result.tables[0].rows for cell in row}


async def test_the_tools_are_told_in_files_and_change_nothing(data: OpenData) -> None:
    definitions: list[ToolDefinition] = [each.definition for each in data.server.tools()]
    assert {each.name for each in definitions} == TOOLS
    for each in definitions:
        assert each.effects.harmless
        assert each.category == "open_data"
        assert set(each.fallbacks) | set(each.complements) <= TOOLS | {"tavily_search"}


async def test_switched_off_there_are_no_tools(tmp_path: Path) -> None:
    settings = Settings(_env_file=None, home=tmp_path, datagov=DataGov(enabled=False))  # type: ignore[call-arg]
    server = DatagovServer(settings, lambda: 0.0)
    await server.start()
    assert server.tools() == []
    await server.stop()


async def test_the_map_is_built_into_the_data_directory_and_says_how_far_it_is(tmp_path: Path) -> None:
    seen: list[int] = []
    async with CkanServer(datasets=made_datasets()[:5]) as portal:
        settings = Settings(_env_file=None, home=tmp_path, datagov=DataGov(url=portal.url))  # type: ignore[call-arg]
        server = DatagovServer(settings, lambda: 9.0)
        state = await server.build(lambda done, of: seen.append(server.catalogue.state.done))
        await server.stop()
    assert (state.datasets, state.built_at) == (5, 9.0)
    assert state.looked_at == state.resources == len(seen)
    assert seen == [*range(1, state.resources + 1)]
    assert (state.building, state.done, state.to_do) == (False, 0, 0)
    assert MapFiles(tmp_path / FOLDER).load() is not None
