"""Suggests follow-up questions about a computed answer that the same data surely answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from core.datasets.answers.doubts import is_doubtful
from core.datasets.query.model import DataQuery, Measure
from core.datasets.query.result import QueryResult
from core.datasets.records import Column, Dataset
from core.datasets.words.dated import step_of
from core.datasets.words.draft import is_averaged
from core.datasets.words.frames import Field, Values
from core.datasets.words.question import query_of
from core.datasets.words.superlatives import is_ordinal
from core.datasets.words.understanding import Understood
from core.messages import message
from core.question.analysed import analysed
from core.words import Language

MOST = 3
"""Maximum number of suggestions."""
TOP = 5
"""Number of groups of a suggested top list."""
_FEW, _MANY = 2, 40
"""Least and maximum number of values of a column to group by or to choose from."""


def next_questions(
    result: QueryResult,
    datasets: Sequence[Dataset],
    values: Values,
    run: Callable[[DataQuery], QueryResult],
    language: Language,
) -> list[str]:
    """Returns up to ``MOST`` questions that change the query of ``result``. Each is understood surely, changes the
    query, and has a result without doubts, which ``run`` computes; ``datasets`` are those of its document."""
    query, made = result.query, list[str]()
    seen = [query.model_dump_json()]
    if not query.measures or query.calculations or query.changes or query.pivot or query.step:
        return []
    for text in _candidates(result, language):
        understood = query_of(analysed(text, language), datasets, [query], values)
        if not isinstance(understood, Understood) or not understood.is_sure or not understood.evidence.follows:
            continue
        if (changed := understood.query.model_dump_json()) in seen or is_doubtful(run(understood.query)):
            continue
        seen.append(changed)
        made.append(text)
        if len(made) == MOST:
            break
    return made


def _candidates(result: QueryResult, language: Language) -> Iterator[str]:
    """Yields possible questions, the most useful first: a top list, by time, one value, a measure, by a column."""

    def said(key: str, **values: object) -> str:
        return message(f"datasets.next.{key}", **values).to(language)

    query, dataset = result.query, result.datasets[0]
    grouped = [column for group in query.group if (column := dataset.column(group.column))]
    named = {column.name for column in grouped} | _limited(query)
    if len(result.frame) > TOP and not query.order and not any(group.bucket for group in query.group):
        yield said("top", count=TOP)
    date = next((Field(each.name, each, dataset) for each in dataset.columns if each.is_dated), None)
    if date is not None and not query.order and date.name not in {column.name for column in grouped}:
        yield said("by", name=message(f"datasets.how.bucket.{step_of(date)}").to(language))
    kinds = [column for column in dataset.columns if column.type == "category" and _FEW <= column.distinct <= _MANY]
    for column in [*(each for each in grouped if each in kinds), *(each for each in kinds if each.name not in named)]:
        if column.values and column.name not in _limited(query):
            yield said("only", value=column.values[0])
            break
    yield from (said("measure", name=column.name) for column in _measures_like(query.measures[0], dataset))
    if not query.order:
        yield from (said("by", name=column.name) for column in kinds if column.name not in named)


def _limited(query: DataQuery) -> set[str]:
    """Returns the columns that conditions name."""
    parts = [part for each in query.where for part in getattr(each, "any_of", [each])]
    return {part.column for part in parts}


def _measures_like(measure: Measure, dataset: Dataset) -> Iterator[Column]:
    """Yields other columns that can be measured by the same function: amounts are added up, prices averaged."""
    for column in dataset.columns:
        field = Field(column.name, column, dataset)
        fits = is_averaged(field) == (measure.function != "sum") and not is_ordinal(field)
        if column.is_numeric and column.name != measure.column and measure.column and fits:
            yield column
