"""Understands a question in words: chooses the dataset that fits best and composes the query."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from core.datasets.query.model import DataQuery
from core.datasets.records import Dataset
from core.datasets.words.absence import absent_in
from core.datasets.words.bounds import number_of
from core.datasets.words.certainty import fits_question, unused_operations, weak_words_left
from core.datasets.words.compose import compose
from core.datasets.words.composed import Composed
from core.datasets.words.dated import names_a_date, time_conditions
from core.datasets.words.draft import Draft, is_rank
from core.datasets.words.evidence import evidence_of
from core.datasets.words.filters import Filters, filters_of
from core.datasets.words.follow_up import followed, may_follow, only_groups, refers, within
from core.datasets.words.frames import Frame, Values, frames_of, known_values
from core.datasets.words.links import ColumnLink, ValueIndex, ValueLink
from core.datasets.words.phrases.negations import without_negations
from core.datasets.words.tagging import Tagged, tagged
from core.datasets.words.texts import add_texts
from core.datasets.words.tokens import FORM, STEM, split, words_of
from core.datasets.words.understanding import Absent, Ambiguity, Evidence, Option, Understanding, Understood
from core.language import hebrew
from core.language.terms import stem
from core.lru_cache import LruCache
from core.question.analysed import AnalysedQuestion

_INDEXES = 60
_PLURAL = 2
"""Maximum number of letters by which a word and its plural differ."""
_AS_GOOD = 0.05
"""Difference of the scores of two datasets from which the better one is meant."""


@dataclass(frozen=True)
class Attempt:
    """What became of a question for one frame."""

    draft: Draft
    composed: Composed | None
    left: tuple[str, ...]
    filters: Filters

    @property
    def score(self) -> float:
        tags = self.draft.tags
        unused = len([link for link in self.draft.free if not tags.words.tokens[link.first].aside])
        if self.composed is not None and self.composed.misses(tags):
            unused += 2
        if self.composed is not None:
            unused -= len(self.composed.options) * 0.2  # type: ignore[assignment]
        return (
            tags.score
            - 0.4 * unused
            - (1.0 if self.composed is None else 0.0)
            + 0.02 * bool(tags.frame.dataset.long_of)
        )


def query_of(
    question: AnalysedQuestion,
    datasets: Sequence[Dataset],
    previous: Sequence[DataQuery] = (),
    values: Values = known_values,
    asked: Values | None = None,
) -> Understanding:
    """Returns what ``question`` asks of ``datasets``.

    Args:
        question: the question, analysed.
        datasets: those that it may be about.
        previous: the queries of the conversation so far, the newest last; a follow-up question changes the newest.
        values: gives the different values of a column; by default those that its record holds.
        asked: gives those values of a column with very many that hold words of the question.
    """
    attempts = [_attempt(question, frame, values, asked) for frame in frames_of(datasets, values)]
    attempts = [attempt for attempt in attempts if attempt.draft.tags.score > -99]
    if not attempts:
        return None
    if previous and (changed := _followed(question, attempts, previous)):
        return changed
    best = max(attempts, key=lambda attempt: attempt.score)
    found = _with(_concluded(best), evidence_of(best.draft.tags))
    return _between(found, best, attempts) if isinstance(found, Understood) and found.is_sure else found


def _between(found: Understood, best: Attempt, attempts: Sequence[Attempt]) -> Understood | Ambiguity:
    """Returns a reading for each file that a question fits as well as the best one, if there are several."""
    readings = {best.draft.frame.dataset.document_id: (best, found)}
    for attempt in sorted(attempts, key=lambda attempt: -attempt.score):
        dataset = attempt.draft.frame.dataset
        if attempt.score < best.score - _AS_GOOD or dataset.document_id in readings:
            continue
        other = _with(_concluded(attempt), evidence_of(attempt.draft.tags))
        if isinstance(other, Understood) and other.is_sure and other.evidence.total >= found.evidence.total:
            readings[dataset.document_id] = attempt, other
    if len(readings) == 1:
        return found
    options = tuple(Option(_named(attempt.draft.frame.dataset), read.query) for attempt, read in readings.values())
    return Ambiguity("", options, is_sure=True, evidence=found.evidence)


def _named(dataset: Dataset) -> str:
    """Returns the name of a dataset with the last of its titles, which is that of its file."""
    return " · ".join(dict.fromkeys([dataset.name, *dataset.titles[-1:]]))


def _with(found: Understanding, evidence: Evidence) -> Understanding:
    return dataclasses.replace(found, evidence=evidence) if found else None


def _followed(question: AnalysedQuestion, attempts: Sequence[Attempt], previous: Sequence[DataQuery]) -> Understanding:
    """Returns the newest query of the conversation, changed by the question, if the question only changes it."""
    same = [attempt for attempt in attempts if attempt.draft.frame.dataset.id == previous[-1].dataset]
    if not same:
        return None
    best = max(same, key=lambda attempt: attempt.draft.tags.score)
    draft = Draft(best.draft.tags, best.filters)
    if not may_follow(draft.tags.words) and not only_groups(draft):
        return None
    evidence = dataclasses.replace(evidence_of(draft.tags), follows=True)
    if absent := absent_in(draft, None, True):
        return _with(absent, evidence)
    composed = followed(draft, previous)
    if composed:
        return _with(_understood(draft, composed, best.left, previous[-1]), evidence)
    rows = previous[-1]
    own = _concluded(best) if refers(draft.tags.words) and not rows.measures and rows.where else None
    changed = dataclasses.replace(own, query=within(own.query, rows)) if isinstance(own, Understood) else None
    return _with(changed, evidence)


_indexes: LruCache[Hashable, ValueIndex] = LruCache(_INDEXES)
"""The indexes of values of the frames that were asked about last."""


def _index_of(frame: Frame, values: Values) -> ValueIndex:
    key = (values, *((each.id, each.digest, tuple(each.columns)) for each in (frame.dataset, *frame.others)))
    found = _indexes.use(key)
    if found is None:
        found = _indexes[key] = ValueIndex(frame, values)
    return found


def _attempt(question: AnalysedQuestion, frame: Frame, values: Values, asked: Values | None) -> Attempt:
    index = _index_of(frame, values)
    text, focus = (without_negations(each, frame, index.words) for each in (question.text, question.focus))
    words = split(text, focus)
    if asked is not None:
        index = index.with_further(ValueIndex(frame, asked, is_large=True))
    tags = tagged(words, frame, index)
    filters = filters_of(tags)
    add_texts(tags, filters)
    draft = Draft(tags, filters)
    kept = dataclasses.replace(filters, limits=list(filters.limits), used=list(filters.used))
    composed = compose(draft)
    return Attempt(draft, composed, tuple(tags.words.tokens[place].raw for place in tags.left), kept)


def _concluded(attempt: Attempt) -> Understanding:
    draft, composed = attempt.draft, attempt.composed
    is_measured = composed is not None and not composed.is_guess and not draft.assumed
    if absent := absent_in(draft, composed, is_measured):
        return absent
    if composed is None:
        return None
    understood = _understood(draft, composed, attempt.left)
    if composed.options:
        return Ambiguity(composed.word, composed.options, understood.is_sure)
    if draft.filters.unclear and (found := _by_column(draft, composed)):
        return dataclasses.replace(found, is_sure=understood.is_sure)
    if found := _by_date(draft, composed):
        return dataclasses.replace(found, is_sure=understood.is_sure)
    return understood


def _understood(
    draft: Draft, composed: Composed, left: tuple[str, ...], changed: DataQuery | None = None
) -> Understood:
    unused = tuple(
        draft.tags.text(link.first, link.last)
        for link in draft.free
        if not _describes(draft, link)
        and not (composed.query.step and is_rank(link.field))
        and not draft.tags.words.tokens[link.first].aside
    )
    left = tuple(word for word in left if not _is_counted_off(word, composed.query))
    is_sure = (
        not left
        and not unused_operations(draft, composed)
        and not weak_words_left(draft)
        and not unused
        and not composed.is_guess
        and (_answers_the_same(composed.query, changed) or fits_question(draft, composed))
        and not _is_weak(draft.tags)
    )
    return Understood(composed.query, is_sure, composed.form, (*left, *unused), tuple(draft.assumed), composed.answer)


def _answers_the_same(query: DataQuery, changed: DataQuery | None) -> bool:
    """Returns whether a query answers with the same columns as the one that it changes."""
    return changed is not None and (query.group, query.columns) == (changed.group, changed.columns)


def _is_counted_off(word: str, query: DataQuery) -> bool:
    """Returns whether a number says how many or which of the first are asked for: "top 5", "number 3"."""
    number = number_of(word)
    return number is not None and bool(query.order) and number in (query.limit, query.offset + 1)


def _describes(draft: Draft, link: ColumnLink) -> bool:
    """Returns whether words only name the things that a condition is about: "delivered orders", "customers from
    Denmark"."""
    if any(limit.values and limit.values.field.name == link.field.name for limit in draft.filters.limits):
        return True
    if link.field.column.is_numeric:
        return False
    near = [limit for limit in draft.filters.limits if limit.first - link.last <= 1 and link.first - limit.last <= 1]
    names = {stem(word) for name in draft.frame.names for word in words_of(name)}
    own = {stem(draft.tags.words.tokens[place].text) for place in range(link.first, link.last)}
    return bool(near) or own <= names


