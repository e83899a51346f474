"""Separates a model's thinking from its answer."""

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
    """Splits a stream in pieces of any size; tags may be split between pieces.

    An unclosed block counts as reasoning until the end; a closing tag without an opening one is dropped. White space at
    the answer's start or after a block is dropped.
    """

    def __init__(self) -> None:
        self._buffer = ""
        self._voice: Voice = "text"
        self._trimming = True

    def feed(self, text: str) -> list[Part]:
        """The parts that are final after ``text``."""
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
        """The text that was held back because it looked like the beginning of a tag."""
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
