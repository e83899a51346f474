from __future__ import annotations

from dataclasses import replace

import pytest

from core.answering.qualifiers import UNMET, Background, doubted_by_qualifiers
from core.figures.records import Candidate, Evidence, Origin, TableEvidence, TextEvidence
from core.library.tables.records import Cell, Column, Row, Table
from core.question.analysed import AnalysedQuestion
from core.records.answer import Answer, CellReference
from core.words import Language

ORIGIN = Origin(1, "doc_1", "Annual report", names=("Nordvik Corporation", "Nordvik"))


def table(*labels: str, caption: str = "Net sales by region") -> Table:
    rows = [Row(label=label, cells=[Cell(text="12", kind="number", value=12.0)]) for label in labels]
    return Table(caption=caption, columns=[Column(header=["2022"], period="2022")], rows=rows)


TABLES = (
    TableEvidence(ORIGIN, 0, table("Net sales", "Cost of sales", caption="Consolidated Statements of Income")),
    TableEvidence(ORIGIN, 1, table("Iceland", "Heat pumps", "Total")),
)
BACKGROUND = Background.of(Evidence(), TABLES)


def asked(text: str, *periods: str) -> AnalysedQuestion:
    return AnalysedQuestion(text, "en", text, ("Nordvik",), periods or ("2022",))


def cell(index: int, row: int) -> Candidate:
    label = TABLES[index].table.rows[row].label
    place = CellReference(number=1, document_id="doc_1", table=index, row=row, column=0, label=label, header="2022")
    return Candidate(Answer(kind="figure", line=f"{label}: 12 [1]", value=12.0, cells=[place]), 0.95)


def sentence(text: str) -> Candidate:
    place = CellReference(number=1, document_id="doc_1", item_id="item_1", text=text)
    return Candidate(Answer(kind="figure", line="12 [1]", value=12.0, cells=[place]), 0.95)


def is_sure(candidate: Candidate) -> bool:
    return candidate.answer.doubt is None and candidate.sureness > UNMET


def test_a_figure_as_a_whole_answers_for_itself() -> None:
    assert is_sure(doubted_by_qualifiers(asked("What were Nordvik's net sales in 2022?"), cell(0, 0), BACKGROUND))


def test_a_figure_as_a_whole_is_no_answer_about_a_part() -> None:
    for question in ("What were net sales of heat pumps in 2022?", "What were Nordvik's net sales in Iceland in 2022?"):
        found = doubted_by_qualifiers(asked(question), cell(0, 0), BACKGROUND)
        assert not is_sure(found)
        assert found.answer.doubt is not None
        assert "2022" not in found.answer.doubt.en


def test_the_row_of_the_part_answers() -> None:
    assert is_sure(doubted_by_qualifiers(asked("What were net sales of heat pumps in 2022?"), cell(1, 1), BACKGROUND))
    assert is_sure(
        doubted_by_qualifiers(asked("What were Nordvik's net sales in Iceland in 2022?"), cell(1, 0), BACKGROUND)
    )


def test_a_statement_that_the_question_names_narrows_nothing() -> None:
    question = asked("What were net sales of Nordvik in 2022, by the income statement?")
    assert is_sure(doubted_by_qualifiers(question, cell(0, 0), BACKGROUND))


def test_words_over_many_columns_narrow_nothing() -> None:
    tables = (*TABLES, TableEvidence(ORIGIN, 2, table("Amount", "Amounts reported")))
    question = asked("What is the total amount of net sales of Nordvik in 2022?")
    assert is_sure(doubted_by_qualifiers(question, cell(0, 0), Background.of(Evidence(), tables)))


def test_a_column_of_changes_narrows_no_question_for_a_change() -> None:
    columns = [Column(header=["2022"], period="2022"), Column(header=["Change"])]
    changes = Table(columns=columns, rows=[Row(label="Freight", cells=[Cell(text="12"), Cell(text="3")])])
    tables = (*TABLES, TableEvidence(ORIGIN, 2, changes))
    question = asked("What was the change in the net sales of Nordvik?")
    assert is_sure(doubted_by_qualifiers(question, cell(0, 0), Background.of(Evidence(), tables)))


def test_a_sentence_must_hold_the_names_of_the_question() -> None:
    question = asked("How many stores does Nordvik have in Texas?")
    assert not is_sure(doubted_by_qualifiers(question, sentence("We have 12 stores."), BACKGROUND))
    assert is_sure(doubted_by_qualifiers(question, sentence("We have 12 stores in Texas."), BACKGROUND))
    text = TextEvidence(ORIGIN, "item_1", "We have 12 stores.", ("Stores in Texas",))
    within = Background.of(Evidence(texts=(text,)), ())
    assert is_sure(doubted_by_qualifiers(question, sentence("We have 12 stores."), within))


def test_one_figure_of_a_sentence_does_not_answer_for_several_years() -> None:
    question = asked("How many pumps did Nordvik ship in 2020 and 2021 together?", "2020", "2021")
    assert not is_sure(doubted_by_qualifiers(question, sentence("We shipped 12 pumps."), BACKGROUND))


def test_words_with_a_date_in_them_are_no_figure() -> None:
    question = asked("By how much did Nordvik raise its credit agreement?")
    words = sentence("The agreement of May 26, 2023 was raised by $400 million.")
    dated = words.answer.model_copy(update={"kind": "span", "value": "Credit Agreement, dated May 26, 2023"})
    assert not is_sure(doubted_by_qualifiers(question, Candidate(dated, 0.95), BACKGROUND))
    told = words.answer.model_copy(update={"kind": "span", "value": "$400 million"})
    assert is_sure(doubted_by_qualifiers(question, Candidate(told, 0.95), BACKGROUND))


@pytest.mark.parametrize(
    ("text", "words", "date"),
    [
        ("When did Nordvik open the plant?", "clause 14", "1 May 2019"),
        ("מתי נפתח המפעל?", "סעיף 14", "1 במאי 2019"),
    ],
)
def test_words_without_a_date_do_not_say_when(text: str, words: str, date: str) -> None:
    told = sentence("Nordvik opened the plant.").answer
    without, dated = (told.model_copy(update={"kind": "span", "value": value}) for value in (words, date))
    language: Language = "he" if "מתי" in text else "en"
    question = replace(asked(text), language=language)
    assert doubted_by_qualifiers(question, Candidate(without, 0.95), BACKGROUND).sureness == 0.0
    assert doubted_by_qualifiers(question, Candidate(dated, 0.95), BACKGROUND).sureness == 0.95


def test_nobody_repeats_in_a_sentence_what_the_document_is_called() -> None:
    text = TextEvidence(replace(ORIGIN, filename="texas-stores.pdf"), "item_1", "We have 12 stores.")
    question = asked("How many stores does Nordvik have in Texas?")
    assert is_sure(
        doubted_by_qualifiers(question, sentence("We have 12 stores."), Background.of(Evidence(texts=(text,)), ()))
    )
