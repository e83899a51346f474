from __future__ import annotations

import pytest

from core.events import Passage, Source
from core.graph.answering.budget import certain_figure, complexity_of, shares, width_of
from core.graph.records import Format, Intent
from core.graph.state import Asked, Found, State
from core.records.answer import Answer, CellReference
from core.setting_groups import Budget, ModeName, Search
from tests.core.graph.turn_states import turn_of

WINDOW = 32_768


def intent(form: Format = "generalist", parts: int = 0) -> Intent:
    return Intent(
        action="inquire", confidence="high", how="rule", text="", format=form, parts=("part",) * parts if parts else ()
    )


def test_the_shares_of_the_seeds_window_are_those_of_the_settings() -> None:
    found = shares(Budget(), WINDOW, "medium")
    assert (found.window, found.user, found.retrieved, found.history) == (WINDOW - 1_068, 200, 8_000, 4_000)
    assert found.prompt + found.response == found.window


@pytest.mark.parametrize("window", [4_096, 16_384, 131_072, 1_048_576])
def test_they_follow_the_models_window(window: int) -> None:
    found = shares(Budget(), window, "medium")
    assert found.retrieved == 8_000 * window // WINDOW
    assert found.user + found.retrieved + found.history < found.prompt < window


def test_complexity_moves_what_is_read() -> None:
    simple, medium, complex_ = (shares(Budget(), WINDOW, each) for each in ("simple", "medium", "complex"))
    assert simple.retrieved < medium.retrieved < complex_.retrieved
    assert simple.history < medium.history
    assert complex_.user + complex_.retrieved + complex_.history < complex_.prompt


@pytest.mark.parametrize(
    ("question", "mode", "asked", "expected"),
    [
        ("What is reimbursed for a night?", "quick", intent(), "simple"),
        ("כמה מחזירים על לילה?", "quick", None, "simple"),
        ("What is reimbursed for a night?", "enhanced", intent(), "medium"),
        ("word " * 20, "quick", intent(), "medium"),
        ("Set the two offers beside each other", "quick", intent("comparison"), "medium"),
        ("Set the two offers beside each other", "enhanced", intent("comparison"), "complex"),
        ("What is a night? What is dinner?", "enhanced", intent(parts=2), "complex"),
        ("What is reimbursed for a night?", "deep", intent(), "complex"),
    ],
)
def test_what_makes_a_task_complex(question: str, mode: ModeName, asked: Intent | None, expected: str) -> None:
    assert complexity_of(question, mode, asked) == expected


def reports(count: int) -> list[Source]:
    passage = Passage(item_id="p", text="t", score=1.0)
    return [
        Source(number=number, document_id=f"d{number}", title="t", filename="f", score=1.0, passages=[passage])
        for number in range(1, count + 1)
    ]


def test_a_figure_of_one_report_gets_few_passages_and_each_further_report_more() -> None:
    def tokens(question: str, count: int, mode: ModeName = "enhanced") -> int:
        return width_of(question, reports(count), mode, Search()).tokens

    figure, other = "What was the net income in 2022?", "Who are the primary customers?"
    assert tokens(figure, 1) < tokens(other, 1) < tokens(other, 4)
    assert tokens(figure, 1) < tokens(figure, 3)
    assert tokens(figure, 1, "quick") < tokens(figure, 1) < tokens(figure, 1, "deep")


def test_passages_of_one_report_count_as_one_report() -> None:
    """For a model, each passage of a report is a source with its own number."""
    one = [each.model_copy(update={"document_id": "d1"}) for each in reports(30)]
    figure = "What was the net income in 2022?"
    assert width_of(figure, one, "enhanced", Search()) == width_of(figure, reports(1), "enhanced", Search())


def test_a_certain_figure_needs_few_passages_around_its_rows() -> None:
    figure = "What was the net income in 2022?"
    cell = CellReference(number=1, document_id="d1", item_id="p7", text="7")
    certain = Answer(kind="figure", line="Net income: 7 [1]", value=7.0, cells=[cell])
    plain, narrow = (width_of(figure, reports(4), "enhanced", Search(), given) for given in (None, certain))
    assert narrow.tokens < plain.tokens / 2
    assert narrow.least > plain.least
    assert narrow.cited == {"p7"}
    panel = width_of(figure, reports(4), "enhanced", Search(), planned=[certain, certain])
    assert (panel.tokens, panel.cited) == (plain.tokens, {"p7"})
    assert panel.least == narrow.least


def asking(question: str, line: Answer | None, parts: int = 0) -> State:
    return turn_of(question, Asked(text=question, intent=intent(parts=parts)), Found(line=line))


def test_only_a_question_for_nothing_but_the_figure_is_settled_by_it() -> None:
    line = Answer(kind="figure", line="Net income: 7 [1]", value=7.0)
    assert certain_figure(asking("What was the net income in 2022?", line)) == line
    assert certain_figure(asking("What was the net income in 2022?", None)) is None
    assert certain_figure(asking("What was the net income in 2022, and who audited it?", line)) is None
    assert certain_figure(asking("Why did net income fall in 2022?", line)) is None
    assert certain_figure(asking("What was the net income in 2022?", line, parts=2)) is None
