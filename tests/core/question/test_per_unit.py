from __future__ import annotations

import pytest

from core.question.per_unit import is_by_unit, unit_asked
from core.records.answer import Answer


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("What was Nordvik's dividend per share in 2031?", "share"),
        ("What were the earnings per diluted share?", "share"),
        ("How many berths per harbour does Nordvik have?", "harbour"),
        ("מה היה הדיבידנד למניה ב-2031?", "מניה"),
        ("What did Nordvik spend per year on average?", None),
        ("As per the balance sheet, what is the cash?", None),
        ("By how many per cent did sales grow?", None),
    ],
)
def test_the_unit_that_is_asked_by(text: str, unit: str | None) -> None:
    assert unit_asked(text) == unit


def test_a_total_is_not_by_the_share() -> None:
    total = Answer(kind="figure", line="Dividends paid of Nordvik in 2031: $900 million [1]")
    assert not is_by_unit("share", total, ["Dividends paid"])
    assert is_by_unit("share", total, ["Diluted", "Net income per common share"])
    assert is_by_unit("share", Answer(kind="figure", line="Diluted EPS of Nordvik: $3.10 [1]"), [])
    divided = Answer(kind="calculation", line="Sales to harbours: 12 [1]", calculation="24 ÷ 2 = 12")
    assert is_by_unit("harbour", divided, [])
