"""Tests how quarters of a fiscal year are named in documents and in their tables."""

from __future__ import annotations

from core.figures.quarters import OwnQuarter
from core.library.records import CoveredPeriod


def test_a_quarter_of_a_table_gets_the_name_of_its_document() -> None:
    own = OwnQuarter.of([CoveredPeriod(key="2031"), CoveredPeriod(key="2031-Q3", end="2031-07-01")])
    assert own is not None
    assert own.is_printed_by_day({"2031-Q2", "2030-Q2", "2031-9M"})
    assert [own.called(key) for key in ("2031-Q2", "2030-Q2", "2030-Q4", "2031-9M", "2031")] == [
        "2031-Q3", "2030-Q3", "2031-Q1", "2031-9M", "2031",
    ]  # fmt: skip
    assert not own.is_printed_by_day({"2031-Q3", "2031-Q2"})
    assert OwnQuarter.of([CoveredPeriod(key="2031-Q3")]) is None
