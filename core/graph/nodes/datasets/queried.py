"""Adds the result that a model queried to its answer; and an unsure reading to an answer that no model wrote."""

from __future__ import annotations

import asyncio
import logging

from core.datasets.query.model import DataQuery
from core.datasets.words.understanding import Understood
from core.errors import PalimpsestError
from core.events import Response
from core.graph.computing import computed
from core.graph.services import Services
from core.graph.state import Found, State, asked_in_full
from core.records.answer import CITATION
from core.review.stated_value import compare_value
from core.tools.evidence import Evidence

log = logging.getLogger(__name__)

MOST_QUERIES = 5
"""Number of queries of a conversation that follow-up questions can change."""


async def with_queried(
    services: Services, state: State, response: Response, evidence: Evidence
) -> tuple[Response, list[str]]:
    """Returns the response with the line, table and data of its query, and that query as JSON. Changes nothing unless
    the response cites exactly one result: several have no single table.

    The response is only as certain as the model's reading of the question: *medium*, unless its text states the value.
    """
    cited = {int(number) for number in CITATION.findall(response.text)}
    queries = list(dict.fromkeys(query for number, query in evidence.queries.items() if number in cited))
    if response.kind != "generated" or response.answer is not None or len(queries) != 1:
        return response, []
    number = next(number for number, query in evidence.queries.items() if query == queries[0])
    try:
        query = DataQuery.model_validate_json(queries[0])
        found = await computed(services, state, Understood(query, is_sure=True))
    except PalimpsestError:
        log.warning("the data of a model's query are not shown", exc_info=True)
        return response, []
    answer = found.answer.model_copy(update={"line": CITATION.sub(f"[{number}]", found.answer.line, count=1)})
    compared = await asyncio.to_thread(compare_value, answer, response.text, asked_in_full(state))
    if compared.agreement == "other":
        return response, queries
    is_stated = compared.agreement == "same"
    changes = {"answer": answer, "confidence": "high" if is_stated else "medium", "repeats": compared.repeats}
    return response.model_copy(update=changes), queries


async def with_unsure_reading(services: Services, state: State) -> State:
    """Returns the state with the answer of the unsure reading, if there is one."""
    query = state["found"].unsure_query
    if not query:
        return state
    try:
        understood = Understood(DataQuery.model_validate_json(query), is_sure=False)
        found = await computed(services, state, understood)
    except PalimpsestError:
        log.warning("an unsure reading could not be computed", exc_info=True)
        return state
    added = Found(planned=[found.answer], sources=found.sources, confidence="medium")
    return {**state, "found": state["found"] | added}
