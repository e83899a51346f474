"""Recognises labels of total and subtotal rows."""

from __future__ import annotations

from core.language.note_marks import without_note_marks
from core.language.vocabulary import pattern_of

_CALLED = pattern_of("library/tables.total_rows.called")
_PART = pattern_of("library/tables.total_rows.part")
_BARE = pattern_of("library/tables.total_rows.bare")


def is_called_total(label: str) -> bool:
    """Whether a label names a total of other rows or columns, in any of the known languages."""
    return bool(_CALLED.search(without_note_marks(label).strip()))


def is_called_subtotal(label: str) -> bool:
    """Whether a label names a subtotal of some rows in a section that continues."""
    return is_called_total(label) and bool(_PART.search(label.strip()))


def is_bare_total(label: str) -> bool:
    """Whether a label is only the word "total" in some language."""
    bare = without_note_marks(label).strip(" :.*")
    return bool(bare) and bool(_BARE.fullmatch(bare))
