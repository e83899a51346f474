"""Searches the documents for each proposed step, and adds the passages to the sources of the turn."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from core.events import Passage, Source
from core.figures.panel.records import SubQuestion
from core.graph.records import SearchedStep
from core.graph.services import Services
from core.graph.state import State, question_of
from core.graph.understanding.mentions import mentions
from core.language.entities.periods import periods_in
from core.language.entities.relative_periods import relative_periods_in
from core.messages import message
from core.question.known_entities import KnownDocument, organisations_in
from core.resilience.dependencies import Deadline
from core.runs.trace import Step, Trace
from core.search.documents.acceptance import firmly_accepted
from core.search.documents.passage_numbers import next_number
from core.search.documents.search import DocumentQuery

AT_ONCE = 3
MOST_DOCUMENTS = 4
"""Maximum number of documents that one step adds passages of."""
MOST_PASSAGES = 4
"""Maximum number of passages that one step adds of a document."""


async def searched(
    services: Services, state: State, steps: Sequence[SubQuestion], trace: Trace, parent: Step
) -> tuple[list[SubQuestion], list[Source]]:
    """Returns the steps with the passages that were found for them, and all sources of the turn."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def find(step: SubQuestion) -> list[Source]:
        async with gate:
            with trace.step("looking_up_one", parent) as shown:
                text = with_periods_of(step.text, question_of(state).text)
                found = await _found(services, state, text, trace, shown)
                shown.detail(message("graph.planning.found_in", step=step.text, count=len(found)))
        return found

    found = await asyncio.gather(*map(find, steps))
    sources = list(state["found"].sources)
    answered = []
    for step, own in zip(steps, found, strict=True):
        ids = [passage.item_id for source in own for passage in _added(sources, source)]
        answered.append(step.model_copy(update={"passages": tuple(ids)}))
    return answered, sources


async def _found(services: Services, state: State, text: str, trace: Trace, parent: Step) -> list[Source]:
    asked, known = state["asked"], await services.turn.known(state)
    query = DocumentQuery(
        user_id=asked.user_id,
        text=text,
        mode=asked.ask.mode,
        conversation_id=asked.conversation_id,
        document_ids=_documents_of(text, state, known),
        known=known,
    )
    deadline = Deadline(services.settings.deadlines.retrieval)
    found = await services.documents.find(query, deadline, lambda name: trace.step(name, parent))
    return firmly_accepted(found.sources)[:MOST_DOCUMENTS]


def _documents_of(step: str, state: State, known: Sequence[KnownDocument]) -> list[str] | None:
    """Returns the documents that a step is about: those of the question, but if it names an organisation with none of
    them, that organisation's. What the user chose or mentioned stays."""
    asked = state["asked"]
    owned = list(dict.fromkeys(each.document_id for each in organisations_in(step, known)))
    chosen = asked.ask.document_ids or mentions(asked.text)
    if asked.document_ids and owned and not chosen and not set(owned) & set(asked.document_ids):
        return owned
    return asked.document_ids


def with_periods_of(step: str, question: str) -> str:
    """Returns the text of a step with the periods that the question names, if it names none itself.

    >>> with_periods_of("Who audited Acme?", "Compare the auditors and fees of Acme and Bolt in 2031")
    'Who audited Acme? (2031)'
    """
    if periods_in(step) or relative_periods_in(step):
        return step
    named = dict.fromkeys(question[each.start : each.end] for each in periods_in(question))
    return f"{step} ({', '.join(named)})" if named else step


def steps_with_sources(steps: Sequence[SubQuestion], sources: Sequence[Source]) -> list[SearchedStep]:
    """Returns each searched step with the numbers of its sources, for the prompt of the answer."""
    return [SearchedStep(step.text, _numbers(step, sources)) for step in steps if step.question is None]


def _numbers(step: SubQuestion, sources: Sequence[Source]) -> tuple[int, ...]:
    ids = set(step.passages)
    return tuple(each.number for each in sources if any(passage.item_id in ids for passage in each.passages))


def _added(sources: list[Source], own: Source) -> list[Passage]:
    """Adds the passages of ``own`` to ``sources``; returns them."""
    passages = own.passages[:MOST_PASSAGES]
    for place, source in enumerate(sources):
        if source.kind == "document" and source.document_id == own.document_id and source.cell is None:
            firm = {each.item_id: each for each in passages}
            # What is near the whole question may answer a step.
            kept = [firm.get(each.item_id, each) if each.near else each for each in source.passages]
            known = {each.item_id for each in kept}
            fresh = [each for each in passages if each.item_id not in known]
            score = max(source.score, own.score)
            update = {"passages": [*kept, *fresh], "score": score}
            sources[place] = source.model_copy(update=update)
            return passages
    number = next_number(sources)
    sources.append(own.model_copy(update={"number": number, "passages": passages}))
    return passages
