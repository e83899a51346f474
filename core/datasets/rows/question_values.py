"""Gives the values of columns with very many values that hold words of a question."""

from __future__ import annotations

from collections.abc import Sequence

from core.datasets.query.run import QueryRunner
from core.datasets.records import Column, Dataset
from core.datasets.rows.matching import SECONDS
from core.datasets.rows.words import Word, words_of
from core.datasets.words.vocabulary import is_filler, is_measure

MOST_VALUES = 50
"""Maximum number of values of a column; those with most words of the question."""


class QuestionValues:
    """Gives the values of columns for one question. A call reads a file: use it in a thread."""

    def __init__(self, question: str, runner: QueryRunner) -> None:
        self._words = words_of(question)
        self._runner = runner
        self._known: dict[tuple[str, str], Sequence[str]] = {}

    def __call__(self, dataset: Dataset, column: Column) -> Sequence[str]:
        """Returns the values of a column of texts or codes that hold words of the question."""
        if column.type not in ("code", "text"):
            return ()
        key = (dataset.digest, column.key)
        if key not in self._known:
            words = _without_headings(self._words, dataset)
            self._known[key] = _values_with(words, dataset, column, self._runner) if words else ()
        return self._known[key]


def _without_headings(words: Sequence[Word], dataset: Dataset) -> list[Word]:
    """Leaves out the words of headings and operations, which would cost a search in each question."""
    names = " ".join(column.name.lower() for column in dataset.columns)
    return [
        word
        for word in words
        if word.needle not in names and not is_filler(word.needle) and not is_measure(word.needle)
    ]


def _values_with(words: Sequence[Word], dataset: Dataset, column: Column, runner: QueryRunner) -> list[str]:
    values: dict[str, object] = {"path": runner.path(dataset)}
    hits = []
    for place, word in enumerate(words):
        values |= {f"w{place}": word.needle, f"p{place}": word.pattern}
        hits.append(f"(contains(t, $w{place}) AND regexp_matches(t, $p{place}))::INT")
    contained = " OR ".join(f"contains(t, $w{place})" for place in range(len(words)))
    found = runner.select(
        f"WITH texts AS (SELECT {column.key} AS v, lower({column.key}) AS t FROM read_parquet($path) "
        f"WHERE {column.key} IS NOT NULL) "
        f"SELECT v, max({' + '.join(hits)}) AS hits FROM texts WHERE {contained} "
        f"GROUP BY v HAVING hits > 0 ORDER BY hits DESC, v LIMIT {MOST_VALUES}",
        values,
        SECONDS,
    )
    return [str(value) for value, _ in found]
