"""Runs a model's tool calls for one answer: returns the text for the model and the sources to cite."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.errors import Problem
from core.events import Source
from core.graph.tools.found_sources import heading, source_text, sources_of, texts_of
from core.language.tokens import count_tokens
from core.memory.items.records import ToolRun
from core.memory.recall.turn import Turn
from core.messages import message
from core.models.stream import ToolCall, ToolSpec
from core.search.documents.context import unfenced
from core.tools.condensing import Summarise, condensed, parts_of
from core.tools.definition import ToolDefinition, schema_of
from core.tools.execution import SentCall
from core.tools.loop_guard import LoopGuard
from core.tools.records import ToolOutcome, WantedConsent
from core.tools.registry import RegisteredTool
from core.tools.tool import Caller, Report, unheard
from core.tools.tools import Tools
from core.words import Language, Words

Reports = Mapping[str, Report]
"""Progress callbacks by call id."""


def spec_of(entry: RegisteredTool) -> ToolSpec:
    """Returns a tool's description for a model."""
    definition = entry.definition
    schema = definition.json_schema or schema_of(definition.parameters)
    return ToolSpec(entry.name, " ".join(definition.description.split()), schema)


@dataclass
class Toolbox:
    """Runs the calls of one answer. Never raises: a model is told about errors and may answer without the tool.

    The caller's evidence has all sources; the first ``after`` of them were found before. ``runs`` are the calls'
    outcomes; ``notices`` are notes for the user about the results; ``problems`` are the errors.
    """

    tools: Tools
    caller: Caller
    offered: Sequence[RegisteredTool]
    question: str
    after: int
    guard: LoopGuard = field(default_factory=LoopGuard)
    summarise: Summarise | None = None
    runs: list[ToolRun] = field(default_factory=list)
    waits: list[WantedConsent] = field(default_factory=list)
    notices: list[Words] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def specs(self) -> list[ToolSpec]:
        return [spec_of(each) for each in self.offered]

    @property
    def sources(self) -> list[Source]:
        """The sources that the calls found."""
        return self.caller.evidence.sources[self.after :]

    @property
    def turn(self) -> Turn | None:
        return self.caller.turn

    def entry(self, call: ToolCall) -> RegisteredTool | None:
        """Returns the called tool if it was offered."""
        found = self.tools.registry.find(call.name)
        return found if found is not None and found.name in {each.name for each in self.offered} else None

    async def run(
        self, calls: Sequence[ToolCall], most_tokens: int, agreed: Sequence[str] = (), reports: Reports | None = None
    ) -> dict[str, str]:
        """Runs the calls; returns for each, by call id, the text for the model, within ``most_tokens`` if possible.

        A call that waits for the user's consent has no text; it is in ``waits``.
        """
        self.waits = []
        listening = reports or {}
        known = [call for call in calls if self.entry(call) is not None]
        sent = [
            SentCall(each.id, each.name, each.arguments, each.id in agreed, listening.get(each.id, unheard))
            for each in known
        ]
        outcomes = {each.call_id: each for each in await self.tools.run(sent, self.caller, self.guard)}
        texts: dict[str, str] = {}
        for place, call in enumerate(calls):
            outcome = outcomes.get(call.id)
            if outcome is None:
                texts[call.id] = self._no_such_tool()
                self._record([ToolRun(name=call.name, run_id=call.id, result="error")])
            elif outcome.wants is not None:
                self.waits.append(outcome.wants)
            else:
                self._record(outcome.runs or [_refused(outcome)])
                texts[call.id] = await self._told(outcome, max(0, most_tokens) // (len(calls) - place))
        return texts

    def _record(self, runs: Sequence[ToolRun]) -> None:
        self.runs += runs
        if self.turn is not None:
            self.turn.tool_runs += runs

    async def _told(self, outcome: ToolOutcome, most_tokens: int) -> str:
        if outcome.problem is not None:
            self.problems.append(outcome.problem)
            return _problem(outcome.problem, self.caller.language)
        assert outcome.result is not None
        definition = self._definition(outcome)
        most = min(most_tokens, definition.response.most_tokens if definition else most_tokens)
        if not outcome.result.found:
            said = definition.messages.none_found.en if definition else "Nothing was found."
            return json.dumps({"found": 0, "message": said}, ensure_ascii=False)
        evidence = self.caller.evidence
        found = [] if outcome.result.cited else sources_of(outcome, evidence.next_number, self.question)
        evidence.sources += found
        self.notices += outcome.result.notes
        parts = [source_text(each) for each in found] or outcome.result.parts or parts_of(outcome.result.text)
        notes = unfenced("\n".join([*(each.to(self.caller.language) for each in _notes(outcome)), *_kept(outcome)]))
        room = most - count_tokens(notes)
        if definition is None or not definition.response.summarize or self.summarise is None:
            text = await condensed(parts, room)
        else:
            text = await self._in_short(found, parts, room)
        return "\n\n".join(part for part in (unfenced(text), notes) if part)

    async def _in_short(self, found: Sequence[Source], parts: Sequence[str], most: int) -> str:
        """Summarises long texts, each under its citation number."""
        if not found or count_tokens("\n\n".join(parts)) <= most:
            return await condensed(parts, most, self.summarise)
        share = most // len(found)
        short = [
            f"{heading(each)}\n{await condensed(texts_of(each), share - count_tokens(heading(each)), self.summarise)}"
            for each in found
        ]
        return await condensed(short, most)

    def _definition(self, outcome: ToolOutcome) -> ToolDefinition | None:
        entry = self.tools.registry.find(outcome.tool)
        return entry.definition if entry else None

    def _no_such_tool(self) -> str:
        there = ", ".join(each.name for each in self.offered)
        return json.dumps({"error": f"There is no such tool; there are: {there}."})


def _problem(problem: Problem, language: Language) -> str:
    what, why, remedy = problem.to(language)
    return json.dumps({"error": f"{what} {why} {remedy}"}, ensure_ascii=False)


def _notes(outcome: ToolOutcome) -> list[Words]:
    """Returns notes on a result: the tool's remarks, and the arguments that it ignored."""
    result = outcome.result.notes if outcome.result else []
    return [*result, *(message("tools.arguments.kept_aside", name=name) for name in outcome.kept_aside)]


def _kept(outcome: ToolOutcome) -> list[str]:
    """Returns for a model the datasets that hold all rows of a result."""
    kept = outcome.result.kept if outcome.result else []
    return [f"All rows are kept as a dataset; compute over them with query_data:\n{each.schema_text}" for each in kept]


def _refused(outcome: ToolOutcome) -> ToolRun:
    """Returns the record of a call that was refused."""
    return ToolRun(name=outcome.tool, run_id=outcome.call_id, result="error")
