"""Judges whether the search results are sufficient to answer (the second tier of retrieval, after the search)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from pydantic import BaseModel

from core.events import Source, Sources
from core.graph.answering.fragment_rating import Rated, rate
from core.graph.answering.sufficiency import contains_figures
from core.graph.services import Services
from core.graph.state import Found, State, asked_in_full, called_before
from core.graph.tracing import node_trace
from core.graph.understanding.intent.debate_order import without_debate_order
from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.messages import message
from core.models.by_rule import ruled
from core.models.structured import Prompt, PurposeModel, ask_json
from core.search.documents.acceptance import firmly_accepted
from core.search.documents.context import assemble
from core.words import Words

log = logging.getLogger(__name__)

COVERED = 0.5
"""Minimum share of the question's terms in one document for weak passages to be accepted if no model and no figure
decides."""


class _Assessment(BaseModel):
    sufficient: bool


TOUCHED = 0.34
"""Below this share of the question's terms, no result is relevant; then the user is not asked how to continue."""


async def assess(services: Services, state: State) -> State:
    emit, trace = node_trace("j")
    with trace.step("assessing") as step:
        question, firm = without_debate_order(asked_in_full(state)), firmly_accepted(state["found"].sources)
        share = coverage(question, firm)
        held = await asyncio.to_thread(contains_figures, question, firm)
        by_model = services.models.configured and not held and share >= TOUCHED and not called_before(state)
        asked = await _ask(services, state) if by_model else Rated(state["found"].sources)
        judged = asked.sufficient
        by_rule = held or state["found"].confidence == "medium" or share >= COVERED
        sufficient = judged if judged is not None else by_rule
        found = _assessment(sufficient, share)
        found = Words.joined([found, message("graph.assess.rated", count=asked.rated)], " · ") if asked.rated else found
        step.detail(ruled(found) if judged is None and by_model else found)
    if asked.sources != state["found"].sources:
        emit(Sources(sources=asked.sources, confidence=state["found"].confidence))
    return {"found": Found(sufficient=sufficient, bears=share >= TOUCHED, sources=asked.sources)}


async def _ask(services: Services, state: State) -> Rated:
    """Asks a model how useful each passage is and whether they are sufficient; returns no rating if it fails."""
    model = PurposeModel(services.models, state["asked"].ask.model, "rating")
    room = await services.models.share_of_window(services.settings.budget.retrieved, state["asked"].ask.model, "rating")
    question, sources, tasks = asked_in_full(state), state["found"].sources, services.settings.tasks
    try:
        if tasks.rating:
            return await rate(services.prompts, model, question, sources, room, tasks)
        context = assemble(firmly_accepted(sources), room)
        said, _ = await ask_json(
            model, Prompt(services.prompts.render("assess", context=context), question), _Assessment
        )
    except Exception:
        log.warning("the context was judged by rule", exc_info=True)
        said = None
    return Rated(sources, sufficient=said.sufficient if said else None)


def coverage(question: str, sources: Sequence[Source]) -> float:
    """Returns the largest share of the question's terms found in one document's passages and title."""
    terms = content_terms(question)
    if not terms:
        return 1.0 if sources else 0.0
    texts = [fold(" ".join([source.title, *(each.text for each in source.passages)])) for source in sources]
    return max((sum(covers(term, text) for term in terms) / len(terms) for text in texts), default=0.0)


def touches(question: str, sources: Sequence[Source]) -> bool:
    """Returns whether the passages of one document mention the subject of the question, not counting document names."""
    return mentioned_share(question, sources) >= TOUCHED


def mentioned_share(question: str, sources: Sequence[Source]) -> float:
    """Returns the largest share of the question's terms, without those of document names, in the passages of one
    document."""
    names = fold(" ".join(f"{each.title} {each.filename}" for each in sources))
    terms = [term for term in content_terms(question) if not covers(term, names)]
    texts = [fold(" ".join(each.text for each in source.passages)) for source in sources]
    most = max((sum(covers(term, text) for term in terms) for text in texts), default=0)
    return most / len(terms) if terms else 0.0


def _assessment(sufficient: bool, share: float) -> Words:
    if sufficient:
        return message("graph.assess.enough_terms", share=share)
    return message("graph.assess.not_enough_terms", share=share)
