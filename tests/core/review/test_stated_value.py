"""Tests whether a text states the value of a calculated answer."""

from __future__ import annotations

import pytest

from core.records.answer import Answer, CellReference
from core.review.stated_value import compare_value

SALES = CellReference(
    number=1, document_id="d", table=0, row=0, column=0, label="Net sales", header="2022", value=2400, scale=1e6
)
BEFORE = SALES.model_copy(update={"header": "2021", "value": 2000.0})
LINE = Answer(
    kind="figure", line="Nordvik: net sales in 2022: $2,400 million [1]", value=2400.0, scale=1e6, currency="USD",
    cells=[SALES],
)  # fmt: skip
GROWTH = Answer(
    kind="calculation", line="Net sales of Nordvik rose by 20.0%", value=20.0, unit="%", cells=[SALES, BEFORE]
)


@pytest.mark.parametrize(
    ("answer", "text", "agreement"),
    [
        (LINE, "Net sales were $2.4 billion [1].", "same"),
        (LINE, "Net sales were $2,000 million in 2022 [1].", "other"),
        (LINE, "Nordvik employs 1,200 people [1].", "open"),
        (LINE, "The report does not say.", "open"),
        (GROWTH, "Net sales rose by 20%, from $2,000 million to $2,400 million [1].", "same"),
        (GROWTH, "Net sales rose from $2,000 million to $2,400 million [1].", "open"),
        (GROWTH, "Net sales rose by 16.7% [1].", "other"),
    ],
)
def test_values_are_compared_with_scale_and_unit(answer: Answer, text: str, agreement: str) -> None:
    assert compare_value(answer, text).agreement == agreement


def test_a_sentence_repeats_the_line_only_if_it_adds_nothing() -> None:
    repeated = "Nordvik's net sales were $2,400 million in 2022 [1]. "
    assert compare_value(LINE, f"{repeated}Prices rose.").repeats == len(repeated)
    for more in ("Net sales were $2,400 million, because prices of pumps in Norway rose [1].", "| $2,400 million |"):
        assert compare_value(LINE, more).repeats == 0
