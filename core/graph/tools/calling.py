"""Manages tool calls while a model writes an answer: shows each step, and pauses if the user must give consent."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from core.graph.records import AskedCall, Consultation, ToolRound
from core.graph.state import State, ToolResults
from core.graph.tools.early_answer import EarlyAnswer
from core.graph.tools.toolbox import Reports, Toolbox
from core.language.tokens import count_tokens
from core.memory.items.records import ToolRun
from core.memory.recall.turn import Turn
from core.messages import message
from core.models.stream import ToolCall
from core.runs.trace import Step, Trace
from core.tools.evidence import Evidence
from core.tools.loop_guard import LoopGuard
from core.tools.tool import Caller, Report
from core.traces import span
from core.words import Words

_CITED = re.compile(r"\[(\d{1,4})\]")
LONGEST_ARGUMENT = 80
"""Maximum characters of an argument in a step."""
DECLINED = "The user does not want this tool to be used for this. Answer without it."


def caller_of(state: State, turn: Turn | None = None) -> Caller:
    """Returns the caller's identity for tools."""
    asked, evidence = state["asked"], Evidence([*state["found"].sources])
    return Caller(asked.user_id, asked.language, asked.conversation_id, turn=turn, evidence=evidence)


def consulted(state: State, runs: Sequence[ToolRun], turn: Turn | None = None) -> ToolResults | None:
    """Returns all tool results of the turn, including ``runs`` and what ``turn`` has shown."""
    before = state["found"].consulted or ToolResults()
    if not runs and turn is None:
        return state["found"].consulted
    found = ToolResults(
        tool_runs=[*before.tool_runs, *runs],
        positions=turn.positions if turn else before.positions,
        tiers={**before.tiers, **(turn.tiers if turn else {})},
        refinements=turn.refinements if turn else before.refinements,
    )
    return found if found.tool_runs else None


@dataclass
class ToolCalling:
    """Runs the tool calls of one answer and shows them; ``room`` is the token limit for all calls, including the tools'
    descriptions."""

    toolbox: Toolbox
    room: int
    trace: Trace
    step: Step
    so_far: Consultation
    early: EarlyAnswer

    @classmethod
    def begun(
        cls, toolbox: Toolbox, room: int, trace: Trace, step: Step, so_far: Consultation | None, early: EarlyAnswer
    ) -> ToolCalling:
        """Starts an answer's tool calls, or continues with them after the user was asked for consent."""
        if so_far is not None:
            toolbox.guard = LoopGuard(so_far.seen)
            toolbox.caller.evidence.restore(so_far.operands)
        return cls(toolbox, room, trace, step, so_far or Consultation(sources=toolbox.after, by_model=True), early)

    @property
    def offers(self) -> bool:
        """Whether the model may call more tools."""
        return not (self.toolbox.guard.looped or self.early.requested)

    @property
    def waits(self) -> bool:
        """Whether the user must be asked for consent before continuing."""
        return bool(self.so_far.wants)

    @property
    def numbers(self) -> frozenset[int]:
        """Returns the numbers of the sources that the results showed to the model."""
        shown = {int(each) for round in self.so_far.rounds for text in round.told for each in _CITED.findall(text)}
        return frozenset(shown & {each.number for each in self.toolbox.caller.evidence.sources})

    def messages(self) -> list[BaseMessage]:
        """Returns the finished rounds as messages for the model."""
        return [each for round in self.so_far.rounds for each in _as_messages(round)]

    async def take(self, calls: Sequence[ToolCall], room: int) -> list[BaseMessage]:
        """Runs the calls; returns no messages if one of them waits for consent."""
        asked = tuple(AskedCall(id=each.id, name=each.name, arguments=dict(each.arguments)) for each in calls)
        return await self._go_on(self.so_far.model_copy(update={"calls": asked}), room)

    async def resume(self, room: int) -> list[BaseMessage]:
        """Runs the remaining calls of the round that was interrupted to ask the user."""
        return await self._go_on(self.so_far, room) if self.so_far.calls else []

    async def _go_on(self, so_far: Consultation, room: int) -> list[BaseMessage]:
        declined = {each: DECLINED for each in so_far.declined if each not in so_far.told}
        open_calls = [
            ToolCall(each.id, each.name, each.arguments)
            for each in so_far.calls
            if each.id not in so_far.told and each.id not in declined
        ]
        async with shown(self.toolbox, open_calls, self.trace, self.step) as reports:
            texts = await self.toolbox.run(open_calls, room, so_far.agreed, reports)
        told = {**so_far.told, **declined, **texts}
        seen = dict(self.toolbox.guard.seen)
        operands = tuple(self.toolbox.caller.evidence.operands.values())
        if self.toolbox.waits:
            update = {"told": told, "wants": tuple(self.toolbox.waits), "seen": seen, "operands": operands}
            self.so_far = so_far.model_copy(update=update)
            return []
        over = ToolRound(calls=so_far.calls, told=tuple(told[each.id] for each in so_far.calls))
        self.so_far = Consultation(
            rounds=(*so_far.rounds, over),
            written=so_far.written,
            sources=so_far.sources,
            seen=seen,
            operands=operands,
            by_model=so_far.by_model,
        )
        return _as_messages(over)


