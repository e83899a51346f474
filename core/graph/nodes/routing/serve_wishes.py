"""Serves what a message wants besides its main wish: "summarize the offer and remember that I prefer tables".

Wishes for the web and for tools are served by their own nodes; this node serves commands to the memory, and questions
and summaries of documents after another answer.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import NamedTuple

from core.errors import PalimpsestError
from core.events import Notice, Response, Source, Sources
from core.graph.nodes.routing.joined_answers import PartialResponse, joined
from core.graph.nodes.routing.order_beside_question import question_beside_order
from core.graph.nodes.routing.part_search import part_answer, questions_in_full
from core.graph.nodes.summarize import summarize
from core.graph.records import Command, CommandKind, Intent
from core.graph.services import Services
from core.graph.state import Asked, Found, State, TurnAnswer
from core.graph.tracing import node_trace
from core.graph.understanding.documents.query_rewriting import leans_on_context
from core.graph.understanding.intent.router import command_in
from core.messages import message
from core.question.destination import Place, Wish
from core.runs.trace import Emit, Trace

log = logging.getLogger(__name__)

MOST = 3
"""Maximum number of further wishes that are served."""
COMMANDS: dict[Place, CommandKind] = {"remember": "remember", "forget": "forget", "correct": "remember"}
ABOUT_DOCUMENTS: tuple[Place, ...] = ("documents", "data", "series", "summarize")


class _Served(NamedTuple):
    """The answer to a wish; a ``command`` is only reported."""

    wish: Wish
    response: Response
    sources: Sequence[Source] = ()


def has_more(state: State) -> bool:
    """Returns whether the message has further wishes that this node serves and that were not served yet."""
    response = state["answer"].response
    return bool(response and not state["found"].served and _wishes(state))


async def serve_wishes(services: Services, state: State) -> State:
    """Adds the answers to the further wishes to the answer. A wish that fails is named in a notice."""
    emit, trace = node_trace("y")
    main = state["answer"].response
    assert main is not None
    served: list[_Served] = []
    for wish in _wishes(state)[:MOST]:
        try:
            if (answer := await _answered(services, state, wish, trace, emit)) is not None:
                served.append(answer)
        except PalimpsestError as error:
            log.warning("a further wish was not served: %s", error)
            emit(Notice(words=message("graph.serve_wishes.failed", wish=wish.text, why=error.problem.why)))
    response, sources, reported = _with_answers(state, main, served)
    if sources != state["found"].sources:
        emit(Sources(sources=sources, confidence=state["found"].confidence))
    return {"answer": TurnAnswer(response=response), "found": Found(sources=sources, served=True, reported=reported)}


def _wishes(state: State) -> list[Wish]:
    """Returns the wishes that are served here; a question without a text is what the message asks besides its order."""
    found = []
    for wish in state["asked"].question.destination.more:
        is_open = wish.place == "documents" and not wish.text and state["asked"].action in ("summarize", "audit")
        text = question_beside_order(state["asked"].text) if is_open else wish.text
        if text and (wish.place in COMMANDS or wish.place in ABOUT_DOCUMENTS):
            found.append(wish.model_copy(update={"text": text}))
    return found


async def _answered(services: Services, state: State, wish: Wish, trace: Trace, emit: Emit) -> _Served | None:
    if wish.place in COMMANDS:
        if services.memory is None:
            return None
        return _Served(wish, await services.memory.command(_commanding(state, wish)))
    [question] = await questions_in_full(services, _apart(state, wish), [wish.text])
    if wish.place != "summarize":
        response, sources = await part_answer(services, state, question, trace, emit)
        return None if response.kind == "nothing_found" else _Served(wish, response, sources)
    if not question.document_ids:
        return None
    asked = state["asked"] | Asked(text=wish.text, question=question.routed("summarize"), completed=None)
    done = await summarize(services, {**state, "asked": asked})
    summary = done["answer"].response
    return _Served(wish, summary, done["found"].sources) if summary else None


def _apart(state: State, wish: Wish) -> State:
    """Returns the state without the documents of the main wish, unless the further one refers to them: "who signed
    it?"."""
    if leans_on_context(wish.text):
        return state
    return {**state, "asked": state["asked"] | Asked(question=state["asked"].question.naming(None))}


def _commanding(state: State, wish: Wish) -> State:
    """Returns the state of a message that consists of the command only."""
    command = command_in(wish.text) or Command(kind=COMMANDS[wish.place], text=wish.text)
    intent = Intent(action="memory", confidence="high", how="rule", text=wish.text, command=command)
    return {**state, "asked": state["asked"] | Asked(intent=intent, text=wish.text)}


def _with_answers(state: State, main: Response, served: Sequence[_Served]) -> tuple[Response, list[Source], int]:
    """Returns the main answer, with reports of commands below it and other answers under their own headings; and the
    length of the reports."""
    others = [
        PartialResponse(each.wish.text, each.response, each.sources)
        for each in served
        if each.wish.place not in COMMANDS
    ]
    reports = [each.response.text for each in served if each.wish.place in COMMANDS]
    sources = list(state["found"].sources)
    if others:
        main, sources = joined(others, state["asked"].language, above=main, known=sources)
    report = "".join(f"\n\n{each}" for each in reports)
    remarks = [*main.remarks, *reports] if main.quotes else main.remarks
    return main.model_copy(update={"text": main.text + report, "remarks": remarks}), sources, len(report)
