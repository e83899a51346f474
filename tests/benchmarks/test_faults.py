"""Tests how the fault benchmark compares actual with expected answers."""

from __future__ import annotations

import pytest

from benchmarks.faults.cases import Made, orders
from benchmarks.faults.comparison import Wanted, first_line


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The profit is 38² [1]", "38"),
        ("It was **11,238** in all.", "11,238.00"),
        ("A share of 41.7\u202f% [M1]", "41.7%"),
        ("913.2 in the North", "913.20"),
        ("am 30. September 2027", "30. September 2027"),
    ],
)
def test_a_number_is_found_in_another_spelling(text: str, wanted: str) -> None:
    assert not list(Wanted(must=[wanted]).differences(text))


@pytest.mark.parametrize("text", ["382", "1,238", "38.5", "2038", "0.38"])
def test_a_number_is_not_found_within_another(text: str) -> None:
    assert list(Wanted(must=["38"]).differences(text)) == ["lacks 38"]


def test_each_kind_of_difference_is_said() -> None:
    wanted = Wanted(must=["re:\\bChairs\\b"], must_any=["5", "re:\\bfive\\b"], must_not=["Stools"])
    assert list(wanted.differences("> chairs: 5 [1]")) == []
    assert list(wanted.differences("Stools: 6")) == [
        "lacks re:\\bChairs\\b", "contains none of 5, re:\\bfive\\b", "must not contain Stools",
    ]  # fmt: skip


def test_the_first_line_has_its_list_and_no_quotation() -> None:
    assert first_line("Three regions: [1]\n\n- North\n- South\n\nMore") == "Three regions: [1]\n\n- North\n- South"
    assert first_line("It says: [1]\n\n> a quotation") == "It says: [1]"


def test_orders_are_made_by_rule() -> None:
    made = Made(rows=2, columns=["Order", "Date", "Region", "Product", "Units", "Amount"], seed=1, bytes=0, sha256="")
    assert orders(made).decode().splitlines()[1:] == [
        "B-00001,2023-04-09,West,Shelves,6,499.54", "B-00002,2023-11-25,East,Shelves,2,152.83",
    ]  # fmt: skip
