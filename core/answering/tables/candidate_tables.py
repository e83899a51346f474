"""Which tables of whole documents a question may be answered from: all tables → the few whose rows say what is asked.

A search for passages finds what reads like the question; a row of two words in a long document seldom does. So the
labels of all tables are compared with the question as well, rare words first: what a row, its column and its caption
say together counts as one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from math import log

from core.answering.records import Question, TableEvidence
from core.answering.stems import own_stems, stems, weak_stems

MOST = 8
LEAST = 0.5
"""Share of what the question says, rare words counting more, that a row with its column and caption must say."""
TRUST = 0.7
"""What a table found by its labels counts beside one that the search found."""


def by_labels(question: Question, tables: Sequence[TableEvidence]) -> list[TableEvidence]:
    """The best of ``tables`` by their labels, best first, with a ``score`` in 0..1."""
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
    """Stems over the whole table, and of each of its rows."""
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
