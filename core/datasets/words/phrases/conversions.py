"""Finds the exchange rate that a question gives, and converts the amounts of its query: "in USD at 1 EUR = 1.1 USD"."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from core.datasets.query.model import Conversion, DataQuery, Rate
from core.datasets.records import Column, Dataset
from core.datasets.words.understanding import Absent, Ambiguity, Understanding, Understood
from core.language.entities.numerals import CURRENCIES as KNOWN
from core.language.entities.numerals import UNITS
from core.language.vocabulary import Entry, file_of
from core.library.tables.cells import CURRENCIES

_NUMBER = r"(?P<number>\d{1,12}(?:[.,]\d{1,12})?)(?!\d)"


class _Conversions(Entry):
    currencies: dict[str, str]
    equations: list[str]
    rates: list[str]
    targets: list[str]
    quoted: str


_words = file_of("datasets/conversions", _Conversions)


@dataclass(frozen=True)
class GivenRate:
    """The rate that a question gives: 1 ``one`` = ``equals`` ``of``, and the currency ``to`` of the result. If only the
    number is given, ``one`` and ``of`` are empty. ``words`` are those that give it."""

    equals: float
    to: str
    one: str = ""
    of: str = ""
    words: str = ""


def without_rate(question: str) -> tuple[str, GivenRate | None]:
    """Returns the question without its words about a conversion, and the rate that they give.

    >>> without_rate("Total amount in USD at 1 EUR = 1.1 USD")
    ('Total amount', GivenRate(equals=1.1, to='USD', one='EUR', of='USD', words='in USD at 1 EUR = 1.1 USD'))
    >>> without_rate("Total amount in 2024")
    ('Total amount in 2024', None)
    """
    text = " ".join(question.split())
    found = next((match for pattern in _patterns().rates if (match := pattern.search(text))), None)
    if found is None:
        return question, None
    named = {key: _currencies()[text.lower()] for key, text in found.groupdict().items() if text and key != "number"}
    left = " ".join(f"{text[: found.start()]} {text[found.end() :]}".split())
    target = next((match for pattern in _patterns().targets if (match := pattern.search(left))), None)
    to = _currencies()[target["currency"].lower()] if target else named.get("other", "")
    number = float(found["number"].replace(",", "."))
    if not to or not number or (named and to not in named.values()):
        return question, None
    words = found.group().strip()
    if target:
        words = f"{target.group().strip(' ,')} {words}"
        left = f"{left[: target.start()]} {left[target.end() :]}"
    return " ".join(left.split()).strip(" ,"), GivenRate(
        number, to, named.get("currency", ""), named.get("other", ""), words
    )


def converted(understood: Understanding, given: GivenRate, datasets: Sequence[Dataset]) -> Understanding:
    """Returns what was understood with its amounts converted; what their currencies are if the rate is for others."""
    known = {each.id: each for each in datasets}
    if isinstance(understood, Ambiguity):
        options = [
            dataclasses.replace(option, query=query)
            for option in understood.options
            if (query := _converted(option.query, given, known))
        ]
        return dataclasses.replace(understood, options=tuple(options)) if len(options) > 1 else None
    if not isinstance(understood, Understood):
        return understood
    query = _converted(understood.query, given, known)
    if query is not None:
        return dataclasses.replace(understood, query=query)
    units = tuple(sorted(set(_units(understood.query, known)) - {""}))
    name = known[understood.query.dataset].name if understood.query.dataset in known else ""
    return Absent("rate" if units else "currency", given.words, name, available=units, evidence=understood.evidence)


def _converted(query: DataQuery, given: GivenRate, known: Mapping[str, Dataset]) -> DataQuery | None:
    units = set(_units(query, known))
    own = units - {given.to, ""}
    if given.one:
        rate = Rate(one=given.one, equals=given.equals, of=given.of)
    elif len(own) == 1:
        one, of = sorted((given.to, *own), key=_quoted_place)
        rate = Rate(one=one, equals=given.equals, of=of)
    else:
        return None
    if not own & {rate.one, rate.of}:
        return None
    return query.model_copy(update={"convert": Conversion(to=given.to, rates=[rate])})


def _quoted_place(currency: str) -> int:
    quoted = _words().quoted.split()
    return quoted.index(currency) if currency in quoted else len(quoted)


def _units(query: DataQuery, known: Mapping[str, Dataset]) -> Iterator[str]:
    """Yields the currencies of the columns that a query measures or lists."""
    names = [measure.column for measure in query.measures if measure.column] or query.columns
    names += [part.partition("]")[0] for each in query.derive for part in each.expression.split("[")[1:]]
    for dataset in (known[each] for each in (query.dataset, *(join.dataset for join in query.joins)) if each in known):
        for column in filter(None, map(dataset.column, names)):
            yield from _units_of(column, dataset)


def _units_of(column: Column, dataset: Dataset) -> Iterator[str]:
    if column.unit_key:
        written = dataset.column(column.unit_key)
        # The currencies of amounts that have them in their cells are not listed in the record.
        yield from (written.values or written.samples) if written else KNOWN
    elif column.unit:
        yield re.split(r"[/ ]", column.unit)[0]


@dataclass(frozen=True)
class _Patterns:
    rates: list[re.Pattern[str]]
    targets: list[re.Pattern[str]]


@cache
def _patterns() -> _Patterns:
    def made(patterns: list[str]) -> list[re.Pattern[str]]:
        names = "|".join(sorted(map(re.escape, _currencies()), key=len, reverse=True))
        end = r"(?![^\W\d_])"
        forms = {"currency": rf"(?P<currency>{names}){end}", "other": rf"(?P<other>{names}){end}", "number": _NUMBER}
        for name, form in forms.items():
            patterns = [each.replace(f"{{{name}}}", form) for each in patterns]
        return [re.compile(each, re.IGNORECASE) for each in patterns]

    words = _words()
    return _Patterns(made([*words.equations, *words.rates]), made(words.targets))


@cache
def _currencies() -> dict[str, str]:
    """Maps the words and signs of currencies to their codes."""
    own = {word: code for code, words in _words().currencies.items() for word in words.split()}
    return {**CURRENCIES, **{word: code for word, code in UNITS.items() if code in KNOWN}, **own}
