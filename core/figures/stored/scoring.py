"""Scores the figures of a document against a lookup: *phrase, periods and segment* → scores of its best figures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.figures.stored.block import FigureBlock, Marks, places
from core.figures.tables.lookup import ALIKE, CONTEXT, FIELD, FIELD_LEAVING, PARENT, SECTION, period_fit
from core.language.fields import figure_names
from core.language.phrases import words
from core.question.stems import stems

LEAST = 0.3
"""Minimum score of a match."""
_LEAST_PERIOD = 0.5
_OTHERWISE = 0.4
"""How well a figure without a period fits a period that its document covers."""
_LABEL, _HEADING = 0.6, 0.1
"""How much the score depends on the share of the label, and of the column's heading, that the phrase explains."""
_PART = 0.7
"""The share that counts as explained for a row whose column's heading names the measure: its label names a part."""
_PRINCIPAL, _WHOLE = 0.08, 0.01
"""Bonus in the order of matches for a row of the financial statement that reports the measure, and for a row that is
not a part of others."""
_PART_OF_ANOTHER = 0.03
"""Deducted in the order of matches for a table that splits another measure."""
_OF_SECTION, _OF_TABLE = 0.9, 0.75
"""How well a figure fits a segment that only the last heading above it names, or only its table's caption."""
_QUALIFIERS = frozenset(("net", "gross", "total", "other", "basic", "dilut"))
"""Words that distinguish several rows for one measure; if the phrase contains one, the row must contain it too."""
_TELLS = 0.3
_LEAST_INITIALS = 3


@dataclass(frozen=True)
class Phrase:
    """The words of a lookup as stems; ``measures`` are the measures that they name, each with the stems that do so.
    ``segment_stems`` are those of the segment and ``initials`` its abbreviation, ``required`` other stems that a figure
    must have, ``alike`` other spellings of stems that no document has."""

    stems: tuple[str, ...]
    measures: tuple[tuple[str, frozenset[str]], ...] = ()
    segment_stems: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    initials: str = ""
    alike: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class ScoredCell:
    """A figure's number in its block with its score; ``order`` is the score with the bonuses for the order, ``age`` is
    lower for later periods."""

    cell: int
    score: float
    order: float
    age: int


@lru_cache(maxsize=2_048)
def phrase_of(measure: str, segment: str = "") -> Phrase:
    """Prepares the words of a lookup."""
    own, segment_stems = stems(measure), stems(segment)
    spoken = words(measure)
    named: dict[str, frozenset[str]] = {}
    for match in figure_names().find(measure):
        said = frozenset(stems(" ".join(spoken[match.start : match.end]))) & frozenset(own)
        for key in match.entries:
            named[key] = (named.get(key, frozenset()) | said) - (
                _QUALIFIERS if len(said - _QUALIFIERS) else frozenset()
            )
    return Phrase(own, tuple(named.items()), segment_stems, initials=_initials(segment))


def _initials(name: str) -> str:
    """Returns the stem of a name's initials, by which tables call a long name; empty for a short one."""
    parts = re.findall(r"[^\W\d_]+", name)
    return "".join(stems("".join(part[0] for part in parts))) if len(parts) >= _LEAST_INITIALS else ""


def score(
    block: FigureBlock, phrase: Phrase, periods: Sequence[str], names: tuple[str, ...], most: int
) -> list[ScoredCell]:
    """Returns the ``most`` best figures of a document, best first. ``names`` are the keys of the document's periods."""
    if not block.count or not phrase.stems:
        return []
    weights = np.array([block.weight(stem) for stem in phrase.stems], dtype=np.float32)
    rows, explained = _row_marks(block, phrase, weights)
    heads, headed = _head_marks(block, phrase)
    context = np.zeros((len(phrase.stems), int(block.table_of_row.max()) + 1), dtype=np.float32)
    for word, stem in enumerate(phrase.stems):
        context[word, places(block.context, stem)] = CONTEXT
    rows = np.maximum(rows, context[:, block.table_of_row])
    marks = np.maximum(rows[:, block.cell_row], heads[:, block.cell_head])
    total = float(weights.sum()) or 1.0
    known_weight = np.maximum(explained[block.cell_row], _PART * (headed * (weights @ heads) / total)[block.cell_head])
    found = (
        (weights @ marks) / total * (1 - _LABEL * (1 - known_weight)) * (1 - _HEADING * (1 - headed[block.cell_head]))
    )
    found *= _allowed(block, phrase.required)
    if phrase.segment_stems:
        segment = _allowed(block, phrase.segment_stems)
        found *= np.maximum(segment, _allowed(block, (phrase.initials,))) if phrase.initials else segment
    if periods:
        found *= _period_fits(block, periods, names)[block.cell_period]
    return _best(block, phrase, np.minimum(found, 1.0), most)


