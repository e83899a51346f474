"""Reads sections in prose as rows of a table: sections with names of one kind ("Contract with Ash", "Contract with
Birch") that each state a date or an amount after the same word.

A column is such a word ("ends", "fee") with the value that follows it. Only few documents have such sections, so most
of them must share a word of their names and at least two columns.
"""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.datasets.reading.section_source import LEAST_LABELS, LEAST_SECTIONS, LONGEST_NAME
from core.language.entities.dates import DAYS, DateReading, dates_in
from core.language.normalisation import fold
from core.language.sentences import split_sentences
from core.language.terms import is_stop_word, stem
from core.library.tables.records import Cell, Column, Row, Table

MOST = 60
"""Maximum words of a sentence whose values are read; longer ones state too much."""
SHARED = 2 / 3
"""Least share of the sections that state a column."""
NEAR = 5
"""Number of words before a value among which its word is."""
_FULL_DAY = DateReading(DAYS, needs_year=True)
_WORD = re.compile(r"[^\W\d_]+")
_AMOUNT = re.compile(r"(?:[$€£₪]\s?\d[\d,]*(?:\.\d+)?|(?<!\d)(?<!\d,)\d[\d,]*(?:\.\d+)?\s?(?:%|[^\W\d_]+))")


@dataclass(frozen=True)
class ProseSection:
    """A section: the ``path`` of headings to it, its ``text`` and ``page``."""

    path: tuple[str, ...]
    text: str
    page: int | None = None

    @property
    def name(self) -> str:
        return self.path[-1] if self.path else ""


@dataclass
class _Stated:
    section: ProseSection
    values: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)


def prose_section_tables(sections: Sequence[ProseSection]) -> list[Table]:
    """Returns a table for each list of sections of one kind below the same heading, in reading order.

    >>> texts = {"Ash": "12 May 2026", "Elm": "2 July 2024", "Yew": "1 March 2025"}
    >>> sections = [
    ...     ProseSection(("Register", f"Contract with {name}"), f"It ends on {end}. The fee is $ 90 a month.")
    ...     for name, end in texts.items()
    ... ]
    >>> [table] = prose_section_tables(sections)
    >>> [column.header[0] for column in table.columns], [row.label for row in table.rows]
    (['ends', 'fee'], ['Contract with Ash', 'Contract with Elm', 'Contract with Yew'])
    """
    groups: dict[tuple[str, ...], dict[str, ProseSection]] = {}
    for section in sections:
        if section.name and len(section.name) <= LONGEST_NAME:
            named = groups.setdefault(section.path[:-1], {})
            before = named.get(section.name)
            text = f"{before.text}\n{section.text}" if before else section.text
            named[section.name] = ProseSection(section.path, text, before.page if before else section.page)
    tables = (_table(list(named.values())) for named in groups.values())
    return [table for table in tables if table]


def _table(sections: Sequence[ProseSection]) -> Table | None:
    kind = _shared_word(sections)
    rows = [_stated(section) for section in sections if _is_thing(section, kind)] if kind else []
    if len(rows) < LEAST_SECTIONS:
        return None
    counted = Counter(key for row in rows for key in row.values)
    keys = [key for key, count in counted.items() if count >= max(LEAST_SECTIONS, SHARED * len(rows))]
    if len(keys) < LEAST_LABELS or statistics.fmean(len(row.values.keys() & set(keys)) for row in rows) < LEAST_LABELS:
        return None
    headers = [Counter(row.words[key] for row in rows if key in row.words).most_common(1)[0][0] for key in keys]
    title = sections[0].path[-2] if len(sections[0].path) > 1 else None
    return Table(
        caption=title,
        stub=next(word for word in _WORD.findall(rows[0].section.name) if stem(fold(word)) == kind),
        columns=[Column(header=[header]) for header in headers],
        rows=[
            Row(
                label=row.section.name,
                page=row.section.page,
                cells=[Cell(text=row.values.get(key, "")) for key in keys],
            )
            for row in rows
        ],
        page=rows[0].section.page,
        page_end=rows[-1].section.page,
        of_sections=True,
    )


def _shared_word(sections: Sequence[ProseSection]) -> str:
    """Returns the stem that most names of the sections share, if they differ otherwise; empty without one."""
    counted = Counter(word for section in sections for word in _stems(section.name))
    word, count = counted.most_common(1)[0] if counted else ("", 0)
    return word if count >= LEAST_SECTIONS and count >= SHARED * len(sections) else ""


def _is_thing(section: ProseSection, kind: str) -> bool:
    """Returns whether a section's name has the shared word and another one. Numbered sections ("Part 1") do not."""
    stems = _stems(section.name)
    return kind in stems and len(stems) > 1


def _stems(text: str) -> set[str]:
    return {stem(word) for word in map(fold, _WORD.findall(text)) if not is_stop_word(word)}


def _stated(section: ProseSection) -> _Stated:
    """Returns the first value after each word of a section."""
    stated = _Stated(section)
    for sentence in split_sentences(section.text):
        if len(sentence.text.split()) > MOST:
            continue
        for start, value in _values(sentence.text):
            before = [word for word in _WORD.findall(sentence.text[:start])[-NEAR:] if not is_stop_word(fold(word))]
            if before and (key := stem(fold(before[-1]))) not in stated.values:
                stated.values[key], stated.words[key] = value, before[-1].lower()
    return stated


def _values(sentence: str) -> Iterator[tuple[int, str]]:
    """Yields the dates and amounts of a sentence with their starts."""
    days = dates_in(sentence, _FULL_DAY)
    found = [(day.start, sentence[day.bare : day.end]) for day in days]
    for match in _AMOUNT.finditer(sentence):
        if not any(day.start < match.end() and match.start() < day.end for day in days):
            found.append((match.start(), match.group()))
    yield from sorted(found)
