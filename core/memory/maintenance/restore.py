"""Restores a backup: everything is checked before anything is written.

Memories are written hidden and become visible when all are written, a document's passages together with the document's
entry. So a crashed restore shows users no partial data, and a repeated restore overwrites the unfinished data.
"""

from __future__ import annotations

import asyncio
import logging
import math
import re
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from pydantic import JsonValue, ValidationError

from core.clock import Clock
from core.errors import fail
from core.memory.items.index_writer import IndexWriter, points_of, vector_hash
from core.memory.items.reading import ITEMS
from core.memory.maintenance.annexes import Annex
from core.memory.maintenance.archive import Reader, VectorLocation, damaged, too_new
from core.memory.maintenance.backup import ITEM_SECTION, PAGE, BackupSummary, Counts, Section, file_name, summary_of
from core.store.files import FileStore
from core.store.index import Schema, Vector
from core.store.items import MemoryItem
from core.store.migrations.upgrade import FORMAT as DATA_FORMAT
from core.store.scope import ScopedTruth
from core.store.truth import Change, Filter, Json, Truth, Update, Upsert

log = logging.getLogger(__name__)

RESTORING = "restoring"
"""The field that marks restored items until they become visible."""
DEPTH = 64
_FIELD = re.compile(r"[a-z_][a-z0-9_]{0,59}", re.ASCII)
_AGES = ("user_id", "updated_at", "timestamps.updated_at", "at", "created_at", "version", "state")

Recount = Callable[[str, str], Awaitable[None]]
"""A callback with user and document, called to count the document's passages with a vector again."""


@dataclass(frozen=True)
class Incoming:
    """A checked row of the backup, and the user it belonged to in the backup."""

    row: Json
    source: str


