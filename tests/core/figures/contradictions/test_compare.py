"""Tests which cells of two documents contradict each other: restated values do, rounding and other scopes do not."""

from __future__ import annotations

import pytest

from core.figures.contradictions.cells import index_of
from core.figures.contradictions.compare import contradicting
from core.figures.stored.records import StoredFigure

SALES = {"Net sales": 4_321.0, "Cost of sales": 2_100.0, "Net income": 812.0, "Order backlog": 950.0}


def table(values: dict[str, float], **other: object) -> list[StoredFigure]:
    return [
        StoredFigure(
            document_id="d", label=label, header="Three Months Ended June 30, 2031", period="2031-Q2", value=value,
            scale=1e6, currency="USD", text=f"{value:,.0f}", table=0, row=row, column=1,
        ).model_copy(update=other)
        for row, (label, value) in enumerate(values.items())
    ]  # fmt: skip


def found(other: list[StoredFigure], one: list[StoredFigure] | None = None) -> list[str]:
    one = one or table(SALES)
    return [one[first.number].label for first, _ in contradicting(index_of(one), index_of(other))]


def test_a_restated_row_is_found_and_the_equal_ones_are_not() -> None:
    assert found(table({**SALES, "Net income": 790.0})) == ["Net income"]
    assert found(table(SALES)) == []


def test_a_value_rounded_to_a_larger_scale_is_the_same() -> None:
    rounded = table(SALES)
    rounded[0] = rounded[0].model_copy(update={"value": 4.3, "scale": 1e9, "text": "4.3"})
    assert found(rounded) == []
    rounded[0] = rounded[0].model_copy(update={"value": 4.5, "text": "4.5"})
    assert found(rounded) == ["Net sales"]


@pytest.mark.parametrize(
    "other",
    [
        {"period": "2031-H1", "header": "Six Months Ended June 30, 2031"},
        {"segment": "Packaging"},
        {"currency": "EUR"},
        {"unit": "%"},
        {"parents": ("Pro forma",)},
    ],
)
def test_another_scope_is_no_contradiction(other: dict[str, object]) -> None:
    cells = table({**SALES, "Net income": 790.0})
    assert found(cells)
    assert found([each.model_copy(update=other) for each in cells]) == []


def test_a_table_in_which_everything_differs_reports_something_else() -> None:
    assert found(table({label: value * 0.7 for label, value in SALES.items()})) == []


def test_a_figure_that_a_document_prints_with_two_values_is_left_out() -> None:
    twice = [*table({**SALES, "Net income": 790.0}), *table({"Net income": 812.0}, table=1)]
    assert found(twice) == []


def test_a_missing_scale_is_no_contradiction() -> None:
    assert found([*table(SALES)[1:], table({"Net sales": 4_321.0}, scale=1.0)[0]]) == []
