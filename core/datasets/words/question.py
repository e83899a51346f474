"""Understands a question in words: chooses the dataset that fits best and composes the query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.datasets.query.model import DataQuery
from core.datasets.records import Dataset
from core.datasets.words.compose import Composed, compose
from core.datasets.words.draft import Draft
from core.datasets.words.filters import filters_of
from core.datasets.words.frames import Frame, Values, frames_of, known_values
from core.datasets.words.links import ValueIndex
from core.datasets.words.tagging import Tagged, tagged
from core.datasets.words.texts import add_texts
from core.datasets.words.tokens import split
from core.datasets.words.understanding import Absent, Ambiguity, Option, Understanding, Understood
from core.question.analysed import AnalysedQuestion

_LEAST = 0.4
"""Least score of a dataset that a question is about."""


@dataclass(frozen=True)
class Attempt:
    """What became of a question for one frame."""

    draft: Draft
    composed: Composed | None
    left: tuple[str, ...]

    @property
    def score(self) -> float:
        tags = self.draft.tags
        unused = len([link for link in self.draft.free])
        return tags.score - 0.4 * unused - (1.0 if self.composed is None else 0.0) + 0.02 * bool(tags.frame.dataset.long_of)


def query_of(
    question: AnalysedQuestion,
    datasets: Sequence[Dataset],
    previous: Sequence[DataQuery] = (),
    values: Values = known_values,
) -> Understanding:
    """Returns what ``question`` asks of ``datasets``.

    Args:
        question: the question, analysed.
        datasets: those that it may be about.
        previous: the queries of the conversation so far, the newest last; a follow-up question changes the newest.
        values: gives the different values of a column; by default those that its record holds.
    """
    attempts = [_attempt(question, frame, values) for frame in frames_of(datasets, values)]
    attempts = [attempt for attempt in attempts if attempt.draft.tags.score > -99]
    if not attempts:
        return None
    best = max(attempts, key=lambda attempt: attempt.score)
    return _concluded(best)


def _attempt(question: AnalysedQuestion, frame: Frame, values: Values) -> Attempt:
    words = split(question.text, question.focus)
    tags = tagged(words, frame, values, ValueIndex(frame, values))
    filters = filters_of(tags)
    add_texts(tags, filters)
    draft = Draft(tags, filters)
    composed = compose(draft)
    return Attempt(draft, composed, tuple(tags.words.tokens[place].raw for place in tags.left))


def _concluded(attempt: Attempt) -> Understanding:
    draft, composed = attempt.draft, attempt.composed
    if draft.filters.absent:
        return draft.filters.absent
    if composed is None:
        return None
    if composed.options:
        return Ambiguity(composed.word, composed.options)
    if draft.filters.unclear and (found := _by_column(draft, composed)):
        return found
    unused = tuple(draft.tags.text(link.first, link.last) for link in draft.free)
    is_sure = not attempt.left and not unused and not composed.is_guess and not _is_weak(draft.tags)
    return Understood(composed.query, is_sure, composed.form, (*attempt.left, *unused), tuple(draft.assumed))


def _is_weak(tags: Tagged) -> bool:
    return any(link.within and link.score < 0.9 for link in tags.values)


def _by_column(draft: Draft, composed: Composed) -> Ambiguity | None:
    """Returns a reading for each column that holds the same value: account 0410 or cost centre 0410."""
    link = draft.filters.unclear[0]
    options = []
    for each in (link, *link.others):
        conditions = [
            condition.model_copy(update={"column": each.field.name, "value": each.values[0]})
            if getattr(condition, "column", "") == link.field.name and getattr(condition, "value", "") in link.values
            else condition
            for condition in composed.query.where
        ]
        options.append(Option(each.field.column.name, composed.query.model_copy(update={"where": conditions})))
    return Ambiguity(draft.tags.text(link.first, link.last), tuple(options)) if len(options) > 1 else None


__all__ = ["Absent", "query_of"]
