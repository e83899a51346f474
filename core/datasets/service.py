"""Offers the datasets of a user to answers, tools and the page, and runs queries over them."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Protocol

from core.datasets.query.columns import dataset_named
from core.datasets.query.model import DataQuery
from core.datasets.query.result import QueryResult
from core.datasets.query.run import QueryRunner
from core.datasets.records import ColumnType, Dataset
from core.datasets.rows.question_values import QuestionValues
from core.datasets.rows.row_hits import RowHits, row_hits
from core.datasets.words.question import query_of
from core.datasets.words.stored_values import StoredValues
from core.datasets.words.suggestions import next_questions
from core.datasets.words.understanding import Understanding
from core.question.analysed import AnalysedQuestion
from core.words import Language

MOST_BEHIND = 20
"""Number of rows behind a result that are shown with it."""


class DatasetReader(Protocol):
    """Reads what is stored of the datasets of a user."""

    async def of_user(
        self, user_id: str, document_ids: Collection[str] | None = None, *, attached: bool = False
    ) -> list[Dataset]:
        """Returns the datasets of these documents, or of the library, and with ``attached`` also of all documents that
        are attached to conversations."""

    async def fetch(self, user_id: str, datasets: Sequence[Dataset]) -> None:
        """Makes sure that the Parquet files of these datasets are in the local folder of the queries."""


class ColumnCorrector(Protocol):
    """Corrects what was read of a dataset."""

    async def correct_column(
        self, user_id: str, dataset_id: str, key: str, *, name: str | None = None, type: ColumnType | None = None
    ) -> Dataset:
        """As ``Datasets.correct_column``."""
        ...

    async def restore_column(self, user_id: str, dataset_id: str, key: str) -> Dataset:
        """As ``Datasets.restore_column``."""
        ...


class Datasets:
    """The datasets of users and the queries over them. Every method is limited to the given user's data.

    >>> result = await datasets.run("ada", DataQuery(dataset="d1", measures=[{"function": "count"}]))  # doctest: +SKIP
    """

    def __init__(self, reader: DatasetReader, runner: QueryRunner, corrector: ColumnCorrector | None = None) -> None:
        self._reader, self._runner, self._corrector = reader, runner, corrector
        self._values = StoredValues(runner)

    async def known(self, user_id: str, document_ids: Collection[str] | None = None) -> list[Dataset]:
        """Returns the datasets of these documents of the user, or of all."""
        return await self._reader.of_user(user_id, document_ids)

    async def understand(
        self, user_id: str, question: AnalysedQuestion, datasets: Sequence[Dataset], previous: Sequence[DataQuery] = ()
    ) -> Understanding:
        """Returns what a question asks of these datasets; ``previous`` are the queries of the conversation."""
        await self._reader.fetch(user_id, datasets)
        asked = QuestionValues(question.text, self._runner)
        return await asyncio.to_thread(query_of, question, datasets, previous, self._values, asked)

    async def run(self, user_id: str, query: DataQuery) -> QueryResult:
        """Returns the result of a query over the user's datasets.

        Raises:
            PalimpsestError: the query cannot be run as it is ("validation"), or takes too long ("timeout").
        """
        known = {dataset.id: dataset for dataset in await self._reader.of_user(user_id, attached=True)}
        await self._reader.fetch(user_id, _used(query, known))
        return await asyncio.to_thread(self._runner.run, query, known)

    async def next_questions(self, user_id: str, query: DataQuery, language: Language) -> list[str]:
        """Returns follow-up questions about the result of a query that the same datasets surely answer.

        Raises:
            PalimpsestError: the query cannot be run as it is ("validation"), or takes too long ("timeout").
        """
        known = {dataset.id: dataset for dataset in await self._reader.of_user(user_id, attached=True)}
        [first, *_] = _used(query, known)
        near = [each for each in known.values() if each.document_id == first.document_id]
        await self._reader.fetch(user_id, near)

        def made() -> list[str]:
            result = self._runner.run(query, known)
            return next_questions(result, near, self._values, lambda each: self._runner.run(each, known), language)

        return await asyncio.to_thread(made)

    async def used_by(self, user_id: str, query: DataQuery) -> list[Dataset]:
        """Returns the datasets of a query: the first one, then those that it joins.

        Raises:
            PalimpsestError: the user has no such dataset ("validation").
        """
        return _used(query, {each.id: each for each in await self._reader.of_user(user_id, attached=True)})

    async def rows(self, user_id: str, dataset_id: str, most: int) -> QueryResult:
        """Returns up to ``most`` rows of a dataset, with all its columns, in their order in the file.

        Raises:
            PalimpsestError: the user has no such dataset ("validation").
        """
        known = {dataset.id: dataset for dataset in await self._reader.of_user(user_id, attached=True)}
        dataset = dataset_named(dataset_id, known)
        await self._reader.fetch(user_id, [dataset])
        return await asyncio.to_thread(self._runner.rows, dataset, most)

    async def rows_with(self, user_id: str, document_id: str, words: str) -> RowHits:
        """Returns the rows of a long spreadsheet that hold ``words``; none of any other document.

        Raises:
            PalimpsestError: the search takes too long ("timeout").
        """
        return await row_hits(partial(self.run, user_id), await self.known(user_id, [document_id]), words)

    async def correct_column(
        self, user_id: str, dataset_id: str, key: str, *, name: str | None = None, type: ColumnType | None = None
    ) -> Dataset:
        """Sets the name or the type of a column of one of the user's own datasets, and returns the dataset. Both
        outlive reading the document again.

        Raises:
            PalimpsestError: the user has no such dataset or column ("not_found").
        """
        assert self._corrector, "these datasets cannot be corrected"
        return await self._corrector.correct_column(user_id, dataset_id, key, name=name, type=type)

    async def restore_column(self, user_id: str, dataset_id: str, key: str) -> Dataset:
        """Removes what a person has set for a column of one of the user's own datasets: its name and type are again as
        read from the file. Returns the dataset.

        Raises:
            PalimpsestError: the user has no such dataset or column ("not_found").
        """
        assert self._corrector, "these datasets cannot be corrected"
        return await self._corrector.restore_column(user_id, dataset_id, key)


def _used(query: DataQuery, known: Mapping[str, Dataset]) -> list[Dataset]:
    return [dataset_named(name, known) for name in (query.dataset, *(join.dataset for join in query.joins))]


def rows_behind(query: DataQuery, limit: int = MOST_BEHIND, offset: int = 0) -> DataQuery:
    """Returns the query for the rows from which the result of ``query`` was computed."""
    return DataQuery(
        dataset=query.dataset,
        joins=query.joins,
        derive=query.derive,
        where=query.where,
        repeated=query.repeated,
        limit=limit,
        offset=offset,
    )
