"""How documents of a kind are summed up: kind → the parts of its summary, and the words by which each is found."""

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
    """One part of a summary: under which headings it stands, what its sentences say, or which ``figures`` it tells.

    ``strict``: a sentence under such a heading needs the words as well; ``labelled``: "Present: ..." is a sentence.
    ``headed``: nothing stands for it but what stands under its headings, of which ``headings`` are told themselves;
    ``longest``: characters of a sentence.
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
        """How near under a heading of this part ``path`` stands, 0..1; 0 where it does not, or never may."""
        if self.is_kept_from(path):
            return 0.0
        found = [place for place, heading in enumerate(path) if matches(self.sections, heading)]
        return (found[-1] + 1) / len(path) if found else 0.0

    def is_kept_from(self, path: Sequence[str]) -> bool:
        """Whether it never stands under ``path``."""
        return any(matches(self.never, heading) for heading in path)

    def cues(self, text: str) -> int:
        """How many of its words ``text`` has, each expression counting once."""
        return len({match.lastgroup or match.group() for match in pattern(self.words).finditer(fold(text))})


class Shape(Entry):
    kinds: list[str]
    parts: list[Part]


MOST_LINES = 25
"""Of a summary: the first one, the headings, and what stands under them."""


class _File(Entry):
    shapes: dict[str, Shape]
    kind_names: dict[str, Words]
    lines: dict[str, Words]
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
    """``None`` for a kind that has no shape of its own."""
    return next((shape for shape in vocabulary().shapes.values() if kind in shape.kinds), None)


def kind_name(kind: str) -> Words:
    """What documents of that kind are called."""
    names = vocabulary().kind_names
    return names.get(kind, names["other"])


def line(key: str, language: Language, **parts: str) -> str:
    """A line of the file with its parts."""
    return vocabulary().lines[key].to(language).format(**parts)


def is_apart(path: Sequence[str]) -> bool:
    """Whether what stands under these headings says nothing of what the document is about."""
    return any(matches(vocabulary().apart, heading) for heading in path)


def is_boilerplate(text: str) -> bool:
    """Whether a sentence only warns, refers or fulfils a form."""
    return bool(pattern(vocabulary().boilerplate).search(fold(text)))


@lru_cache(maxsize=50_000)
def matches(expressions: str, heading: str) -> bool:
    """Whether ``heading`` is called so, with its number or without; long ones are sentences and no headings."""
    if not expressions or len(heading.split()) > _LONGEST_HEADING:
        return False
    folded = fold(heading).strip(" .:-–—*#")
    bare = _NUMBERING.sub("", folded)
    return any(_covers_heading(match, text) for text in {folded, bare} for match in pattern(expressions).finditer(text))


def _covers_heading(match: re.Match[str], heading: str) -> bool:
    """Whether what matched makes up most of the heading, or begins it, or is several words of it."""
    return match.start() == 0 or " " in match.group() or len(match.group()) * 2 >= len(heading)


@cache
def pattern(expressions: str) -> re.Pattern[str]:
    """Expressions parted by " ; ", as whole words; Hebrew ones behind any prefix."""
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