def tokens_of(messages: Sequence[BaseMessage]) -> int:
    return sum(count_tokens(each.text) for each in messages)


def _as_messages(over: ToolRound) -> list[BaseMessage]:
    asked = AIMessage("", tool_calls=[{"name": c.name, "args": c.arguments, "id": c.id} for c in over.calls])
    return [asked, *(ToolMessage(text, tool_call_id=c.id) for c, text in zip(over.calls, over.told, strict=True))]


@asynccontextmanager
async def shown(
    toolbox: Toolbox, calls: Sequence[ToolCall], trace: Trace, parent: Step | None = None
) -> AsyncIterator[Reports]:
    """Shows a trace step for each call while it runs: immediately what is called, and later its progress if it takes
    longer than usual."""
    waiting: list[asyncio.TimerHandle] = []
    loop = asyncio.get_running_loop()
    with ExitStack() as steps:
        reports = {}
        for call in calls:
            step = steps.enter_context(trace.step("consulting", parent))
            traced = steps.enter_context(
                span(
                    f"execute_tool {call.name}",
                    {
                        "gen_ai.operation.name": "execute_tool",
                        "gen_ai.tool.name": call.name,
                        "gen_ai.tool.call.id": call.id,
                        "gen_ai.tool.type": "function",
                    },
                )
            )
            traced.note_text("gen_ai.tool.call.arguments", call.arguments)
            entry = toolbox.entry(call)
            title = entry.definition.title if entry else Words.alike(call.name)
            step.detail(_with_arguments(title, call))
            if entry is not None:
                delay = entry.definition.latency.feedback_delay
                progress = _with_arguments(entry.definition.messages.progress, call)
                waiting.append(loop.call_later(delay, step.detail, progress))
            reports[call.id] = _report(step, title)
        try:
            yield reports
        finally:
            for each in waiting:
                each.cancel()


def _with_arguments(title: Words, call: ToolCall) -> Words:
    """Returns the title with the call's arguments in plain words: texts as they are, numbers with their names."""
    named = []
    for name, value in call.arguments.items():
        texts = [str(each) for each in value if isinstance(each, str | int | float)] if isinstance(value, list) else []
        if isinstance(value, str) and value.strip():
            texts = [value.strip()]
        elif isinstance(value, int | float) and not isinstance(value, bool):
            texts = [f"{name} {value}"]
        named += [", ".join(texts)[:LONGEST_ARGUMENT]] if texts else []
    note = " · ".join(named)[: 3 * LONGEST_ARGUMENT]
    return message("graph.tools.doing", title=title, note=note) if note else title


def _report(step: Step, title: Words) -> Report:
    """Returns a function that shows a tool's progress in its step."""

    def report(done: float | None, note: str) -> None:
        words = message("graph.tools.doing", title=title, note=note) if note else title
        share = None if done is None else round(100 * min(max(done, 0.0), 1.0))
        step.detail(words, share, None if share is None else 100)

    return report
