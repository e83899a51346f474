from __future__ import annotations

import pytest

from viz.plain import plain, plain_lines, question_and_answer


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        ("Lodging is 620 shekels.", "Lodging is 620 shekels."),
        ("> **Lodging** | 620 | 560 [2]", "Lodging: 620, 560"),
        ("# Terms\n\n- *one* thing\n- __another__ [1a]", "Terms\none thing\nanother"),
        ("| Year | Sum |\n|---|---|\n| 2022 | 4 |", "Year: Sum\n2022: 4"),
        ("See [the policy](http://x.example/a_(b)) and `code`", "See the policy and code"),
        ("2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name"),
        ("**לינה** | 620", "לינה: 620"),
    ],
)
def test_what_is_stored_is_read_as_sentences(stored: str, said: str) -> None:
    assert plain(stored) == said


def test_a_remembered_answer_stays_a_quotation_and_no_markup() -> None:
    assert plain_lines("> **Lodging** | 620 [2] [M1]\n\n> a_b") == "> Lodging: 620 [M1]\n\n> a\\_b"


def test_an_exchange_is_what_was_asked_and_what_was_said() -> None:
    assert question_and_answer("User: What is it?\nAssistant: > **Lodging** | 620 [1]") == (
        "What is it?",
        "Lodging: 620",
    )
    assert question_and_answer("The **pump** is looked after by Miriam.") == ("", "The pump is looked after by Miriam.")
