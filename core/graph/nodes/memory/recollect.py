"""Answers a question about earlier conversations or about the user, from what was said and what is remembered.

If a question was searched for in the documents first and they have nothing, the conversations answer only if they have
the names in it and much else.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from core.events import Notice, Response, Source, Sources
from core.graph.memory.forgetting import ForgottenFacts
from core.graph.memory.gating import memories_to_state
from core.graph.memory.recollection.loading import load_exchanges
from core.graph.memory.recollection.ranking import asks
from core.graph.memory.recollection.records import Exchange, Recollected
from core.graph.memory.recollection.reply import Reply, never_said, reply_of, source_of
from core.graph.memory.recollection.search import RecollectionSearch, is_near_enough
from core.graph.memory.recollection.wording import speaks_of_talk
from core.graph.nodes.memory.recall import LEFT_OUT
from core.graph.services import Services
from core.graph.state import Found, State, TurnAnswer
from core.graph.tracing import node_trace
from core.graph.understanding.intent.rules import clauses, format_of, read_clause
from core.messages import message

log = logging.getLogger(__name__)

NO_DOCUMENTS = message("graph.recollection.no_documents")


async def recollect(services: Services, state: State) -> State:
    """Adds the exchanges that bear on the question to the sources; without a model, also the answer."""
    tried, asked = Found(recollecting=True), state["asked"]
    if services.memory is None or asked.ask.follows:
        return {"found": tried}
    direct = asked.question.destination.place == "memory" or speaks_of_talk(asked.text)
    if not direct and state["found"].meta and memories_to_state(state["found"].meta, asked.rules.current_only):
        return {"found": tried}  # A memory that has proven helpful is quoted instead.
    emit, trace = node_trace("q")
    with trace.step("remembering") as step:
        try:
            exchanges = await _exchanges(services, state)
            if not direct and await services.turn.listed(state):
                exchanges = [own for each in exchanges if (own := statement_of(each))]
            search = RecollectionSearch(services.embeddings)
            found = await search.find(state["asked"].text, exchanges, services.clock())
        except Exception:
            log.warning("earlier conversations were not searched", exc_info=True)
            emit(Notice(words=LEFT_OUT))
            return {"found": tried}
        step.detail(message("graph.recollection.searched", count=len(exchanges)))
    language = asked.language
    is_alone = not await services.turn.listed(state)
    if not direct and not is_near_enough(found, is_alone):
        if services.models.configured or not (is_alone and exchanges and _may_be_said(state)):
            return {"found": tried}
        found = _as_nearest(found)
        if found.best is None and not found.nearest:
            return {"found": tried, "answer": TurnAnswer(response=_neither(found, state))}
    reply = reply_of(found, asked.text, language)
    if reply is None and not (services.models.configured and found.related):
        return {"found": tried, "answer": TurnAnswer(response=never_said(found, language))}
    sources = _sources(services, found, reply, state)
    emit(Sources(sources=sources, confidence="high"))
    response = reply.response if reply else never_said(found, language)
    known = Found(recollecting=True, sources=sources, confidence="high", recollected=response)
    if services.models.configured:
        given = "\n".join(passage.text for source in sources for passage in source.passages)
        return {"found": known | Found(user_context=await services.memory.about(asked.user_id, given))}
    return {"found": known, "answer": TurnAnswer(response=response)}


def _may_be_said(state: State) -> bool:
    """Returns whether a question that no document can answer may be about something that was said: it wants nothing
    current, and nothing of the web."""
    asked = state["asked"]
    is_outside = asked.intent is not None and asked.intent.web is not None
    return not is_outside and not asked.web_asked and asked.action == "inquire"


def _as_nearest(found: Recollected) -> Recollected:
    """Returns what was found as uncertain; without ``best`` if that is only a question."""
    if found.best is None or asks(found.best.main):
        return replace(found, best=None)
    return replace(found, unsure=True)


def _neither(found: Recollected, state: State) -> Response:
    """Says that the conversations have nothing, and that there are no documents."""
    language = state["asked"].language
    never = never_said(found, language)
    text = f"{never.text} {NO_DOCUMENTS.to(language)}"
    return never.model_copy(update={"text": text, "opening": text})


def statement_of(exchange: Exchange) -> Exchange | None:
    """Returns the exchange with only what the user stated: documents that have nothing on a question are not answered
    from earlier answers about them."""
    stated = tuple(each for each in exchange.said if each.speaker == "user" and not _asks(each.text))
    return replace(exchange, said=stated) if stated else None


def _asks(text: str) -> bool:
    """Returns whether a message ends with a question or orders work on documents, such as a summary."""
    ordered = format_of(text, "inquire") == "summary" or any(
        read_clause(each).kind == "order" for each in clauses(text)
    )
    return ordered or text.rstrip().endswith("?")


async def _exchanges(services: Services, state: State) -> list[Exchange]:
    """Returns the user's earlier exchanges and facts, in the order of time."""
    asked, memory = state["asked"], services.memory
    forgotten = await memory.forgotten(asked.user_id) if memory else ForgottenFacts()
    talks = await load_exchanges(services.conversations, services.ledger, asked.user_id, asked.run_id, forgotten)
    facts = await memory.facts(asked.user_id) if memory else []
    return sorted([*talks, *facts], key=lambda each: each.at)


def _sources(services: Services, found: Recollected, reply: Reply | None, state: State) -> list[Source]:
    """Returns the sources of the answer; for a model also the other exchanges on the subject."""
    sources = list(reply.sources) if reply else []
    if not services.models.configured:
        return sources
    given = {each.passages[0].item_id for each in sources}
    others = [each for each in found.related if given.isdisjoint(said.id for said in each.said)]
    language = state["asked"].language
    return [*sources, *(source_of(each, len(sources) + place, language) for place, each in enumerate(others, start=1))]
