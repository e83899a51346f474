"""Tests which figures are extracted from tables, and which of them a lookup finds first."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.figures.stored.block import FigureBlock
from core.figures.stored.extraction import MOST_ROWS, extract
from core.figures.stored.packed import packed, unpacked
from core.figures.stored.records import StoredFigure
from core.figures.stored.scoring import phrase_of, score
from core.library.records import Document, Metadata, Organisation
from core.library.tables.records import Cell, Column, Row, Table

DOCUMENT = Document(
    _id="doc_1", user_id="ada", filename="report.pdf", mime="", size=1, sha256="", added_at=0.0, updated_at=0.0,
    metadata=Metadata(title="Annual report", organisations=[Organisation(name="Nordvik Shipping")]),
)  # fmt: skip
Rows = Sequence[tuple[str, Sequence[str], Sequence[float]]]


def table(columns: Sequence[tuple[str, str | None]], rows: Rows, **given: object) -> Table:
    return Table(
        columns=[Column(header=[header], period=period) for header, period in columns],
        rows=[
            Row(
                label=label,
                parents=list(parents),
                cells=[Cell(text=f"{value:,}", kind="number", value=value) for value in values],
            )
            for label, parents, values in rows
        ],
        **{"units": "in millions", "scale": 1e6, "currency": "USD", "page": 3, **given},
    )


YEARS = [("2031", "2031"), ("2030", "2030")]
INCOME = table(
    YEARS,
    [
        ("Total net sales", (), (1000, 880)),
        ("Cost of sales", (), (600, 540)),
        ("Operating income", (), (95, 85)),
        ("Interest expense", (), (10, 9)),
        ("Net income", (), (64, 58)),
        ("Diluted", ("Earnings per share",), (6.4, 5.8)),
    ],
    caption="Consolidated statements of income",
)
SEGMENTS = table(
    YEARS,
    [
        ("Harbours", ("Net sales",), (500, 490)),
        ("FRT", ("Net sales",), (150, 180)),
        ("Harbours", ("Operating income",), (40, 45)),
    ],
    caption="Segments",
)
HEBREW = table([("2031", "2031")], [("סך הנכסים", (), (7000,)), ("מלאי", (), (310,))], units="באלפי ש״ח", scale=1e3)
PLAIN = table(
    [("Depth", None), ("Berths", None)], [("Pelagit", (), (14, 6)), ("Orvik", (), (9, 3))], units=None, scale=1.0
)
TABLES = [INCOME, SEGMENTS, HEBREW, PLAIN]
BLOCK = FigureBlock(unpacked(packed(extract(DOCUMENT, TABLES, []))))


def found(measure: str, *periods: str, segment: str = "") -> list[StoredFigure]:
    hits = score(BLOCK, phrase_of(measure, segment), periods, ("2031",), 10)
    return [BLOCK.figure(DOCUMENT, hit.cell) for hit in hits]


@pytest.mark.parametrize(
    ("measure", "segment", "value"),
    [
        ("net sales", "", 1000),
        ("revenue", "", 1000),
        ("הכנסות", "", 1000),
        ("diluted EPS", "", 6.4),
        ("net sales", "Harbours", 500),
        ("operating income", "Harbours", 40),
        ("revenue", "Harbours", 500),
        ("net sales", "Ferries River Transport", 150),
        ("berths", "Pelagit", 6),
        ("depth Orvik", "", 9),
        ("נכסים", "", 7000),
        ("המלאי", "", 310),
    ],
)
def test_the_first_match_is_the_newest_figure_of_the_measure(measure: str, segment: str, value: float) -> None:
    assert found(measure, segment=segment)[0].value == value


def test_a_figure_has_its_meaning_and_its_place() -> None:
    figure = found("net sales", "2030", segment="Harbours")[0]
    assert (figure.value, figure.scale, figure.currency, figure.period) == (490, 1e6, "USD", "2030")
    assert (figure.table, figure.row, figure.column, figure.page) == (1, 0, 1, 3)
    assert (figure.label, figure.parents, figure.entity) == ("Harbours", ("Net sales",), "Nordvik Shipping")
    per_share = found("diluted EPS")[0]
    assert (per_share.scale, per_share.measure) == (1.0, "earnings per share")


def test_a_period_and_a_segment_restrict_the_matches() -> None:
    assert {figure.period for figure in found("net sales", "2030")} == {"2030"}
    assert found("net sales", "2019") == []
    assert found("net sales", segment="Airports") == []
    assert found("number of lighthouses") == []


def test_the_score_is_lower_when_the_label_names_more() -> None:
    exact, part = (score(BLOCK, phrase_of(text), (), (), 1)[0].score for text in ("interest expense", "interest"))
    assert part < exact == 1.0


def test_a_row_of_a_table_that_splits_another_measure_comes_last() -> None:
    split = table(YEARS, [("Harbour upkeep", (), (7, 6))], caption="Stock-based compensation is as follows")
    costs = table(YEARS, [("Harbour upkeep", ("Operating expenses",), (70, 60))], caption="Costs")
    block = FigureBlock(extract(DOCUMENT, [split, costs], []))
    best = score(block, phrase_of("harbour upkeep"), (), (), 4)[0]
    assert block.figure(DOCUMENT, best.cell).value == 70


def test_a_long_list_of_things_has_no_figures() -> None:
    rows: Rows = [(f"Order {number}", (), (number,)) for number in range(MOST_ROWS + 1)]
    assert extract(DOCUMENT, [table([("Amount", None)], rows)], []).count == 0
    assert extract(DOCUMENT, [table([("Amount", None)], rows[:-1])], []).count == MOST_ROWS
