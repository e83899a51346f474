"""Offers the memory's six tools to external programs (MCP): takes a tool name and arguments; returns the result."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping

from pydantic import BaseModel

from core.clock import Clock
from core.graph.memory.call_groups import CallGroups
from core.ids import NewId
from core.memory.items.records import ToolRun
from core.memory.memory import Memory
from core.memory.tools import ARGUMENTS, MemoryTools, ToolName
from core.setting_groups import Calls

ABOUT: tuple[ToolName, ...] = ("search_memory", "get_context_insights")
"""Tools whose query gives the subject; the other tools continue the current subject."""


class ProgramTools:
    """Runs memory tools for programs; ``calls`` groups related calls. ``record_response`` ends a turn: it scores only
    what was shown since the previous one."""

    def __init__(self, memory: Memory, clock: Clock, new_id: NewId, settings: Calls) -> None:
        self.calls = CallGroups(clock, new_id, settings.pause_minutes)
        self._memory = memory
        self._new_id = new_id

    async def call(self, user_id: str, program: str, name: ToolName, given: Mapping[str, object]) -> BaseModel:
        """Calls a tool; raises ``PalimpsestError`` or ``ValidationError`` like the tool itself."""
        arguments = ARGUMENTS[name].model_validate(given)
        group = self.calls.group_of(user_id, program, str(getattr(arguments, "query", "")) if name in ABOUT else "")
        turn = group.turn
        run: Callable[[BaseModel], Awaitable[BaseModel]] = getattr(MemoryTools(self._memory, turn), name)
        began = time.monotonic()
        result = await run(arguments)
        if name == "record_response":
            self.calls.close_turn(group)
        else:
            milliseconds = 1000 * (time.monotonic() - began)
            turn.tool_runs.append(
                ToolRun(name=name, run_id=self._new_id("tool"), result="ok", milliseconds=milliseconds)
            )
        return result
