"""Answers one question of a message by itself: its documents, its search, its evidence."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime

from core.events import Response, Searched, Source
from core.graph.answering.extractive import quote
from core.graph.services import Services
from core.graph.state import Asked, Found, LastAsked, State
from core.graph.understanding.documents.ambiguity import which_document
from core.graph.understanding.documents.query_rewriting import complete, leans_on_context, without_opener
from core.graph.understanding.documents.records import Reference, VisibleDocument
from core.graph.understanding.documents.resolver import DocumentResolver
from core.graph.understanding.mentions import without_mentions
from core.language.terms import content_terms
from core.question.analysed import AnalysedQuestion, analysed
from core.question.known_entities import KnownDocument
from core.resilience.dependencies import Deadline
from core.runs.trace import Emit, Trace
from core.search.documents.acceptance import firmly_accepted
from core.search.documents.search import DocumentQuery

SHORT = 1
"""Maximum number of content words of a question that takes over those of the first one."""


async def questions_in_full(services: Services, state: State, questions: Sequence[str]) -> list[AnalysedQuestion]:
    """Returns each question with the documents that it names, or else those of the message or of the question on which
    it leans, and with what it leaves out: a pronoun means what the first question is about."""
    known = await services.turn.known(state)
    today = datetime.fromtimestamp(services.clock(), UTC).date()
    listed = await services.turn.listed(state)
    documents = tuple(VisibleDocument.of(each) for each in listed if each.is_stored)
    resolver = DocumentResolver(services.prompts)
    found: list[AnalysedQuestion] = []
    for text in questions:
        own = (await resolver.resolve(Reference(text, "inquire", documents))).resolution.document_ids
        rest = without_opener(text)
        leans = leans_on_context(rest) or len(content_terms(rest)) <= SHORT
        before = found[-1].document_ids if found and leans else state["asked"].question.document_ids
        whole = _in_full(text, found[0], known, today) if found else text
        found.append(analysed(whole, state["asked"].question_language).naming(own or before))
    return found


def _in_full(text: str, first: AnalysedQuestion, known: Sequence[KnownDocument], today: date) -> str:
    last = LastAsked(text=first.text, document_ids=list(first.document_ids or ()))
    completed = complete(text, last, known, today)
    if completed and completed.carried:
        return completed.text
    rest = without_opener(text)
    if leans_on_context(text) or len(content_terms(rest)) <= SHORT:
        return f"{rest.rstrip(' ?')} ({' '.join(first.content)})?"
    return text


async def _named_by(
    services: Services, state: State, question: AnalysedQuestion, sources: Sequence[Source]
) -> list[str]:
    """Returns the documents of several similar ones that the question names: by a year, or a word of their names."""
    listed = [VisibleDocument.of(each) for each in await services.turn.listed(state) if each.is_stored]
    decision = await asyncio.to_thread(which_document, question.text, listed, firmly_accepted(sources))
    return list(decision.focus) if decision.why == "named" else []


async def part_answer(
    services: Services, state: State, question: AnalysedQuestion, trace: Trace, emit: Emit
) -> tuple[Response, list[Source]]:
    """Returns the answer to ``question``, quoted without a model, and its sources. If a document that only a noun
    names ("the contract") has nothing, all documents are searched."""
    response, sources = await _searched_part(services, state, question, trace, emit)
    if response.kind != "nothing_found" or not question.document_ids or state["asked"].document_ids:
        return response, sources
    wider = await _searched_part(services, state, question.naming(None), trace, emit)
    return (response, sources) if wider[0].kind == "nothing_found" else wider


async def _searched_part(
    services: Services, state: State, question: AnalysedQuestion, trace: Trace, emit: Emit
) -> tuple[Response, list[Source]]:
    query = DocumentQuery(
        user_id=state["asked"].user_id,
        text=without_mentions(question.text),
        analysed=question,
        known=await services.turn.known(state),
        mode=state["asked"].ask.mode,
        conversation_id=state["asked"].conversation_id,
        document_ids=None if question.document_ids is None else list(question.document_ids),
    )
    with trace.step("searching") as step:
        deadline = Deadline(services.settings.deadlines.retrieval)
        found = await services.documents.find(query, deadline, lambda name: trace.step(name, step))
        if question.document_ids is None and (named := await _named_by(services, state, question, found.sources)):
            query = replace(query, document_ids=named)
            found = await services.documents.find(query, deadline, lambda name: trace.step(name, step))
    searched = Searched(chips=found.chips, confidence=found.sure, absent=found.absent)
    part: State = {
        **state,
        "asked": state["asked"] | Asked(text=question.text, question=question, completed=None),
        "found": Found(
            searched=searched, sources=found.sources, confidence=found.confidence, bound=found.bound, reach=found.reach
        ).complete(),
    }
    return await quote(services, part, trace, emit)
