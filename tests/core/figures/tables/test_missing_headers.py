from __future__ import annotations

from core.figures.tables.missing_headers import with_guessed_headers
from core.library.tables.records import Cell, Column, Row, Table


def table(*columns: Column, filled: bool = True) -> Table:
    cells = [Cell(text="7" if filled or place else "", kind="number", value=7.0) for place, _ in enumerate(columns)]
    return Table(columns=list(columns), rows=[Row(label="Total assets", cells=cells)])


BARE, YEAR, DAY = Column(), Column(header=["2030"], period="2030"), Column(header=["2030"], period="2030-06-30")


def test_the_year_after_is_put_back_where_the_document_covers_it() -> None:
    assert [each.period for each in with_guessed_headers(table(BARE, YEAR), {"2031"}).columns] == ["2031", "2030"]
    assert with_guessed_headers(table(BARE, DAY), {"2031"}).columns[0].period == "2031-06-30"
    assert with_guessed_headers(table(BARE, DAY), {"2031", "2031-07-02"}).columns[0].period == "2031-07-02"


def test_other_columns_stay_as_they_are() -> None:
    for columns, periods in [
        ((BARE, YEAR), {"2030"}),
        ((Column(header=["Note"]), YEAR), {"2031"}),
        ((BARE, Column(header=["Change"], period="2030", unit="%")), {"2031"}),
        ((BARE, YEAR, Column(header=["2031"], period="2031")), {"2031"}),
    ]:
        given = table(*columns)
        assert with_guessed_headers(given, periods) is given


def test_a_column_that_is_nearly_empty_is_no_year() -> None:
    given = table(BARE, YEAR, filled=False)
    assert with_guessed_headers(given, {"2031"}) is given
