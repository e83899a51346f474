"""Searches the web, and puts what was found beside the documents as numbered sources."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime

from pydantic import BaseModel, Field

from core.errors import PalimpsestError, explain
from core.events import Notice, Passage, Response, Source, Sources, WebSearched
from core.graph.nodes.action import model_for
from core.graph.nodes.understand import past_messages
from core.graph.services import Services
from core.graph.state import Confidence, Node, State
from core.graph.tracing import node_trace
from core.graph.understanding.intent.web_phrases import without_web_order
from core.graph.understanding.mentions import without_mentions
from core.language.entities.calendar_words import years_in
from core.messages import message
from core.models.structured import Prompt, ask_json
from core.prompts.templates import Prompts
from core.search.documents.acceptance import firmly_accepted
from core.tools.web import WebResult
from core.words import Words

log = logging.getLogger(__name__)

MOST_QUERIES = 3
LONGEST = 300
_FOUND = message("graph.web.found")


class _Queries(BaseModel):
    queries: list[str] = Field(min_length=1)


def web(services: Services) -> Node:
    prompts = Prompts(services.settings.folder / "prompts")

    async def node(state: State) -> State:
        emit, trace = node_trace("w")
        with trace.step("web") as step:
            try:
                queries = await _search_queries(services, prompts, state)
                step.detail(_query_words(queries))
                results = await services.web.search(queries, state["language"])
            except PalimpsestError as error:
                problem = explain(error)
                emit(Notice(words=Words.joined([problem.what, problem.why, problem.remedy])))
                step.skip(problem.why)
                return {"searched_web": True}
            step.detail(message("graph.web.pages", count=len(results)))
        emit(WebSearched(engine=services.web.name, queries=queries, results=len(results)))
        sources = [*state["sources"], *sources_of(results, 1 + len(state["sources"]))]
        emit(
            Sources(
                sources=sources, confidence=state["confidence"] if firmly_accepted(state["sources"]) else _sure(results)
            )
        )
        return {
            "sources": sources,
            "searched_web": True,
            "confidence": state["confidence"] if firmly_accepted(state["sources"]) else _sure(results),
            "response": _with_web_answer(state, sources),
        }

    return node


async def _search_queries(services: Services, prompts: Prompts, state: State) -> list[str]:
    """The queries: by a model from the whole conversation, else the question itself."""
    by_rule = queries_of(state, datetime.fromtimestamp(services.clock()).year)
    model = model_for(services, state, "intent")
    if model is None or not services.web.configured:
        return by_rule
    today = f"{datetime.fromtimestamp(services.clock()):%Y-%m-%d}"
    past = "\n".join(f"{each.role}: {each.text}" for each in past_messages(state))
    user = f"BEGIN CONVERSATION\n{past}\nEND CONVERSATION\n\nBEGIN QUESTION\n{state['question']}\nEND QUESTION"
    try:
        system = prompts.render("web_queries", today=today, most=MOST_QUERIES)
        found, _ = await ask_json(model, Prompt(system, user), _Queries)
    except Exception:
        log.warning("queries were written by rule", exc_info=True)
        return by_rule
    written = [" ".join(each.split())[:LONGEST] for each in found.queries if each.strip()] if found else []
    return list(dict.fromkeys(written))[:MOST_QUERIES] or by_rule


def queries_of(state: State, year: int) -> list[str]:
    """Each part of the question without the order to search; of something that changes, with the year."""
    intent = state["intent"]
    parts = intent.parts if intent and len(intent.parts) > 1 else (intent.text if intent else state["question"],)
    dated = bool(intent and intent.web in ("temporal", "facts"))
    return [_query(each, year if dated else None) for each in parts][:MOST_QUERIES]


def _query(text: str, year: int | None) -> str:
    bare = " ".join(without_mentions(text).split())
    query = without_web_order(bare).rstrip(" ?.!")[:LONGEST]
    return f"{query} {year}" if year and not years_in(query) else query


def sources_of(results: Sequence[WebResult], first: int) -> list[Source]:
    """Numbered from ``first``, in the engine's order."""
    return [
        Source(
            kind="web",
            number=number,
            document_id=each.id,
            title=each.title,
            filename=each.host,
            url=each.url,
            score=_rank_score(place),
            passages=[Passage(item_id=each.id, text=each.text, section=each.date or None, score=_rank_score(place))],
        )
        for place, (number, each) in enumerate(enumerate(results, start=first))
    ]


def _rank_score(place: int) -> float:
    """An engine tells ranks, no strengths: the first is as good as a fair passage of a document."""
    return 0.6 / (1 + 0.1 * place)


def _sure(results: Sequence[WebResult]) -> Confidence:
    return "medium" if results else "none"


def _with_web_answer(state: State, sources: Sequence[Source]) -> Response | None:
    """What was done with whole documents gets what the web says below it."""
    response = state.get("response")
    pages = [each for each in sources if each.kind == "web"]
    if response is None or not pages:
        return response
    lines = [f"- {page.title}: {page.passages[0].text} [{page.number}]" for page in pages]
    text = "\n\n".join([response.text, f"## {_FOUND.to(state['language'])}", "\n".join(lines)])
    return response.model_copy(update={"text": text})


def _query_words(queries: Sequence[str]) -> Words:
    return Words.alike(" · ".join(queries))
