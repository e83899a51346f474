"""An answer while a model writes it, and the tools that it asks for on the way."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from core.events import AssistantDelta, Reasoning
from core.graph.memory.toolbox import MemoryToolbox
from core.grounding.prompt_injection import StreamGuard
from core.language.tokens import count_tokens
from core.messages import message
from core.models.chat import ChatModels, StreamedPiece, ToolCall
from core.runs.trace import Emit, Step, Trace
from core.traces import span
from core.words import Language, Words

LEAST_ROOM = 256
"""Tokens that must be left for what a tool brings, else none is offered (docs/specification.md, "Budget")."""
_THINKING = message("graph.generation.thinking")


@dataclass
class PartialAnswer:
    """What a model has written so far, and thought before it."""

    emit: Emit
    step: Step
    step_words: Words
    text: str = ""
    usage: StreamedPiece = field(default_factory=lambda: StreamedPiece("usage"))
    _thought: str = ""
    _guard: StreamGuard = field(default_factory=StreamGuard)

    def take(self, piece: StreamedPiece) -> None:
        if piece.kind == "reasoning":
            if not self._thought:
                self.step.detail(joined([self.step_words, _THINKING]))
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


@dataclass(frozen=True)
class ToolCalling:
    """Where the calls of one answer are run and shown, in the answer's language; ``room``: tokens for all of it."""

    toolbox: MemoryToolbox
    room: int
    trace: Trace
    step: Step
    language: Language

    async def answers(self, calls: Sequence[ToolCall], room: int) -> list[BaseMessage]:
        """The calls and their results, as the model reads them, in ``room`` tokens."""
        asked = AIMessage("", tool_calls=[{"name": c.name, "args": dict(c.arguments), "id": c.id} for c in calls])
        results: list[BaseMessage] = []
        for call in calls:
            with self.trace.step("consulting", self.step) as step:
                step.detail(self.toolbox.progress(call))
                result = await self._run(call, room)
                results.append(ToolMessage(result, tool_call_id=call.id))
                room -= count_tokens(result)
        return [asked, *results]

    async def _run(self, call: ToolCall, room: int) -> str:
        named = {"gen_ai.tool.name": call.name, "gen_ai.tool.call.id": call.id, "gen_ai.tool.type": "function"}
        with span(f"execute_tool {call.name}", {"gen_ai.operation.name": "execute_tool", **named}) as traced:
            traced.note_text("gen_ai.tool.call.arguments", call.arguments)
            result = await self.toolbox.run(call, self.language, room)
            traced.note_text("gen_ai.tool.call.result", result)
        return result


async def write(
    models: ChatModels,
    model_id: str,
    messages: Sequence[BaseMessage],
    writing: PartialAnswer,
    consulting: ToolCalling | None,
    rounds: int,
) -> None:
    """Let the model write; at most ``rounds`` times, and while there is room, it may ask for tools: then it answers.

    Raises:
        PalimpsestError: the model failed; ``writing`` has what came before.
    """
    asked = list(messages)
    tools = consulting.toolbox.specs if consulting else []
    room = consulting.room - sum(each.tokens for each in tools) if consulting else 0
    for left in range(rounds if consulting else 0, -1, -1):
        calls: tuple[ToolCall, ...] = ()
        try:
            stream = models.stream(model_id, asked, tools=tools if left and room >= LEAST_ROOM else ())
            async with aclosing(stream) as pieces:
                async for piece in pieces:
                    if piece.kind == "calls":
                        calls = piece.calls
                    else:
                        writing.take(piece)
        finally:
            writing.tell_thoughts()
        if consulting is None or not calls:
            return
        answers = await consulting.answers(calls, room)
        room -= sum(count_tokens(each.text) for each in answers)
        asked += answers


def joined(words: Sequence[Words]) -> Words:
    """Parts of one line of the trace."""
    return Words.joined(words, " · ")
