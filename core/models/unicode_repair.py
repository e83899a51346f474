"""Repairs a model's text, piece by piece, to valid Unicode, which every store, browser and file accepts."""

from __future__ import annotations

import re

_SURROGATE = re.compile("[\ud800-\udfff]")
_LEADING = ("\ud800", "\udbff")
"""The first and the last code point that can begin a surrogate pair."""


class UnicodeRepair:
    """Joins surrogate pairs that were split between two pieces; a lone surrogate becomes U+FFFD."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> str:
        text = self._held + piece
        self._held = ""
        if not _SURROGATE.search(text):
            return text
        if _LEADING[0] <= text[-1] <= _LEADING[1]:
            text, self._held = text[:-1], text[-1]
        return _paired(text)

    def finish(self) -> str:
        """The U+FFFD for a first half whose second half never came; else empty."""
        rest, self._held = _paired(self._held), ""
        return rest


def _paired(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
