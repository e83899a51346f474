from __future__ import annotations

from core.figures.records import Origin, TableEvidence
from core.figures.tables.totals import answer_from_counts
from core.library.tables.records import Cell, Column, Row, Table
from core.question.analysed import AnalysedQuestion
from core.records.answer import Answer

ORIGIN = Origin(1, "doc_1", "Quarterly report", kind="quarterly report", names=("Nordvik",), periods=("2031-Q2",))
HEADS = [
    ("Fiscal 2031 Stores at Beginning of Second Quarter", "2031-Q2"), ("Fiscal 2031 Stores Opened", "2031"),
    ("Fiscal 2031 Stores at End of Second Quarter", "2031-Q2"),
    ("Fiscal 2030 Stores at End of Second Quarter", "2030-Q2"),
]  # fmt: skip


def table(currency: str | None = None, total: str = "Total") -> Table:
    rows = [("Nordvik", (80, 2, 82, 90)), (total, (100, 3, 103, 110))]
    made = [
        Row(label=label, cells=[Cell(text=str(n), kind="number", value=float(n)) for n in each]) for label, each in rows
    ]
    columns = [Column(header=[header], period=period) for header, period in HEADS]
    return Table(caption="Stores open", currency=currency, columns=columns, rows=made)


def answer(text: str, given: Table, periods: tuple[str, ...] = ("2031-Q2", "2030")) -> Answer | None:
    found = answer_from_counts(
        AnalysedQuestion(text, "en", text, ("Nordvik",), periods), [TableEvidence(ORIGIN, 0, given)]
    )
    return found[0].answer if found else None


ASKED = "Was there any change in the number of Nordvik stores between Q2 of FY2031 and FY2030?"


def test_the_totals_at_the_end_of_both_quarters_and_how_far_they_moved() -> None:
    found = answer(ASKED, table())
    assert found is not None
    assert found.value == -7
    assert found.line == "Stores of Nordvik: 110 Q2 FY2030, 103 Q2 FY2031; −7 (−6.4 %) [1]"
    assert found.doubt is not None
    assert [cell.text for cell in found.cells] == ["110", "103"]


def test_money_and_tables_without_a_total_count_nothing() -> None:
    assert answer(ASKED, table(currency="USD")) is None
    assert answer(ASKED, table(total="Ferries")) is None


def test_other_questions_are_left_to_others() -> None:
    assert answer("What was the change in Nordvik's net sales between FY2030 and FY2031?", table()) is None
    assert answer("How many stores did Nordvik have in Q2 of FY2031?", table(), ("2031-Q2",)) is None
    assert answer(ASKED, table(), ("2019-Q2", "2018")) is None
