"""Suggests follow-up questions: those that change a computed answer or use another tool, and a model's candidates.

Candidates about documents are tried after the answer, in ``core.graph.suggested_questions``.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from core.datasets.query.model import DataQuery
from core.events import Response, Source, Suggested
from core.graph.answering.prompt import RECOLLECTED
from core.graph.nodes.action import model_for
from core.graph.services import Services
from core.graph.state import State, asked_in_full
from core.graph.tracing import node_trace
from core.records.answer import cited_numbers
from core.review.actions.follow_up_questions import followups
from core.search.documents.acceptance import firmly_accepted
from core.search.documents.passage_numbers import document_key, merged_by_document
from core.tools.manifest import suggestion

log = logging.getLogger(__name__)


async def follow_up_questions(services: Services, state: State) -> State:
    response = state["answer"].response
    if response is not None and response.answer is not None and response.answer.data is not None:
        return await _about_data(services, state, response.answer.data.query)
    firm = [each for each in firmly_accepted(state["found"].sources) if each.kind not in RECOLLECTED]
    if response is None or response.kind == "told" or not firm:
        return {}
    emit, _ = node_trace("s")
    questions = _with_other_tools(services, state)
    candidates = await _by_model(services, state, response, firm)
    if questions or candidates or state["asked"].later:
        emit(Suggested(questions=questions, candidates=candidates, actions=state["asked"].later))
    return {}


async def _by_model(services: Services, state: State, response: Response, firm: Sequence[Source]) -> list[str]:
    """Returns a model's questions; none without a model or after a failure."""
    model = model_for(services, state, "suggestions")
    if model is None:
        return []
    asked = [*(turn["question"] for turn in await services.past_turns(state)), state["asked"].text]
    sources = _cited_first(merged_by_document(_used(firm, response)), response)
    try:
        return await followups(services.prompts, model, asked, response.text, sources, state["asked"].language)
    except Exception:
        log.warning("nothing was suggested", exc_info=True)
        return []


async def _about_data(services: Services, state: State, query: str) -> State:
    """Suggests questions that change the query of a computed answer."""
    emit, _ = node_trace("s")
    asked = state["asked"]
    try:
        parsed = DataQuery.model_validate_json(query)
        questions = await services.datasets.next_questions(asked.user_id, parsed, asked.language)
    except Exception:
        log.warning("nothing was suggested", exc_info=True)
        return {}
    if questions or asked.later:
        emit(Suggested(questions=questions, actions=asked.later))
    return {}


def _with_other_tools(services: Services, state: State) -> list[str]:
    """Suggests asking the same question with another tool that complements those used; only for questions, not for
    document actions."""
    if state["asked"].action != "inquire":
        return []
    looked_up = state["found"].consulted
    used = [each.name for each in looked_up.tool_runs if each.result == "ok"] if looked_up else []
    further = suggestion(used, services.tools.registry.available(), asked_in_full(state))
    return [further.to(state["asked"].language)] if further else []


def _used(sources: Sequence[Source], response: Response) -> Sequence[Source]:
    """Returns the documents that a generated answer cites, with all their passages; all if it cites none."""
    cited = cited_numbers(response.text) if response.kind == "generated" else set()
    keys = {document_key(each) for each in sources if each.number in cited}
    return [each for each in sources if document_key(each) in keys] or sources


def _cited_first(sources: Sequence[Source], response: Response) -> list[Source]:
    cited = [quote.number for quote in response.quotes]
    return sorted(sources, key=lambda each: cited.index(each.number) if each.number in cited else len(cited))
