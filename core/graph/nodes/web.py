"""Searches the web, and adds the results to the documents as numbered sources."""

from __future__ import annotations

from collections.abc import Sequence

from core.events import Notice, Response, Source, Sources, WebSearched
from core.graph.nodes.action import model_for
from core.graph.services import Services
from core.graph.state import Confidence, Found, State, TurnAnswer, asked_in_full
from core.graph.tools.calling import caller_of, consulted
from core.graph.tools.found_sources import sources_of
from core.graph.tools.web_queries import search_queries, time_arguments
from core.graph.tracing import node_trace
from core.messages import message
from core.search.documents.acceptance import firmly_accepted
from core.search.documents.passage_numbers import next_number
from core.tools.execution import SentCall
from core.tools.ranking import RankedTool
from core.tools.records import ToolOutcome
from core.tools.tools import Tools
from core.tools.web.server import SEARCHING, WRITING, needs_key
from core.words import Words

_FOUND = message("graph.web.found")


async def web(services: Services, state: State) -> State:
    emit, trace = node_trace("w")
    with trace.step("web") as step:
        tool = web_tool(services.tools, asked_in_full(state))
        if tool is None:
            emit(Notice(words=needs_key().problem.words))
            step.skip(needs_key().problem.why)
            return {"found": Found(searched_web=True)}
        definition = tool.entry.definition
        model = model_for(services, state, "intent")
        queries = await search_queries(services, state, model)
        if definition.category == WRITING:
            queries = [" · ".join(queries)]
        step.detail(Words.alike(" · ".join(queries)))
        when = time_arguments(asked_in_full(state), state["asked"].ask.mode)
        calls = [
            SentCall(f"web-{number}", tool.entry.name, {"query": query, **when}) for number, query in enumerate(queries)
        ]
        outcomes = await services.tools.run(calls, caller_of(state))
        looked_up = Found(
            consulted=consulted(state, [run for each in outcomes for run in each.runs]), searched_web=True
        )
        failed = [each.problem for each in outcomes if each.problem is not None]
        if len(failed) == len(outcomes):
            emit(Notice(words=failed[0].words))
            step.skip(failed[0].why)
            return {"found": looked_up}
        pages = _in_turn(outcomes, asked_in_full(state), services.settings.web_results)
        step.detail(message("graph.web.pages", count=len(pages)))
    emit(WebSearched(engine=_engine(outcomes, state), queries=queries, results=len(pages)))
    first = next_number(state["found"].sources)
    numbered = [each.model_copy(update={"number": number}) for number, each in enumerate(pages, start=first)]
    sources = [*state["found"].sources, *numbered]
    confidence = state["found"].confidence if firmly_accepted(state["found"].sources) else _sure(pages)
    emit(Sources(sources=sources, confidence=confidence))
    return {
        "found": looked_up | Found(sources=sources, confidence=confidence),
        "answer": TurnAnswer(response=_with_web_answer(state, numbered)),
    }


def web_tool(tools: Tools, question: str) -> RankedTool | None:
    """Returns the tool that the question asks for if it is a web tool, otherwise the best web search tool."""
    ranked = tools.rank(question, among=(SEARCHING, WRITING))
    asked = next((each for each in ranked if each.asked), None)
    return asked or next((each for each in ranked if each.entry.definition.category == SEARCHING), None)


def _engine(outcomes: Sequence[ToolOutcome], state: State) -> str:
    titles = [each.title.to(state["asked"].language) for each in outcomes if each.result is not None]
    return ", ".join(dict.fromkeys(titles))


def _in_turn(outcomes: Sequence[ToolOutcome], question: str, most: int) -> list[Source]:
    """Returns the pages without duplicates: the first one of each query, then the second of each, and so on."""
    lists = [sources_of(each, 1, question) for each in outcomes]
    pages: dict[str, Source] = {}
    for place in range(max(map(len, lists), default=0)):
        for each in lists:
            if place < len(each):
                pages.setdefault(each[place].document_id, each[place])
    return list(pages.values())[:most]


def _sure(pages: Sequence[Source]) -> Confidence:
    return "medium" if pages else "none"


def _with_web_answer(state: State, pages: Sequence[Source]) -> Response | None:
    """Returns a document action's response with the web results below it."""
    response = state["answer"].response
    if response is None or not pages:
        return response
    lines = [f"- {page.title}: {page.passages[0].text} [{page.number}]" for page in pages]
    text = "\n\n".join([response.text, f"## {_FOUND.to(state['asked'].language)}", "\n".join(lines)])
    return response.model_copy(update={"text": text})
