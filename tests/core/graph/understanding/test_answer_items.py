"""Tests references to a part of the last answer."""

from __future__ import annotations

import pytest

from core.graph.understanding.documents.answer_items import with_item

PROSE = "Nordvik's net sales were $2,400 million in 2022 [1]. The gross margin was **38.2%** [2]."
TABLE = (
    "Margins:\n\n| | 2022 | 2021 |\n|---|---|---|\n| Gross margin | 38.2% [1] | 37.8% |\n| Net margin | 20.9% | 21.2% |"
)


@pytest.mark.parametrize(
    ("question", "answer", "named"),
    [
        ("Explain the second figure", PROSE, "The gross margin was 38.2%"),
        ("Explain the second figure", TABLE, "Gross margin 2021 37.8%"),
        ("Where is the last row from?", TABLE, "Net margin 20.9% 21.2%"),
        ("הסבר את המספר השני", PROSE, "The gross margin was 38.2%"),
    ],
)
def test_a_part_of_the_last_answer_is_named(question: str, answer: str, named: str) -> None:
    assert f"({named}" in " ".join((with_item(question, answer) or "").split())


@pytest.mark.parametrize("question", ["What were sales in the second quarter?", "Explain the fifth figure"])
def test_other_words_are_no_reference(question: str) -> None:
    assert with_item(question, PROSE) is None
