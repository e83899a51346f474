"""Writes the messages about a document: why it was refused and what to do then, and what was noticed in it."""

from __future__ import annotations

from core.errors import PalimpsestError, fail
from core.library.intake.file_limits import file_limit
from core.library.records import Document
from core.messages import message
from core.settings import Settings
from core.store.room import refuse_without_room


def _megabytes(size: int) -> str:
    return f"{size / 1024 / 1024:.1f}"


def refuse_unfit(filename: str, size: int, settings: Settings) -> None:
    """Raises ``PalimpsestError``: the file is larger than allowed, or empty, or the disk has too little space for
    it."""
    limit = file_limit(filename, settings)
    if size > limit:
        raise oversize(filename, size, limit)
    if size == 0:
        raise empty(filename)
    refuse_without_room(settings, size)  # it is copied before the upload is removed


def oversize(filename: str, size: int, limit: int) -> PalimpsestError:
    mb, most = _megabytes(size), _megabytes(limit)
    return fail("validation", "library.refusals.oversize", filename=filename, mb=mb, most=most)


def empty(filename: str) -> PalimpsestError:
    return fail("validation", "library.refusals.empty", filename=filename)


def interrupted(document: Document) -> PalimpsestError:
    return fail("server", "library.refusals.interrupted", filename=document.filename)


def still_busy(document: Document) -> PalimpsestError:
    return fail("validation", "library.refusals.still_busy", filename=document.filename)


def being_read(document: Document) -> PalimpsestError:
    return fail("validation", "library.refusals.being_read", filename=document.filename)


def not_read_yet(document: Document) -> PalimpsestError:
    return fail("validation", "library.refusals.not_read_yet", name=document.filename)


def same_text(twin: Document) -> tuple[str, str]:
    words = message("library.notes.same_text", filename=twin.filename)
    return words.en, words.to("he")
