"""Says in one sentence how a result was computed, in parts that a user can change."""

from __future__ import annotations

from collections.abc import Sequence

from core.datasets.answers.phrases import Phrases, written
from core.datasets.query.model import DataQuery
from core.datasets.records import Dataset
from core.records.data_answer import HowPart
from core.words import Language


class _Sentence:
    """Collects the parts of a sentence."""

    def __init__(self, phrases: Phrases) -> None:
        self.phrases = phrases
        self.parts: list[HowPart] = []

    def add(self, text: str, path: str = "") -> None:
        if text:
            self.parts.append(HowPart(text=text, path=path))

    def joint(self, key: str) -> None:
        """Adds words between two parts, with spaces around them."""
        self.add(f" {self.phrases.word(key)} ")


def described(query: DataQuery, datasets: Sequence[Dataset], language: Language) -> list[HowPart]:
    """Returns the sentence in parts: *Sum of Amount* · where · *Region is North* · by · *month of Order date*. The
    ``path`` of a part says which part of the query it is.

    >>> made = described(DataQuery(dataset="d", measures=[{"function": "count"}]), [], "en")
    >>> [(part.text, part.path) for part in made]
    [('Number of rows', 'measures/0')]
    """
    phrases = Phrases(datasets, language)
    sentence = _Sentence(phrases)
    _add_subject(sentence, query)
    for join in query.joins:
        sentence.add(" " + phrases.join(join, datasets))
    for number, each in enumerate(query.where):
        sentence.joint("where" if number == 0 else "and")
        sentence.add(phrases.condition(each), f"where/{number}")
    for number, group in enumerate(query.group):
        sentence.joint("by" if number == 0 else "and")
        sentence.add(phrases.group(group), f"group/{number}")
    for number, each in enumerate(query.having):
        sentence.joint("kept" if number == 0 else "and")
        sentence.add(phrases.having(each, query.measures), f"having/{number}")
    if query.order and (query.limit or query.extreme):
        sentence.add(", ")
        sentence.add(phrases.order(query), "order/0")
    if query.convert:
        sentence.add(", " + phrases.rates(query.convert))
    if query.repeated != "keep":
        sentence.add(", " + phrases.word(query.repeated))
    return sentence.parts


def _add_subject(sentence: _Sentence, query: DataQuery) -> None:
    phrases = sentence.phrases
    used = {name for each in query.calculations for name in _names(each.expression)}
    for number, each in enumerate(query.calculations):
        sentence.add(", " if number else "")
        sentence.add(_formula(phrases, query, each.expression))
    shown = [(n, each) for n, each in enumerate(query.measures) if (each.name or "").casefold() not in used]
    for place, (number, measure) in enumerate(shown):
        sentence.add(", " if place or query.calculations else "")
        sentence.add(phrases.measure(measure), f"measures/{number}")
    parts = [each for each in query.measures if each.where and (each.name or "").casefold() in used]
    if parts:
        sentence.add(f" ({'; '.join(f'{each.name}: {phrases.measure(each)}' for each in parts)})")
    for change in query.changes:
        sentence.add(", " + phrases.change(change))
    if not query.measures:
        names = [phrases.heading(name) for name in query.columns]
        sentence.add(", ".join(names) if names else phrases.word("rows"))
    for derived in query.derive:
        if (formula := written(derived.expression)) != derived.name:
            sentence.add(f" ({derived.name} = {formula})")


def _formula(phrases: Phrases, query: DataQuery, expression: str) -> str:
    """Returns *Sum of Amount / Number of rows*: a calculation with its measures in words; a measure with its own
    conditions keeps its name."""
    names = {each.name: phrases.measure(each) for each in query.measures if each.name and not each.where}
    return written(expression, names)


def _names(expression: str) -> list[str]:
    return [part.partition("]")[0].casefold() for part in expression.split("[")[1:]]
