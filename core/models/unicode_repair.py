"""Pieces of a model's text → the same text as valid Unicode, which every store, browser and file can take."""

from __future__ import annotations

import re

_SURROGATE = re.compile("[\ud800-\udfff]")
_LEADING = ("\ud800", "\udbff")
"""The first and the last that begins a pair."""


class UnicodeRepair:
    """Joins a surrogate pair that was cut between two pieces; one that stays alone becomes U+FFFD."""

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
        """What was held back for a second half that never came."""
        rest, self._held = _paired(self._held), ""
        return rest


def _paired(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
