"""Tests rows of open data: pages, filters, files, wrong counts, narrowing, totals and display."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.errors import PalimpsestError
from core.language.places import find_place
from core.tools.datagov import reading as reading_module
from core.tools.datagov.decomposition import decompose
from core.tools.datagov.markdown import CELL, COLUMNS, ROWS, markdown_table, telling_first
from core.tools.datagov.narrowing import narrow
from core.tools.datagov.portal import Portal
from core.tools.datagov.reading import RowReader, Rows, Wanted
from core.tools.datagov.records import Column, Dataset, Resource
from core.tools.datagov.totals import number_in, sums_of
from tests.servers.ckan import CkanServer, reply
from tests.servers.ckan_catalogue import MadeDataset, made_datasets, made_map

PortalAt = Callable[..., Portal]


def made(name: str) -> MadeDataset:
    return next(each for each in made_datasets() if each.name == name)


def dataset(name: str, address: str) -> Dataset:
    found = made_map(address).find(made(name).id)
    assert found is not None
    return found


@pytest.fixture
def reader(portal_at: PortalAt) -> Callable[[str], RowReader]:
    return lambda address: RowReader(portal_at(address))


async def test_rows_come_page_by_page_and_the_portals_count_with_them(
    reader: Callable[[str], RowReader], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_module, "PAGE", 7)
    async with CkanServer() as server:
        resource = dataset("hospitals", server.url).resources[0]
        whole = await reader(server.url).read(resource, Wanted(limit=100))
        part = await reader(server.url).read(resource, Wanted(limit=10, offset=20))
    assert (len(whole.rows), whole.total, whole.complete, whole.miscounted) == (29, 29, True, False)
    assert (len(part.rows), part.total, part.complete) == (9, 29, True)
    assert part.rows == whole.rows[20:]


async def test_filters_columns_order_and_words(reader: Callable[[str], RowReader]) -> None:
    async with CkanServer() as server:
        resource = dataset("hospitals", server.url).resources[0]
        wanted = Wanted(filters={"עיר": ["ירושלים"]}, columns=["שם", "מספר מיטות"], sort="מספר מיטות desc")
        rows = await reader(server.url).read(resource, wanted)
        named = await reader(server.url).read(resource, Wanted(words="שערי צדק"))
    assert [column.name for column in rows.columns] == ["שם", "מספר מיטות"]
    beds = [row[1] for row in rows.rows]
    assert beds == sorted(beds, reverse=True)
    assert [row[0] for row in named.rows] == ["שערי צדק"]


@pytest.mark.parametrize("miscounts", [-5, 5])
async def test_a_wrong_count_is_noticed_and_what_was_read_is_counted(
    reader: Callable[[str], RowReader], miscounts: int
) -> None:
    async with CkanServer(miscounts=miscounts) as server:
        resource = dataset("hospitals", server.url).resources[0]
        rows = await reader(server.url).read(resource, Wanted(limit=100))
    assert rows.miscounted
    if miscounts > 0:
        assert rows.total == 29


async def test_a_store_that_is_empty_for_now_leaves_the_file(reader: Callable[[str], RowReader]) -> None:
    async with CkanServer(emptied=True) as server:
        rows = await reader(server.url).read(dataset("hospitals", server.url).resources[0], Wanted(limit=5))
        narrowed = await reader(server.url).read(
            dataset("hospitals", server.url).resources[0], Wanted(filters={"עיר": ["ירושלים"]})
        )
    assert (rows.from_file, rows.total, len(rows.rows)) == (True, 29, 5)
    assert (narrowed.from_file, narrowed.total) == (False, 0)


async def test_a_file_out_of_the_store_is_read_where_it_has_commas(reader: Callable[[str], RowReader]) -> None:
    async with CkanServer() as server:
        csv = dataset("hospitals", server.url).resources[0].model_copy(update={"stored": False})
        wanted = Wanted(
            filters={"עיר": ["ירושלים"]}, sort="מספר מיטות desc", limit=2, columns=["שם", "טלפון", "מספר מיטות"]
        )
        rows = await reader(server.url).read(csv, wanted)
        with pytest.raises(PalimpsestError) as caught:
            await reader(server.url).read(csv.model_copy(update={"format": "PDF"}), Wanted())
    assert rows.total == 4
    assert rows.rows[0] == ["שערי צדק", "02-6555111", 1000]
    assert caught.value.problem.category == "validation"


async def test_a_file_of_an_old_spreadsheet_is_read_by_its_letters(reader: Callable[[str], RowReader]) -> None:
    lines = "שם,עיר\nגן הפעמון,ירושלים\n" * 20
    async with CkanServer(moods=[reply(lines.encode("cp1255"), 200, "text/csv")]) as server:
        resource = Resource(id="x", format="CSV", url=f"{server.url}/a.csv")
        rows = await reader(server.url).read(resource, Wanted(limit=1))
    assert [column.name for column in rows.columns] == ["שם", "עיר"]
    assert rows.rows == [["גן הפעמון", "ירושלים"]]


# -- narrowing ---------------------------------------------------------------------------------


async def narrowed(reader: Callable[[str], RowReader], server: CkanServer, name: str, question: str) -> object:
    known = dataset(name, server.url)
    return await narrow(reader(server.url), decompose(question), known, known.resources[0], frozenset())


async def test_a_city_is_sought_as_its_cells_spell_it(reader: Callable[[str], RowReader]) -> None:
    async with CkanServer() as server:
        found = await narrowed(reader, server, "pharmacies", "בתי מרקחת בתל אביב")
    assert found.filters == {"עיר": ["תל אביב - יפו", "תל אביב - יפו  "]}  # type: ignore[attr-defined]


async def test_a_code_is_compared_with_codes_alone(reader: Callable[[str], RowReader]) -> None:
    """Accident data sets hold a town's code but no name; data sets with other numbers are never filtered by it."""
    jerusalem = find_place("ירושלים")
    assert jerusalem is not None
    async with CkanServer() as server:
        coded = await narrowed(reader, server, "accidents", "תאונות בירושלים")
        numbered = await narrowed(reader, server, "er-waiting", "זמני המתנה בירושלים")
    assert coded.filters == {"סמל יישוב": [int(code) for code in jerusalem.codes]}  # type: ignore[attr-defined]
    assert numbered.filters == {}  # type: ignore[attr-defined]
    assert numbered.notes  # type: ignore[attr-defined]


