"""Streams an answer from a model and runs the tools that the model calls."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from langchain_core.messages import BaseMessage

from core.events import AssistantDelta, Reasoning
from core.graph.tools.calling import ToolCalling, tokens_of
from core.messages import message
from core.models.chat import ChatModels, StreamedPiece, ToolCall, ToolSpec
from core.review.prompt_injection import StreamGuard
from core.runs.trace import Emit, Step
from core.words import Words

LEAST_ROOM = 256
"""Minimum free tokens for tool results; with fewer, no tool is offered (docs/specification.md, "Budget")."""
_THINKING = message("graph.generation.thinking")


@dataclass
class PartialAnswer:
    """The text and reasoning that a model has written so far."""

    emit: Emit
    step: Step
    step_words: Words
    text: str = ""
    usage: StreamedPiece = field(default_factory=lambda: StreamedPiece("usage"))
    _thought: str = ""
    _guard: StreamGuard = field(default_factory=StreamGuard)

    def describe(self, words: Words) -> None:
        """Sets the text of the trace step that is shown until the model writes an answer."""
        self.step_words = words
        self.step.detail(words)

    def take(self, piece: StreamedPiece) -> None:
        if piece.kind == "reasoning":
            if not self._thought:
                self.step.detail(Words.joined([self.step_words, _THINKING], " · "))
            self._thought += piece.text
        elif piece.kind == "usage":
            self.usage = piece
        else:
            self.tell_thoughts()
            self.text += piece.text
            shown = self._guard.feed(piece.text)
            if shown:
                self.emit(AssistantDelta(text=shown))

    def tell_thoughts(self) -> None:
        if self._thought.strip():
            self.emit(Reasoning(text=self._thought.strip()))
            self.step.detail(self.step_words)
        self._thought = ""


async def write(
    models: ChatModels,
    model_id: str,
    messages: Sequence[BaseMessage],
    writing: PartialAnswer,
    calling: ToolCalling | None,
    rounds: int,
) -> None:
    """Lets the model write; it may call tools up to ``rounds`` times while there is space, then must answer.

    Stops early if ``calling`` waits for the user, and continues from there on the next call.

    Raises:
        PalimpsestError: the model failed; ``writing`` has the text written before.
    """
    asked = [*messages, *(calling.messages() if calling else [])]
    tools = calling.toolbox.specs if calling else []
    room = calling.room - sum(each.tokens for each in tools) if calling else 0
    if calling is not None:
        room -= tokens_of(calling.messages())
        resumed = await calling.resume(room)
        room -= tokens_of(resumed)
        asked += resumed
        rounds -= len(calling.so_far.rounds)
    while not (calling and calling.waits):
        offering = calling is not None and rounds > 0 and room >= LEAST_ROOM and calling.offers
        calls = await _write_once(models, model_id, asked, tools if offering else (), writing)
        if calling is None or not calls or not offering:
            return
        answers = await calling.take(calls, room)
        room -= tokens_of(answers)
        asked += answers
        rounds -= 1


async def _write_once(
    models: ChatModels,
    model_id: str,
    asked: Sequence[BaseMessage],
    tools: Sequence[ToolSpec],
    writing: PartialAnswer,
) -> tuple[ToolCall, ...]:
    """Calls the model once; returns its tool calls, and adds its text to ``writing``."""
    calls: tuple[ToolCall, ...] = ()
    try:
        async with aclosing(models.stream(model_id, asked, tools=tools)) as pieces:
            async for piece in pieces:
                if piece.kind == "calls":
                    calls = piece.calls
                else:
                    writing.take(piece)
    finally:
        writing.tell_thoughts()
    return calls
