"""Controls uploads to the file store: *an upload* → a path that belongs to its user, or an error message.

A file waits in the uploads folder until it is added to the library or a conversation. Until then no list shows it, so
waiting files are limited by free disk space, by bytes per person, and by time.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import shutil
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from core.clock import HOUR, Clock, system_clock
from core.errors import fail
from core.settings import Settings
from core.store.room import MEGABYTE, free_room, least_room, no_file_fits, refuse_without_room


class Arrival:
    """One upload in progress: its path ``place``, the bytes ``promised`` to it, and the bytes ``written``."""

    def __init__(self, uploads: Uploads, user_id: str, place: Path, promised: int) -> None:
        self.user_id = user_id
        self.place = place
        self.promised = promised
        self.written = 0
        self.ended = False
        self._uploads = uploads

    @property
    def size(self) -> int:
        return max(self.promised, self.written)

    def take(self, size: int) -> None:
        """Reserve space before ``size`` more bytes are written; blocks. Raises as ``Uploads.arriving`` does."""
        self._uploads.admit(self, size)


class Uploads:
    """Checks uploads against the limits; parallel uploads are counted together."""

    def __init__(self, settings: Settings, clock: Clock = system_clock) -> None:
        self._settings = settings
        self._clock = clock
        self._arrivals: set[Arrival] = set()
        self._lock = threading.Lock()

    @asynccontextmanager
    async def arriving(self, user_id: str, declared: int = 0) -> AsyncIterator[Arrival]:
        """Receive an upload of ``declared`` bytes (0 if the sender does not give the size).

        The written bytes are removed if the block raises.

        Raises:
            NoRoomError: the disk has too little space for it.
            PalimpsestError: this person has sent too much that was not added.
        """
        arrival = Arrival(self, user_id, self._new_place(user_id), declared)
        try:
            await asyncio.to_thread(self._begin, arrival)
            yield arrival
        except BaseException:
            shutil.rmtree(arrival.place, ignore_errors=True)
            raise
        finally:
            with self._lock:
                arrival.ended = True
                self._arrivals.discard(arrival)

    def admit(self, arrival: Arrival, size: int) -> None:
        """As ``Arrival.take``."""
        with self._lock:
            self._refuse(arrival, size)
            arrival.written += size

    def written(self, user_id: str, name: str, content: bytes) -> Path:
        """Store a file that the server itself made as an upload of this user; blocks. Raises ``NoRoomError``."""
        refuse_without_room(self._settings, len(content))
        place = self._new_place(user_id)
        place.mkdir(parents=True)
        path = place / name
        path.write_bytes(content)
        return path

    def received(self, user_id: str, path: str) -> Path:
        """The file at ``path`` that this user uploaded.

        Raises:
            PalimpsestError: it is gone, belongs to another user, or is not an upload.
        """
        resolved = Path(path).resolve()
        if self._folder_of(user_id) not in resolved.parents or not resolved.is_file():
            raise fail("not_found", "pages.uploads.received")
        return resolved

    def remove_abandoned(self) -> None:
        """Remove uploads that were not added in time, and the empty folders of those that were. This call blocks."""
        oldest = self._clock() - self._settings.uploads.abandoned_hours * HOUR
        with self._lock:
            arriving = {arrival.place for arrival in self._arrivals}
        for place in [*upload_folder(self._settings).glob("*/*")]:
            with suppress(OSError):  # it was added in the meantime
                if place.is_dir() and place not in arriving and _last_change(place) < oldest:
                    shutil.rmtree(place, ignore_errors=True)

    def _begin(self, arrival: Arrival) -> None:
        with self._lock:
            self._refuse(arrival, 0)
            if not arrival.ended:
                self._arrivals.add(arrival)
        arrival.place.mkdir(parents=True)

    def _refuse(self, arrival: Arrival, size: int) -> None:
        """Raise an error if the upload must not continue. ``size``: bytes to be written next, 0 before the first."""
        others = self._arrivals - {arrival}
        needed = max(arrival.promised - arrival.written, size)
        free = free_room(self._settings) - sum(max(0, other.promised - other.written) for other in others)
        if free - needed < least_room(self._settings):
            raise no_file_fits(max(0, free))
        if not size or arrival.written + size > arrival.promised:
            self._refuse_unsubmitted(arrival, arrival.written + needed, others)

    def _refuse_unsubmitted(self, arrival: Arrival, size: int, others: set[Arrival]) -> None:
        own = [other for other in others if other.user_id == arrival.user_id]
        busy = {arrival.place, *(other.place for other in own)}
        waiting = sum(other.size for other in own) + _bytes_in(self._folder_of(arrival.user_id), busy)
        limits = self._settings.uploads
        if waiting and waiting + size > limits.unsubmitted_bytes:
            most, minutes = limits.unsubmitted_bytes // MEGABYTE, round(limits.abandoned_hours * 60)
            waits = -(-waiting // MEGABYTE)
            raise fail("validation", "pages.uploads.unsubmitted", waiting=waits, most=most, minutes=minutes)

    def _new_place(self, user_id: str) -> Path:
        """A new folder for one upload of this user."""
        return self._folder_of(user_id) / secrets.token_hex(16)

    def _folder_of(self, user_id: str) -> Path:
        """The user's folder, named by a digest, because a user name may contain characters that folders must not."""
        return upload_folder(self._settings) / hashlib.sha256(user_id.encode()).hexdigest()[:32]


def upload_folder(settings: Settings) -> Path:
    """The folder that holds uploads until they are added; both the interface and this module use it."""
    return (settings.folder / "uploads").resolve()


def _last_change(place: Path) -> float:
    """The time of the last change, so that a slow upload counts from its end."""
    return max(path.stat().st_mtime for path in [place, *place.rglob("*")])


def _bytes_in(folder: Path, leaving_out: set[Path]) -> int:
    total = 0
    for place in [*folder.glob("*")]:
        if place not in leaving_out:
            for path in place.rglob("*"):
                with suppress(OSError):  # it was added in the meantime
                    total += path.stat().st_size if path.is_file() else 0
    return total
