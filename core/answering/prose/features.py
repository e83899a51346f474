"""Computes the features of a text span: takes question, sentence and span; returns a vector, each value about 0..1.

The features' weights are trained (``benchmarks/prose_fit.py``). A feature that depends on the kind of question exists
once for each group of kinds.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from core.answering.prose.question import ProseQuestion
from core.answering.prose.sentences import Statement
from core.answering.prose.spans import EACH_PERIOD, Span
from core.answering.prose.vocabulary import vocabulary

Floats = NDArray[np.float64]

GROUPS: dict[str, tuple[str, ...]] = {
    "figures": ("percent", "amount", "figure", "count"),
    "times": ("duration", "frequency", "date"),
    "names": ("person", "place"),
    "acts": ("reason", "purpose", "condition"),
    "ways": ("method",),
    "things": ("definition", "contents"),
    "open": ("list", "what"),
    "judged": ("yesno",),
}
_GROUP_OF = {kind: group for group, kinds in GROUPS.items() for kind in kinds}

SHARED = (
    "sentence", "best", "inside", "before", "after", "clause", "near_before", "near_after", "adjacent", "news", "suits",
    "suits_partly", "cued", "period", "wrong_period", "counted", "said_in_question", "clean", "numbers",
    "begins_heard", "ends_heard", "unbalanced", "after_last_term", "untidy_list",
)  # fmt: skip
BY_GROUP = (
    "value", "tail", "head", "chunk", "whole", "list", "with_cue", "end", "strong", "pause", "comma", "length", "words",
    "capital", "cued_by_kind", "value_suits",
)  # fmt: skip
NAMES = (*SHARED, *(f"{group}.{name}" for group in GROUPS for name in BY_GROUP))
_INDEX = {name: place for place, name in enumerate(NAMES)}
_NEAR = 4.0
_DETERMINERS = frozenset({"a", "an", "the", "our", "its", "their", "this"})
_LONG = 12.0


def features(
    question: ProseQuestion, statement: Statement, found: Sequence[Span], weights: Floats, best: bool
) -> Floats:
    """Returns the features of spans as a matrix with one row for each span; the columns are ``NAMES``."""
    rows = np.zeros((len(found), len(NAMES)))
    heard = _Heard(statement)
    for row, span in zip(rows, found, strict=True):
        for name, value in _shared(question, statement, span, weights, heard).items():
            row[_INDEX[name]] = value
        row[_INDEX["sentence"]] = statement.score
        row[_INDEX["best"]] = float(best)
        group = _GROUP_OF[question.main]
        count = heard.words[span.last] - heard.words[span.first]
        for name, value in _by_group(question, statement, span, count).items():
            row[_INDEX[f"{group}.{name}"]] = value
    return rows


class _Heard:
    """Data shared by all spans of one sentence. ``before[n]`` and ``after[n]`` say how well the words before position
    ``n``, and those from ``n`` on, match each question term; ``matched`` says how well each word matches any term,
    ``places`` at which positions one matches."""

    def __init__(self, statement: Statement) -> None:
        match = statement.match
        edge = np.zeros((len(match), 1))
        before = np.maximum.accumulate(np.hstack([edge, match]), axis=1)
        after = np.maximum.accumulate(np.hstack([edge, match[:, ::-1]]), axis=1)[:, ::-1]
        self.before: Floats = np.ascontiguousarray(before.T)
        self.after: Floats = np.ascontiguousarray(after.T)
        self.matched: list[float] = match.max(axis=0, initial=0.0).tolist()
        self.places = [place for place, share in enumerate(self.matched) if share >= 0.5]
        self.clauses = _clause_numbers(statement)
        kinds = [(token.word, token.word and not token.stop) for token in statement.tokens]
        self.words = _counts_before(word for word, _ in kinds)
        self.telling = _counts_before(telling for _, telling in kinds)
        self.new = _counts_before(
            telling and share < 0.5 for (_, telling), share in zip(kinds, self.matched, strict=True)
        )
        self.numbers = _counts_before(token.word and token.text[0].isdigit() for token in statement.tokens)


def _counts_before(marks: Iterable[bool]) -> list[int]:
    """Returns how many of ``marks`` are true before each position, and in total at the end."""
    return list(accumulate(marks, initial=0))


def _clause_numbers(statement: Statement) -> list[int]:
    parts = (token.text in (";", ":", ",") or token.folded in ("while", "whereas", "but") for token in statement.tokens)
    return list(accumulate(parts, initial=0))[1:]


def _shared(
    question: ProseQuestion, statement: Statement, span: Span, weights: Floats, heard: _Heard
) -> dict[str, float]:
    match, first, last, matched, clauses = statement.match, span.first, span.last, heard.matched, heard.clauses
    inside = match[:, first:last].max(axis=1, initial=0.0)
    before, after = heard.before[first], heard.after[last]
    opens, closes = bisect_left(clauses, clauses[first]), bisect_right(clauses, clauses[last - 1])
    clause = np.maximum(match[:, opens:first].max(axis=1, initial=0.0), match[:, last:closes].max(axis=1, initial=0.0))
    words, telling, new, numbers = (
        counts[last] - counts[first] for counts in (heard.words, heard.telling, heard.new, heard.numbers)
    )
    earlier, later = bisect_left(heard.places, first), bisect_left(heard.places, last)
    gap = first - 1 - heard.places[earlier - 1] if earlier else 99
    return {
        "inside": float(inside @ weights),
        "before": float(before @ weights),
        "after": float(after @ weights),
        "clause": float(clause @ weights),
        "near_before": math.exp(-gap / _NEAR),
        "near_after": math.exp(-(heard.places[later] - last) / _NEAR) if later < len(heard.places) else 0.0,
        "adjacent": float(gap == 0),
        "news": new / max(1, telling),
        **_kind_features(question, statement, span),
        "said_in_question": float(words > 0 and not new),
        "clean": float(statement.tokens[first].folded in _DETERMINERS or not statement.tokens[first].stop),
        "numbers": float(numbers > 0),
        "begins_heard": matched[first],
        "ends_heard": matched[last - 1],
        "unbalanced": float(_unbalanced(statement.text[span.start : span.end])),
        "after_last_term": float(first > 0 and len(match) > 0 and match[-1, first - 1] >= 0.5),
        "untidy_list": _untidy(statement, span),
    }


def _kind_features(question: ProseQuestion, statement: Statement, span: Span) -> dict[str, float]:
    kinds = vocabulary().kinds
    main = kinds[question.main]
    value = span.value.kind if span.value else ("list" if span.form == "list" else "")
    years = {key[:4] for key in question.periods}
    listed = {each.kind for each in span.values}
    return {
        "suits": max(_suits(value, main.held), float(bool(listed) and listed <= set(main.held) and question.several)),
        "suits_partly": float(any(value in kinds[kind].held for kind in question.kinds[1:])),
        "cued": float(bool(span.cues & set(main.cues))),
        "period": float(span.period == EACH_PERIOD or (span.period or "")[:4] in years),
        "wrong_period": float(_wrong_period(question, span, years)),
        "counted": _counts_what_is_asked(question, statement, span),
    }


def _unbalanced(text: str) -> bool:
    return text.count("(") != text.count(")") or text.count("“") != text.count("”")


def _untidy(statement: Statement, span: Span) -> float:
    """Returns the share of list items that start with a word without content, such as an article."""
    if not span.parts:
        return 0.0
    begins = {start for start, _ in span.parts}
    first = [token for token in statement.tokens if token.start in begins]
    return sum(token.stop and token.folded not in _DETERMINERS for token in first) / len(span.parts)


def _wrong_period(question: ProseQuestion, span: Span, years: set[str]) -> bool:
    if span.values:
        return question.several and (span.period != EACH_PERIOD or len(span.values) != len(question.periods))
    return bool(span.period) and bool(years) and (span.period or "")[:4] not in years


def _suits(value: str, wanted: Sequence[str]) -> float:
    """Returns how well the kind of value suits the question: 1 for the most likely kind, less for the others."""
    return 1.0 - 0.3 * wanted.index(value) if value in wanted else 0.0


def _counts_what_is_asked(question: ProseQuestion, statement: Statement, span: Span) -> float:
    """Returns 1 if the figure counts the things that the question asks to count."""
    if not question.counted or span.form != "value":
        return 0.0
    following = [token.base for token in statement.tokens[span.first : span.last + 3] if not token.stop]
    return float(any(base in question.counted for base in following))


def _by_group(question: ProseQuestion, statement: Statement, span: Span, count: int) -> dict[str, float]:
    """Returns the features that depend on the kind of question; ``count`` is the span's number of words."""
    main = vocabulary().kinds[question.main]
    return {
        span.form: 1.0,
        "with_cue": float(span.with_cue),
        "end": float(span.ending == "end"),
        "strong": float(span.ending == "strong"),
        "pause": float(span.ending == "pause"),
        "comma": float(span.ending == "comma"),
        "length": math.log1p(count) / 3,
        "words": min(2.0, count / _LONG),
        "capital": float(statement.tokens[span.first].capital and span.first > 0),
        "cued_by_kind": float(bool(span.cues & set(main.cues))),
        "value_suits": _suits(span.value.kind, main.held) if span.value else 0.0,
    }
