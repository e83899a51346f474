from __future__ import annotations

import pytest

from core.graph.answering.budget import ROUNDS, complexity_of, shares
from core.graph.records import Format, Intent
from core.setting_groups import Budget, ModeName

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


def test_complexity_moves_what_is_read_and_the_mode_how_often_tools_are_called() -> None:
    simple, medium, complex_ = (shares(Budget(), WINDOW, each) for each in ("simple", "medium", "complex"))
    assert simple.retrieved < medium.retrieved < complex_.retrieved
    assert simple.history < medium.history
    assert ROUNDS == {"quick": 2, "enhanced": 8, "deep": 16}
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