def _by_date(draft: Draft, composed: Composed) -> Ambiguity | None:
    """Returns a reading for each column of dates if rows are counted by a date and no word says which."""
    limit = next((limit for limit in draft.filters.limits if limit.time), None)
    own = [
        field for field in draft.filters.dates if field.dataset.id == draft.frame.dataset.id and field.column.is_dated
    ]
    counts = bool(composed.query.measures) and composed.query.measures[0].column is None
    if limit is None or limit.time is None or len(own) < 2 or not counts or names_a_date(draft.tags, own):
        return None
    options = []
    for field in own:
        found = time_conditions(draft.tags, limit.time, field)
        if isinstance(found, Absent):
            continue
        where = [each for each in composed.query.where if getattr(each, "column", "") != own[0].name]
        options.append(Option(field.column.name, composed.query.model_copy(update={"where": [*where, *found]})))
    return Ambiguity(limit.name, tuple(options)) if len(options) > 1 else None


def _is_weak(tags: Tagged) -> bool:
    return any((link.within and link.score < FORM) or _is_other_word(tags, link) for link in tags.values)


def _is_other_word(tags: Tagged, link: ValueLink) -> bool:
    """Returns whether a word only shares its stem with a value, and is no plural of it: "training" is not *Train*."""
    written = " ".join(token.text for token in tags.words.tokens[link.first : link.last])
    near = min((abs(len(written) - len(" ".join(words_of(value)))) for value in link.values), default=0)
    return link.score == STEM and not hebrew.is_hebrew(written) and near > _PLURAL


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
