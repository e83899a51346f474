"""Chooses between candidates from tables and from text: merges both into one ranked list.

Both certainties are shares of correct answers, so they can be compared. Three rules adjust them. If tables cannot
answer the question (why, how, what something is), the certainty of a table candidate is reduced unless it is very high.
If a figure must be calculated, that of a figure stated in a sentence is reduced, since it is rarely the answer. If both
contain the same figure, its certainty is increased.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.answering.prose.features import GROUPS
from core.answering.prose.question import read_question
from core.figures.records import Candidate
from core.question.analysed import AnalysedQuestion
from core.records.answer import Answer

_WORDED = frozenset((*GROUPS["acts"], *GROUPS["ways"], *GROUPS["things"], *GROUPS["names"], *GROUPS["judged"]))
_ACTS = frozenset((*GROUPS["acts"], *GROUPS["ways"]))
_TABLE_IN_WORDS = 0.25
"""Factor on the odds of a figure from a table if the question asks for words."""
_STATED_FOR_WORKED = 0.4
"""Factor on the odds of a figure from a sentence if the question asks to calculate, count or compare figures."""
_WORKED = frozenset({"calculation", "count", "choice"})
_WORKED_FROM = 0.3
_SAME = 0.005
"""Maximum relative difference between two figures that are equal apart from rounding."""
_AGREED_AT_MOST = 0.97


def choose(
    question: AnalysedQuestion, from_tables: Sequence[Candidate], from_text: Sequence[Candidate]
) -> list[Candidate]:
    """Returns both lists merged, most certain first, with adjusted certainties.

    >>> question = AnalysedQuestion("What is the rent?", "en", "What is the rent?")
    >>> line = Candidate(Answer(kind="figure", value=7250, line="The rent is 7,250 [1]."), sureness=0.4)
    >>> cell = Candidate(Answer(kind="figure", value=7250, line="Rent: 7,250 [1]"), sureness=0.6)
    >>> [(candidate.answer.line, round(candidate.sureness, 2)) for candidate in choose(question, [cell], [line])]
    [('The rent is 7,250 [1].', 0.49)]
    """
    wanted = read_question(question.focus or question.text, question.language)
    in_words = wanted.main in _WORDED
    worked = any(each.answer.kind in _WORKED and each.sureness >= _WORKED_FROM for each in from_tables)
    tables = [
        _odds_multiplied(each, _TABLE_IN_WORDS if in_words and each.answer.kind != "spans" else 1.0)
        for each in from_tables
    ]
    texts = [
        _odds_multiplied(each, _STATED_FOR_WORKED if worked and each.answer.kind == "figure" else 1.0)
        for each in from_text
    ]
    every = [*(_agreed(each, texts) for each in tables), *(_agreed(each, tables) for each in texts)]
    return _without_repetitions(sorted(every, key=lambda each: -each.sureness))


def figures_beside_words(question: AnalysedQuestion, stated: Sequence[Candidate]) -> list[Candidate]:
    """Reduces the certainty of figures if the question is about an event: "what drove it" is not answered by the amount
    of the change."""
    acts = read_question(question.focus or question.text, question.language).main in _ACTS
    return [
        _odds_multiplied(each, _TABLE_IN_WORDS) if acts and each.answer.doubt is not None else each for each in stated
    ]


def _odds_multiplied(candidate: Candidate, factor: float) -> Candidate:
    """Multiplies the candidate's odds by ``factor``."""
    if factor == 1.0 or not 0.0 < candidate.sureness < 1.0:
        return candidate
    odds = candidate.sureness / (1 - candidate.sureness) * factor
    return Candidate(candidate.answer, odds / (1 + odds), candidate.reasons)


def _agreed(candidate: Candidate, others: Sequence[Candidate]) -> Candidate:
    """Increases the certainty of a candidate if another one has the same figure; less than for independent sources,
    since their errors are related."""
    same = max((each.sureness for each in others if _say_the_same(candidate.answer, each.answer)), default=0.0)
    if same == 0.0:
        return candidate
    joint = 1 - (1 - candidate.sureness) * math.sqrt(1 - same)
    answer = candidate.answer
    if joint >= 0.6 and answer.kind == "figure":
        answer = answer.model_copy(update={"doubt": None})
    return Candidate(answer, min(_AGREED_AT_MOST, joint), {**candidate.reasons, "agreed": same})


def _say_the_same(one: Answer, other: Answer) -> bool:
    first, second = _amounts(one), _amounts(other)
    if not first or len(first) != len(second):
        return False
    return all(
        abs(left - right) <= _SAME * max(abs(left), abs(right)) for left, right in zip(first, second, strict=True)
    ) and (one.unit == "%") == (other.unit == "%")


def _amounts(answer: Answer) -> list[float]:
    """Returns the figures of an answer, unscaled; empty if it contains none."""
    values = answer.value if isinstance(answer.value, list) else [answer.value]
    if not values or not all(isinstance(value, float | int) and not isinstance(value, bool) for value in values):
        return []
    return [float(value) * answer.scale for value in values if isinstance(value, float | int)]


def _without_repetitions(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Removes candidates that repeat a figure."""
    kept: list[Candidate] = []
    for each in candidates:
        if not any(_say_the_same(each.answer, other.answer) for other in kept):
            kept.append(each)
    return kept
