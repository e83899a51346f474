"""Checks what a model gets from ``query_data``: the schema, a result with its citation, and what to correct."""

from __future__ import annotations

import pytest

from core.datasets.tools.querying import QueryDataCall, QueryingData
from core.errors import PalimpsestError
from core.prompts.templates import Prompts
from core.review.support import SupportCheck
from core.tools.evidence import Evidence
from core.tools.tool import Caller
from tests.service.house import House

SALES = "Branch,Day,Sold €\nHaifa,2024-01-03,120.50\nEilat,2024-02-07,80\nHaifa,2024-02-09,9.50\n"


async def test_a_model_reads_the_schema_then_queries_and_corrects_itself(house: House) -> None:
    await house.read("sales.csv", SALES)
    tool = QueryingData(house.workbench.library, house.workbench.datasets)
    caller = Caller("ada", evidence=Evidence())
    schema = await tool.call(QueryDataCall(), caller)
    assert "- Branch: text; Haifa, Eilat" in schema.text
    assert "9.5 to 120.5" in schema.text
    query = {"dataset": "sales", "group": [{"column": "Branch"}], "measures": [{"function": "sum", "column": "Sold"}]}
    with pytest.raises(PalimpsestError) as caught:
        await tool.call(QueryDataCall.model_validate({"query": query}), caller)
    assert "Sold €" in caught.value.problem.why.en
    query["measures"] = [{"function": "sum", "column": "Sold €"}]
    result = await tool.call(QueryDataCall.model_validate({"query": query}), caller)
    assert result.text.startswith("[1] ")
    assert "€130" in result.text
    assert caller.evidence.has_number(1, 130)
    with pytest.raises(PalimpsestError) as caught:
        await tool.call(QueryDataCall.model_validate({"query": {"dataset": "sales", "sum": "Sold"}}), caller)
    assert "sum" in caught.value.problem.why.en
    other = await tool.call(QueryDataCall(), Caller("bob", evidence=Evidence()))
    assert not other.found


LARGE = "Branch,Day,Sold €\nHaifa,2024-01-03,1234567.50\nEilat,2024-02-07,80000\nHaifa,2024-02-09,500.25\n"
TOTAL = {"dataset": "sales", "measures": [{"function": "sum", "column": "Sold €"}]}
BY_BRANCH = {**TOTAL, "group": [{"column": "Branch"}]}


@pytest.mark.parametrize(
    ("query", "sentence", "verdict"),
    [
        (TOTAL, "The total sold was €1,315,067.75 [1].", "supported"),
        (TOTAL, "In total, €1.3 million was sold [1].", "supported"),
        (BY_BRANCH, "Haifa sold €1,235,067.75 [1].", "supported"),
        (BY_BRANCH, "Haifa sold about €1.2 million and Eilat sold €80,000 [1].", "supported"),
        (BY_BRANCH, "| Branch | Sold |\n|---|---|\n| Haifa | €1,235,067.75 [1] |", "supported"),
        (BY_BRANCH, "Haifa sold €2,235,067.75 [1].", "not_checked"),
    ],
)
async def test_a_statement_with_a_computed_value_is_checked_against_the_result(
    house: House, query: dict[str, object], sentence: str, verdict: str
) -> None:
    await house.read("sales.csv", LARGE)
    caller = Caller("ada", evidence=Evidence())
    tool = QueryingData(house.workbench.library, house.workbench.datasets)
    await tool.call(QueryDataCall.model_validate({"query": query}), caller)
    support = await SupportCheck(Prompts()).check(sentence, caller.evidence.sources, "how much was sold in total")
    assert [each.verdict for each in support.sentences] == [verdict]
