from __future__ import annotations

from core.figures.records import Origin, TableEvidence
from core.figures.tables.candidate_tables import by_labels
from core.library.tables.records import Cell, Column, Row, Table
from core.question.analysed import AnalysedQuestion

ORIGIN = Origin(1, "doc_1", "Annual report", names=("Nordvik",))


def table(caption: str, header: str, *labels: str) -> Table:
    rows = [Row(label=label, cells=[Cell(text="12", kind="number", value=12.0)]) for label in labels]
    return Table(caption=caption, columns=[Column(header=[header], period="2022")], rows=rows)


TABLES = [
    TableEvidence(ORIGIN, 0, table("Consolidated Statements of Income", "2022", "Net sales", "Net income")),
    TableEvidence(ORIGIN, 1, table("Location of our stores", "Stores", "Iceland", "Norway")),
    TableEvidence(ORIGIN, 2, table("Net sales by region", "2022", "Iceland", "Norway", "Total net sales")),
]


def found(text: str) -> list[int]:
    return [each.index for each in by_labels(AnalysedQuestion(text, "en", text, ("Nordvik",), ("2022",)), TABLES)]


def test_the_table_whose_row_and_caption_say_it_together_is_first() -> None:
    assert found("What were Nordvik's net sales in Iceland in 2022?")[0] == 2
    assert found("How many stores does Nordvik have in Norway?")[0] == 1


def test_tables_that_say_little_of_it_are_left_out() -> None:
    assert 0 not in found("How many stores does Nordvik have in Norway?")
    assert found("Who audits Nordvik's accounts, and since when?") == []


def test_a_score_is_kept_where_the_search_was_surer() -> None:
    question = AnalysedQuestion("Net income?", "en", "Net income?", (), ())
    surer = [TableEvidence(ORIGIN, 0, TABLES[0].table, score=0.95)]
    assert by_labels(question, surer)[0].score == 0.95
    assert 0 < by_labels(question, TABLES[:1])[0].score < 0.95
