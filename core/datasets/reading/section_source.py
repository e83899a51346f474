"""Finds the repeated sections of a text, such as the contracts of a register, and makes a table of their labels.

A section is a name followed by lines of the form "label: value". Sections that repeat the same labels are the rows of a
table: their names, and a column for each label.
"""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from core.language.normalisation import fold
from core.library.tables.records import Cell, Column, Row, Table

LEAST_SECTIONS = 3
LEAST_LABELS = 2
SHARED = 0.5
"""Least share of the sections that have a label for it to be a column, and of labels that sections of a list share."""
LONGEST_NAME, LONGEST_VALUE = 120, 300
MEDIAN_VALUE = 80
"""Longest median length of the values of a list of things. Longer ones are paragraphs, such as what speakers say."""
MOST_WORDS = 6
"""Maximum number of words of a label."""
GAP = 60
"""Maximum number of lines without a label inside a list."""
ABOVE = 5
"""Number of lines above a list among which its title is looked for."""
_LABEL = re.compile(r"([^\W\d_][^:：|]{0,59})[:：](?!//)(.*)")
_MARKER = re.compile(r"^(?:[^\w\s]|\d{1,3}[.)]|\(\d{1,3}\)) +(?=\S)")
"""A bullet or the number of an item."""
_SENTENCE_ENDS = (".", "!", "?", ";", ",", ":")


@dataclass(frozen=True)
class TextLine:
    """A line of a document and its page. ``label`` and ``value`` are its parts if it has the form "label: value"."""

    text: str
    page: int | None = None
    label: str = ""
    value: str = ""


@dataclass
class _Section:
    """A section: its name, the lines above it, and its values by folded labels."""

    name: str
    page: int | None
    above: list[str] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)


def section_tables(lines: Iterable[TextLine]) -> list[Table]:
    """Returns a table for each list of sections with the same labels, in reading order.

    >>> text = "Cedar,Ends: 2026,Site: Haifa,Orchid,Ends: 2024,Site: Eilat,Birch,Ends: 2027,Site: Haifa"
    >>> [table] = section_tables([TextLine(line) for line in text.split(",")])
    >>> [column.header[0] for column in table.columns], [row.label for row in table.rows]
    (['Ends', 'Site'], ['Cedar', 'Orchid', 'Birch'])
    """
    read = _repeated(list(_labelled(lines)))
    wordings: dict[str, str] = {}
    for line in read:
        wordings.setdefault(fold(line.label), line.label)
    tables = (_table(run, wordings) for run in _lists(_sections(read)))
    return [table for table in tables if table]


def _labelled(lines: Iterable[TextLine]) -> Iterator[TextLine]:
    """The lines with their labels; a label without a value takes the next line as its value."""
    open_label = ""
    for line in lines:
        text = line.text.strip()
        plain = _MARKER.sub("", text, count=1)
        found = _LABEL.fullmatch(plain)
        if found is None or len(found[1].split()) > MOST_WORDS or len(found[2]) > LONGEST_VALUE:
            yield TextLine(plain, line.page, open_label, text if open_label else "")
            open_label = ""
        elif found[2].strip():
            yield TextLine(plain, line.page, found[1].strip(), found[2].strip())
            open_label = ""
        else:
            open_label = found[1].strip()


def _repeated(lines: Sequence[TextLine]) -> list[TextLine]:
    """The lines, of which only those with a repeated label count as labelled."""
    counted = Counter(fold(line.label) for line in lines if line.label)
    return [
        line if counted[fold(line.label)] >= LEAST_SECTIONS else TextLine(line.text, line.page)
        for line in lines
        if line.text
    ]


def _sections(lines: Sequence[TextLine]) -> Iterator[_Section]:
    """The sections: a label that the section before already has begins the next one."""
    section, others = None, list[str]()
    for line in lines:
        if not line.label:
            others.append(line.text)
            continue
        key = fold(line.label)
        if section is None or key in section.values or len(others) > GAP:
            if section:
                yield section
            name = _name(others[-1]) if others else ""
            section = _Section(name, line.page, others[-ABOVE - 1 : -1] if name else others[-ABOVE:])
        section.values[key] = line.value
        others = []
    if section:
        yield section


def _lists(sections: Iterable[_Section]) -> Iterator[list[_Section]]:
    """Sections one after the other that share labels with the first ones."""
    run: list[_Section] = []
    known: set[str] = set()
    for section in sections:
        if run and len(known & section.values.keys()) < SHARED * len(section.values):
            yield run
            run, known = [], set()
        run.append(section)
        known |= section.values.keys()
    if run:
        yield run


def _table(run: Sequence[_Section], wordings: dict[str, str]) -> Table | None:
    """The table of a list; ``None`` if its sections are not things with several short values."""
    counted = Counter(key for section in run for key in section.values)
    keys = [key for key, count in counted.items() if count >= SHARED * len(run)]
    rows = [section for section in run if sum(key in section.values for key in keys) >= LEAST_LABELS]
    lengths = [len(section.values[key]) for section in rows for key in keys if key in section.values]
    if len(rows) < LEAST_SECTIONS or len(keys) < LEAST_LABELS or statistics.median(lengths) > MEDIAN_VALUE:
        return None
    if not _are_named(rows, keys[0]):
        return None
    title = next(filter(None, map(_name, reversed(rows[0].above))), "")
    return Table(
        caption=title or None,
        stub=title or None,
        columns=[Column(header=[wordings[key]]) for key in keys],
        rows=[
            Row(label=row.name, page=row.page, cells=[Cell(text=row.values.get(key, "")) for key in keys])
            for row in rows
        ],
        page=rows[0].page,
        page_end=rows[-1].page,
        of_sections=True,
    )


def _are_named(rows: Sequence[_Section], first: str) -> bool:
    """Whether most sections have a name, or all of them another first value; signatures have neither."""
    named = sum(bool(row.name) for row in rows)
    return named > SHARED * len(rows) or len({row.values.get(first) for row in rows}) == len(rows)


def _name(text: str) -> str:
    """The text of a line if it can name a section, otherwise empty."""
    return text if len(text) <= LONGEST_NAME and not text.endswith(_SENTENCE_ENDS) else ""
