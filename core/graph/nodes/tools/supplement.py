"""Adds tool results below the result of a document action, if the request asks for more than the documents contain.

A model calls the tools it needs and writes up the results, which are checked against their sources. Without a model, or
if it fails, the results of clearly requested tools are added unchanged.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from core.errors import PalimpsestError
from core.events import AssistantDelta, Event, Notice, Quote, Response, Source
from core.graph.answering.budget import ROUNDS, shares_for
from core.graph.answering.generation import PartialAnswer, write
from core.graph.nodes.action import with_usage
from core.graph.records import Consultation
from core.graph.services import Services
from core.graph.state import Found, State, TurnAnswer, Waiting
from core.graph.tools.by_rule import plain_calls
from core.graph.tools.calling import ToolCalling, consulted
from core.graph.tools.early_answer import EarlyAnswer
from core.graph.tools.model_toolbox import model_toolbox
from core.graph.tools.offering import BEYOND_NOTHING, offered_beyond_documents
from core.graph.tools.order_words import clauses_of, order_of
from core.graph.tools.rule_calls import made_by_rule, waiting_calls
from core.graph.tools.tool_answer import tool_answer
from core.graph.tools.toolbox import Toolbox
from core.graph.tracing import node_trace
from core.language.tokens import count_tokens
from core.messages import message
from core.runs.trace import Emit, Trace
from core.search.documents.citations import check_citations
from core.search.documents.context import unfenced
from core.search.documents.passage_numbers import next_number
from core.tools.condensing import condensed, parts_of
from core.tools.execution import SentCall
from core.words import Words

log = logging.getLogger(__name__)

FOUND = message("graph.supplement.found")
"""The heading above the tool results."""
SHARE = 0.5
"""Share of the passages' token limit that the action's text may use; the rest is for tool results."""


async def supplement(services: Services, state: State) -> State:
    if state["answer"].response is None:
        return {}
    so_far, order = state["waiting"].consultation, order_of(state)
    toolbox = await _toolbox(services, state, order) if so_far is None or so_far.by_model else None
    if toolbox is not None:
        return await _by_model(services, state, order, toolbox)
    calls = waiting_calls(so_far) if so_far else plain_supplement(services, state, order)
    return await _by_rule(services, state, calls) if calls else {"waiting": Waiting(consultation=None)}


# -- with a model ---------------------------------------------------------------------------


async def _toolbox(services: Services, state: State, order: str) -> Toolbox | None:
    """Returns ``None`` if the request needs no tool, or no model can call one."""
    return await model_toolbox(
        services, state, order, lambda success: offered_beyond_documents(services.tools, state, order, success)
    )


async def _by_model(services: Services, state: State, order: str, toolbox: Toolbox) -> State:
    emit, trace = node_trace("x")
    writing, calling = await _written(services, state, order, toolbox, emit, trace)
    so_far = state["waiting"].consultation
    before = state["found"].sources[: so_far.sources] if so_far else state["found"].sources
    sources = [*state["found"].sources, *toolbox.sources]
    found = sources[len(before) :]
    looked_up = Found(consulted=consulted(state, toolbox.runs, toolbox.turn), sources=sources)
    if calling.waits:
        so_far = calling.so_far.model_copy(update={"written": writing.text})
        return {"found": looked_up, "waiting": Waiting(consultation=so_far)}
    for words in toolbox.notices:
        emit(Notice(words=words))
    for problem in toolbox.problems if not found else ():
        emit(Notice(words=problem.words))
    assert state["answer"].response is not None
    model_id = services.models.resolve(state["asked"].ask.model)
    response = with_usage(services, state["answer"].response, writing.usage, model_id)
    if found:
        response = _joined(model_id, state, response, writing.text, found)
    return {"found": looked_up, "answer": TurnAnswer(response=response), "waiting": Waiting(consultation=None)}


async def _written(
    services: Services, state: State, order: str, toolbox: Toolbox, emit: Emit, trace: Trace
) -> tuple[PartialAnswer, ToolCalling]:
    """Returns the model's text and its calls; if it fails, the part before the failure."""
    model_id = services.models.resolve(state["asked"].ask.model)
    so_far = state["waiting"].consultation

    def quietly(event: Event) -> None:
        """Emits all events except pieces of text: the text will appear below an answer that is not shown yet, so it is
        sent together with that answer."""
        if not isinstance(event, AssistantDelta):
            emit(event)

    with trace.step("supplementing") as step:
        step.detail(Words.alike(model_id))
        messages, room = await _prompt(services, state, order)
        writing = PartialAnswer(quietly, step, Words.alike(model_id), text=so_far.written if so_far else "")
        early = EarlyAnswer(services.ledger, state["asked"].user_id, state["asked"].run_id, emit)
        calling = ToolCalling.begun(toolbox, room, trace, step, so_far, early)
        try:
            await write(services.models, model_id, messages, writing, calling, ROUNDS[state["asked"].ask.mode])
        except PalimpsestError as error:
            log.warning("what was done with the documents stands alone: %s", error)
            step.skip(error.problem.why)
    return writing, calling


