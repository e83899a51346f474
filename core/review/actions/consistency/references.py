"""Finds references to sections and annexes that a document does not have, and periods that end before they begin."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.events import Source
from core.language.entities.dates import DAYS, DateReading, Day, dates_in
from core.language.entities.facts import prepared
from core.language.vocabulary import pattern_of, phrase_of
from core.messages import message
from core.review.actions.consistency.records import Checked, ConsistencyFinding, Place
from core.review.actions.records import Statement

_SECTION_WORDS = phrase_of("graph/consistency.section")
_ANNEX_WORDS = phrase_of("graph/consistency.annex")
_SECTION = re.compile(rf"(?:{_SECTION_WORDS})\s+(?P<name>\d{{1,2}}(?:\.\d{{1,2}}){{0,3}})(?![\w.]*\w)", re.IGNORECASE)
_ANNEX = re.compile(
    rf"(?i:{_ANNEX_WORDS})\s+[\"'\u05f4\u05f3]?(?P<name>[A-Z]|\d{{1,2}}|[\u05d0-\u05ea](?![\u05d0-\u05ea]))(?![\w\"\u05f4]|[.]\d)"
)
_ELSEWHERE = pattern_of("graph/consistency.elsewhere")
_NUMBERED = re.compile(r"(?<![\w.,/-])(?P<name>\d{1,2}(?:\.\d{1,2}){0,3})[.):]?\s+(?=[\"'*(]?[A-Z\u05d0-\u05ea])")
_HEADED = re.compile(
    rf"(?:^|\n)[ \t#*|]*(?:{_SECTION_WORDS})\s+(?P<name>\d{{1,2}}(?:\.\d{{1,2}}){{0,3}})", re.IGNORECASE
)
_ANNEX_NAME = r"[A-Z]|\d{1,2}|[\u05d0-\u05ea](?![\u05d0-\u05ea])"
_HEADED_ANNEX = re.compile(rf"(?:^|\n)[ \t#*|]*(?i:{_ANNEX_WORDS})\s+[\"'\u05f4\u05f3]?(?P<name>{_ANNEX_NAME})")
_UNTIL, _SINCE = pattern_of("graph/consistency.until"), pattern_of("graph/consistency.since")
_DATED = DateReading(DAYS, needs_year=True)
_LEAST_NUMBERED = 3
"""Number of sections that a document numbers, from 1, for its numbers to be known."""


def missing_parts(source: Source, statements: Sequence[Statement], checked: Checked) -> list[ConsistencyFinding]:
    """Returns the references to a section or an annex that ``source`` does not have."""
    sections, annexes = _sections(source), _annexes(source)
    found: dict[str, ConsistencyFinding] = {}
    for each in statements:
        for match in _references(_SECTION, each.text) if sections else ():
            checked.references += 1
            if not _has_section(match["name"], sections):
                found.setdefault(match["name"], _missing(each, _shown(match, "section")))
        for match in _references(_ANNEX, each.text):
            if each.text.startswith(match.group()):
                continue
            checked.references += 1
            if match["name"] not in annexes:
                found.setdefault(match["name"], _missing(each, _shown(match, "annex")))
    return list(found.values())


def reversed_periods(statements: Sequence[Statement], checked: Checked) -> list[ConsistencyFinding]:
    """Returns the periods whose last day is before their first day."""
    found = []
    for each in statements:
        text = prepared(each.text)
        spans = dates_in(text, _DATED)
        for first, last in pairwise(spans):
            if not (_UNTIL.search(text[first.end : last.start]) and _SINCE.search(text[: first.start])):
                continue
            begin, end = _ordinal(first.day), _ordinal(last.day)
            checked.periods += 1
            if begin and end and end < begin:
                reason = message(
                    "graph.self_audit.reversed", first=text[first.bare : first.end], last=text[last.bare : last.end]
                )
                found.append(ConsistencyFinding("dates", _place(each), reason))
    return found


def _references(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    return (match for match in pattern.finditer(text) if not _ELSEWHERE.search(text[match.end() :]))


def _shown(match: re.Match[str], kind: str) -> str:
    """Returns the reference without the letters that are joined to a Hebrew word."""
    return match.group()[max(match.start(kind), match.start()) - match.start() :]


def _sections(source: Source) -> frozenset[str]:
    """Returns the numbers of the document's sections; empty if they are not known."""
    found: set[str] = set()
    for passage in source.passages:
        for text in (passage.section or "", passage.text):
            found |= {match["name"] for pattern in (_NUMBERED, _HEADED) for match in pattern.finditer(text)}
    known = {each.split(".")[0] for each in found}
    return frozenset(found | known) if all(str(n) in known for n in range(1, _LEAST_NUMBERED + 1)) else frozenset()


def _annexes(source: Source) -> frozenset[str]:
    texts = (text for each in source.passages for text in (each.section or "", each.text))
    return frozenset(match["name"] for text in texts for match in _HEADED_ANNEX.finditer(text))


def _has_section(name: str, sections: frozenset[str]) -> bool:
    """Returns whether the section is there; a subsection counts as there if its section numbers no subsections."""
    if name in sections:
        return True
    above, _, _ = name.rpartition(".")
    return bool(above) and above in sections and not any(each.startswith(f"{above}.") for each in sections)


def _missing(statement: Statement, name: str) -> ConsistencyFinding:
    return ConsistencyFinding("reference", _place(statement), message("graph.self_audit.missing", name=name), "medium")


def _place(statement: Statement) -> Place:
    return Place(statement.number, statement.passage.item_id, statement.text, statement.passage.page)


def _ordinal(day: Day) -> tuple[int, int, int] | None:
    return (day.year, day.month, day.day) if day.year and day.month and day.day else None
