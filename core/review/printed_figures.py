"""Reads the figures that passages print: rows of tables with their labels and columns, and amounts in sentences.

A passage that was made of a table holds its rows as lines of cells ("Services | $21,213 | 19,604") under a line of
column headings and a note of units ("in millions"). Each cell becomes a figure in plain units, with its row label, its
column and the value of its last printed digit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.events import Passage, Source
from core.language.cache_sizes import TEXTS
from core.language.entities.calendar_words import years_in
from core.language.entities.quantities import quantities
from core.language.sentences import split_sentences
from core.language.vocabulary import pattern_of
from core.library.tables.cells import cell
from core.library.tables.units import units_in

CELLS = " | "
_PERCENT = pattern_of("grounding/patterns.figure_support.percent")
_SCALES = (1e9, 1e6, 1e3)
_WORDS = {1e9: "billion", 1e6: "million", 1e3: "thousand"}
_DECIMALS = re.compile(r"\d[\d,]*(?:\.(\d+))?")
_FISCAL = re.compile(r"\bFY(?=\d)", re.IGNORECASE)
_LABEL_LENGTH = 200


@dataclass(frozen=True)
class RowCell:
    """A number in a row of a table; ``value`` is signed, ``unit`` a currency code, "percent" or empty."""

    column: str
    value: float
    unit: str


@dataclass(frozen=True)
class PrintedFigure:
    """A figure of a passage.

    ``value`` and ``step`` (the value of the last printed digit) are as printed; ``scales`` are the factors that its
    note of units allows ("in millions, except per share amounts": 1e6 and 1). ``unit`` is a currency code, "percent"
    or empty. ``label`` joins the row's label with the headings above it; ``column`` is empty in a sentence. ``cells``
    are the figures of the same row: column, signed value and unit.
    """

    value: float
    step: float
    unit: str
    scales: tuple[float, ...]
    label: str
    column: str
    line: str
    row: str
    cells: tuple[RowCell, ...]
    number: int
    item_id: str

    @property
    def is_cell(self) -> bool:
        """Whether it is in a row of a table, and not in a sentence."""
        return bool(self.cells)


def printed_figures(sources: Sequence[Source]) -> list[PrintedFigure]:
    """Returns the figures of all passages, in order."""
    return [
        figure for source in sources for passage in source.passages for figure in _of_passage(source.number, passage)
    ]


def labels_of(figures: Sequence[PrintedFigure]) -> str:
    """Returns the row labels and column headings of ``figures`` as one text, each once."""
    return " . ".join(dict.fromkeys(text for each in figures for text in (each.row, each.column)))


def _of_passage(number: int, passage: Passage) -> Iterator[PrintedFigure]:
    for printed in _figures(passage.text, passage.section or ""):
        yield PrintedFigure(*printed, number, passage.item_id)


Printed = tuple[float, float, str, tuple[float, ...], str, str, str, str, tuple[RowCell, ...]]


@lru_cache(maxsize=2_000)
def _figures(text: str, section: str) -> tuple[Printed, ...]:
    found: list[Printed] = []
    lines = text.split("\n")
    scales = scales_in(text)
    columns: list[str] = []
    parent = ""
    prose: list[str] = []
    for place, line in enumerate(lines):
        if CELLS not in line and not line.rstrip().endswith(" |"):
            prose.append(line)
            parent = line.strip() if place and len(line) < _LABEL_LENGTH else ""
            continue
        cells = [part.strip() for part in line.split("|")]
        values = [cell(part) for part in cells]
        if not any(each.value is not None for each in values[1:]) or (values[0].value and years_of(cells[0])):
            columns = cells
            continue
        if values[0].value is not None:
            continue  # A subtotal without a label.
        label = " > ".join(part for part in (section, parent, cells[0]) if part)
        row = _row(cells, columns, parent)
        siblings = tuple(one for one, _ in row)
        for one, printed in row:
            step = _step(printed)
            found.append((abs(one.value), step, one.unit, scales, label, one.column, line, cells[0], siblings))
    for sentence in split_sentences("\n".join(prose)):
        found += _of_sentence(sentence.text)
    return tuple(found)


def _row(cells: Sequence[str], columns: Sequence[str], above: str) -> list[tuple[RowCell, str]]:
    """Returns the figures of a row with what is printed; the line of headings may leave out the column of labels."""
    shift = len(cells) - len(columns)
    found = []
    for index, text in enumerate(cells[1:], 1):
        read = cell(text)
        if read.value is not None:
            heading = columns[index - shift] if columns and 0 <= index - shift < len(columns) else ""
            is_share = read.kind == "share" or (not read.currency and _PERCENT.search(f"{heading} {above} {cells[0]}"))
            found.append((RowCell(heading, read.value, "percent" if is_share else read.currency or ""), read.text))
    return found


def _of_sentence(text: str) -> Iterator[Printed]:
    for quantity in quantities(text):
        for value in dict.fromkeys((quantity.low, quantity.high)):
            yield value, quantity.step, quantity.unit, (1.0,), text, "", text, "", ()


@lru_cache(maxsize=TEXTS)
def years_of(text: str) -> frozenset[int]:
    """Returns the years that ``text`` names, those of "FY2023" included."""
    return frozenset(years_in(_FISCAL.sub(" ", text)))


def scales_in(text: str) -> tuple[float, ...]:
    """Returns the factors that the note of units in ``text`` names, the main one first, and 1 at the end."""
    for line in text.split("\n"):
        units = units_in(line) if CELLS not in line else None
        if units and units.scale:
            words = units.printed.lower()
            also = [scale for scale in _SCALES if scale != units.scale and _WORDS[scale] in words]
            return (units.scale, *also, 1.0)
    return (1.0,)


def _step(text: str) -> float:
    match = _DECIMALS.search(text)
    return 10.0 ** -len(match[1]) if match and match[1] else 1.0