def _best(block: FigureBlock, phrase: Phrase, found: Marks, most: int) -> list[ScoredCell]:
    reports = np.zeros(block.rows, dtype=bool)
    for key, _ in phrase.measures:
        reports[[row for row, _ in block.keys.get(key, ())]] = True
    bonus = _PRINCIPAL * (block.is_principal & reports) + _WHOLE * (block.is_total | ~block.has_parents)
    bonus -= _PART_OF_ANOTHER * _splits_another(block, phrase)[block.table_of_row]
    order = np.round(found + bonus[block.cell_row], 2)
    kept = np.flatnonzero(found >= LEAST)
    ranked = kept[np.lexsort((kept, block.cell_age[kept], -order[kept]))][:most].tolist()
    return [
        ScoredCell(cell, round(float(found[cell]), 3), float(order[cell]), int(block.cell_age[cell])) for cell in ranked
    ]


def _splits_another(block: FigureBlock, phrase: Phrase) -> Marks:
    """Returns 1 for the tables whose caption names only measures that the phrase does not name: "Stock-based
    compensation is as follows" has a row for each kind of cost."""
    own = {key for key, _ in phrase.measures}
    return np.array([bool(keys) and own.isdisjoint(keys) for keys in block.caption_keys], dtype=np.float32)


def _row_marks(block: FigureBlock, phrase: Phrase, weights: Marks) -> tuple[Marks, Marks]:
    """Returns how well each row contains each word, and the share of each label that the phrase explains."""
    marks = np.zeros((len(phrase.stems), block.rows), dtype=np.float32)
    known_weight = np.zeros(block.rows, dtype=np.float32)
    alike = dict(phrase.alike)
    for word, stem in enumerate(phrase.stems):
        for part, mark in ((block.section, SECTION), (block.above, PARENT), (block.own, 1.0)):
            marks[word, places(part, stem)] = mark
        known_weight[places(block.own, stem)] += weights[word]
        if other := alike.get(stem):
            there = places(block.own, other)
            marks[word, there] = np.maximum(marks[word, there], ALIKE)
            known_weight[there] += ALIKE * block.weight(other)
    for stem in {*phrase.segment_stems, *phrase.required, phrase.initials} - set(phrase.stems):
        known_weight[places(block.own, stem)] += block.weight(stem)
    explained = np.where(block.weights > 0, known_weight / np.where(block.weights > 0, block.weights, 1.0), 1.0)
    explained = np.minimum(explained, 1.0).astype(np.float32)
    for key, named in phrase.measures:
        under = places(block.above_keys, key)
        for word, stem in enumerate(phrase.stems):
            if stem in named:
                marks[word, under] = np.maximum(marks[word, under], PARENT)
        for row, exact in block.keys.get(key, ()):
            naming = [word for word, stem in enumerate(phrase.stems) if stem in named]
            left = any(
                stem not in named and not marks[word, row] and weights[word] > _TELLS
                for word, stem in enumerate(phrase.stems)
            )
            worth = (FIELD_LEAVING if left else FIELD) * exact
            marks[naming, row] = np.maximum(marks[naming, row], worth)
            if not left:
                explained[row] = max(explained[row], 0.95 * exact)
    return marks, explained


def _head_marks(block: FigureBlock, phrase: Phrase) -> tuple[Marks, Marks]:
    """Returns how well each heading contains each word, and the share of each heading that the phrase explains."""
    marks = np.zeros((len(phrase.stems), len(block.head_weights)), dtype=np.float32)
    known_weight = np.zeros(len(block.head_weights), dtype=np.float32)
    for word, stem in enumerate(phrase.stems):
        marks[word, places(block.head, stem)] = 1.0
    for stem in {*phrase.stems, *phrase.segment_stems, *phrase.required, phrase.initials}:
        known_weight[places(block.head, stem)] += block.weight(stem)
    for key, named in phrase.measures:
        heads = places(block.head_keys, key)
        known_weight[heads] = block.head_weights[heads]
        for word, stem in enumerate(phrase.stems):
            if stem in named:
                marks[word, heads] = np.maximum(marks[word, heads], FIELD)
    explained = np.where(
        block.head_weights > 0, known_weight / np.where(block.head_weights > 0, block.head_weights, 1.0), 1.0
    )
    return marks, np.minimum(explained, 1.0).astype(np.float32)


def _allowed(block: FigureBlock, required: Sequence[str]) -> Marks:
    """Returns 1 for the figures whose label, parents or heading contain every stem in ``required``, less for those
    where only the table is about it, and 0 for the others."""
    allowed = np.ones(block.count, dtype=np.float32)
    for stem in required:
        rows = _OF_TABLE * np.isin(block.table_of_row, places(block.context, stem)).astype(np.float32)
        heads = np.zeros(len(block.head_weights), dtype=np.float32)
        rows[places(block.section, stem)] = _OF_SECTION
        for part in (block.above, block.own):
            rows[places(part, stem)] = 1.0
        heads[places(block.head, stem)] = 1.0
        allowed *= np.maximum(rows[block.cell_row], heads[block.cell_head])
    return allowed


def _period_fits(block: FigureBlock, asked: Sequence[str], names: tuple[str, ...]) -> Marks:
    """Returns how well each period of the block fits the closest of the periods asked for, by its place."""
    fits = np.zeros(max(block.periods) + 1, dtype=np.float32)
    for place, key in block.periods.items():
        fit = max(period_fit(period, key, names) for period in asked) if key else 0.0
        if not key and any(period in names for period in asked):
            fit = _OTHERWISE
        fits[place] = fit if fit >= _LEAST_PERIOD or not key else 0.0
    return fits
