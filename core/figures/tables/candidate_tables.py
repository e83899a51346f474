"""Selects the tables of whole documents that may answer a question, by their labels.

A passage search finds text similar to the question, but rarely a two-word row in a long document. So the labels of all
tables are compared with the question too; rare words count more. The words of a row, its column and its caption are
counted together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from math import log

from core.figures.records import TableEvidence
from core.question.analysed import AnalysedQuestion
from core.question.stems import own_stems, stems, weak_stems

MOST = 8
LEAST = 0.5
"""Minimum share of the question's words, weighted by rarity, that a row together with its column and caption must
contain."""
TRUST = 0.7
"""Weight of a table found by its labels, relative to one that the search found."""


def by_labels(question: AnalysedQuestion, tables: Sequence[TableEvidence]) -> list[TableEvidence]:
    """Returns the best of ``tables`` by their labels, best first, with a ``score`` in 0..1."""
    asked = own_stems(question.focus, question.entities) - weak_stems()
    if not asked or not tables:
        return []
    labels = [_labels(each) for each in tables]
    held = Counter(stem for heads, rows in labels for stem in asked & frozenset(chain(heads, *rows)))
    weights = {stem: log(1 + len(tables) / (1 + held[stem])) for stem in asked}
    total = sum(weights.values())
    scored = []
    for each, (heads, rows) in zip(tables, labels, strict=True):
        share = max((_weight_sum(asked & (row | heads), weights) for row in rows if row & asked), default=0.0) / total
        if share >= LEAST:
            scored.append(replace(each, score=max(each.score, TRUST * share)))
    return sorted(scored, key=lambda each: -each.score)[:MOST]


def _labels(evidence: TableEvidence) -> tuple[frozenset[str], list[frozenset[str]]]:
    """Returns the stems of the headings and captions of the whole table, and those of each row."""
    table = evidence.table
    over = (
        table.caption or "",
        table.stub or "",
        *evidence.path,
        *chain.from_iterable(c.header for c in table.columns),
    )
    rows = [frozenset(chain.from_iterable(map(stems, (row.label, *row.parents)))) for row in table.rows]
    return frozenset(chain.from_iterable(map(stems, over))), rows


def _weight_sum(words: Iterable[str], weights: dict[str, float]) -> float:
    return sum(weights[stem] for stem in words)
