"""Defines what the parts of the benchmark share: their selection, their results, and questions to a workbench."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from pydantic import BaseModel

from benchmarks.report import Figure
from core.events import Interrupted, Response, Source
from core.parsed_yaml import parse_yaml
from core.workbench import Workbench

USER = "ada"


@dataclass(frozen=True)
class Selection:
    """The data folder, and the ids of the items to run; all if there are none."""

    data: Path
    only: tuple[str, ...] = ()

    def set(self, name: str) -> Any:
        """Returns the parsed file ``name`` of the messages."""
        inner = self.data / "messages" / name
        path = inner if inner.exists() else self.data / name
        return parse_yaml(path.read_text(encoding="utf-8"))

    def selects(self, id: str) -> bool:
        return not self.only or id in self.only


@dataclass
class Measured:
    """The figures of a part, notes about how they were measured, and one line of details for each item."""

    figures: list[Figure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    details: list[str] = field(default_factory=list)


class Part(Protocol):
    """A module of a part."""

    async def measure(self, selection: Selection) -> Measured: ...


class Reply(BaseModel):
    """What a question got: the response with its sources, or the first question back (then the run waits)."""

    run_id: str
    conversation_id: str
    response: Response | None = None
    sources: list[Source] = []
    interrupt: Interrupted | None = None
    error: str = ""

    @property
    def text(self) -> str:
        return self.response.text if self.response else ""


async def ask(workbench: Workbench, message: str, conversation_id: str | None = None, user: str = USER) -> Reply:
    """Asks ``message``; returns at the response, or at the first question back."""
    asked = await workbench.ask(user, message, conversation_id=conversation_id)
    reply = Reply(run_id=asked.run_id, conversation_id=asked.conversation.id)
    async for entry in workbench.ledger.tail(user, asked.run_id):
        event = entry.event
        if event.type == "sources":
            reply.sources = list(event.sources)
        elif event.type == "response":
            reply.response = event
        elif event.type == "interrupt":
            reply.interrupt = event
            return reply
        elif event.type == "error":
            reply.error = event.model_dump_json()[:400]
    return reply


async def load(workbench: Workbench, files: Sequence[Path], user: str = USER, seconds: float = 600) -> None:
    """Adds copies of ``files`` to the library; returns when all are read, or after ``seconds``."""
    for path in files:
        await workbench.library.submit(user, Path(shutil.copy(path, tempfile.mkdtemp())), path.name)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if all(document.state in ("completed", "failed") for document in await workbench.library.find(user)):
            return
        await asyncio.sleep(0.05)
