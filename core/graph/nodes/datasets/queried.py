"""Adds the result that a model queried to its answer; and an unsure reading to an answer that no model wrote."""

from __future__ import annotations

import asyncio
import logging

from core.datasets.query.model import DataQuery
from core.datasets.words.charts import without_chart
from core.datasets.words.understanding import Understood
from core.errors import PalimpsestError
from core.events import Response
from core.graph.computing import computed
from core.graph.services import Services
from core.graph.state import Found, State, asked_in_full
from core.records.answer import CITATION, Answer
from core.review.claims import Claim
from core.review.figure_support import amounts_in, check_figures
from core.review.printed_figures import printed_figures
from core.review.stated_value import opening_sentence
from core.tools.evidence import Evidence

log = logging.getLogger(__name__)

MOST_QUERIES = 5
"""Number of queries of a conversation that follow-up questions can change."""


async def with_queried(
    services: Services, state: State, response: Response, evidence: Evidence
) -> tuple[Response, list[str]]:
    """Returns the response with the line, table and data of its query, and that query as JSON. Changes nothing unless
    the response cites exactly one result: several have no single table.

    Its line is *high* if the result prints all numbers of the line, otherwise *medium*.
    """
    cited = {int(number) for number in CITATION.findall(response.text)}
    queries = list(dict.fromkeys(query for number, query in evidence.queries.items() if number in cited))
    if response.kind != "generated" or response.answer is not None or len(queries) != 1:
        return response, []
    number = next(number for number, query in evidence.queries.items() if query == queries[0])
    try:
        query = DataQuery.model_validate_json(queries[0])
        found = await computed(services, state, Understood(query, is_sure=True), without_chart(state["asked"].text)[1])
    except PalimpsestError:
        log.warning("the data of a model's query are not shown", exc_info=True)
        return response, []
    changes = await asyncio.to_thread(_with_line, found.answer, number, response.text, evidence, asked_in_full(state))
    return response.model_copy(update=changes), queries


def _with_line(answer: Answer, number: int, text: str, evidence: Evidence, question: str) -> dict[str, object]:
    """Returns the changes to the response. The line is the first sentence of the text if it cites the result, otherwise
    the value of the query."""
    if answer.data is not None:
        cited = [each.model_copy(update={"number": number}) for each in answer.data.datasets]
        answer = answer.model_copy(update={"data": answer.data.model_copy(update={"datasets": cited})})
    opening, end = opening_sentence(text)
    if f"[{number}]" not in opening:
        line = CITATION.sub(f"[{number}]", answer.line, count=1)
        return {"answer": answer.model_copy(update={"line": line}), "confidence": "medium"}
    source = evidence.source(number)
    figures = printed_figures([source] if source else [])
    claim = Claim(CITATION.sub("", opening), 0, end, (number,))
    check = check_figures(claim, question, figures, [])
    is_stated = bool(amounts_in(claim.text)) and (check.printed or check.outcome in ("found", "computed"))
    changed = answer.model_copy(update={"line": opening})
    return {"answer": changed, "confidence": "high" if is_stated else "medium", "repeats": end}


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
