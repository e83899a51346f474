"""Defines the memory bank's error messages."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import PalimpsestError, fail, general_problem
from core.memory.items.records import preview
from core.store.items import MemoryItem

NAMED = 5
"""Maximum number of entries that an error message lists."""


def not_found() -> PalimpsestError:
    return PalimpsestError(general_problem("not_found"))


def conflict() -> PalimpsestError:
    return fail("validation", "memory.errors.conflict")


def known_already(text: str) -> PalimpsestError:
    return fail("validation", "memory.errors.known_already", text=text)


def several(found: Sequence[MemoryItem]) -> PalimpsestError:
    return fail("validation", "memory.errors.several", named=_previews(found))


def only_near(found: Sequence[MemoryItem]) -> PalimpsestError:
    return fail("not_found", "memory.errors.only_near", named=_previews(found))


def _previews(found: Sequence[MemoryItem]) -> str:
    return "; ".join(f"{preview(item, 80)} ({item.id})" for item in found[:NAMED])
