"""Distinguishes superscript note marks, which do not belong to the word or figure before them, from powers, which do.

``38²`` is 38 with a note mark, ``Revenue¹`` is the word revenue; ``m²``, ``10⁻³`` and ``R²`` keep their meaning.
"""

from __future__ import annotations

import re

RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"
"""Characters of note marks; plus and minus signs are not included, since they belong to powers and charges."""
MARK = rf"[{RAISED}]++(?:,[ ]?[{RAISED}]++){{0,5}}+"
"""Pattern for the marks after one word or figure."""
_SIGNED = "⁺⁻⁼"
_RUN = re.compile(rf"(?<![{RAISED}{_SIGNED}])\s?{MARK}(?![{RAISED}{_SIGNED}])")
_ANY = re.compile(f"[{RAISED}]")
_POWERS = frozenset("²³⁴")
_WORD_BEFORE = re.compile(r"[^\W\d_]{0,12}$")
_TEN_BEFORE = re.compile(r"(?<![\d.,])10$")
_UNITS = frozenset(["m", "km", "cm", "mm", "dm", "nm", "µm", "μm", "ft", "in", "yd", "mi", "s", "h", "kg"])


def without_note_marks(text: str) -> str:
    """Returns ``text`` without note marks. A text that consists only of marks, or starts with one, keeps it.

    >>> without_note_marks("Revenue¹ of 38² in 2025⁽¹⁾"), without_note_marks("1,200 m², 10⁻³")
    ('Revenue of 38 in 2025', '1,200 m², 10⁻³')
    """
    if text.isascii() or not _ANY.search(text):
        return text
    return _RUN.sub(lambda found: found.group() if _has_meaning(found, text) else "", text)


def note_marks_blanked(text: str) -> str:
    """Works like :func:`without_note_marks`, but replaces marks with spaces, so that positions stay the same."""
    if text.isascii() or not _ANY.search(text):
        return text
    return _RUN.sub(lambda found: found.group() if _has_meaning(found, text) else " " * len(found.group()), text)


def _has_meaning(found: re.Match[str], text: str) -> bool:
    """Returns whether the superscript characters are a power, or follow nothing that they could be a note to."""
    before, marks = text[max(0, found.start() - 12) : found.start()], found.group()
    if not before.strip():
        return True
    if marks[0].isspace():
        return not (before[-1].isalnum() or before[-1] in ")]%.\"'’”")
    if _TEN_BEFORE.search(before):
        return True
    word = _WORD_BEFORE.search(before)
    name = word.group() if word else ""
    return marks in _POWERS and (name in _UNITS or len(name) == 1)