@dataclass
class Restore:
    """Restores backups. ``fits``: whether vectors of the configured model can be stored."""

    _truth: Truth
    _points: IndexWriter
    _files: FileStore
    _sections: Sequence[Section]
    _schema: Schema
    _fits: Callable[[], bool]
    _recount: Recount
    _clock: Clock
    _annexes: Sequence[Annex] = ()
    _one: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    async def inspect(self, path: Path, user_id: str | None) -> BackupSummary:
        """Report what ``restore`` would do; nothing is written.

        Raises:
            PalimpsestError: the file is not a backup, is damaged or of a newer version, or has ids that belong to
            another user in this installation.
        """
        async with _opened(path) as reader:
            return await self._check(reader, user_id)

    async def restore(self, path: Path, user_id: str | None) -> BackupSummary:
        """Restore rows that are missing or older in this installation. With a ``user_id``, the data becomes that
        user's, regardless of who made the backup; a backup of all users restores only that user's data. With
        ``None``, a backup of all users is restored completely. A restore may be repeated.

        Raises:
            PalimpsestError: as for ``inspect`` (nothing has changed then), or a store is not available (another restore
            continues then).
        """
        async with self._one, _opened(path) as reader:
            summary = await self._check(reader, user_id)
            await self.discard_unfinished()
            for section in self._sections:
                async for page in self._pages(reader, section, user_id):
                    await self._write_page(reader, section, page)
                if section is ITEM_SECTION:
                    await self._show({"document_id": None})
            for annex in self._annexes:
                async for rows in _in_pages(reader.annex(annex.name)):
                    await annex.restore(await annex.missing(rows, user_id, reader.manifest.data_format))
            await self.discard_unfinished()
        return summary

    async def discard_unfinished(self) -> int:
        """Delete the hidden items of a crashed restore; returns how many."""
        return await self._truth.collection(ITEMS).delete({RESTORING: True, "status": "pending"})

    # -- checking --------------------------------------------------------------------------

    async def _check(self, reader: Reader, user_id: str | None) -> BackupSummary:
        if unknown := set(reader.collections()) - {section.collection for section in self._sections}:
            raise damaged(f"unknown collections: {sorted(unknown)}")
        if reader.manifest.data_format > DATA_FORMAT:
            raise too_new(reader.manifest.data_format, DATA_FORMAT)
        await asyncio.to_thread(reader.verify)
        await asyncio.to_thread(reader.vectors)
        summary = summary_of(reader.manifest)
        summary.vectors_fit = self._vectors_fit(reader)
        for section in self._sections:
            counts = summary.kinds[section.collection] = Counts()
            async for page in self._pages(reader, section, user_id):
                missing, older = await self._missing_and_older(section, page)
                counts.total += len(page)
                counts.added += len(missing)
                counts.replaced += len(older)
                counts.skipped += len(page) - len(missing) - len(older)
        for annex in self._annexes:
            counts = summary.kinds[annex.name] = Counts()
            async for rows in _in_pages(reader.annex(annex.name)):
                found = await annex.missing(rows, user_id, reader.manifest.data_format)
                counts.total += len(rows)
                counts.added += len(found)
                counts.skipped += len(rows) - len(found)
        return summary

    def _vectors_fit(self, reader: Reader) -> bool:
        manifest = reader.manifest
        known = (manifest.model, manifest.dimension) == (self._schema.model, self._schema.dimension)
        return self._fits() and known

    async def _pages(self, reader: Reader, section: Section, user_id: str | None) -> AsyncIterator[list[Incoming]]:
        """Pages of checked rows; ids must be in ascending order, so that no id occurs twice."""
        last = ""
        async for page in _in_pages(reader.rows(section.collection)):
            checked = await asyncio.to_thread(_checked_page, section, page, reader.manifest.user_id, user_id, last)
            last = str(page[-1]["_id"])
            if checked:
                yield checked

    async def _missing_and_older(
        self, section: Section, page: Sequence[Incoming]
    ) -> tuple[list[Incoming], list[Incoming]]:
        """The rows that do not exist in this installation, and those that are older in this installation.

        Raises:
            PalimpsestError: a row exists in this installation and belongs to another user.
        """
        ids = [each.row["_id"] for each in page]
        found = await self._truth.collection(section.collection).find({"_id": {"$in": ids}}, fields=_AGES)
        here = {row["_id"]: row for row in found}
        for each in page:
            known = here.get(each.row["_id"])
            if known is not None and known.get("user_id") != each.row["user_id"]:
                raise fail("validation", "memory.restore.someone_elses")
        missing = [each for each in page if each.row["_id"] not in here]
        older = [each for each in page if each.row["_id"] in here and _age(each.row) > _age(here[each.row["_id"]])]
        return missing, older

    # -- writing ---------------------------------------------------------------------------

    async def _write_page(self, reader: Reader, section: Section, page: Sequence[Incoming]) -> None:
        missing, older = await self._missing_and_older(section, page)
        if section is ITEM_SECTION:
            await self._write_items(reader, [each.row for each in missing], hidden=True)
            await self._write_items(reader, [each.row for each in older], hidden=False)
            return
        chosen = [*missing, *older]
        if section.originals:
            for each in chosen:
                await self._original(reader, each)
        await self._store(section.collection, [each.row for each in chosen])
        if section.originals:
            await self._show_documents(section.collection, page)

    async def _store(self, collection: str, rows: Sequence[Json]) -> None:
        for user_id, theirs in _by_user(rows).items():
            await ScopedTruth(self._truth, user_id).collection(collection).bulk([Upsert(row) for row in theirs])

    async def _write_items(self, reader: Reader, rows: Sequence[Json], *, hidden: bool) -> None:
        """Write items as usual: record store, index, mark; the next repair adds what the index did not accept."""
        if not rows:
            return
        items = [MemoryItem.model_validate(row) for row in rows]
        vectors = await asyncio.to_thread(self._vectors_of, reader, items)
        async with self._points.writing:
            await self._store(ITEMS, [_hidden(row) if hidden else row for row in rows])
            try:
                await self._points.put(await points_of(items, vectors))
            except Exception:
                log.warning("%d restored items wait for the next repair", len(items), exc_info=True)
                return
            now = self._clock()
            marks: list[Json] = [
                {
                    "indexed": True,
                    "embedded": item.id in vectors or item.unembedded,
                    "embedding.last_indexed_at": now,
                }
                for item in items
            ]
            writes = [Update(item.id, Change(set=mark)) for item, mark in zip(items, marks, strict=True)]
            await self._truth.collection(ITEMS).bulk(writes)

    def _vectors_of(self, reader: Reader, items: Sequence[MemoryItem]) -> dict[str, Vector]:
        if not self._vectors_fit(reader):
            return {}
        places: Mapping[str, VectorLocation] = reader.vectors()
        model = self._schema.model
        return {
            item.id: reader.vector(place)
            for item in items
            if (place := places.get(item.id)) and place.vector_hash == vector_hash(item, model)
        }

    async def _original(self, reader: Reader, incoming: Incoming) -> None:
        row = incoming.row
        name = file_name(incoming.source, str(row.get("sha256")))
        if not reader.has_file(name):
            return
        with tempfile.TemporaryDirectory(prefix="palimpsest-restore-") as folder:
            copy = Path(folder) / "original"
            await asyncio.to_thread(reader.copy_file, name, copy)
            await self._files.put(copy, str(row["user_id"]), str(row["_id"]))

    async def _show_documents(self, collection: str, page: Sequence[Incoming]) -> None:
        ids = [each.row["_id"] for each in page]
        live = await self._truth.collection(collection).find(
            {"_id": {"$in": ids}, "state": {"$ne": "deleted"}}, fields=["user_id", "org_id"]
        )
        for row in live:
            await self._show({"document_id": row["_id"]})
            await self._show_to_group(row)
            await self._recount(str(row["user_id"]), str(row["_id"]))

    async def _show_to_group(self, document: Json) -> None:
        """Set which group may read the passages, as their document says: passages of a document restored as private are
        private too."""
        group = document.get("org_id")
        elsewhere: Filter = {"document_id": document["_id"], "org_id": {"$ne": group}}
        change = Change(set={"org_id": group, "synced": False})
        await self._truth.collection(ITEMS).update_where(elsewhere, change)

    async def _show(self, which: Filter) -> None:
        await self._truth.collection(ITEMS).update_where(
            {RESTORING: True, "status": "pending", **which}, Change(set={"status": "active"}, unset=(RESTORING,))
        )


