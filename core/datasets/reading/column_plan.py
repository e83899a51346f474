"""Decides the type of each column from a sample of its cells, and says how its cells are converted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise

from core.datasets.reading.date_text import (
    DateFormat,
    Order,
    format_of,
    in_words,
    order_in,
    period_start,
)
from core.datasets.reading.heading_units import currency_in, unit_in
from core.datasets.reading.number_text import Mark, NumberText, has_unsure_groups, mark_of, number_of
from core.datasets.reading.staging import NATIVE
from core.datasets.records import ColumnType
from core.language.vocabulary import pattern_of, words_of
from core.library.tables.cells import SIGNS, is_year

NEARLY_ALL = 0.95
"""Share of the filled cells of a column that must have its type; the others become nulls."""
_LEAST_FOR_EXCEPTION = 8
"""Number of filled cells from which one may be an exception in a shorter column."""
_MOST_UNITS = 8
MOST_CATEGORIES = 1_000
_LONGEST_CATEGORY = 80
_LEAST_REPEATED = 2.0
"""Average number of cells for each different text of a category."""
_MOST_MAPPED = 5_000
_COUNTER = 100
"""First column of whole numbers that only rise, from this number on, is a list of identifiers."""
_CODE = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z]{0,5}[-_/.]?[\dA-Za-z]*(?:[-_/.][\dA-Za-z]+)*")
_CAPITAL = re.compile(r"[A-Z0-9\-_/.]+")
_LEADING_ZERO = re.compile(r"0\d+")
_WHOLE = re.compile(r"\d+")
_IDENTIFIER = pattern_of("datasets/columns.headings.identifier")
_POSITION = pattern_of("datasets/columns.headings.position")
_COUNTED = pattern_of("datasets/columns.headings.counted")
_FLAG = pattern_of("datasets/columns.headings.flag")
_PERCENT = pattern_of("datasets/columns.headings.percent")
_DATED = pattern_of("datasets/columns.headings.date")
YES = frozenset(words_of("datasets/columns.values.yes"))
NO = frozenset(words_of("datasets/columns.values.no"))
MISSING = frozenset(words_of("datasets/columns.values.missing")) | {
    f"{sign}{space}{dash}" for sign in SIGNS for space in ("", " ") for dash in "-–—"
}


@dataclass(frozen=True)
class Plan:
    """The type of a column and how its cells are converted.

    ``unit`` is that of all values; ``mixed``: the cells have different units or currencies. ``hundredths``: the cells
    are percentages without their sign. ``formats`` are those of dates; ``words`` maps dates in words to ISO dates.
    ``yes`` and ``no`` are the texts of a boolean.
    """

    type: ColumnType = "text"
    mark: Mark = "point"
    unit: str = ""
    mixed: bool = False
    hundredths: bool = False
    formats: tuple[DateFormat, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sample:
    """Cells of a column: its heading, its filled cells in order, and whether it is the first column."""

    name: str
    texts: Sequence[str]
    is_first: bool = False


@dataclass(frozen=True)
class Table:
    """What the columns of a table say together: their decimal mark and order of dates."""

    mark: Mark
    order: Order


def is_missing(text: str) -> bool:
    """Whether a cell holds a placeholder of a missing value."""
    return text.lower() in MISSING


def allowance(filled: int) -> int:
    """Returns how many of a column's filled cells may have another type."""
    return max(int(filled * (1 - NEARLY_ALL)), 1 if filled >= _LEAST_FOR_EXCEPTION else 0)


def table_of(samples: Sequence[Sample], semicolons: bool) -> Table:
    """Returns the decimal mark and the order of dates that the columns prove."""
    marks = Counter(mark_of(sample.texts) for sample in samples)
    point, comma = marks["point"], marks["comma"]
    mark: Mark = "comma" if comma > point or (semicolons and comma == point and _has_groups(samples)) else "point"
    orders = [order for sample in samples if (order := order_in(sample.texts))]
    return Table(mark, orders[0] if orders and len(set(orders)) == 1 else "day first")


def _has_groups(samples: Sequence[Sample]) -> bool:
    return any(has_unsure_groups(sample.texts[:500]) for sample in samples)


def plan_of(sample: Sample, table: Table) -> Plan:
    """Returns the type of a column."""
    texts = [text for text in sample.texts if not is_missing(text)]
    if not texts:
        return Plan()
    for decide in (_boolean, _date, _number):
        if plan := decide(sample.name, texts, table):
            if plan.type == "number" and _are_codes(sample, texts):
                return Plan("code")
            return plan
    return _of_texts(sample, texts)


def forced_plan(kind: ColumnType, sample: Sample, table: Table) -> Plan:
    """Returns the plan of a column whose type a person has set."""
    texts = [text for text in sample.texts if not is_missing(text)]
    if kind in ("number", "money", "percent"):
        plan = _number(sample.name, texts, table, certain=True) or Plan("number", table.mark)
        return replace(plan, type=kind, hundredths=plan.hundredths if kind == "percent" else False)
    if kind in ("date", "datetime"):
        return replace(_date(sample.name, texts, table, certain=True) or Plan(), type=kind)
    if kind == "boolean":
        words = Counter(text.removeprefix(NATIVE) for text in texts)
        yes = tuple(word for word in words if word.lower() in YES or word == "1")
        return Plan("boolean", yes=yes, no=tuple(word for word in words if word not in yes))
    return Plan(kind)


