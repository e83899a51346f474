"""Answers each question of a message that asks several, without a model: each from its own search."""

from __future__ import annotations

from core.events import Sources
from core.graph.nodes.routing.joined_answers import PartialResponse, joined
from core.graph.nodes.routing.part_search import part_answer, questions_in_full
from core.graph.services import Services
from core.graph.state import Found, State, TurnAnswer
from core.graph.tracing import node_trace


async def each_question(services: Services, state: State) -> State:
    """Answers the questions in their order, under a heading each; every part cites its own sources."""
    emit, trace = node_trace("q")
    texts = state["found"].questions
    parts = []
    for text, question in zip(texts, await questions_in_full(services, state, texts), strict=True):
        response, sources = await part_answer(services, state, question, trace, emit)
        parts.append(PartialResponse(text, response, sources))
    response, sources = joined(parts, state["asked"].language)
    confidence = response.confidence or "none"
    emit(Sources(sources=sources, confidence=confidence))
    return {
        "answer": TurnAnswer(response=response),
        "found": Found(sources=sources, confidence=confidence, sufficient=True),
    }
