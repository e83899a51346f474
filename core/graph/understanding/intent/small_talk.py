"""Detects messages without a request: greetings, thanks, farewells, personal statements, questions without content."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from core.graph.understanding.intent.router import command_in
from core.graph.understanding.mentions import mentions, tags
from core.language.normalisation import fold
from core.language.vocabulary import Entry, WordSet, file_of, phrases
from core.memory.profile.statements import only_states

_phrase = phrases("graph/understanding.small_talk")

Social = Literal["greeting", "thanks", "bye", "telling", "vague"]

LONGEST_EMPTY = 10
"""Maximum words of a question without content."""
_KINDS: tuple[Literal["greeting", "thanks", "bye"], ...] = ("bye", "thanks", "greeting")
_BETWEEN = re.compile(_phrase("between"))
_NAMED = rf"(?:[\s,]+(?!i\b|my\b|we\b|the\b|what|who|how|{_phrase('no_name')})[^\W\d_]+)?(?=\s*[,.!;:?\n]|\s*$)"
_WORD = re.compile(r"[^\W_]+")


class _Lists(Entry):
    greeting: list[str]
    thanks: list[str]
    bye: list[str]
    vague: WordSet


_lists = file_of("graph/small_talk", _Lists)


def social(message: str) -> Social | None:
    """Returns the kind of small talk, or ``None`` if ``message`` contains a question or a command."""
    if mentions(message) or tags(message).actions or message.lstrip().startswith("/") or command_in(message):
        return None
    kind, rest = _courtesies(message)
    if not _WORD.search(rest):
        return kind
    if only_states(rest):
        return "telling"
    return "vague" if says_nothing(message) else None


def says_nothing(message: str) -> bool:
    """Returns whether all words are question words and pronouns, without a subject."""
    words = [fold(word.group()) for word in _WORD.finditer(message)]
    return 0 < len(words) <= LONGEST_EMPTY and all(word in _lists().vague for word in words)


def _courtesies(message: str) -> tuple[Literal["greeting", "thanks", "bye"] | None, str]:
    """Returns the kind of courtesy at the start of ``message``, and the text after it."""
    rest, found = message.strip(), None
    while rest:
        folded = fold(rest)
        matches = [(kind, m) for kind in _KINDS if (m := _pattern(kind).match(folded))]
        if not matches or len(folded) != len(rest):
            break
        kind, courtesy = max(matches, key=lambda each: each[1].end())
        # Thanks after a greeting count as thanks; a farewell counts as one after any other courtesy.
        found = kind if found is None or _KINDS.index(kind) < _KINDS.index(found) else found
        rest = rest[courtesy.end() :]
        while (gap := _BETWEEN.match(rest)) and gap.end():
            rest = rest[gap.end() :]
        rest = rest.lstrip("?") if not _WORD.search(rest) else rest
    return found, rest


@cache
def _pattern(kind: Literal["greeting", "thanks", "bye"]) -> re.Pattern[str]:
    entries: list[str] = getattr(_lists(), kind)
    return re.compile(rf"(?:{'|'.join(entries)})(?![^\W_]){_NAMED if kind == 'greeting' else ''}")
