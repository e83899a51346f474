"""Finds rows of long datasets for a document search. Their rows are not passages, so the index does not hold them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Sequence

from core.datasets.query.run import QueryRunner
from core.datasets.records import Dataset
from core.datasets.rows.matching import FoundRow, rows_with
from core.datasets.rows.words import Word, words_of
from core.datasets.store import DatasetStore
from core.datasets.writing import LEAST_ROWS
from core.errors import PalimpsestError
from core.library.record_tables.bounds import PASSAGE_ROWS
from core.search.documents.rows import RowPassage

log = logging.getLogger(__name__)

MOST_DATASETS = 8
"""Maximum number of datasets that are searched for a question; those of the newest documents first."""


class RowSearch:
    """Searches the rows of a user's long datasets.

    >>> found = await rows.find("ada", "ORD-0012345", ["document_1"])  # doctest: +SKIP
    """

    def __init__(self, store: DatasetStore, runner: QueryRunner) -> None:
        self._store, self._runner = store, runner

    async def find(self, user_id: str, question: str, document_ids: Collection[str]) -> list[RowPassage]:
        """Returns a passage for each long dataset of these documents with rows that hold rare words of the question.
        A dataset whose search fails or takes too long is left out, and so is a document that is still being read."""
        datasets = await self._store.of_user(user_id, document_ids, is_stored=True)
        long = [each for each in datasets if each.rows > LEAST_ROWS * PASSAGE_ROWS and not each.long_of]
        words = words_of(question) if long else []
        if not words:
            return []
        found = await asyncio.gather(*(self._of(user_id, words, each) for each in long[:MOST_DATASETS]))
        return [passage for passage in found if passage]

    async def _of(self, user_id: str, words: Sequence[Word], dataset: Dataset) -> RowPassage | None:
        try:
            await self._store.fetch(user_id, [dataset])
            rows = await asyncio.to_thread(rows_with, words, dataset, self._runner)
        except PalimpsestError:
            log.warning("the rows of %s were not searched", dataset.id, exc_info=True)
            return None
        return _passage(dataset, rows) if rows else None


def _passage(dataset: Dataset, rows: Sequence[FoundRow]) -> RowPassage:
    lines = [["#", *(column.name for column in dataset.columns)], *([str(row.number), *row.cells] for row in rows)]
    return RowPassage(
        document_id=dataset.document_id,
        text="\n".join(" | ".join(line) for line in lines),
        section=dataset.sheet or None,
        page=dataset.page,
        is_exact=any(row.is_exact for row in rows),
    )
