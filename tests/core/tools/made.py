"""Tools that behave as a test sets them, and a registry around them as in a workbench."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, cast

from pydantic import JsonValue

from core.settings import Settings
from core.store.overrides import Overrides
from core.store.truth import Truth
from core.tools.definition import Effects, Parameter, ToolDefinition, ToolMessages
from core.tools.execution import SentCall
from core.tools.tool import Caller, Tool, ToolResult
from core.tools.tools import Tools
from core.words import Words

ADA = Caller("ada", "en", "conv_1")
QUERY = Parameter(name="query", aliases=["q", "search", "text", "prompt"], required=True)
LIMIT = Parameter(name="limit", kind="integer", aliases=["n"], default=5, minimum=1, maximum=20)
READING = Effects(reads_only=True, deletes=False, sends=False, spends=False)


def said(text: str) -> Words:
    return Words.model_validate({"en": text, "he": f"{text} (עברית)"})


def definition(name: str, server: str = "made", **given: Any) -> ToolDefinition:
    messages = ToolMessages(
        progress=said(f"{name} runs"),
        none_found=said("nothing"),
        suggestion=said("say more"),
        failure=said(f"{name} is away"),
    )
    fields: dict[str, Any] = {
        "name": name,
        "server": server,
        "category": "made",
        "title": said(f"The {name} tool"),
        "description": f"Does {name}.",
        "parameters": [QUERY, LIMIT],
        "messages": messages,
        "effects": READING,
    }
    return ToolDefinition(**{**fields, **given})


@dataclass
class Made:
    """A tool that follows the entries of ``does`` one after the other and repeats the last: an entry is a result to
    return, an error to raise, an event to wait for, or a function to call."""

    definition: ToolDefinition
    does: Sequence[object] = (ToolResult(text="found"),)
    calls: list[dict[str, JsonValue]] = field(default_factory=list)
    callers: list[Caller] = field(default_factory=list)

    async def call(self, arguments: Mapping[str, JsonValue], caller: Caller) -> ToolResult:
        self.calls.append(dict(arguments))
        self.callers.append(caller)
        now = self.does[min(len(self.calls), len(self.does)) - 1]
        if isinstance(now, asyncio.Event):
            await now.wait()
            return ToolResult(text="waited")
        if isinstance(now, BaseException):
            raise now
        if callable(now):
            now = now()
        assert isinstance(now, ToolResult)
        return now


@dataclass
class Server:
    """A server of test tools."""

    name: str
    made: list[Tool]
    began: int = 0
    ended: int = 0

    def tools(self) -> Sequence[Tool]:
        return self.made

    async def start(self) -> None:
        self.began += 1

    async def stop(self) -> None:
        self.ended += 1


def tools_over(folder: Path, truth: Truth | None = None, **settings: object) -> Tools:
    """Returns a registry without servers. With ``truth``, it asks for the user's consent."""
    made = Settings(_env_file=None, home=folder, **settings)  # type: ignore[arg-type,call-arg]
    numbers = count(1)
    kept = cast("Truth", truth)
    overrides = Overrides(kept, made, lambda: 0.0)
    return Tools(kept, made, overrides, lambda: float(next(numbers)), lambda kind: f"{kind}_{next(numbers):032x}")


async def with_tools(
    folder: Path, *made: Tool, own: bool = True, truth: Truth | None = None, **settings: object
) -> Tools:
    """A registry with one server for each server name of the tools."""
    tools = tools_over(folder, truth, **settings)
    for name in dict.fromkeys(each.definition.server for each in made):
        there = [each for each in made if each.definition.server == name]
        await tools.registry.register(Server(name, there), own=own)
    return tools


def call(name: str, id: str = "c1", **arguments: JsonValue) -> SentCall:
    return SentCall(id, name, arguments)
