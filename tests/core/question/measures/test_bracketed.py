"""Tests when a measure in brackets takes the place of the words before it."""

import pytest

from core.language.fields import figure_names
from core.question.measures.bracketed import with_bracketed_names


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("spent on property and equipment (capital expenditure) in 2031?", "spent on capital expenditure in 2031?"),
        ("spent on machines (capex)?", "spent on machines capex?"),
        ("gross profit (revenue less cost of sales) in 2031", "gross profit in 2031"),
        ("revenue growth (net income) in 2031", "revenue growth in 2031"),
        ("net income (in millions)", "net income"),
    ],
)
def test_only_a_bracket_that_is_a_measure_replaces_the_measure_before_it(text: str, read: str) -> None:
    assert " ".join(with_bracketed_names(text, figure_names()).split()) == read
