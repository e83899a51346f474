"""Tests which column is a reporting period, under all names that a document uses for its periods."""

from collections.abc import Callable, Sequence

import pytest

from core.figures.measures.columns import NEWEST, columns_for
from core.figures.quarters import OwnQuarter
from core.figures.records import Origin
from core.library.tables.records import Column, Table

ANNUAL = Origin(1, "d", kind="annual report", periods=("2031", "fiscal 2031"))
RETAIL = Origin(1, "d", kind="earnings release", periods=("2030-Q4", "2031-Q4", "2030", "2031"))
SECOND = Origin(1, "d", kind="quarterly report", periods=("2032-Q2", "2031-Q4"))

THIRD = Origin(
    1, "d", kind="quarterly report", periods=("2031-Q2", "2031-Q3"), quarter=OwnQuarter("2031-Q3", "2031-07-01")
)


@pytest.mark.parametrize(
    ("keys", "asked", "origin", "stock", "column"),
    [
        (["2031", "2030", "2029"], "2030", ANNUAL, False, 1),
        (["2031-12-31", "2030-12-31"], "2030", ANNUAL, True, 1),
        (["2031-12-31", "2030-12-31"], "2029", ANNUAL, True, None),
        (["2031", "2030"], "2031-Q4", ANNUAL, False, None),
        (["2031-Q1", "2030-Q1"], "2031-Q4", RETAIL, False, 0),
        (["2031-Q1", "2030-Q1"], "2030-Q4", RETAIL, False, 0),
        (["2031-01-28", "2030-01-29"], "2031", RETAIL, True, 0),
        (["2031-Q4", "2030-Q4", "2031-H2", "2030-H2"], "2032-Q2", SECOND, False, 0),
        (["2031-Q4", "2030-Q4", "2031-H2", "2030-H2"], "2031-Q2", SECOND, False, 1),
        (["2031-Q4", "2030-Q4", "2031-H2", "2030-H2"], "2031-12-31+6", SECOND, False, 2),
        (["2031-Q4", "2030-Q4", "2031-H2", "2030-H2"], "2030-12-31+3", SECOND, False, 1),
        (["2031-Q4", "2030-Q4"], "2032", SECOND, False, None),
        (["2031-Q2", "2030-Q2", "2031-9M", "2030-9M"], "2031-Q3", THIRD, False, 0),
        (["2031-Q2", "2030-Q2", "2031-9M", "2030-9M"], "2030-Q3", THIRD, False, 1),
        (["2031-12-31", "2031-06-30"], "2032-Q2", SECOND, True, 0),
        (["2031-12-31", "2031-06-30"], "2031", SECOND, True, 1),
        (["2031-12-31", "2031-06-30"], "2031-06-30", SECOND, True, 1),
    ],
)
def test_the_column_of_a_period(
    keys: Sequence[str], asked: str, origin: Origin, stock: bool, column: int | None, make_table: Callable[..., Table]
) -> None:
    found = columns_for(make_table([("Net sales", [1.0] * len(keys))], keys), asked, origin, stock=stock)
    assert [place.column for place in found] == ([] if column is None else [column])


def test_the_newest_column_is_taken_only_under_a_name_of_its_own_year(make_table: Callable[..., Table]) -> None:
    origin = Origin(1, "d", periods=("2030", "2031"))
    table = make_table([("Net sales", [1.0])], ["2031"])
    (place,) = columns_for(table, "2030", origin, stock=False)
    assert (place.column, place.sure) == (0, NEWEST)
    assert columns_for(make_table([("Net sales", [1.0])], ["2029"]), "2030", origin, stock=False) == []


def test_changes_and_shares_are_no_periods() -> None:
    columns = [Column(header=["2031"], period="2031"), Column(header=["% Change 2031-2030"], period="2031", unit="%")]
    columns += [Column(header=["2031-2030"], period="2031"), Column(header=["2031", "4th"], period="2031")]
    assert [place.column for place in columns_for(Table(columns=columns), "2031", ANNUAL, stock=False)] == [0]
