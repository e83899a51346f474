"""The state of the agent: what lives for a turn and what lives for the thread, declared once [spec A1]."""

from __future__ import annotations

from typing import Annotated, Literal, Protocol, TypedDict

from core.events import Response, Source
from core.settings import ModeName
from core.words import Language

Confidence = Literal["high", "medium", "low", "none"]


class PastTurn(TypedDict):
    """A question and what was answered, for the history layer of later prompts."""

    question: str
    answer: str


def _append(past: list[PastTurn], new: list[PastTurn]) -> list[PastTurn]:
    return [*past, *new]


class State(TypedDict, total=False):
    user_id: str
    run_id: str
    conversation_id: str
    question: str
    mode: ModeName
    model: str | None
    document_ids: list[str] | None
    focus: str
    language: Language
    sources: list[Source]
    confidence: Confidence
    sufficient: bool
    reread: bool
    added: int
    asked_retrieval: bool
    retrieval_choice: str
    typed: str
    response: Response | None
    cancelled: bool
    conversation_docs: dict[str, str]
    turns: Annotated[list[PastTurn], _append]


PERSISTENT: frozenset[str] = frozenset({"conversation_docs", "turns"})
"""Fields the thread keeps; every other field is set anew by ``fresh_turn``."""


def fresh_turn(
    *,
    user_id: str,
    run_id: str,
    conversation_id: str,
    question: str,
    mode: ModeName,
    model: str | None,
    document_ids: list[str] | None,
) -> State:
    """The input of one turn: all per-turn fields, reset."""
    return State(
        user_id=user_id,
        run_id=run_id,
        conversation_id=conversation_id,
        question=question,
        mode=mode,
        model=model,
        document_ids=document_ids,
        focus="",
        language="en",
        sources=[],
        confidence="none",
        sufficient=False,
        reread=False,
        added=0,
        asked_retrieval=False,
        retrieval_choice="",
        typed="",
        response=None,
        cancelled=False,
    )


class Node(Protocol):
    """A step of the graph: the state in, what it changes out."""

    async def __call__(self, state: State) -> State: ...