async def test_a_year_narrows_unless_the_set_is_of_it(reader: Callable[[str], RowReader]) -> None:
    async with CkanServer() as server:
        of_it = await narrowed(reader, server, "budget-2024", "תקציב המדינה 2024")
        other = await narrowed(reader, server, "accidents", "תאונות בשנת 2020")
    assert of_it.filters == {}  # type: ignore[attr-defined]
    assert other.filters == {"שנה": [2020]}  # type: ignore[attr-defined]


async def test_a_place_that_no_row_names_is_missed(reader: Callable[[str], RowReader]) -> None:
    async with CkanServer() as server:
        found = await narrowed(reader, server, "pharmacies", "בתי מרקחת בקריית שמונה")
    assert found.missed  # type: ignore[attr-defined]


# -- totals ------------------------------------------------------------------------------------


def rows(columns: list[str], *lines: list[object]) -> Rows:
    return Rows([Column(name=name) for name in columns], [list(line) for line in lines], len(lines), True)  # type: ignore[list-item]


def test_amounts_are_added_up_and_prices_years_and_codes_are_not() -> None:
    read = rows(
        ["שנה", "סמל יישוב", "סכום", "מחיר"], [2020, 4000, "1,500.5", 3], [2020, 4000, 2, 4], [2020, 70, None, 5]
    )
    (only,) = sums_of(read)
    assert (only.column, only.total, only.year) == ("סכום", 1502.5, None)


def test_of_several_years_the_latest_is_added_up() -> None:
    (only,) = sums_of(rows(["שנה", "כמות"], [2019, 5], [2021, 7], [2021, 1], [2020, 9]))
    assert (only.total, only.year) == (8, 2021)


@pytest.mark.parametrize(
    ("cell", "number"), [("1,200", 1200.0), ("7%", 7.0), (3, 3.0), (True, None), (None, None), ("ירושלים", None)]
)
def test_what_a_cell_counts(cell: object, number: float | None) -> None:
    assert number_in(cell) == number  # type: ignore[arg-type]


# -- display -----------------------------------------------------------------------------------


def test_a_table_is_a_few_columns_rows_and_characters() -> None:
    drawn = markdown_table([f"c{n}" for n in range(9)], [["x" * 80] * 9 for _ in range(30)])
    lines = drawn.splitlines()
    assert len(lines) == ROWS + 2
    assert all(line.count("|") == COLUMNS + 1 for line in lines)
    assert max(len(cell.strip()) for cell in lines[2].split("|")) == CELL


def test_what_others_wrote_stays_in_its_cell() -> None:
    drawn = markdown_table(["a|b"], [["one\ntwo | three"], [None], [4.0]])
    assert drawn.splitlines()[0] == "| a\\|b |"
    assert drawn.splitlines()[2] == "| one two \\| three |"
    assert drawn.splitlines()[3:] == ["| - |", "| 4 |"]


def test_names_and_what_was_asked_for_stand_first() -> None:
    columns = [Column(name=name) for name in ("OBJECTID", "כמות", "עיר", "טלפון", "שם")]
    assert [columns[place].name for place in telling_first(columns, ["phone"])] == [
        "שם",
        "טלפון",
        "עיר",
        "כמות",
        "OBJECTID",
    ]
