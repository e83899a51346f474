"""Offers the memory's tools to the registry."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from pydantic import BaseModel, JsonValue, ValidationError

from core.errors import fail
from core.ids import NewId
from core.memory.bank.bank import Stored
from core.memory.items.records import OutcomeEffect
from core.memory.memory import Memory
from core.memory.recall.records import Insights, MemoryHit
from core.memory.recall.turn import Turn
from core.memory.tools import ARGUMENTS, Found, MemoryTools, ToolName
from core.store.items import MemoryItem
from core.tools.definition import ToolDefinition
from core.tools.definition_files import definition_of
from core.tools.tool import Caller, Tool, ToolResult

NAMES: tuple[ToolName, ...] = get_args(ToolName)


@dataclass(frozen=True)
class MemoryTool:
    """One of the memory's tools. All calls for one question share the numbering [M1], [M2] …"""

    name: ToolName
    definition: ToolDefinition
    memory: Memory
    new_id: NewId

    async def call(self, arguments: Mapping[str, JsonValue], caller: Caller) -> ToolResult:
        try:
            checked = ARGUMENTS[self.name].model_validate(arguments)
        except ValidationError as error:
            wrong = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
            raise fail("validation", "tools.arguments.unfit", tool=self.definition.title, wrong=wrong) from error
        # A call outside a question has no earlier results.
        turn = caller.turn or Turn(caller.user_id, self.new_id("msg"), "", caller.conversation_id)
        tools = MemoryTools(self.memory, turn)
        method: Callable[[BaseModel], Awaitable[BaseModel]] = getattr(tools, self.name)
        return _told(await method(checked))


class MemoryServer:
    """All six memory tools, if conversations are remembered."""

    name = "memory"

    def __init__(self, memory: Memory, identifiers: NewId) -> None:
        self._tools = [MemoryTool(name, definition_of(name), memory, identifiers) for name in NAMES]

    def tools(self) -> Sequence[Tool]:
        return self._tools

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


def _told(result: BaseModel) -> ToolResult:
    """A result as text for a model; the memories' texts are complete."""
    if isinstance(result, Found):
        parts = [json.dumps(_described(hit), ensure_ascii=False) for hit in result.hits]
        return ToolResult(text="\n".join(parts), parts=parts, found=bool(parts))
    if isinstance(result, Insights):
        return ToolResult(text=result.model_dump_json(exclude={"milliseconds"}))
    if isinstance(result, OutcomeEffect):
        return ToolResult(text=json.dumps({"noted": result.outcome, "memories_scored": len(result.moved)}))
    if isinstance(result, Stored | MemoryItem):
        return ToolResult(text=json.dumps({"done": True}))
    raise TypeError(type(result))


def _described(hit: MemoryHit) -> dict[str, object]:
    """A memory with its number and id, its score and its origin."""
    score = {"final_score": round(hit.score, 3), "wilson_score": round(hit.wilson_score, 3), "uses": hit.uses}
    outcome = {"last_outcome": hit.last_outcome, "proven": hit.proven} if hit.uses else {}
    return {
        "M": hit.position,
        "memory_id": hit.memory_id,
        "tier": hit.tier,
        "age": hit.age,
        "score_summary": {**score, **outcome},
        "citation": hit.citation.model_dump(exclude_none=True),
        "text": hit.text,
    }
