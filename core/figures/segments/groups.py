"""Groups table rows or columns that show one figure for several parts of a company; takes a document's tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from core.figures.records import TableEvidence
from core.figures.segments.vocabulary import is_rest
from core.figures.tables.grid import Line, Place, TableGrid, table_grid, untimed
from core.language.fields import named_figures
from core.question.stems import stems

MOST_ROWS = 80
_LEAST_PARTS = 2
_RUN_IN = re.compile(r"^(.*?[a-z]) ([A-Z].*)$")
_BRACKETS = re.compile(r"(?:(?<!\s)\s++)?+(?:\([^()]*+\)\s*|\d$)|(?<![*†])[*†]++$")


@dataclass(frozen=True)
class Segment:
    """A part of a company; ``label`` is as printed, without notes; ``cells`` holds its figures by column number (by row
    number if parts are columns)."""

    label: str
    cells: dict[int, Place]


@dataclass(frozen=True)
class SegmentGroup:
    """A group of ``parts`` and their ``total`` if there is one; ``keys`` maps each number in the parts' ``cells`` to a
    period; ``figure`` is a vocabulary key or empty; ``words`` are the stems of the headings above the group,
    ``near`` those of the nearest heading."""

    sheet: TableGrid
    parts: tuple[Segment, ...]
    total: Segment | None
    keys: dict[int, str | None]
    figure: str
    words: frozenset[str]
    near: frozenset[str]
    name: str
    known: float = field(default=0.0)

    @property
    def evidence(self) -> TableEvidence:
        return self.sheet.evidence


def groups_of(tables: Sequence[TableEvidence], likely: frozenset[str]) -> list[SegmentGroup]:
    """Returns the groups of tables that contain one of the ``likely`` stems, in reading order."""
    counts = Counter(label for each in tables for label in {clean(row.label) for row in each.table.rows} if label)
    found: list[SegmentGroup] = []
    for each in tables:
        if (
            not _LEAST_PARTS <= len(each.table.rows) <= MOST_ROWS
            or not each.table.columns
            or not _mentions_parts(each, likely)
        ):
            continue
        sheet = table_grid(each)
        found += [_with_part_counts(group, counts) for group in (*_down(sheet), *_column_groups(sheet))]
    return found


def clean(label: str) -> str:
    """Returns a label without brackets, notes and colons."""
    return _BRACKETS.sub("", label).strip(" :")


def _with_part_counts(group: SegmentGroup, counts: Counter[str]) -> SegmentGroup:
    """Returns the group with ``known``: how often its parts also appear in other tables, 0..1. Segments of a company
    usually do, rows of a note do not."""
    shares = [min(1.0, (counts[part.label] - 1) / 3) for part in group.parts]
    return replace(group, known=sum(shares) / len(shares))


def _mentions_parts(evidence: TableEvidence, likely: frozenset[str]) -> bool:
    """Returns whether a table's headings or labels contain one of the stems ``likely``; compares only letters, since
    all forms of a word contain its stem."""
    table = evidence.table
    heads = (part for column in table.columns for part in column.header)
    labels = (row.label for row in table.rows)
    text = " ".join((table.caption or "", table.stub or "", *evidence.path[-1:], *heads, *labels)).lower()
    return any(stem in text for stem in likely)


def _down(sheet: TableGrid) -> Iterator[SegmentGroup]:
    """Yields groups whose parts are the rows under one heading, with the total row."""
    for heading, lines, total in _summed_rows(sheet):
        for own, columns in _by_head(sheet).items():
            parts = [_of_row(sheet, line, label, columns) for line, label in lines]
            kept = tuple(part for part in parts if part.cells and not is_rest(part.label))
            if len(kept) < _LEAST_PARTS:
                continue
            whole = _of_row(sheet, total, clean(total.label), columns) if total else None
            keys = {number: sheet.columns[number].period for number in columns}
            head = " ".join(dict.fromkeys(sheet.columns[number].label for number in columns)) if own else ""
            yield _figure_group(sheet, kept, whole, keys, head, heading)


@dataclass
class _Run:
    """Rows collected under ``heading``, all indented like the first."""

    heading: str = ""
    parents: tuple[str, ...] = ()
    lines: list[tuple[Line, str]] = field(default_factory=list)

    def add(self, row: Line) -> None:
        if not self.lines:
            self.parents = row.parents
            self.heading = " ".join(row.parents) or self.heading
        self.lines.append((row, clean(row.label)))

    def holds(self, row: Line) -> bool:
        """Returns whether ``row`` only gives details of a row collected so far, such as its share of the total."""
        above = row.parents[-1:]
        return bool(above) and any(above[0] == line.label.strip(" :") for line, _ in self.lines)

    def split(self, row: Line) -> bool:
        """Splits the first label if it is a heading merged with its first row, and ``row`` belongs under it; returns
        whether it did."""
        found = _RUN_IN.match(self.lines[0][0].label) if len(self.lines) == 1 and self.holds(row) else None
        if found is None:
            return False
        self.heading, self.parents = found[1], row.parents
        self.lines = [(self.lines[0][0], clean(found[2]))]
        return True

    def goes_on(self, row: Line) -> bool:
        return not self.lines or row.parents == self.parents


def _summed_rows(sheet: TableGrid) -> Iterator[tuple[str, list[tuple[Line, str]], Line | None]]:
    """Yields (heading, rows with their labels, total row)."""
    run = _Run()
    for row in sheet.rows:
        if row.has_figures and not row.is_total and (run.split(row) or not run.holds(row)):
            if not run.goes_on(row):
                yield run.heading, run.lines, None
                run = _Run(run.heading)
            run.add(row)
        elif row.is_total or (row.label and not row.has_figures):
            if run.lines:
                yield run.heading, run.lines, row if row.is_total else None
            run = _Run("" if row.is_total else row.label)
    if run.lines:
        yield run.heading, run.lines, None


def _by_head(sheet: TableGrid) -> dict[tuple[str, ...], list[int]]:
    """Groups columns whose headings are equal apart from the period."""
    found: dict[tuple[str, ...], list[int]] = {}
    for column in sheet.columns:
        found.setdefault(column.own, []).append(column.index)
    return found


def _of_row(sheet: TableGrid, line: Line, label: str, columns: Sequence[int]) -> Segment:
    cells = {number: (line.index, number) for number in columns if sheet.cell(line.index, number).value is not None}
    return Segment(label, cells)


def _column_groups(sheet: TableGrid) -> Iterator[SegmentGroup]:
    """Yields groups whose parts are the columns, one group for every row that contains a figure."""
    heads = [column for column in sheet.columns if column.own and not column.span]
    names = list(dict.fromkeys(column.own for column in heads if not column.is_total and not is_rest(column.label)))
    if len(names) < _LEAST_PARTS + 1:
        return
    keys = list(dict.fromkeys(column.period for column in heads))
    for row in sheet.rows:
        if not row.has_figures or not row.label:
            continue
        parts, total = [], None
        for own in dict.fromkeys(column.own for column in heads):
            columns = [column for column in heads if column.own == own]
            cells = {keys.index(column.period): (row.index, column.index) for column in columns
                     if sheet.cell(row.index, column.index).value is not None}  # fmt: skip
            part = Segment(clean(" ".join(untimed(columns[0].label).split())), cells)
            if columns[0].is_total:
                total = part
            elif cells and not is_rest(part.label):
                parts.append(part)
        if len(parts) > _LEAST_PARTS:
            periods = dict(enumerate(key or row.period for key in keys))
            yield _figure_group(sheet, tuple(parts), total, periods, row.label, "")


def _figure_group(
    sheet: TableGrid,
    parts: tuple[Segment, ...],
    total: Segment | None,
    keys: dict[int, str | None],
    head: str,
    heading: str,
) -> SegmentGroup:
    """Finds the figure's name in the nearest of column, heading and caption."""
    table = sheet.evidence.table
    total_name = total.label if total else ""
    levels = (head, heading, table.caption or "", total_name, table.stub or "", " ".join(sheet.evidence.path[-1:]))
    figure, name = next(
        ((found[0].name, found[0].text) for text in levels if text and (found := named_figures(text))), ("", "")
    )
    near = frozenset(stems(f"{head} {heading} {total_name}"))
    known = near | sheet.context | frozenset(stems(" ".join(levels)))
    return SegmentGroup(sheet, parts, total, keys, figure, known, near, name or head or heading)
