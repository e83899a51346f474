"""Processes row labels: joins wrapped lines, and finds each row's parent labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.language.note_marks import without_note_marks
from core.language.total_labels import is_called_subtotal, is_called_total
from core.language.vocabulary import pattern_of
from core.library.tables.grid import RawCell, RawRow
from core.library.tables.periods import period_of

_TOTAL = pattern_of("library/tables.labels.total")
_OPEN_END = re.compile(r"(,|-|–|\b(of|and|the|to|in|for|from|on|by|or|with|net|a|an|at|as|other))$", re.IGNORECASE)
_DEEPER = 0.35


def unwrapped(rows: Sequence[RawRow], full: float = float("inf")) -> list[RawRow]:
    """Join labels that continue over several lines with the row of their numbers.

    Args:
        full: length in characters from which a label's text fills its column.
    """
    result: list[RawRow] = []
    waiting: RawRow | None = None
    last = 0
    for row in rows:
        if waiting is not None:
            if _continues(waiting, row, last >= full):
                last = len(row.label)
                waiting = row = _wrapped_row(waiting, row)
                if row.figures:
                    result.append(row)
                    waiting = None
                continue
            result.append(waiting)
            waiting = None
        if row.figures:
            result.append(row)
        elif result and result[-1].figures and _ends_above(result[-1], row):
            result[-1] = _wrapped_row(result[-1], row)
        else:
            waiting, last = row, len(row.label)
    return [*result, waiting] if waiting is not None else result


def _continues(above: RawRow, row: RawRow, is_full: bool) -> bool:
    """Whether ``row`` continues the label in ``above``; ``is_full``: its last line fills its column."""
    if not row.label:
        return bool(row.figures) and not above.label.endswith(":")
    if above.label.endswith(":"):
        return False
    if row.label[0].islower() or (_OPEN_END.search(above.label) and not _may_be_complete(above, row)):
        return True
    deeper = row.indent > above.indent + _DEEPER
    return is_full and deeper and bool(row.figures)


def _may_be_complete(above: RawRow, row: RawRow) -> bool:
    """Whether the label above is complete: "Inventories, net" above indented rows is their heading."""
    return above.label.lower().endswith((", net", ", other")) and row.indent > above.indent + _DEEPER


def _ends_above(above: RawRow, row: RawRow) -> bool:
    """Whether a line without numbers ends the label of the row above, whose numbers are on its first line."""
    if not above.label or not row.label:
        return False
    if row.label[0].islower():
        return True
    is_open = bool(_OPEN_END.search(above.label)) and not above.label.endswith(("net", "other", "Other"))
    return is_open and row.indent >= above.indent and not row.label.endswith(":")


def _wrapped_row(above: RawRow, row: RawRow) -> RawRow:
    label = f"{above.label} {row.label}".strip()
    first = next((cell for cell in (*above.cells, *row.cells) if cell.start == 0), RawCell("", 0, 1))
    cells = [replace(first, text=label), *above.figures, *row.figures]
    return RawRow(cells, above.indent, row.page)


@dataclass
class _Level:
    label: str
    indent: float
    is_section: bool
    has_deeper: bool = False

    @property
    def is_time(self) -> bool:
        """Whether the label is a year or date: a year above rows applies until the next year, even past a total."""
        return len(self.label.split()) <= 5 and period_of(self.label) is not None


def parents_of(rows: Sequence[RawRow]) -> list[list[str]]:
    """For each row its parent labels, outermost first: by indentation, or by a line without numbers above."""
    stack: list[_Level] = []
    found: list[list[str]] = []
    closed = False
    for row in rows:
        label, is_section = row.label, not row.figures
        is_total = (bool(_TOTAL.match(without_note_marks(label))) or is_called_total(label)) and not is_section
        if not is_section and is_called_subtotal(label):
            # The section continues after it.
            found.append([level.label for level in stack if level.is_section and level.label])
            continue
        while stack and not _holds(stack[-1], row, is_section, closed):
            stack.pop()
        if is_total:
            while stack and not stack[-1].is_section:
                stack.pop()
        for level in stack:
            level.has_deeper = level.has_deeper or row.indent > level.indent + _DEEPER
        found.append([level.label for level in stack if level.label and level.label != label])
        if is_total:
            _close_section(stack, label)
        elif label:
            stack.append(_Level(label.rstrip(" :") or label, row.indent, is_section))
        closed = is_total
    return found


def _close_section(stack: list[_Level], total: str) -> None:
    """A total closes the section that it names, and the sections inside."""
    named = _TOTAL.sub("", total, count=1).strip(" :,").lower()
    for depth, level in enumerate(stack):
        if level.is_section and level.label.lower() == named:
            del stack[depth:]
            return


def _holds(level: _Level, row: RawRow, is_section: bool, closed: bool) -> bool:
    if row.indent > level.indent + _DEEPER:
        return True
    # A line without numbers is the heading of the unindented rows that follow, until the next such line or its total.
    beside = abs(row.indent - level.indent) <= _DEEPER
    return level.is_section and beside and not level.has_deeper and not is_section and (not closed or level.is_time)
