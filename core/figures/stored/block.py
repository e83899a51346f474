"""Prepares a document's packed figures for lookups: arrays of figures, and the rows and headings of each stem."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import log

import numpy as np
import numpy.typing as npt

from core.figures.stored.packed import PackedFigures
from core.figures.stored.records import StoredFigure
from core.language.cache_sizes import WORDS
from core.language.entities.periods import extent
from core.language.fields import figure_names
from core.library.records import Document
from core.question.stems import weak_stems

Places = npt.NDArray[np.int32]
Marks = npt.NDArray[np.float32]

_WEAK, _TOTAL = 0.12, 0.5
"""Weights of a generic word, and of "total", which users often add to a name or leave out."""
_SAYS_NOTHING, _UNKNOWN = 0.1, 0.85
_DAYS = 10_000_000
"""More than the number of days of any date."""
_NO_PLACES: Places = np.empty(0, dtype=np.int32)


class FigureBlock:
    """The figures of one document in memory. It has no data of the catalogue, so it stays valid when a title or an
    organisation is corrected."""

    def __init__(self, packed: PackedFigures) -> None:
        self._packed = packed
        self.texts = packed.texts
        rows, cells = packed.rows, packed.cells
        self.own, self.above, self.section = (self._places_of(each) for each in (rows.own, rows.above, rows.section))
        self.head, self.context = self._places_of(packed.heads.own), self._places_of(packed.tables.context)
        self._lines = len(rows.row) + len(packed.heads.own)
        self.weights = self._label_weights(rows.own)
        self.head_weights = self._label_weights(packed.heads.own)
        self.is_principal = np.array(rows.principal, dtype=bool)
        self.is_total = np.array(rows.total, dtype=bool)
        self.has_parents = np.array([bool(parents) for parents in rows.parents], dtype=bool)
        self.table_of_row = np.array(rows.table, dtype=np.int32)
        self.caption_keys = [named_measures(self.texts[caption]) for caption in packed.tables.caption]
        self.cell_row, self.cell_head = np.array(cells.row, dtype=np.int32), np.array(cells.head, dtype=np.int32)
        self.cell_period = np.array(cells.period, dtype=np.int32)
        self.periods = {place: self.texts[place] for place in sorted(set(cells.period))}
        self.cell_age = np.array([age(self.periods[place]) for place in cells.period], dtype=np.int64)
        self.above_keys, self.head_keys = self._places_of(rows.above_keys), self._places_of(packed.heads.keys)
        self.keys: dict[str, list[tuple[int, float]]] = {}
        for row, keys in enumerate(rows.keys):
            for place, percent in keys:
                self.keys.setdefault(self.texts[place], []).append((row, percent / 100))

    @property
    def count(self) -> int:
        """The number of figures."""
        return self._packed.count

    @property
    def rows(self) -> int:
        """The number of rows with figures."""
        return len(self._packed.rows.row)

    def weight(self, stem: str) -> float:
        """Returns how well a stem distinguishes the rows and headings: the fewer contain it, the higher the weight."""
        count = len(self.own.get(stem, ())) + len(self.above.get(stem, ())) + len(self.head.get(stem, ()))
        if count == 0:
            weight = _SAYS_NOTHING if stem in weak_stems() else _UNKNOWN
        else:
            weight = 0.35 + log(1 + self._lines / count) / log(1 + max(2, self._lines))
        return weight * (_WEAK if stem in weak_stems() else _TOTAL if stem == "total" else 1.0)

    def own_stems(self, row: int) -> tuple[str, ...]:
        """Returns the stems of a row's label, in order."""
        return tuple(self.texts[place] for place in self._packed.rows.own[row])

    def figure(self, document: Document, cell: int) -> StoredFigure:
        """Returns the figure number ``cell`` as a record; ``document`` is its catalogue entry now."""
        texts, cells, rows, tables = self.texts, self._packed.cells, self._packed.rows, self._packed.tables
        row = cells.row[cell]
        table, keys = rows.table[row], rows.keys[row]
        organisations = document.metadata.organisations
        return StoredFigure(
            document_id=document.id,
            title=document.metadata.title,
            label=texts[rows.label[row]],
            parents=tuple(texts[place] for place in rows.parents[row]),
            header=texts[self._packed.heads.label[cells.head[cell]]],
            caption=texts[tables.caption[table]],
            measure=texts[keys[0][0]] if keys else "",
            entity=organisations[0].name if organisations else "",
            segment=texts[cells.segment[cell]],
            period=texts[cells.period[cell]],
            value=cells.value[cell],
            unit=texts[cells.unit[cell]],
            scale=cells.scale[cell],
            currency=texts[cells.currency[cell]],
            text=texts[cells.text[cell]],
            page=rows.page[row] or None,
            table=tables.number[table],
            row=rows.row[row],
            column=cells.column[cell],
        )

    def _places_of(self, stems: Sequence[Sequence[int]]) -> dict[str, Places]:
        found: dict[int, list[int]] = {}
        for place, texts in enumerate(stems):
            for text in texts:
                found.setdefault(text, []).append(place)
        return {self.texts[text]: np.array(places, dtype=np.int32) for text, places in found.items()}

    def _label_weights(self, stems: Iterable[Sequence[int]]) -> Marks:
        """Returns the sum of the weights of each label's stems."""
        known: dict[int, float] = {}
        sums = []
        for texts in stems:
            for text in texts:
                if text not in known:
                    known[text] = self.weight(self.texts[text])
            sums.append(sum(known[text] for text in texts))
        return np.array(sums, dtype=np.float32)


@lru_cache(maxsize=WORDS)
def named_measures(text: str) -> tuple[str, ...]:
    """Returns the keys of the measures that a heading names."""
    return tuple(dict.fromkeys(key for match in figure_names().find(text) for key in match.entries))


@lru_cache(maxsize=8_192)
def age(period: str) -> int:
    """Returns a number that is lower for later periods, and of those that end on one day for the longer one."""
    try:
        first, last = extent(period)
    except ValueError:
        return 0
    return first.toordinal() - last.toordinal() * _DAYS


def places(found: dict[str, Places], stem: str) -> Places:
    """Returns the places of a stem; none if it is not there."""
    return found.get(stem, _NO_PLACES)
