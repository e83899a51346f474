"""Loads ``disclosures.yaml``: kinds of company statements, with patterns to find them and wording for answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Literal

from core.language.entities.calendar_words import with_calendar
from core.language.vocabulary import Entry, file_of
from core.question.analysed import AnalysedQuestion
from core.words import Language, Words

Shape = Literal["sentence", "sentences", "events", "names", "items", "signature", "section"]
NEVER = "(?!)"
_LONGEST = 400


class StatementWording(Entry):
    """A kind of statement: how it is worded, how users ask for it, and where it appears in a document."""

    asked: str
    unless: str = NEVER
    sections: str = NEVER
    never: str = NEVER
    about: str = ""
    depth: float = 1.0

    def is_asked(self, text: str) -> bool:
        short = text[:_LONGEST]
        return bool(compiled(self.asked).search(short)) and not compiled(self.unless).search(short)

    def stands_under(self, headings: Sequence[str]) -> bool:
        """Returns whether one of a passage's ``headings`` is where this statement usually appears."""
        return any(compiled(self.sections).search(heading) for heading in headings)

    def may_stand_in(self, text: str, depth: float) -> bool:
        """Returns whether a passage at this position in its document (0..1) is worth reading sentence by sentence."""
        return depth <= self.depth and bool(compiled(self.about).search(text))

    def is_never(self, text: str) -> bool:
        return bool(compiled(self.never).search(text))


class Disclosure(StatementWording):
    """A kind of statement, as defined in ``disclosures.yaml``."""

    shape: Shape
    says: list[str]
    names: str = NEVER
    later: str = NEVER

    def patterns(self, names: Sequence[str]) -> list[re.Pattern[str]]:
        """Returns the patterns for sentences with this statement, best first; ``names`` are other names for the
        company."""
        return [of_company(pattern, tuple(names)) for pattern in self.says]

    def since(self, text: str) -> str:
        """Returns the start date that ``text`` states after a match; empty if there is none."""
        found = compiled(self.later).search(text)
        return found["since"] if found else ""

    def named(self, text: str) -> list[str]:
        """Returns those names listed in the file that ``text`` contains, in order, without duplicates."""
        return list(dict.fromkeys(match.group() for match in compiled(self.names, case=True).finditer(text)))


class _File(Entry):
    we: str
    disclosures: dict[str, Disclosure]
    lines: dict[str, Words]
    doubts: dict[str, Words]


_file = file_of("answering/disclosures", _File)


@cache
def compiled(pattern: str, case: bool = False) -> re.Pattern[str]:
    return re.compile(with_calendar(rf"\b(?:{pattern})\b" if case else pattern), 0 if case else re.IGNORECASE)


def self_reference_pattern(names: Sequence[str]) -> str:
    """Returns a pattern for the ways in which a document refers to its company; ``names`` are other names for the
    company."""
    return "|".join([_file().we, *(re.escape(name) for name in sorted(names, key=len, reverse=True) if len(name) > 1)])


@cache
def of_company(pattern: str, names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(
        with_calendar(pattern).replace("{we}", self_reference_pattern(names)), re.IGNORECASE | re.MULTILINE
    )


def disclosure_sought(question: AnalysedQuestion) -> Disclosure | None:
    """Returns the kind that a question asks for: in its focus, or in its full text if the focus names no kind."""
    kinds = _file().disclosures.values()
    return next((kind for text in (question.focus, question.text) for kind in kinds if kind.is_asked(text)), None)


def line(name: str, language: Language, **parts: str) -> str:
    return " ".join(_file().lines[name].to(language).format(**parts).split())


def doubt(name: str) -> Words:
    """Returns the reason why an answer of the kind ``name`` is uncertain."""
    return _file().doubts[name if name in _file().doubts else "sentence"]
