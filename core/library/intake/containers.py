"""Adds a container of documents: *an archive or a mailbox* → one document per member, and what was left out and why.

To add another kind of container, add a line to ``CONTAINERS``, and its file extension to ``sniff.CONTAINERS`` if no
document has it.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import PalimpsestError
from core.library.extract import problems
from core.library.guard import safe_filename
from core.library.intake.mailbox import is_mailbox, messages_of
from core.library.intake.members import Container, Member, Refused
from core.library.intake.records import LeftOut, Unpacked
from core.library.intake.zip_archive import files_in, is_archive
from core.library.records import Choice
from core.library.refusals import refuse_unfit

if TYPE_CHECKING:
    from core.library.library import Library

log = logging.getLogger(__name__)

CONTAINERS: tuple[Container, ...] = (Container(is_archive, files_in), Container(is_mailbox, messages_of))


@dataclass(frozen=True)
class Containers:
    """Submits each member to the library as if it had been uploaded separately; a refused member does not stop the
    others."""

    library: Library

    async def unpack(
        self, user_id: str, path: Path, filename: str, scope: str, choice: Choice, most: int | None
    ) -> Unpacked | None:
        """As ``Library.unpack``."""
        filename = safe_filename(filename)
        choice = "keep_both" if choice == "ask" else choice
        container = await asyncio.to_thread(_container_of, path, filename)
        if container is None:
            return None
        size = (await asyncio.to_thread(path.stat)).st_size
        refuse_unfit(filename, size, self.library.settings)
        folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="unpacked-", dir=path.parent))
        try:
            members = container.open(path, filename, folder, self.library.settings)
            return await self._take_in(user_id, members, folder, scope, choice, most)
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def _take_in(
        self,
        user_id: str,
        members: Iterator[Member | Refused],
        folder: Path,
        scope: str,
        choice: Choice,
        most: int | None,
    ) -> Unpacked:
        done = Unpacked()
        while (member := await asyncio.to_thread(next, members, None)) is not None:
            if isinstance(member, Refused):
                log.info("a file of an archive is left out: %s", member.detail or member.problem.what)
                done.left_out.append(LeftOut(name=member.name, problem=member.problem))
                continue
            try:
                if most is not None and len(done.added) >= most:
                    raise problems.no_room_for_more(member.name)
                await self._submit(user_id, member, folder, scope, choice, done)
            except PalimpsestError as error:
                done.left_out.append(LeftOut(name=member.name, problem=error.problem))
        return done

    async def _submit(
        self, user_id: str, member: Member, folder: Path, scope: str, choice: Choice, done: Unpacked
    ) -> None:
        path = member.content if isinstance(member.content, Path) else folder / "member"
        try:
            if isinstance(member.content, bytes):
                await asyncio.to_thread(path.write_bytes, member.content)
            submission = await self.library.submit(user_id, path, member.name, scope=scope, choice=choice)
        finally:
            await asyncio.to_thread(path.unlink, missing_ok=True)
        (done.known if submission.status == "duplicate" else done.added).append(submission.document)


def _container_of(path: Path, filename: str) -> Container | None:
    return next((each for each in CONTAINERS if each.recognises(path, filename)), None)
