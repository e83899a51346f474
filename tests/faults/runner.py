"""A workbench in a separate process that dies, as in a power cut, at a named moment."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import core.graph.agent as agent
import core.library.storing as storing
import core.memory.retrieval as retrieval
from core.events import AssistantDelta
from core.library.catalogue import Catalogue
from core.library.reading import Readers
from core.memory.items.writing import MemoryItems
from core.runs.jobs import JobQueue
from core.runs.ledger import RunLedger
from core.setting_groups import Jobs
from core.settings import Settings
from core.store.edge import EdgeIndex
from core.store.files import LocalFiles
from core.workbench import Workbench
from tests.service import asking_agent, reading_here
from tests.service.house import SMALL, GatedEmbeddings, House, long_text, settings

USER = "ada"
SECTIONS = 8
BATCH = 3
NOT_KILLED = 3
SECONDS = 40


@dataclass(frozen=True)
class Moment:
    """When the process dies: just before or after the ``nth`` call of the method ``method`` of ``owner``. With
    ``deleting``, this happens while a document is deleted."""

    owner: Any
    method: str
    when: str = "after"
    nth: int = 1
    deleting: bool = False


MOMENTS: dict[str, Moment] = {
    "the entry is written": Moment(Catalogue, "add"),
    "the file is kept": Moment(LocalFiles, "put"),
    "the run has begun": Moment(RunLedger, "start"),
    "the job is named": Moment(Catalogue, "change"),
    "the job waits": Moment(JobQueue, "submit"),
    "reading begins": Moment(Readers, "read_file", "before"),
    "reading is done": Moment(Readers, "read_file"),
    "the document is described": Moment(Catalogue, "same_text"),
    "truth is ahead of the index": Moment(EdgeIndex, "upsert", "before"),
    "the index is ahead of its mark": Moment(EdgeIndex, "upsert"),
    "the second batch is to be stored": Moment(MemoryItems, "add", "before", 2),
    "all is stored and nothing visible": Moment(MemoryItems, "activate_document", "before"),
    "all is visible and not counted": Moment(MemoryItems, "activate_document"),
    "the vectors are to be ordered": Moment(JobQueue, "submit", "before", 2),
    "the vectors are ordered": Moment(JobQueue, "submit", "after", 2),
    "vectors are computed and not stored": Moment(EdgeIndex, "set_dense", "before"),
    "vectors are stored and not marked": Moment(EdgeIndex, "set_dense"),
    "half of the vectors are there": Moment(MemoryItems, "embed_pending", "after", 2),
    "the end is said and not recorded": Moment(RunLedger, "end", "before"),
    "the end is recorded": Moment(RunLedger, "end"),
    "the tombstone stands": Moment(MemoryItems, "bury_document", "before", deleting=True),
    "the passages are buried": Moment(MemoryItems, "bury_document", deleting=True),
}


QUESTION_MOMENTS: dict[str, Moment] = {
    "the question is read and its run not laid down": Moment(RunLedger, "pause", "before"),
    "the run waits": Moment(RunLedger, "pause"),
    "the answer is taken and nothing done": Moment(RunLedger, "take_up"),
    "the run has gone on to its second question": Moment(RunLedger, "pause", "after", 2),
}


def small_settings(home: Path) -> Settings:
    return settings(
        home, dense_enabled=True, chunking=SMALL, jobs=Jobs(event_interval=0.005, heartbeat=0.5, embed_batch=BATCH)
    )


def arrange(setattr_: Callable[[Any, str, Any], None]) -> None:
    """Applies the same setup to the workbench that is killed and to the one that is started after it."""
    embeddings = GatedEmbeddings()
    setattr_(retrieval, "build_embeddings", lambda *_: embeddings)
    reading_here.arrange(setattr_)
    setattr_(storing, "STORE_BATCH", BATCH)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def arm(moment: Moment) -> None:
    """Makes the process die at ``moment``."""
    original: Callable[..., Awaitable[Any]] = getattr(moment.owner, moment.method)
    calls = 0

    async def fatal(*given: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        now = calls == moment.nth
        if now and moment.when == "before":
            die()
        result = await original(*given, **named)
        if now:
            die()
        return result

    setattr(moment.owner, moment.method, fatal)


def ingest(home: Path, name: str) -> None:
    """Uploads a document, and deletes it if the moment is during a deletion, until the process dies at that moment."""
    arrange(setattr)
    asyncio.run(asyncio.wait_for(_ingest(home, MOMENTS[name]), SECONDS))
    os._exit(NOT_KILLED)


async def _ingest(home: Path, moment: Moment) -> None:
    bench = Workbench(small_settings(home))
    await bench.start()
    house = House(bench, home / "uploads")
    if moment.deleting:
        document = await house.read("reservoirs.md", long_text(SECTIONS), USER)
        arm(moment)
        await bench.library.delete(USER, document.id)
    else:
        arm(moment)
        given = await house.give("reservoirs.md", long_text(SECTIONS), USER)
        await house.settled(given.document)
        await asyncio.Event().wait()


def answer(home: Path, model_url: str) -> None:
    """Asks a model and dies when the first words of its answer are in the run ledger."""
    arrange(setattr)
    append = RunLedger.append

    async def fatal(self: RunLedger, run: Any, sequence: int, events: Any) -> int:
        result = await append(self, run, sequence, events)
        if any(isinstance(event, AssistantDelta) for event in events):
            die()
        return result

    RunLedger.append = fatal  # type: ignore[method-assign]
    asyncio.run(asyncio.wait_for(_answer(home, model_url), SECONDS))
    os._exit(NOT_KILLED)


async def _answer(home: Path, model_url: str) -> None:
    given = small_settings(home).model_copy(update={"model": "openai:m", "model_base_url": model_url})
    bench = Workbench(given)
    await bench.start()
    await bench.ask(USER, "What does reservoir 3 hold?")
    await asyncio.Event().wait()


def asking(home: Path, name: str) -> None:
    """Asks a question that needs a clarification, answers the clarification, and dies at the given moment."""
    arrange(setattr)
    agent.build_agent = asking_agent.build
    asyncio.run(asyncio.wait_for(_asking(home, QUESTION_MOMENTS[name]), SECONDS))
    os._exit(NOT_KILLED)


async def _asking(home: Path, moment: Moment) -> None:
    bench = Workbench(small_settings(home))
    await bench.start()
    house = House(bench, home / "uploads")
    arm(moment)
    await house.reply(await house.ask("Compare it.", USER), "continue", user=USER)
    await asyncio.Event().wait()
