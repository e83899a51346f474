from core.answering.selection import choose
from core.figures.records import Candidate
from core.question.analysed import AnalysedQuestion
from core.records.answer import Answer, AnswerKind


def candidate(value: float | str, sureness: float, kind: AnswerKind = "figure", scale: float = 1.0) -> Candidate:
    return Candidate(Answer(kind=kind, line=str(value), value=value, scale=scale), sureness)


def question(text: str) -> AnalysedQuestion:
    return AnalysedQuestion(text=text, language="en", focus=text)


def test_a_figure_that_both_state_is_surer_than_either_and_said_once() -> None:
    found = choose(
        question("What was the rent in 2021?"), [candidate(4200.0, 0.6, scale=1e3)], [candidate(4.2, 0.5, scale=1e6)]
    )
    assert len(found) == 1
    assert found[0].sureness > 0.6


def test_figures_that_differ_do_not_bear_each_other_out() -> None:
    found = choose(question("What was the rent in 2021?"), [candidate(4.2, 0.6)], [candidate(9.9, 0.5)])
    assert [each.sureness for each in found] == [0.6, 0.5]


def test_a_reason_is_asked_of_the_text() -> None:
    found = choose(question("Why did the rent fall?"), [candidate(4.2, 0.6)], [candidate("fewer plants", 0.4, "span")])
    assert found[0].answer.value == "fewer plants"


def test_a_stated_figure_does_not_stand_for_one_that_is_worked_out() -> None:
    tables = [candidate(0.3, 0.55, "calculation")]
    found = choose(question("What was the change in rent from 2020 to 2021?"), tables, [candidate(4.2, 0.6)])
    assert found[0].answer.value == 0.3


def test_nothing_of_nothing() -> None:
    assert choose(question("What?"), [], []) == []
