"""Accepts a file: *file, name, choice* → a document queued for reading, or the existing one with the same bytes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from pydantic import BaseModel

from core.library.digest import digest
from core.library.guard import safe_filename
from core.library.records import UNREAD, Choice, Document, Metadata, WebOrigin
from core.library.refusals import refuse_unfit

if TYPE_CHECKING:
    from core.library.library import Library


class Submission(BaseModel):
    """The result of submitting a file. ``duplicate``: the same bytes are already there. ``namesake``: a document with
    this name has other content; submit again with a choice."""

    status: Literal["accepted", "duplicate", "namesake"]
    document: Document


class PageSource(NamedTuple):
    """Source of a web page: its address and reading time, and the document of which it is a newer version."""

    origin: WebOrigin | None = None
    replaces: str | None = None


class _Given(NamedTuple):
    user_id: str
    path: Path
    filename: str
    size: int
    sha256: str
    scope: str
    source: PageSource


@dataclass(frozen=True)
class Submissions:
    """Accepts files one at a time for each user, even if they are sent to different processes."""

    library: Library

    async def submit(
        self, user_id: str, path: Path, filename: str, scope: str, choice: Choice, source: PageSource, move: bool
    ) -> Submission:
        """As ``Library.submit``."""
        filename = safe_filename(filename)
        size = (await asyncio.to_thread(path.stat)).st_size
        refuse_unfit(filename, size, self.library.settings)
        given = _Given(user_id, path, filename, size, await asyncio.to_thread(digest, path), scope, source)
        submission = await self.library.turns.run(user_id, partial(self._take_over, given, choice))
        # The caller submits a namesake's file a second time, with a choice.
        if move and submission.status != "namesake":
            await asyncio.to_thread(path.unlink, missing_ok=True)
        return submission

    async def _take_over(self, given: _Given, choice: Choice) -> Submission:
        catalogue, user_id = self.library.catalogue, given.user_id
        twin = await catalogue.twin(user_id, given.scope, given.sha256)
        if twin:
            return Submission(status="duplicate", document=await self._accept_twin(twin, given.path))
        namesake = await catalogue.namesake(user_id, given.scope, given.filename)
        if namesake and choice == "ask":
            return Submission(status="namesake", document=namesake)
        replaces = given.source.replaces or (namesake.id if namesake and choice == "replace" else None)
        unread = await catalogue.failed_twin(user_id, given.scope, given.sha256)
        if unread:
            document = await self._accept_again(unread, given, replaces)
        else:
            document = await self._accept(given, replaces)
        return Submission(status="accepted", document=document)

    async def _accept_twin(self, twin: Document, path: Path) -> Document:
        """Handle a file whose bytes are known. The process that accepted it may have died before it stored the file or
        queued its reading. It may have been this process, if the lock passed to another process in between."""
        if twin.is_stored:
            return twin
        if await asyncio.to_thread(path.exists):
            await self.library.files.put(path, twin.user_id, twin.id)
        if twin.job_id is None or twin.run_id is None:
            return await self.library.enqueue(twin)
        await self.library.reading.submit(twin.user_id, twin.id, twin.run_id, twin.job_id, size=twin.size)
        return twin

    async def _accept_again(self, unread: Document, given: _Given, replaces: str | None) -> Document:
        """Accept a file again. Its name may have changed, and its original is stored again in case it was lost."""
        await self.library.files.put(given.path, unread.user_id, unread.id)
        named = await self.library.catalogue.change(
            unread.user_id,
            unread.id,
            among=UNREAD,
            filename=given.filename,
            metadata=Metadata(title=Path(given.filename).stem),
            replaces=replaces,
            origin=given.source.origin,
        )
        return await self.library.enqueue(named)

    async def _accept(self, given: _Given, replaces: str | None) -> Document:
        """Store the entry first: a file without an entry would never be removed."""
        library, now = self.library, self.library.clock()
        document = Document(
            id=library.new_id("doc"),
            user_id=given.user_id,
            scope=given.scope,
            filename=given.filename,
            mime="",
            size=given.size,
            sha256=given.sha256,
            metadata=Metadata(title=Path(given.filename).stem),
            replaces=replaces,
            origin=given.source.origin,
            added_at=now,
            updated_at=now,
        )
        await library.catalogue.add(document)
        try:
            await library.files.put(given.path, given.user_id, document.id)
        except Exception:
            await library.catalogue.withdraw(given.user_id, document.id)
            raise
        return await library.enqueue(document)
