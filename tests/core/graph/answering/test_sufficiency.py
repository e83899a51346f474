from __future__ import annotations

import pytest

from core.events import Passage, Source
from core.graph.answering.sufficiency import contains_figures

TABLE = "Consolidated balance sheets\n | 2023 | 2022\nInventories | 5,140 | 5,965\nAccounts payable | 5,687 | 6,803"


def source(text: str) -> Source:
    passage = Passage(item_id="p", text=text, score=1.0)
    return Source(
        number=1, document_id="d", title="Acme · Annual report · FY2023", filename="a.pdf", score=1.0,
        passages=[passage],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "contained"),
    [
        ("What were the inventories of Acme in FY2023?", True),
        ("What were the inventories of Acme in FY2021?", False),
        ("What were the inventories of Zeugma in FY2023?", False),
        ("What was the depreciation of Acme in FY2023?", False),
        ("Why did Acme move its depot in 2023?", False),
    ],
)
def test_the_row_the_period_and_the_name_must_all_be_there(question: str, contained: bool) -> None:
    assert contains_figures(question, [source(TABLE)]) is contained
