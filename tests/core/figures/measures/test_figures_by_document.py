from __future__ import annotations

from collections.abc import Sequence

from core.figures.measures.figures_by_document import are_by_one, figures_by_document, own_period
from core.figures.measures.statements import DocumentStatements, statements_by_document
from core.library.tables.records import Table
from tests.core.figures.measures.conftest import INCOME, MakeEvidence, MakeTable, Rows

QUARTER: Rows = [(label, [values[0], values[1], 3 * (values[0] or 0)]) for label, values in INCOME]


def books(*parts: Sequence[object]) -> list[DocumentStatements]:
    return statements_by_document([each for part in parts for each in part])  # type: ignore[misc]


def test_two_years_stand_beside_each_other_with_change_and_per_cent(
    tables: list[Table], make_table: MakeTable, evidence_of: MakeEvidence
) -> None:
    old = [make_table([(label, values[1:]) for label, values in INCOME], ["2030", "2029"])]
    both = books(evidence_of(old, number=1, periods=("2030",)), evidence_of(tables, number=2, periods=("2031",)))
    (revenue,) = figures_by_document(both, ["revenue"], "en")
    assert [each.text for each in revenue.figures] == ["$900 million (FY2030)", "$1,000 million (FY2031)"]
    assert revenue.change == "+$100 million, +11.1 %"
    assert revenue.figures[0].reading.reference().label == "Net sales"


def test_change_goes_from_the_earlier_to_the_later_whatever_the_order(
    tables: list[Table], make_table: MakeTable, evidence_of: MakeEvidence
) -> None:
    old = [make_table([(label, values[1:]) for label, values in INCOME], ["2030", "2029"])]
    both = books(evidence_of(tables, number=1, periods=("2031",)), evidence_of(old, number=2, periods=("2030",)))
    assert figures_by_document(both, ["net income"], "en")[0].change == "−$24 million, −14.3 %"


def test_the_usual_figures_are_those_that_both_state(tables: list[Table], evidence_of: MakeEvidence) -> None:
    both = books(evidence_of(tables, number=1), evidence_of(tables[:1], number=2, name="Pier Tools"))
    keys = [each.key for each in figures_by_document(both, (), "en")]
    assert {"revenue", "net income"} <= set(keys)
    assert "cash" not in keys
    assert not are_by_one(both)


def test_a_quarter_is_held_against_a_quarter_and_never_against_the_year_so_far(
    make_table: MakeTable, evidence_of: MakeEvidence
) -> None:
    def report(year: int) -> list[Table]:
        return [make_table(QUARTER, [f"{year}-Q3", f"{year - 1}-Q3", f"{year}-9M"])]

    both = books(
        evidence_of(report(2030), number=1, periods=("2030-Q3",), kind="quarterly report"),
        evidence_of(report(2031), number=2, periods=("2031-Q3",), kind="quarterly report"),
    )
    assert [own_period(book) for book in both] == ["2030-Q3", "2031-Q3"]
    (revenue,) = figures_by_document(both, ["revenue"], "en")
    assert [each.value for each in revenue.figures] == [1e9, 1e9]


def test_of_a_quarter_and_a_year_balances_alone_are_compared(
    tables: list[Table], make_table: MakeTable, evidence_of: MakeEvidence
) -> None:
    part = [make_table(QUARTER, ["2031-Q3", "2030-Q3", "2031-9M"]), tables[1]]
    both = books(
        evidence_of(tables, number=1),
        evidence_of(part, number=2, periods=("2031-Q3",), kind="quarterly report"),
    )
    assert figures_by_document(both, ["revenue"], "en") == []


def test_a_name_in_hebrew(tables: list[Table], make_table: MakeTable, evidence_of: MakeEvidence) -> None:
    both = books(evidence_of(tables, number=1), evidence_of(tables, number=2, name="Pier Tools"))
    (revenue,) = figures_by_document(both, ["revenue"], "he")
    assert revenue.name == "הכנסות"


def test_amounts_by_the_share_are_never_summed(make_table: MakeTable, evidence_of: MakeEvidence) -> None:
    rows: Rows = [
        *INCOME[:-1], ("Diluted:", []), ("Net income per common share", [1.44, 1.68, 1.2]),
        ("Weighted-average shares", [100, 100, 100]),
    ]  # fmt: skip
    table = make_table(rows, ["2031", "2030", "2029"])
    both = books(evidence_of([table], number=1), evidence_of([table], number=2, name="Pier Tools"))
    told = [each for found in figures_by_document(both, ["earnings per share"], "en") for each in found.figures]
    assert all(each.value == 1.44 for each in told)
