"""Defines summary layouts by document kind: the parts of a summary, and the words that find each part."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from pydantic import BaseModel, Field, field_validator

from core.language.entities.calendar_words import with_calendar
from core.language.hebrew import LETTER, NO_LETTER_AFTER, NO_LETTER_BEFORE, PREFIXES
from core.language.normalisation import fold
from core.language.vocabulary import Entry, file_of, pattern_of
from core.words import Language, Words

_NUMBERING = pattern_of("graph/actions.shapes.numbering")
_LONGEST_HEADING = 14


class Part(BaseModel, extra="forbid", frozen=True):
    """One part of a summary. It is found by ``headings``, by words in sentences, or consists of the ``figures`` that it
    reports.

    ``strict``: a sentence under such a heading also needs the words; ``labelled``: "Present: ..." counts as a sentence.
    ``headed``: only text under the part's headings is used, and ``headings`` are themselves listed; ``longest``:
    maximum characters of a sentence.
    """

    label: Words
    most: int
    sections: str = ""
    never: str = Field("", alias="not")
    words: str = ""
    meaning: str = ""
    strict: bool = False
    labelled: bool = False
    headed: bool = False
    headings: str = ""
    longest: int = 420
    figures: list[str] = []

    def heads(self, path: Sequence[str]) -> float:
        """Returns how closely ``path`` is under a heading of this part, 0..1; 0 if it is not, or is excluded."""
        if self.is_kept_from(path):
            return 0.0
        found = [place for place, heading in enumerate(path) if matches(self.sections, heading)]
        return (found[-1] + 1) / len(path) if found else 0.0

    def is_kept_from(self, path: Sequence[str]) -> bool:
        """Returns whether this part must not use text under the headings ``path``."""
        return any(matches(self.never, heading) for heading in path)

    def cues(self, text: str) -> int:
        """Returns how many of the part's expressions ``text`` contains, each counted once."""
        return len({match.lastgroup or match.group() for match in pattern(self.words).finditer(fold(text))})


class Shape(Entry):
    kinds: list[str]
    parts: list[Part]


MOST_LINES = 25
"""Maximum lines of a summary: the opening line, the headings and the text under them."""


class _File(Entry):
    shapes: dict[str, Shape]
    kind_names: dict[str, Words]
    lines: dict[str, Words]
    gist: str
    apart: str
    boilerplate: str
    leaning: str
    naming: str
    damage: str

    @field_validator("shapes")
    @classmethod
    def _one_a_kind(cls, shapes: dict[str, Shape]) -> dict[str, Shape]:
        kinds = [kind for shape in shapes.values() for kind in shape.kinds]
        if len(kinds) != len(set(kinds)):
            raise ValueError("a kind has two shapes")
        for name, shape in shapes.items():
            if 1 + sum(part.most + 1 for part in shape.parts) > MOST_LINES:
                raise ValueError(f"{name} makes more than {MOST_LINES} lines")
        return shapes


vocabulary = file_of("graph/summary_shapes", _File)


def shape_of(kind: str) -> Shape | None:
    """Returns ``None`` for a kind without its own layout."""
    return next((shape for shape in vocabulary().shapes.values() if kind in shape.kinds), None)


def kind_name(kind: str) -> Words:
    """Returns the name of a document kind."""
    names = vocabulary().kind_names
    return names.get(kind, names["other"])


def line(key: str, language: Language, **parts: str) -> str:
    """Returns the line of the vocabulary file under ``key``, with ``parts`` filled in."""
    return vocabulary().lines[key].to(language).format(**parts)


def is_apart(path: Sequence[str]) -> bool:
    """Returns whether text under these headings has nothing to do with the document's subject."""
    return any(matches(vocabulary().apart, heading) for heading in path)


def is_gist(heading: str) -> bool:
    """Returns whether authors sum up under this heading."""
    return matches(vocabulary().gist, heading)


def is_boilerplate(text: str) -> bool:
    """Returns whether a sentence only warns, refers to other text or fulfils a formality."""
    return bool(pattern(vocabulary().boilerplate).search(fold(text)))


@lru_cache(maxsize=50_000)
def matches(expressions: str, heading: str) -> bool:
    """Returns whether ``heading`` matches, with or without its number; long headings are sentences and never match."""
    if not expressions or len(heading.split()) > _LONGEST_HEADING:
        return False
    folded = fold(heading).strip(" .:-–—*#")
    bare = _NUMBERING.sub("", folded)
    return any(_covers_heading(match, text) for text in {folded, bare} for match in pattern(expressions).finditer(text))


def _covers_heading(match: re.Match[str], heading: str) -> bool:
    """Returns whether the match covers most of the heading, starts it, or is several of its words."""
    return match.start() == 0 or " " in match.group() or len(match.group()) * 2 >= len(heading)


@cache
def pattern(expressions: str) -> re.Pattern[str]:
    """Compiles expressions separated by " ; " into a whole-word pattern; Hebrew ones may have any prefix."""
    patterns = [each.strip() for each in expressions.split(" ; ") if each.strip()]
    if not patterns:
        return re.compile(r"(?!)")
    return re.compile(with_calendar("|".join(map(_whole_words, patterns))), re.IGNORECASE)


def _whole_words(expression: str) -> str:
    if re.search(LETTER, expression):
        return rf"{NO_LETTER_BEFORE}[{PREFIXES}]{{0,2}}(?:{expression}){NO_LETTER_AFTER}"
    begin = r"(?<!\w)" if re.match(r"[\w(]", expression) else ""
    end = r"(?!\w)" if re.search(r"[\w)*?]$", expression) else ""
    return f"{begin}(?:{expression}){end}"