def _boolean(name: str, texts: Sequence[str], table: Table) -> Plan | None:
    words = Counter(text.removeprefix(NATIVE) for text in texts)
    if len(words) > 6:
        return None
    flags = bool(_FLAG.search(name)) and set(words) <= {"0", "1"}
    yes = tuple(word for word in words if word.lower() in YES or (flags and word == "1"))
    no = tuple(word for word in words if word.lower() in NO or (flags and word == "0"))
    if len(yes) + len(no) < len(words):
        return None
    is_sure = (yes and no) or any(len(word) > 1 for word in words)
    return Plan("boolean", yes=yes, no=no) if is_sure else None


def _date(name: str, texts: Sequence[str], table: Table, certain: bool = False) -> Plan | None:
    order = order_in(texts) or table.order
    found: Counter[DateFormat] = Counter()
    words: dict[str, str] = {}
    missed = 0
    for text in texts:
        if text.startswith(NATIVE):
            missed += 1
        elif written := format_of(text, order):
            found[written] += 1
        elif len(words) < _MOST_MAPPED and (day := _day_of(text)):
            words[text] = day
        else:
            missed += 1
        if not certain and missed > allowance(len(texts)):
            return None
    if not found and (not words or _is_year_only(texts)):
        return None
    timed = any(written.has_time for written in found)
    return Plan("datetime" if timed else "date", formats=tuple(found), words=words)


@cache
def _day_of(text: str) -> str | None:
    if len(text) > 40 or not any(map(str.isdigit, text)):
        return None
    return in_words(text) or period_start(text)


def _is_year_only(texts: Sequence[str]) -> bool:
    return all(is_year(text) for text in texts)


def _number(name: str, texts: Sequence[str], table: Table, certain: bool = False) -> Plan | None:
    mark = mark_of(texts) or table.mark
    found = [(text, number_of(text, mark)) for text in texts]
    numbers = [number for _, number in found if number]
    if not numbers or (not certain and len(texts) - len(numbers) > allowance(len(texts))):
        return None
    units = Counter(number.unit for number in numbers if number.unit and not number.is_percent)
    currencies = Counter(number.currency for number in numbers if number.currency)
    if not certain and not _are_units(units, len(numbers)):
        return None
    if not certain and any(_LEADING_ZERO.fullmatch(text) for text in texts):
        return Plan("code")
    percents = sum(number.is_percent for number in numbers)
    if percents * 2 >= sum(bool(number.value) for number in numbers) and percents:
        return Plan("percent", mark)
    if _PERCENT.search(name) and not currencies and not units:
        fractions = all(abs(number.value) <= 1 for number in numbers) and any(number.value % 1 for number in numbers)
        return Plan("percent", mark, hundredths=not fractions)
    return _with_unit(Plan("number", mark), name, units, currencies)


def _are_units(units: Counter[str], count: int) -> bool:
    """Whether the words after numbers are units: few different ones, each of them repeated."""
    return not units or (len(units) <= _MOST_UNITS and (len(units) == 1 or units.total() >= 2 * len(units)))


def _with_unit(plan: Plan, name: str, units: Counter[str], currencies: Counter[str]) -> Plan:
    heading = currency_in(name)
    if len(currencies) > 1:
        return replace(plan, type="money", mixed=True)
    if currencies or heading:
        currency = heading if not currencies else currencies.most_common(1)[0][0]
        if not currencies and heading and "/" in heading:
            return replace(plan, unit=heading)
        return replace(plan, type="money", unit=currency)
    named = unit_in(name)
    if len(units) > 1 and not named:
        return replace(plan, mixed=True)
    return replace(plan, unit=named or (units.most_common(1)[0][0] if units else ""))


def _are_codes(sample: Sample, texts: Sequence[str]) -> bool:
    """Whether whole numbers identify something: their heading says so, or they only count up."""
    bare = [text.removeprefix(NATIVE) for text in texts]
    if not all(_WHOLE.fullmatch(text) for text in bare):
        return False
    if _IDENTIFIER.search(sample.name.strip()) and not _COUNTED.search(sample.name):
        return not (_POSITION.search(sample.name) and _counts_from_one(bare))
    if not sample.is_first or len(bare) < _LEAST_FOR_EXCEPTION or any(is_year(text) for text in bare):
        return False
    rising = all(int(one) < int(other) for one, other in pairwise(bare))
    return rising and int(bare[0]) >= _COUNTER and len(bare[0]) == len(bare[-1])


def _counts_from_one(bare: Sequence[str]) -> bool:
    return (
        bare[0] in ("0", "1")
        and all(0 <= int(other) - int(one) <= max(1, len(bare)) for one, other in pairwise(bare))
        and int(bare[-1]) <= 2 * len(bare)
    )


def _of_texts(sample: Sample, texts: Sequence[str]) -> Plan:
    bare = [text.removeprefix(NATIVE) for text in texts]
    coded = sum(bool(_CODE.fullmatch(text)) and bool(_CAPITAL.match(text)) for text in bare)
    digits = sum(bool(_WHOLE.fullmatch(text)) for text in bare)
    if coded and coded + digits >= len(bare) - allowance(len(bare)):
        return Plan("code")
    different = Counter(bare)
    is_short = max(map(len, different)) <= _LONGEST_CATEGORY
    repeated = len(bare) / len(different)
    if is_short and len(different) <= MOST_CATEGORIES and repeated >= _LEAST_REPEATED:
        return Plan("category")
    if _IDENTIFIER.search(sample.name.strip()) and all(" " not in text for text in bare):
        return Plan("code")
    return Plan("text")


def numbers_in(plan: Plan, texts: Sequence[str]) -> list[NumberText]:
    """Returns the numbers of a column's sample."""
    return [number for text in texts if (number := number_of(text, plan.mark))]
