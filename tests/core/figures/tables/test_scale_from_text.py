from __future__ import annotations

from core.figures.records import Origin, TableEvidence, TextEvidence
from core.figures.tables.scale_from_text import scaled, with_usual_scale
from core.library.tables.records import Cell, Column, Row, Table

ORIGIN = Origin(1, "doc_1", "Annual report")


def evidence(value: float, caption: str = "", currency: str | None = "USD") -> TableEvidence:
    cell = Cell(text=f"{value:,}", kind="number", value=value, currency=currency)
    table = Table(caption=caption, columns=[Column(header=["2031"])], rows=[Row(label="Debt", cells=[cell])])
    return TableEvidence(ORIGIN, 0, table)


def whole(count: int = 5) -> list[TableEvidence]:
    table = evidence(7).table.model_copy(update={"units": "in millions", "scale": 1e6, "currency": "USD"})
    return [TableEvidence(ORIGIN, number, table) for number in range(count)]


def test_a_table_of_money_without_a_scale_has_that_of_its_document() -> None:
    (found,) = with_usual_scale([evidence(400)], whole())
    assert (found.table.scale, found.table.units) == (1e6, "in millions")


def test_counts_bare_figures_and_full_amounts_stay_as_they_are() -> None:
    for given in (evidence(400, "Stores by state"), evidence(400, currency=None), evidence(2_500_000)):
        assert with_usual_scale([given], whole()) == (given,)
    assert with_usual_scale([evidence(400)], whole(3))[0].table.scale == 1.0


def test_text_gives_no_scale_to_what_is_counted() -> None:
    said = [TextEvidence(ORIGIN, "p1", "Sales were $45.0 million and costs $12.0 million.")]
    money, stores = evidence(45_004), evidence(45_004, "Number of stores")
    rows = [
        Row(label=str(value), cells=[Cell(text=str(value), kind="number", value=value)]) for value in (45_004, 12_001)
    ]
    tables = [TableEvidence(ORIGIN, 0, each.table.model_copy(update={"rows": rows})) for each in (money, stores)]
    assert [each.table.scale for each in scaled(tables, said)] == [1e3, 1.0]
