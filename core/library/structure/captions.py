"""Finds titles of statements and schedules: a line above a table that also gives the unit → its title."""

from __future__ import annotations

from core.language.vocabulary import pattern_of

_UNITS = pattern_of("library/structure.captions.units")
_MOST_WORDS = 16
_LONGEST = 260


def titled_line(text: str) -> str | None:
    """``text`` without its unit, if it is a single line that has one; otherwise ``None``."""
    if len(text) > _LONGEST or "\n" in text or text.endswith((".", ":", ";")):
        return None
    found = _UNITS.search(text)
    title = text[: found.start()].strip(" -\u2013\u2014,(") if found else ""
    return title if 1 < len(title.split()) <= _MOST_WORDS else None
