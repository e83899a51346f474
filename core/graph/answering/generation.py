"""Streams an answer from a model and runs the tools that the model calls."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from langchain_core.messages import BaseMessage

from core.events import AssistantDelta, Reasoning
from core.graph.tools.calling import ToolCalling, tokens_of
from core.graph.tools.early_answer import EarlyAnswer
from core.messages import message
from core.models.chat import ChatModels, StreamedPiece, ToolCall, ToolSpec
from core.review.prompt_injection import StreamGuard
from core.runs.trace import Emit, Step
from core.words import Words

LEAST_ROOM = 256
"""Minimum free tokens for tool results; with fewer, no tool is offered (docs/specification.md, "Budget")."""
ROUND_SHARE = 0.5
"""Maximum share of the free tokens that the results of one round may take, so that later rounds have space."""
NO_MORE = "(No more tools can be called. Answer now from what was found, and say briefly what could not be looked up.)"
NOTE_TOKENS = 32
"""Tokens that are kept for that note."""
_THINKING = message("graph.generation.thinking")


@dataclass
class RoundBudget:
    """The rounds of tool calls and the tokens that are left for an answer. It is shown in the answer's step."""

    writing: PartialAnswer
    rounds: int
    room: int
    done: int = 0
    spent: int = 0

    @property
    def open(self) -> bool:
        """Whether another round is possible."""
        return self.done < self.rounds and self.left >= LEAST_ROOM

    @property
    def used_up(self) -> bool:
        """Whether tools were called until no further round was possible."""
        return self.done > 0 and not self.open

    @property
    def left(self) -> int:
        return self.room - self.spent - NOTE_TOKENS

    @property
    def for_round(self) -> int:
        """Tokens for the results of the next round; all that are left if few are."""
        return max(int(self.left * ROUND_SHARE), min(self.left, 4 * LEAST_ROOM))

    def spend(self, tokens: int) -> None:
        self.done, self.spent = self.done + 1, self.spent + tokens
        counted = message(
            "graph.generation.rounds", done=self.done, most=self.rounds, spent=self.spent, room=max(self.room, 0)
        )
        self.writing.describe(Words.joined([self.writing.model_words, counted], " · "))


@dataclass
class PartialAnswer:
    """The text and reasoning that a model has written so far. ``retracted`` is its last text before a tool call, which
    is not part of the answer."""

    emit: Emit
    step: Step
    step_words: Words
    text: str = ""
    usage: StreamedPiece = field(default_factory=lambda: StreamedPiece("usage"))
    retracted: str = ""
    model_words: Words = field(init=False)
    _thought: str = ""
    _shown: int = 0
    _guard: StreamGuard = field(default_factory=StreamGuard)

    def __post_init__(self) -> None:
        self.model_words = self.step_words

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
                self._shown += len(shown)
                self.emit(AssistantDelta(text=shown))

    def tell_thoughts(self) -> None:
        if self._thought.strip():
            self.emit(Reasoning(text=self._thought.strip()))
            self.step.detail(self.step_words)
        self._thought = ""

    def retract(self, since: int) -> None:
        """Removes the text from character ``since`` on, which the model wrote before a tool call; it is shown as
        reasoning."""
        before = self.text[since:].strip()
        self.text = self.text[:since]
        if before:
            self.retracted = before
            self.emit(Reasoning(text=before, retracted=self._shown))
        self._shown, self._guard = 0, StreamGuard()

    def restore(self) -> None:
        """Takes back the text before the last tool call if the model wrote nothing after it."""
        if not self.text.strip() and self.retracted:
            self.take(StreamedPiece("text", self.retracted))


async def write(
    models: ChatModels,
    model_id: str,
    messages: Sequence[BaseMessage],
    writing: PartialAnswer,
    calling: ToolCalling | None,
    rounds: int,
) -> bool:
    """Lets the model write; it may call tools in up to ``rounds`` rounds while there is space, then must answer. Text
    before a tool call is not part of the answer. Returns whether the rounds or the space were used up.

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
    budget = RoundBudget(writing, rounds, room, len(calling.so_far.rounds) if calling else 0)
    while not (calling and calling.waits):
        offered = tools if calling is not None and budget.open and calling.offers else ()
        begun = len(writing.text)
        call = _write_once(models, model_id, asked, offered, writing, calling.early if calling else None)
        if calling is None or not offered:
            await call
            break
        calls = await calling.early.unless_requested(call)
        if calls is not None and not calls:
            break
        writing.retract(begun)
        answers = await _round(calling, calls, budget) if calls else None
        asked = [*asked, *answers] if answers and budget.open else _told_to_end([*asked, *(answers or [])])
    if calling:
        calling.early.close()
    if not (calling and calling.waits):
        writing.restore()
    return budget.used_up


async def _round(calling: ToolCalling, calls: Sequence[ToolCall], budget: RoundBudget) -> list[BaseMessage] | None:
    """Runs the calls of a round; returns ``None`` if the user wants the answer without their results."""
    calling.early.offer(budget.done + 1, budget.rounds)
    answers = await calling.early.unless_requested(calling.take(calls, budget.for_round))
    if answers is not None:
        budget.spend(tokens_of(answers))
    return answers


def _told_to_end(answers: Sequence[BaseMessage]) -> list[BaseMessage]:
    """The results, with a note that no more tools can be called."""
    last = answers[-1:]
    return [*answers[:-1], *(each.model_copy(update={"content": f"{each.text}\n\n{NO_MORE}"}) for each in last)]


async def _write_once(
    models: ChatModels,
    model_id: str,
    asked: Sequence[BaseMessage],
    tools: Sequence[ToolSpec],
    writing: PartialAnswer,
    early: EarlyAnswer | None,
) -> tuple[ToolCall, ...]:
    """Calls the model once; returns its tool calls, and adds its text to ``writing``. Once it writes, an early answer
    is no longer offered."""
    calls: tuple[ToolCall, ...] = ()
    try:
        async with aclosing(models.stream(model_id, asked, tools=tools)) as pieces:
            async for piece in pieces:
                if piece.kind == "calls":
                    calls = piece.calls
                    continue
                if piece.kind == "text" and early is not None:
                    early.close()
                writing.take(piece)
    finally:
        writing.tell_thoughts()
    return calls
