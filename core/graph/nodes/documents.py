"""Finds the documents that a question, or a typed document name, refers to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.events import DocumentRef, DocumentsFound, Notice, Response
from core.graph.answering.weighed_doubts import weighed_names
from core.graph.nodes.action import model_for
from core.graph.nodes.routing.absent_document import absent_document
from core.graph.nodes.routing.several_questions import several_questions
from core.graph.nodes.understand import past_messages
from core.graph.pending_uploads import wait_for_documents
from core.graph.planning.planner import steps_of
from core.graph.services import Services
from core.graph.state import Asked, Found, State, TurnAnswer, UnclearReference, Waiting
from core.graph.tracing import node_trace
from core.graph.understanding.documents.catalogue_choice import CatalogueChoice, is_unsure
from core.graph.understanding.documents.records import Clause, Reference, Resolution, VisibleDocument
from core.graph.understanding.documents.reformulation import is_left_open, said_in_full
from core.graph.understanding.documents.resolver import DocumentResolution, DocumentResolver, resolve_typed
from core.graph.understanding.documents.subject_matching import by_subject
from core.graph.understanding.intent.rules import clauses, read_clause
from core.messages import message
from core.models.by_rule import ruled
from core.question.analysed import AnalysedQuestion, analysed_as
from core.question.destination import Place
from core.records.subject_matter import Completed
from core.words import Words

MOST_TRIES = 3
"""Maximum number of times the user is asked for a document before the run ends."""
OF_DOCUMENTS: tuple[Place, ...] = ("documents", "data", "series", "summarize", "compare", "audit", "ask_back")
"""Places whose answer needs documents."""
GIVEN_UP = message("graph.documents.given_up")


async def documents(services: Services, state: State) -> State:
    emit, trace = node_trace("d")
    if state["asked"].ask.follows:
        # A full answer uses the documents that were chosen for the partial one.
        return {"waiting": Waiting(doubts=[], typed="", waited=False)}
    if state["waiting"].candidates and not state["waiting"].typed:
        # The user has just chosen, and no data answered.
        return {"waiting": Waiting(waited=False)}
    awaited = Found(awaited=state["found"].awaited)
    if not state["waiting"].waited:
        readiness = await wait_for_documents(services, state, emit, trace)
        awaited = Found(awaited=[each.id for each in readiness.waiting])
    if steps := await steps_of(services, state, trace):
        return {
            "asked": Asked(question=state["asked"].question.routed("inquire")),
            "found": awaited | Found(plan=steps),
            "waiting": Waiting(doubts=[], typed="", waited=False),
        }
    awaited |= await several_questions(services, state)
    with trace.step("resolving") as step:
        reference = await _reference(services, state)
        answered = await _resolved(services, state, reference)
        found = _about_documents(state, answered.resolution)
        completed = await _completed(services, state, answered.question)
        doubts, settled = await weighed_names(services, state, _doubts(found))
        named = list(dict.fromkeys([*(state["asked"].document_ids or []), *found.document_ids, *settled]))
        description = _step_words(found, len(named))
        step.detail(ruled(description) if answered.ruled else description)
    empty = [name for name in found.sets if not reference.sets[name]]
    if empty and not (named or found.ambiguous or found.unmatched):
        return _ended(state, _empty_documents_message(empty), awaited)
    if not (named or doubts) and (absent := await absent_document(services, state, found.absent)):
        return _ended(state, absent, awaited)
    if empty:
        emit(Notice(words=_empty_documents_message(empty)))
    if found.resolved:
        refs = [DocumentRef(document_id=each.document_id, title=each.title) for each in found.resolved]
        emit(DocumentsFound(documents=refs))
    tries = state["waiting"].tries + (1 if state["waiting"].typed and found.unmatched else 0)
    if tries > MOST_TRIES:
        return _ended(state, GIVEN_UP, awaited)
    return {
        "asked": Asked(completed=completed, question=_in_full(state, completed).naming(named or None)),
        "found": awaited,
        "waiting": Waiting(doubts=[*doubts, *state["waiting"].doubts], typed="", tries=tries, waited=False),
    }


def _about_documents(state: State, found: Resolution) -> Resolution:
    """Leaves out what is unclear or missing if the answer comes from elsewhere, such as the web or a tool."""
    elsewhere = state["asked"].question.destination.place not in OF_DOCUMENTS
    return replace(found, ambiguous=(), absent=()) if elsewhere and not found.unmatched else found


async def _resolved(services: Services, state: State, reference: Reference) -> DocumentResolution:
    if state["waiting"].typed:
        return DocumentResolution(resolve_typed(state["waiting"].typed, reference))
    resolver = DocumentResolver(services.prompts, model_for(services, state, "resolution"))
    answered = await resolver.resolve(reference)
    if not reference.whole:
        return answered
    return replace(answered, resolution=await _chosen(services, state, reference, answered.resolution))


async def _chosen(services: Services, state: State, reference: Reference, found: Resolution) -> Resolution:
    """Returns the documents of an action on whole documents: by their subject if the names decide nothing, and as a
    model chooses them if rules are unsure."""
    known = await services.turn.known(state)
    if found.is_weak and not any(each.dated for each in found.absent):
        subject = by_subject(reference, known)
        found = subject if subject.resolved or subject.ambiguous else found
    model = model_for(services, state, "resolution")
    if model is None or not is_unsure(reference, found):
        return found
    return await CatalogueChoice(services.prompts, model).choose(reference, found, known)


def _is_to_be_said_in_full(services: Services, state: State) -> bool:
    asked = services.settings.tasks.reformulation and state["asked"].action == "inquire"
    return asked and is_left_open(state["asked"].text, state.get("last_asked"), state["asked"].completed)


def _in_full(state: State, completed: Completed | None) -> AnalysedQuestion:
    text = completed.text if completed else state["asked"].text
    return analysed_as(state["asked"].question, text, state["asked"].question_language)


async def _completed(services: Services, state: State, written: str) -> Completed | None:
    """Returns the question completed with parts of earlier ones, by rules; if these change nothing, as a model has
    ``written`` it."""
    ruled = state["asked"].completed
    if not written or not _is_to_be_said_in_full(services, state):
        return ruled
    known = await services.turn.known(state)
    return said_in_full(state["asked"].text, written, past_messages(await services.past_turns(state)), known) or ruled


async def _reference(services: Services, state: State) -> Reference:
    user_id = state["asked"].user_id
    there = [each for each in await services.turn.listed(state) if each.is_stored]
    intent = state["asked"].intent
    return Reference(
        text=intent.text if intent else state["asked"].text,
        action=state["asked"].action,
        documents=tuple(VisibleDocument.of(each) for each in there),
        sets=await _sets(services, user_id, {each.id for each in there}),
        registry=state.get("conversation_docs", {}),
        recent=tuple(state.get("recent_docs", [])),
        past=past_messages(await services.past_turns(state)),
        reformulate=_is_to_be_said_in_full(services, state),
        clauses=tuple(Clause(each, read_clause(each).kind != "none") for each in clauses(state["asked"].text)),
    )


async def _sets(services: Services, user_id: str, there: set[str]) -> dict[str, tuple[str, ...]]:
    sets = await services.sets.all(user_id)
    return {each.name: tuple(id for id in each.document_ids if id in there) for each in sets}


def _doubts(found: Resolution) -> list[UnclearReference]:
    several = [
        UnclearReference(
            name=each.name,
            candidates=[candidate.as_ref() for candidate in each.candidates],
            total=each.total,
        )
        for each in found.ambiguous
    ]
    return [*several, *(UnclearReference(name=name) for name in found.unmatched)]


def _ended(state: State, words: Words, awaited: Found) -> State:
    """Ends the turn with ``words`` as its answer."""
    language = state["asked"].language
    response = Response(kind="told", text=words.to(language), language=language)
    return {"found": awaited, "answer": TurnAnswer(response=response), "waiting": Waiting(doubts=[], typed="")}


def _empty_documents_message(names: Sequence[str]) -> Words:
    listed = ", ".join(f"“{name}”" for name in names)
    return message("graph.documents.empty", said=listed)


def _step_words(found: Resolution, named: int) -> Words:
    if found.ambiguous:
        count = sum(each.total for each in found.ambiguous)
        return message("graph.documents.come_into_question", count=count)
    if found.unmatched:
        return message("graph.documents.none_name")
    return message("graph.documents.named", named=named) if named else message("graph.documents.all")
