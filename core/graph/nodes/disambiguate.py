"""Decides which of several similar documents a question is about, after the search."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from core.events import DocumentRef, DocumentsFound, Source
from core.graph.answering.past_outcomes import PastOutcomes
from core.graph.answering.weighed_doubts import weighed_doubt
from core.graph.services import Services
from core.graph.state import Asked, State, UnclearReference, Waiting, question_of
from core.graph.tracing import node_trace
from core.graph.understanding.documents.ambiguity import AmbiguityDecision, which_document
from core.graph.understanding.documents.labels import distinguishing_labels
from core.graph.understanding.documents.query_rewriting import leans_on_context
from core.graph.understanding.documents.records import VisibleDocument
from core.graph.understanding.documents.referred import newest_first
from core.graph.understanding.documents.report_ambiguity import (
    ReportDecision,
    holders,
    names_in,
    seeks_report_content,
    which_report,
)
from core.messages import message
from core.question.known_entities import KnownDocument
from core.resilience.dependencies import Deadline
from core.runs.trace import Emit
from core.search.documents.acceptance import firmly_accepted
from core.search.documents.search import DocumentQuery
from core.search.documents.without_outcomes import without_outcomes
from core.words import Words


async def disambiguate(services: Services, state: State) -> State:
    """Handles questions that name no document; does nothing if there are attachments or if a passage is known to have
    answered this question. For reports, asks which organisation is meant, and asks between several reports of one
    organisation only if nothing else decides. Other documents are distinguished by their names."""
    # A user who removed a chip (search filter) wants to search more, so do not ask them to narrow the search.
    if (
        state["asked"].ask.without
        or any(source.attached for source in state["found"].sources)
        or _names_documents(state)
    ):
        return {}
    if PastOutcomes.of(state["found"].sources).answered:
        return {}
    emit, trace = node_trace("o")
    with trace.step("singling") as step:
        known = await services.turn.known(state)
        asked = question_of(state)
        named_in = await _named_in(services, state, asked.text, known)
        found = without_outcomes(firmly_accepted(state["found"].sources))
        report = await asyncio.to_thread(which_report, asked, known, found, named_in)
        if report is not None:
            step.detail(_choice_words(report.ask, len(report.ids)))
            return await _after_report_decision(services, report, known, state, emit)
        library = await services.turn.listed(state)
        listed = [VisibleDocument.of(each) for each in library if each.is_stored]
        decision = await asyncio.to_thread(
            which_document,
            asked.text,
            listed,
            found,
            spoken_of=state.get("recent_docs", []),
            leans=leans_on_context(state["asked"].text),
        )
        step.detail(_choice_words(decision.ask, decision.total if decision.ask else len(decision.focus)))
    if decision.ask:
        return await _chosen_between(services, state, decision, found)
    if decision.focus:
        titles = {each.id: each.title for each in listed}
        emit(DocumentsFound(documents=[DocumentRef(document_id=d, title=titles[d]) for d in decision.focus]))
        return {"asked": Asked(question=asked.naming(decision.focus))}
    return {}


async def _chosen_between(
    services: Services, state: State, decision: AmbiguityDecision, found: Sequence[Source]
) -> State:
    """Asks the user to choose only if the candidates give different answers; those that contain the question's names
    first, then the newest."""
    having = holders(names_in(question_of(state).text), found) if names_in(question_of(state).text) else []
    named = [each for each in decision.candidates if each.id in having] or list(decision.candidates)
    order = newest_first([each.id for each in named], named)
    candidates = [each.as_ref() for identifier in order for each in named if each.id == identifier]
    total = len(candidates) if having else decision.total
    doubt = UnclearReference(name="", candidates=candidates, total=total)
    weighed = await weighed_doubt(services, state, doubt)
    return {"waiting": Waiting(doubts=[weighed.doubt])} if weighed.differ else {}


def _names_documents(state: State) -> bool:
    """Returns whether the question names the searched documents; then all of them are meant."""
    searched = state["found"].searched
    return any(each.kind == "document" and each.binds for each in (searched.chips if searched else []))


async def _named_in(services: Services, state: State, asked: str, known: Sequence[KnownDocument]) -> list[str]:
    """Returns the documents whose passages contain all names in the question; if there are none, those found by a
    search for only these names."""
    names = names_in(asked)
    if state["found"].bound or not names or not any(each.reports for each in known):
        return []
    if having := holders(names, state["found"].sources):
        return having
    query = DocumentQuery(state["asked"].user_id, " ".join(names), "deep", state["asked"].conversation_id)
    found = await services.documents.find(query, Deadline(services.settings.deadlines.retrieval))
    return holders(names, found.sources)


async def _after_report_decision(
    services: Services, report: ReportDecision, known: Sequence[KnownDocument], state: State, emit: Emit
) -> State:
    by_id = {each.id: each for each in known}
    refs = distinguishing_labels([by_id[each] for each in report.ids], state["asked"].language)
    if report.ask:
        doubt = UnclearReference(name="", candidates=refs, total=len(refs), between=report.between)
        weighed = await weighed_doubt(services, state, doubt)
        is_open = weighed.differ or seeks_report_content(question_of(state)) or report.between == "documents"
        return {"waiting": Waiting(doubts=[weighed.doubt])} if is_open else {}
    if not refs:
        return {}
    emit(DocumentsFound(documents=refs))
    return {"asked": Asked(question=question_of(state).naming(report.ids))}


def _choice_words(ask: bool, count: int) -> Words:
    if ask:
        return message("graph.disambiguate.come_into_question", count=count)
    if count:
        return message("graph.disambiguate.named", count=count)
    return message("graph.disambiguate.all")
