"""Finds simple facts in a company's filings: takes a question and documents; returns the fact, its position and date.

Examples are the number of employees, the head office and the place of incorporation. Forms and reports state each in a
few fixed ways (``answering/disclosed_facts.yaml``). The newest document with the fact is used, and in it the clearest
statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial

from core.answering.disclosures.newest import newest_first, year_of
from core.answering.disclosures.pattern_matches import depths
from core.answering.disclosures.plain_facts import PlainFact
from core.answering.disclosures.vocabulary import NEVER, StatementWording, compiled, of_company
from core.figures.numbers import SCALES
from core.figures.records import TextEvidence
from core.language.entities.periods import periods_in
from core.language.vocabulary import Entry, file_of
from core.question.analysed import AnalysedQuestion
from core.words import Language, Words

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_LONGEST = 160
_COUNTED = "counted"


class FactKind(StatementWording):
    """A kind of fact, as defined in ``answering/disclosed_facts.yaml``."""

    says: list[str]
    decided: int
    counts: bool = False
    debris: str = NEVER
    line: Words


@dataclass(frozen=True)
class Fact:
    """A fact found in a document; ``text`` is the line that states ``value``; ``date`` may be empty; ``rank`` is the
    index of the matching pattern."""

    kind: FactKind
    passage: TextEvidence
    text: str
    value: str
    date: str
    rank: int
    place: float


class _File(Entry):
    written: dict[str, str]
    counted: dict[str, str]
    facts: dict[str, FactKind]
    hebrew: dict[str, str]
    lines: dict[str, Words]
    doubt: Words


_file = file_of("answering/disclosed_facts", _File)


@dataclass(frozen=True)
class FactQuery:
    """The kind of fact that a question asks for; for a count, also the pattern for what is counted, and the question's
    word for it."""

    kind: FactKind
    thing: str = ""
    what: str = ""


def fact_sought(question: AnalysedQuestion) -> FactQuery | None:
    """Returns the kind of fact that a question asks for."""
    kinds = _file().facts.values()
    asked = (_fact_query(kind, text) for text in (question.focus, question.text) for kind in kinds)
    return next(filter(None, asked), None)


def plain_fact(question: AnalysedQuestion, passages: Sequence[TextEvidence]) -> PlainFact | None:
    """Returns the clearest statement of the fact from the newest document that has one; ``passages`` are in reading
    order."""
    sought = fact_sought(question)
    if sought is None:
        return None
    stated = [each for document in newest_first(passages, question.periods) if (each := _plainest(sought, document))]
    if not stated:
        return None
    fact = stated[0]
    decided = fact.rank < fact.kind.decided and not any(_is_otherwise(fact, other) for other in stated[1:])
    number, scale = _parsed_count(fact.value) if fact.kind.counts else (None, 1.0)
    worded = partial(_fact_line, fact, sought, question.language)
    return PlainFact(fact.passage, fact.text, fact.value, worded, None if decided else _file().doubt, number, scale)


def _plainest(sought: FactQuery, document: Sequence[TextEvidence]) -> Fact | None:
    return min(_facts(sought, document), key=lambda each: (each.rank, each.place), default=None)


def _is_otherwise(fact: Fact, other: Fact) -> bool:
    """Returns whether another document of the same year states a different count; which of the two is newer is
    unknown."""
    same_year = year_of(fact.passage.origin) == year_of(other.passage.origin)
    return fact.kind.counts and same_year and _parsed_count(fact.value) != _parsed_count(other.value)


def _parsed_count(value: str) -> tuple[float | None, float]:
    """Parses "approximately 6.4 million" into (6.4, 1e6)."""
    found = _NUMBER.search(value)
    if found is None:
        return None, 1.0
    scale = next((factor for factor, word in SCALES.items() if word.en in value), 1.0)
    return float(found.group().replace(",", "")), scale


def _fact_line(fact: Fact, sought: FactQuery, language: Language, entity: str) -> str:
    """Returns the first line of the answer."""
    date = (_day_in_figures(fact.date) if language == "he" else fact.date) or year_of(fact.passage.origin)
    at = _file().lines["at"].to(language).format(date=date) if date else ""
    what = sought.what[:1].upper() + sought.what[1:]
    value = (_day_in_figures(fact.value) or _in_hebrew(fact.value)) if language == "he" else fact.value
    parts = {"entity": entity, "value": value, "at": at, "what": what, "cite": f"[{fact.passage.origin.number}]"}
    return " ".join(fact.kind.line.to(language).format(**parts).split())


def _in_hebrew(value: str) -> str:
    """Translates the words around a figure into Hebrew; names and addresses stay as printed."""
    for english, hebrew in _file().hebrew.items():
        value = re.sub(rf"\b{english}\b ?", hebrew, value)
    return value


def _day_in_figures(date: str) -> str:
    """Converts "June 30, 2031" to a numeric date; empty if there is no date."""
    found = [each.key for each in periods_in(date) if len(each.key) == 10]
    return ".".join(str(int(part)) for part in reversed(found[0].split("-"))) if found else ""


def _fact_query(kind: FactKind, text: str) -> FactQuery | None:
    if "{counted}" not in kind.asked:
        return FactQuery(kind) if kind.is_asked(text) else None
    for thing in _file().counted.values():
        own = kind.model_copy(update={"asked": kind.asked.replace("{counted}", f"(?:{thing})")})
        if own.is_asked(text) and (found := compiled(thing).search(text)):
            return FactQuery(kind, thing, found.group())
    return None


def _facts(sought: FactQuery, passages: Sequence[TextEvidence]) -> Iterator[Fact]:
    kind = sought.kind
    for passage, depth in zip(passages, depths(passages), strict=True):
        if not kind.may_stand_in(passage.text, depth):
            continue
        under = kind.stands_under(passage.path)
        for rank, pattern in enumerate(kind.says):
            for match in _expanded_pattern(pattern, sought.thing, passage.origin.names).finditer(passage.text):
                value, date = _disclosed_value(kind, match), _part(match, "date")
                line = _surrounding_lines(passage.text, match)
                if value and not kind.is_never(match.group()):
                    yield Fact(kind, passage, line, value, date, rank, depth - 0.5 * under)
                    break


def _disclosed_value(kind: FactKind, match: re.Match[str]) -> str:
    parts = [_part(match, "more"), compiled(kind.debris).sub(" ", match["value"])]
    text = ": ".join(part for part in parts if part)
    text = " ".join(re.sub(r"(?:(?<!\s)\s++)?+\|[|\n]*+\s*|(?<!\s)[^\S\n]*+\n\s*", ", ", text).split()).strip(" ,|.;:")
    return re.sub(
        r"(?:(?<!\s)\s++)?+,(?:\s*+,)++\s*", ", ", text.title() if text.isupper() and periods_in(text) else text
    )[:_LONGEST]


def _part(match: re.Match[str], name: str) -> str:
    return " ".join((match.groupdict().get(name) or "").split())


def _surrounding_lines(text: str, match: re.Match[str]) -> str:
    """Returns the complete lines that contain the statement."""
    start = text.rfind("\n", 0, match.start()) + 1
    end = text.find("\n", match.end())
    return " ".join(text[start : end if end >= 0 else None].split())


@cache
def _expanded_pattern(pattern: str, thing: str, names: tuple[str, ...]) -> re.Pattern[str]:
    for name, written in {**_file().written, _COUNTED: f"(?:{thing})"}.items():
        pattern = pattern.replace(f"{{{name}}}", written)
    return of_company(pattern, names)
