"""Separates what a model thinks aloud from what it answers."""

from __future__ import annotations

import re
from typing import Literal

Voice = Literal["text", "reasoning"]
Part = tuple[Voice, str]

_TAGS = ("<think>", "</think>", "<thinking>", "</thinking>")
_ANY_TAG = re.compile(r"</?think(?:ing)?>", re.IGNORECASE | re.ASCII)
_CLOSING_TAG = re.compile(r"</think(?:ing)?>", re.IGNORECASE | re.ASCII)
_LONGEST = max(map(len, _TAGS))


class ThinkSplitter:
    """Reads a stream in pieces of any size; tags may be split between pieces.

    An unclosed block is reasoning to the end; a closing tag that closes nothing is left out. White space that
    opens the answer or follows a block is left out.
    """

    def __init__(self) -> None:
        self._buffer = ""
        self._voice: Voice = "text"
        self._trimming = True

    def feed(self, text: str) -> list[Part]:
        """What is certain after ``text``."""
        self._buffer += text
        parts: list[Part] = []
        while tag := (_ANY_TAG if self._voice == "text" else _CLOSING_TAG).search(self._buffer):
            parts += self._spoken(self._buffer[: tag.start()])
            self._buffer = self._buffer[tag.end() :]
            voice: Voice = "text" if tag.group()[1] == "/" else "reasoning"
            self._trimming = self._trimming or voice != self._voice
            self._voice = voice
        certain = len(self._buffer) - _begun_tag(self._buffer)
        parts += self._spoken(self._buffer[:certain])
        self._buffer = self._buffer[certain:]
        return parts

    def finish(self) -> list[Part]:
        """What was held back: the beginning of a tag that never came."""
        rest, self._buffer = self._buffer, ""
        return self._spoken(rest)

    def _spoken(self, text: str) -> list[Part]:
        if self._trimming:
            text = text.lstrip()
        if not text:
            return []
        self._trimming = False
        return [(self._voice, text)]


def split_thinking(text: str) -> tuple[str, str]:
    """(answer, reasoning) of a whole text."""
    splitter = ThinkSplitter()
    parts = [*splitter.feed(text), *splitter.finish()]
    answer = "".join(piece for voice, piece in parts if voice == "text")
    reasoning = "".join(piece for voice, piece in parts if voice == "reasoning")
    return answer, reasoning


def _begun_tag(text: str) -> int:
    """Length of the end of ``text`` that may be the beginning of a tag."""
    start = text.rfind("<", max(0, len(text) - _LONGEST))
    if start < 0:
        return 0
    begun = text[start:].lower()
    return len(begun) if any(tag.startswith(begun) for tag in _TAGS) else 0
