"""Exports all data of a user as one file, and restores it.

The exported collections contain no secrets. A restore reads the backup twice: first to check all of it, then to write.
Data from a crashed restore is not visible to users; another restore continues it.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import BinaryIO

import numpy as np
from pydantic import BaseModel

from core.clock import Clock
from core.errors import PalimpsestError, fail
from core.ids import ID_PATTERN
from core.memory.items.index_writer import IndexWriter, vector_hash
from core.memory.items.named_values import data_id
from core.memory.items.reading import ITEMS
from core.memory.items.records import AnswerRecord, OutcomeEvent, OutcomeExample, Transition, VersionRecord
from core.memory.items.vector_marks import served_vectors
from core.memory.maintenance import archive
from core.memory.maintenance.annexes import Annex
from core.memory.maintenance.consistency import is_leaving
from core.messages import message
from core.runs.records import Conversation, Message, Run
from core.store.files import FileStore, folder_name
from core.store.index import Vector
from core.store.items import MemoryItem
from core.store.migrations.upgrade import FORMAT as DATA_FORMAT
from core.store.truth import Json, Truth
from core.store.typed_collection import pages
from core.words import Words

PAGE = 256
_RUN_EVENT = re.compile(r"run_[0-9a-f]{32}:\d{8,12}")


@dataclass(frozen=True)
class Section:
    """One collection of the backup, in the order of restoration.

    ``model`` validates its rows and drops unknown fields; without a model, rows are kept as they are. ``restamp``
    assigns a row to another user if more fields than ``user_id`` depend on the user. ``fresh`` resets fields that a
    backup does not keep. ``originals``: each row refers to an original file by ``sha256``.
    """

    collection: str
    model: type[BaseModel] | None = None
    identifier: re.Pattern[str] = ID_PATTERN
    restamp: Callable[[Json, str], Json] = lambda row, user_id: row
    fresh: Callable[[Json], Json] = lambda row: row
    originals: bool = False


def _interrupted(row: Json) -> Json:
    """Mark a run as interrupted: no process executes it any more, and the next maintenance run reports it to the run's
    users."""
    if row.get("state") == "ended":
        return row
    return {**row, "state": "running", "waiting_for": None, "lease_owner": None, "lease_until": 0.0}


def _keyed(row: Json, user_id: str) -> Json:
    """The row with an id derived from its user and name."""
    return {**row, "_id": data_id(user_id, str(row.get("key")))}


def _unindexed(row: Json) -> Json:
    """The row as not indexed and not shared."""
    embedding = row.get("embedding")
    kept = embedding if isinstance(embedding, dict) else {}
    marks: Json = {"indexed": False, "embedded": False, "synced": True, "org_id": None}
    return {**row, **marks, "embedding": {**kept, "last_indexed_at": None}}


ITEM_SECTION = Section(ITEMS, MemoryItem, re.compile(r"mem_[0-9a-f]{32}"), fresh=_unindexed)
SECTIONS: tuple[Section, ...] = (
    Section("memory_versions", VersionRecord),
    Section("memory_answers", AnswerRecord),
    Section("memory_outcomes", OutcomeEvent),
    Section("memory_lessons", OutcomeExample),
    Section("memory_transitions", Transition),
    Section("memory_routing"),
    Section("memory_actions"),
    Section("memory_data", restamp=_keyed),
    Section("run_events", identifier=_RUN_EVENT),
    Section("runs", Run, fresh=_interrupted),
    Section("messages", Message),
    ITEM_SECTION,
    Section("conversations", Conversation),
)
"""Collections in the order of restoration; containers come after their contents: a message is read through its
conversation, a passage through its document."""


class Counts(BaseModel):
    """Counts of rows: ``replaced`` are older in this installation, ``skipped`` are the same or newer in this
    installation."""

    total: int = 0
    added: int = 0
    replaced: int = 0
    skipped: int = 0


class BackupSummary(BaseModel):
    """What a backup contains, and what a restore does (or would do). ``vectors_fit``: its vectors can be used, so they
    need not be computed again."""

    user_id: str | None
    app: str
    created_at: float
    kinds: dict[str, Counts]
    vectors: int = 0
    vectors_fit: bool = True
    files: int = 0
    bytes: int = 0

    @property
    def words(self) -> Words:
        added, replaced, skipped = (
            sum(getattr(counts, kind) for counts in self.kinds.values()) for kind in ("added", "replaced", "skipped")
        )
        key = "memory.backup.records_added_older_ones_replaced"
        return message(key, added=added, replaced=replaced, skipped=skipped)


@dataclass
class Export:
    """Writes backups; data that changes during the export is in it in its old or new state."""

    _truth: Truth
    _points: IndexWriter
    _files: FileStore
    _sections: Sequence[Section]
    _model: str
    _clock: Clock
    _annexes: Sequence[Annex] = ()

    async def export(self, user_id: str | None, path: Path) -> BackupSummary:
        """Export all data of ``user_id`` (of all users: ``None``, only for administrators) to ``path``, which is
        replaced when the backup is complete.

        Raises:
            PalimpsestError: the stores cannot be read, or ``path`` cannot be written.
        """
        fresh = path.with_name(f"{path.name}.part")
        try:
            summary = await self._write_archive(user_id, fresh)
            await asyncio.to_thread(fresh.replace, path)
        except OSError as error:
            raise fail("server", "memory.backup.not_written", detail=str(error)) from error
        finally:
            await asyncio.to_thread(fresh.unlink, True)
        return summary

    async def _write_archive(self, user_id: str | None, path: Path) -> BackupSummary:
        with await asyncio.to_thread(_open_privately, path) as file:
            writer = archive.Writer(file)
            for section in self._sections:
                await self._section(writer, section, user_id)
            for annex in self._annexes:
                with writer.member(f"annexes/{annex.name}.jsonl") as lines:
                    async for row in annex.rows(user_id):
                        await asyncio.to_thread(lines.rows, [row])
            dimension = await self._vectors(writer, user_id)
            manifest = archive.Manifest(
                format=archive.FORMAT,
                data_format=DATA_FORMAT,
                app=app_version(),
                created_at=self._clock(),
                user_id=user_id,
                model=self._model,
                dimension=dimension,
                members=writer.members,
            )
            await asyncio.to_thread(writer.close, manifest)
        return summary_of(manifest)

    async def _section(self, writer: archive.Writer, section: Section, user_id: str | None) -> None:
        with writer.member(f"records/{section.collection}.jsonl") as lines:
            async for rows in self._pages(section.collection, user_id):
                if section is ITEM_SECTION:
                    rows = [row for row in rows if not is_leaving(MemoryItem.model_validate(row), self._clock())]
                await asyncio.to_thread(lines.rows, rows)
        if section.originals:
            async for rows in self._pages(section.collection, user_id):
                for row in rows:
                    await self._original(writer, str(row["user_id"]), str(row["sha256"]))

    async def _original(self, writer: archive.Writer, user_id: str, sha256: str) -> None:
        try:
            async with self._files.open(sha256, user_id) as path:
                await asyncio.to_thread(writer.add_file, file_name(user_id, sha256), path)
        except PalimpsestError as error:
            if error.problem.category != "not_found":  # a document may have lost its original; it can still be searched
                raise

    async def _vectors(self, writer: archive.Writer, user_id: str | None) -> int | None:
        """Write the dense vectors that match the current texts and this model; returns their dimension."""
        held: list[tuple[str, str, Vector]] = []
        number, dimension = 0, None
        async for rows in self._pages(ITEMS, user_id):
            items = [MemoryItem.model_validate(row) for row in rows]
            dense = await served_vectors(self._points.index, items, self._model)
            held += [(item.id, vector_hash(item, self._model), dense[item.id]) for item in items if item.id in dense]
            dimension = len(held[0][2]) if held else dimension
            while len(held) >= archive.VECTORS_A_MEMBER:
                await _write_vectors(writer, number, held[: archive.VECTORS_A_MEMBER])
                held, number = held[archive.VECTORS_A_MEMBER :], number + 1
        if held:
            await _write_vectors(writer, number, held)
        return dimension

    def _pages(self, collection: str, user_id: str | None) -> AsyncIterator[list[Json]]:
        return pages(self._truth.collection(collection), PAGE, {} if user_id is None else {"user_id": user_id})


def _open_privately(path: Path) -> BinaryIO:
    """A file that only its owner can read."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(path, flags, 0o600), "wb")


async def _write_vectors(writer: archive.Writer, number: int, held: Sequence[tuple[str, str, Vector]]) -> None:
    ids = [(item_id, known) for item_id, known, _ in held]
    await asyncio.to_thread(writer.add_vectors, number, ids, np.stack([vector for _, _, vector in held]))


def summary_of(manifest: archive.Manifest) -> BackupSummary:
    members = manifest.members
    kinds = {
        name.partition("/")[2].removesuffix(".jsonl"): Counts(total=member.count)
        for name, member in members.items()
        if name.startswith(("records/", "annexes/"))
    }
    return BackupSummary(
        user_id=manifest.user_id,
        app=manifest.app,
        created_at=manifest.created_at,
        kinds=kinds,
        vectors=sum(member.count for name, member in members.items() if name.endswith(".npy")),
        files=sum(name.startswith("files/") for name in members),
        bytes=sum(member.bytes for member in members.values()),
    )


def file_name(user_id: str, sha256: str) -> str:
    return f"files/{folder_name(user_id)}/{sha256}"


def app_version() -> str:
    try:
        return version("palimpsest")
    except PackageNotFoundError:
        return "unknown"
