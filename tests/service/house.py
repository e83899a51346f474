"""A workbench on a separate data directory, and the few operations that every test needs."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from core.errors import Problem
from core.events import Action, Entry, Heartbeat, Interrupted, RunCompleted
from core.graph.interrupts import Reply
from core.library.intake.submission import Submission
from core.library.records import Choice, Document
from core.models.embeddings import Calibration, EmbeddingIdentity, Matrix
from core.records.interrupts import PlanStep
from core.resilience.dependencies import Deadline
from core.runs.records import AcceptedQuestion
from core.search.documents.acceptance import firmly_accepted
from core.search.documents.search import DocumentQuery, DocumentSearchResult
from core.setting_groups import Chunking, Jobs, ModeName
from core.setting_names import OTHER_NAMES, field_names
from core.settings import Settings
from core.store.index import Where
from core.store.items import LIBRARY
from core.workbench import Workbench
from pages.run_view import RunView

PATIENCE = 60.0
"""Seconds after which a test fails if the condition that it waits for is not met."""

POLICY = (
    "# Travel policy\n\nA night in a hotel in Haifa is reimbursed up to 560 shekels.\n\n## Meals\n\nDinner is 120.\n"
)
CONTRACT = "# Metering contract\n\nPelagit must give notice of a price rise ninety days before it takes effect.\n"
HEBREW = "# נוהל נסיעות\n\nלינה במלון בחיפה מוחזרת עד חמש מאות ושישים שקלים ללילה.\n"
READ = {*map(str.upper, field_names(Settings, "PALIMPSEST_")), *(other.name.upper() for other in OTHER_NAMES)}
"""Names of the environment variables that settings are read from."""
SMALL = Chunking(max_tokens=24, overlap_tokens=2)
"""Chunking settings that split a short text into many passages."""


def long_text(sections: int) -> str:
    """A document of at least ``sections`` passages."""
    return "\n\n".join(f"# Section {n}\n\nReservoir {n} holds {n * 37} cubic metres of water." for n in range(sections))


class GivenSettings(Settings):
    """Settings from the given values only: looking for others (in the environment and files) takes a tenth of the time
    to start."""

    @classmethod
    def settings_customise_sources(
        cls, settings_cls: type[BaseSettings], init_settings: PydanticBaseSettingsSource, **_: Any
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (init_settings,)


def settings(home: Path, **given: object) -> Settings:
    """Fast settings with keyword search only, unless others are ``given``."""
    quick = {"jobs": Jobs(event_interval=0.005, heartbeat=0.5, upkeep_after=0.0, nice=0), "dense_enabled": False}
    given = {"home": home, **quick, **given}
    if "profile" in given or READ.intersection(map(str.upper, os.environ)):
        return Settings(_env_file=None, **given)  # type: ignore[arg-type]
    return GivenSettings(_env_file=None, **given)  # type: ignore[arg-type]


async def until(
    condition: Callable[[], Awaitable[object]], what: str = "the condition", seconds: float = PATIENCE
) -> None:
    """Waits until the condition holds."""
    ends = time.monotonic() + seconds
    while not await condition():
        assert time.monotonic() < ends, f"{what} never came true"
        await asyncio.sleep(0.01)


@dataclass
class Answer:
    asked: AcceptedQuestion
    entries: list[Entry]

    @property
    def view(self) -> RunView:
        return RunView.of(self.asked.run_id, self.asked.message_id, self.entries)

    @property
    def pending(self) -> Interrupted:
        """The clarification question for which the run is waiting."""
        last = self.entries[-1].event
        assert isinstance(last, Interrupted), f"{last.type} instead of a question"
        return last

    def choice(self, label: str) -> str:
        """The id of the choice with this ``label``."""
        return next(choice.id for choice in self.pending.choices if label in choice.label)

    @property
    def notices(self) -> str:
        return " ".join(words.en for words in self.view.notices)


class House:
    """``workbench`` is a started workbench; ``folder`` holds the files that tests upload."""

    def __init__(self, workbench: Workbench, folder: Path) -> None:
        self.workbench = workbench
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    # -- documents -------------------------------------------------------------------------

    async def give(
        self,
        filename: str,
        content: str | bytes,
        user: str = "ada",
        *,
        scope: str = LIBRARY,
        choice: Choice = "ask",
    ) -> Submission:
        path = self.folder / f"upload-{uuid4().hex}"
        await asyncio.to_thread(path.write_bytes, content.encode() if isinstance(content, str) else content)
        return await self.workbench.library.submit(user, path, filename, scope=scope, choice=choice, move=True)

    async def read(self, filename: str, content: str | bytes, user: str = "ada", scope: str = LIBRARY) -> Document:
        """Uploads a document and waits until its processing has ended."""
        submission = await self.give(filename, content, user, scope=scope)
        assert submission.status == "accepted"
        return await self.settled(submission.document)

    async def settled(self, document: Document) -> Document:
        """Returns the document after its run has ended."""
        now = await self.workbench.library.get(document.user_id, document.id)
        await self.entries(now.user_id, now.run_id or "")
        return await self.workbench.library.get(document.user_id, document.id)

    async def entries(self, user: str, run_id: str) -> list[Entry]:
        """Returns all events of a run, after it has ended or stopped for a clarification."""
        ledger, entries = self.workbench.ledger, []
        async with asyncio.timeout(PATIENCE):
            async for entry in ledger.tail(user, run_id):
                if isinstance(entry.event, Heartbeat):
                    continue
                entries.append(entry)
                if isinstance(entry.event, Interrupted) and await ledger.pending(user, run_id) == entry.event:
                    break
        return entries

    async def outcomes(self, document: Document) -> list[str]:
        """Returns the final events of a document's run; there must be exactly one."""
        return await self.outcomes_of(document.run_id or "", document.user_id)

    async def outcomes_of(self, run_id: str, user: str = "ada") -> list[str]:
        entries = await self.workbench.ledger.entries(user, run_id)
        return [entry.event.outcome for entry in entries if isinstance(entry.event, RunCompleted)]

    async def problem(self, filename: str, content: str | bytes) -> tuple[Document, Problem]:
        document = await self.read(filename, content)
        assert document.state == "failed"
        assert document.problem
        return document, document.problem

    def stored_files(self) -> list[Path]:
        return [path for path in (self.workbench.settings.folder / "files").rglob("*") if path.name == "content"]

    # -- record store and index ------------------------------------------------------------

    async def items(self, user: str, document_id: str) -> list[dict[str, object]]:
        """The rows in the record store, whatever their status."""
        return await self.workbench.truth.collection("items").find({"user_id": user, "document_id": document_id})

    async def points(self, user: str, document_id: str) -> dict[str, bool]:
        """Returns the points in the index, whatever their status: maps each item id to whether the point has a dense
        vector."""
        where = Where(user, any_of={"document_id": [document_id]})
        points, _ = await self.workbench.retrieval.index.scroll(where, 10_000, with_vectors=True)
        assert all(point.lexical is not None for point in points)
        return {f"mem_{point.id.replace('-', '')}": point.dense is not None for point in points}

    async def assert_whole(self, document: Document) -> None:
        """Checks that every passage is active in the record store and present in the index, and that the index has no
        other points."""
        rows = await self.items(document.user_id, document.id)
        assert len(rows) == document.chunks == document.searchable
        assert document.chunks > 0
        assert {row["status"] for row in rows} == {"active"}
        assert all(row["indexed"] for row in rows)
        points = await self.points(document.user_id, document.id)
        assert set(points) == {row["_id"] for row in rows}
        assert {str(row["_id"]) for row in rows if row["embedded"]} == {key for key, dense in points.items() if dense}

    async def assert_nothing_stored(self, document: Document) -> None:
        assert await self.items(document.user_id, document.id) == []
        assert await self.points(document.user_id, document.id) == {}

    # -- search and questions --------------------------------------------------------------

    async def search(self, text: str, user: str = "ada", conversation_id: str | None = None) -> DocumentSearchResult:
        query = DocumentQuery(user, text, "deep", conversation_id)
        return await self.workbench.retrieval.documents.find(query, Deadline(10))

    async def found(self, text: str, user: str = "ada", conversation_id: str | None = None) -> set[str]:
        """Returns the filenames of the sources that are found for ``text``."""
        return {source.filename for source in firmly_accepted((await self.search(text, user, conversation_id)).sources)}

    async def ask(
        self,
        question: str,
        user: str = "ada",
        conversation_id: str | None = None,
        *,
        action: Action | None = None,
        web: bool = False,
        without: Sequence[str] = (),
        mode: ModeName = "enhanced",
        replaces: str = "",
    ) -> Answer:
        asked = await self.workbench.ask(
            user, question, conversation_id=conversation_id, mode=mode, action=action, web=web, without=without,
            replaces=replaces,
        )  # fmt: skip
        return Answer(asked, await self.entries(user, asked.run_id))

    async def reply(
        self, answer: Answer, *choice_ids: str, text: str = "", steps: Sequence[PlanStep] = (), user: str = "ada"
    ) -> Answer:
        """Answers the clarification of ``answer``; returns the same run up to its next stop."""
        await self.workbench.resume(
            user,
            answer.asked.run_id,
            answer.pending.interrupt_id,
            Reply(choice_ids=list(choice_ids), text=text, steps=steps),
        )
        return Answer(answer.asked, await self.entries(user, answer.asked.run_id))


class GatedEmbeddings:
    """Vectors of letters, for tests of order and failure: passages wait for ``gate``; ``broken`` makes all raise."""

    identity = EmbeddingIdentity("letters", 26, Calibration(0.99, 1.0))

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.gate.set()
        self.waiting = asyncio.Event()
        self.broken = False

    async def embed_query(self, text: str) -> np.ndarray:
        if self.broken:
            raise ConnectionError("secret-host:1234 refused")
        return _letters(text)

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        self.waiting.set()
        await self.gate.wait()
        if self.broken:
            raise ConnectionError("secret-host:1234 refused")
        return np.stack([_letters(text) for text in texts])


def _letters(text: str) -> np.ndarray:
    counts = np.array([1e-3 + text.lower().count(chr(97 + n)) for n in range(26)], dtype=np.float32)
    return (counts / np.linalg.norm(counts)).astype(np.float32)