async def _in_pages(rows: Iterator[Json]) -> AsyncIterator[list[Json]]:
    while page := await asyncio.to_thread(lambda: list(islice(rows, PAGE))):
        yield page


@asynccontextmanager
async def _opened(path: Path) -> AsyncIterator[Reader]:
    reader = await asyncio.to_thread(Reader, path)
    try:
        yield reader
    finally:
        await asyncio.to_thread(reader.close)


def _checked_page(
    section: Section, rows: Iterable[Json], owner: str | None, user_id: str | None, last: str
) -> list[Incoming]:
    checked = []
    for row in rows:
        identifier, source = row.get("_id"), row.get("user_id")
        if not isinstance(identifier, str) or not section.identifier.fullmatch(identifier) or identifier <= last:
            raise damaged(f"{section.collection}: id {identifier!r} after {last!r}")
        last = identifier
        if not isinstance(source, str) or not source or owner not in (None, source):
            raise damaged(f"{section.collection}: {identifier} belongs to {source!r}, not {owner!r}")
        if owner is None and user_id not in (None, source):
            continue
        checked.append(Incoming(_validated_row(section, row, source, user_id or source), source))
    return checked


def _validated_row(section: Section, row: Json, source: str, user_id: str) -> Json:
    """The row with ``user_id`` as its user, validated by its model if it has one."""
    if section.model is not None:
        try:
            row = section.model.model_validate(row).model_dump(by_alias=True, mode="json")
        except ValidationError as error:
            raise damaged(f"{section.collection}: {row.get('_id')}: {error}") from error
    if not all(_FIELD.fullmatch(field) for field in row):
        raise damaged(f"{section.collection}: {row.get('_id')} has fields of other names")
    _check_value(row, DEPTH)
    if source != user_id:
        row = section.restamp({**row, "user_id": user_id}, user_id)
    return section.fresh(row)


def _check_value(value: JsonValue, depth: int) -> None:
    """Raise an error unless every store can hold the value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if "\0" in key or depth == 0:
                raise damaged(f"a field is called {key!r}, or fields are nested too deep")
            _check_value(inner, depth - 1)
    elif isinstance(value, list):
        for inner in value:
            _check_value(inner, depth - 1)
    elif isinstance(value, int | float) and not (math.isfinite(value) and abs(value) < 2**63):
        raise damaged(f"a number is {value}")


def _hidden(row: Json) -> Json:
    return {**row, "status": "pending", RESTORING: True} if row["status"] == "active" else row


def _age(row: Json) -> tuple[float, float]:
    """The row's time, to decide which of two rows is newer; a row without a time never replaces another."""
    times = row.get("timestamps")
    nested = times.get("updated_at") if isinstance(times, dict) else None
    moments = [nested, *(row.get(field) for field in ("updated_at", "at", "created_at"))]
    known = [float(moment) for moment in moments if isinstance(moment, int | float)]
    version = row.get("version")
    return (known[0] if known else 0.0, float(version) if isinstance(version, int) else 0.0)


def _by_user(rows: Sequence[Json]) -> dict[str, list[Json]]:
    found: dict[str, list[Json]] = {}
    for row in rows:
        found.setdefault(str(row["user_id"]), []).append(row)
    return found