async def _prompt(services: Services, state: State, order: str) -> tuple[list[BaseMessage], int]:
    """Returns the messages, and the tokens left for tool results."""
    response = state["answer"].response
    assert response is not None
    parts = await shares_for(services, state, order)
    done = await condensed(parts_of(response.text), int(parts.retrieved * SHARE))
    system = services.prompts.render(
        "tools/supplement",
        done=unfenced(done),
        action=response.action,
        today=f"{datetime.fromtimestamp(services.clock()):%A, %Y-%m-%d}",
        language=state["asked"].language,
    )
    used = await asyncio.to_thread(count_tokens, f"{system}\n\n{order}")
    return [SystemMessage(system), HumanMessage(order)], min(parts.retrieved, parts.prompt - used)


def _joined(model_id: str, state: State, response: Response, text: str, found: Sequence[Source]) -> Response:
    """Returns the action's text with the model's text below it if that cites the tool results, otherwise with the
    unchanged results."""
    checked = check_citations(text, {each.number for each in (*state["found"].sources, *found)})
    if not set(checked.numbers) & {each.number for each in found}:
        return _quoted(state, response, found, [])
    update = {"kind": "generated", "model": model_id, "removed": [*response.removed, *checked.removed]}
    return _below(state, response.model_copy(update=update), checked.text, [])


# -- without a model ------------------------------------------------------------------------


def plain_supplement(services: Services, state: State, order: str) -> list[SentCall]:
    """Returns at most one tool call, from the shortest part of the request that asks for a tool, since the rest is
    about documents."""
    known = state["asked"].document_ids or []
    for clause in clauses_of(order):
        if calls := plain_calls(services.tools, clause, known, without=BEYOND_NOTHING):
            return calls
    return []


async def _by_rule(services: Services, state: State, calls: Sequence[SentCall]) -> State:
    emit, trace = node_trace("x")
    found = await made_by_rule(services, state, calls, trace, after=next_number(state["found"].sources) - 1)
    if isinstance(found, Consultation):
        return {"waiting": Waiting(consultation=found)}
    found.tell_problems(emit)
    looked_up = found.looked_up(state)
    response = state["answer"].response
    if response is None or not found.sources:
        return {"found": looked_up, "waiting": Waiting(consultation=None)}
    joined = _quoted(state, response, found.sources, found.notes(state["asked"].language))
    return {
        "found": looked_up | Found(sources=[*state["found"].sources, *found.sources]),
        "answer": TurnAnswer(response=joined),
        "waiting": Waiting(consultation=None),
    }


# -- text below the action's result ---------------------------------------------------------


def _quoted(state: State, response: Response, found: Sequence[Source], notes: Sequence[str]) -> Response:
    made = tool_answer(found, state["asked"].language, notes)
    return _below(state, response, made.text, made.quotes)


def _below(state: State, response: Response, text: str, quotes: Sequence[Quote]) -> Response:
    whole = "\n\n".join([response.text, f"## {FOUND.to(state['asked'].language)}", text.strip()])
    return response.model_copy(update={"text": whole, "quotes": [*response.quotes, *quotes]})
