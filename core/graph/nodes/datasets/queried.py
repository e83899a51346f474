"""Adds the first result that a model queried to its answer; and an unsure reading to an answer that no model wrote."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from core.datasets.answers.cited_results import cited_results
from core.datasets.query.model import DataQuery
from core.datasets.words.charts import without_chart
from core.datasets.words.understanding import Understood
from core.errors import PalimpsestError
from core.events import Notice, Response, Source
from core.graph.computing import computed, not_computed
from core.graph.services import Services
from core.graph.state import Found, State, asked_in_full
from core.records.answer import CITATION, Answer
from core.review.claims import Claim
from core.review.figure_support import amounts_in, check_figures
from core.review.printed_figures import printed_figures
from core.review.stated_value import opening_sentence
from core.runs.trace import Emit
from core.tools.evidence import Evidence

log = logging.getLogger(__name__)

MOST_QUERIES = 5
"""Number of queries of a conversation that follow-up questions can change."""


def queries_to_change(state: State, queried: Sequence[str]) -> list[str]:
    """Returns the queries of the conversation that a follow-up question can change, with those of the answer. After an
    answer with several queries there are none, because the question may mean any of them."""
    return [] if len(queried) > 1 else [*state.get("last_queries", []), *queried][-MOST_QUERIES:]


async def with_queried(
    services: Services, state: State, response: Response, evidence: Evidence
) -> tuple[Response, list[str]]:
    """Returns the response with the line, table and data of the first result that it cites, and the queries of all
    results that it cites, as JSON. Changes nothing if it cites none, or if its first sentence cites none of several.

    Its line is *high* if the results that it cites print all numbers of the line, otherwise *medium*.
    """
    results = cited_results(response, evidence.sources)
    queries = [result.data.query for result in results if result.data]
    opening, _ = opening_sentence(response.text)
    is_stated = any(f"[{result.number}]" in opening for result in results)
    if response.kind != "generated" or response.answer or not (is_stated or len(results) == 1):
        return response, queries
    try:
        query = DataQuery.model_validate_json(queries[0])
        found = await computed(services, state, Understood(query, is_sure=True), without_chart(state["asked"].text)[1])
    except PalimpsestError:
        log.warning("the data of a model's query are not shown", exc_info=True)
        return response, queries
    changes = await asyncio.to_thread(_with_line, found.answer, results, response.text, evidence, asked_in_full(state))
    return response.model_copy(update=changes), queries


def _with_line(
    answer: Answer, results: Sequence[Source], text: str, evidence: Evidence, question: str
) -> dict[str, object]:
    """Returns the changes to the response. The line is the first sentence of the text if it cites a result, otherwise
    the value of the query. ``answer`` is that of the first of ``results``; of several it gives no single value."""
    number = results[0].number
    if answer.data is not None:
        cited = [each.model_copy(update={"number": number}) for each in answer.data.datasets]
        answer = answer.model_copy(update={"data": answer.data.model_copy(update={"datasets": cited})})
    opening, end = opening_sentence(text)
    sources = [each for each in results if f"[{each.number}]" in opening]
    if not sources:
        line = CITATION.sub(f"[{number}]", answer.line, count=1)
        return {"answer": answer.model_copy(update={"line": line}), "confidence": "medium"}
    numbers = tuple(each.number for each in sources)
    claim = Claim(CITATION.sub("", opening), 0, end, numbers)
    check, amounts = check_figures(claim, question, printed_figures(sources), []), amounts_in(claim.text)
    is_printed = check.printed or all(
        any(evidence.has_number(each, amount.value) for each in numbers) for amount in amounts
    )
    is_stated = bool(amounts) and (is_printed or check.outcome in ("found", "computed"))
    value = answer.value if len(results) == 1 else None
    changed = answer.model_copy(update={"line": opening, "value": value})
    return {"answer": changed, "confidence": "high" if is_stated else "medium", "repeats": end}


async def with_unsure_reading(services: Services, state: State, emit: Emit) -> State:
    """Returns the state with the answer of the unsure reading, if there is one. If its query is stopped, the user
    learns why."""
    query = state["found"].unsure_query
    if not query:
        return state
    try:
        understood = Understood(DataQuery.model_validate_json(query), is_sure=False)
        found = await computed(services, state, understood)
    except PalimpsestError as error:
        log.warning("an unsure reading could not be computed: %s", error)
        emit(Notice(words=not_computed(error.problem)))
        return state
    added = Found(planned=[found.answer], sources=found.sources, confidence="medium")
    return {**state, "found": state["found"] | added}
