"""Writes a short value of a sentence in the question's language: takes a value; returns an amount, date, duration or
number in words of that language, or the name as written.

The quotation itself always stays in the language of its text.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from typing import Annotated

from babel.dates import format_date, format_skeleton, get_day_names
from babel.numbers import format_decimal, get_currency_name
from babel.units import format_unit
from pydantic import BeforeValidator

from core.answering.prose.closeness import CloseSentence
from core.answering.prose.features import GROUPS
from core.answering.prose.question import ProseQuestion
from core.answering.prose.values import Value, values_in
from core.answering.prose.vocabulary import vocabulary
from core.language.entities.dates import DateSpan, dates_in
from core.language.normalisation import fold
from core.language.vocabulary import Entry, file_of
from core.words import Language

_SCALES = {1e3: "thousand", 1e6: "million", 1e9: "billion"}
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_CLOCK = re.compile(r"\d{1,2}:\d\d")
_LEAP_YEAR = 2000
_ASKED = frozenset((*GROUPS["figures"], *GROUPS["times"], *GROUPS["names"]))
"""Kinds of questions that a single value answers."""


def _words(line: str) -> list[str]:
    return [fold(word) for word in line.split("|")]


_Line = Annotated[list[str], BeforeValidator(_words)]


class _Units(Entry):
    units: dict[str, _Line]
    two: dict[str, _Line]


_units = file_of("answering/translated_values", _Units)


def value_asked_for(question: ProseQuestion, close: CloseSentence) -> Value | None:
    """Returns the value of the kind that the question asks for; ``None`` if the sentence has none or several, since
    only a reader can tell which of them is meant, or if the question asks for any kind of thing."""
    if question.main not in _ASKED:
        return None
    held = vocabulary().kinds[question.main].held
    text = close.statement.text
    values = [*values_in(text), *_weekdays(text)]
    fitting = [value for value in values if value.kind in held]
    if not fitting and question.main == "date":
        # "Until when" may be answered by "within 30 days".
        fitting = [value for value in values if value.kind == "duration"]
    return fitting[0] if len(fitting) == 1 else None


def _weekdays(text: str) -> list[Value]:
    return [Value("date", span.start, span.end) for span in dates_in(text) if span.form == "weekday"]


def translated_value(value: Value, text: str, language: Language) -> str | None:
    """Returns ``value`` of ``text`` in ``language``; ``None`` if it cannot be said there.

    >>> text = "The fee is 1,450 euros a month."
    >>> translated_value(values_in(text)[0], text, "en")
    '1,450 euros'
    """
    written = text[value.start : value.end]
    if value.kind == "amount" and value.number is not None:
        return _amount(value, language)
    if value.kind == "percent" and value.number is not None:
        return f"{_number(value.number, language)}%"
    if value.kind == "duration":
        return _duration(written, language)
    if value.kind == "date":
        return _date(written, language)
    if value.kind == "count" and value.number is not None:
        return _number(value.number, language)
    return written if value.kind in ("name", "quoted") else None


def _number(number: float, language: Language) -> str:
    return str(format_decimal(number, locale=language))


def _amount(value: Value, language: Language) -> str:
    number = _number(value.number or 0.0, language)
    scale = f" {_scale_words(language)[value.scale]}" if value.scale in _SCALES else ""
    name: str = _currency_words(language).get(value.currency or "", "")
    if value.currency and not name:
        name = str(get_currency_name(value.currency, value.number, language))
    return f"{number}{scale} {name}".strip()


@cache
def _scale_words(language: Language) -> dict[float, str]:
    """Returns the longest words for thousand, million and billion in a language."""
    words: dict[float, str] = {}
    for word, scale in vocabulary().scales.items():
        if word.isascii() == (language == "en") and len(word) > 2 and scale not in words:
            words[scale] = word
    return words


@cache
def _currency_words(language: Language) -> dict[str, str]:
    """Returns the last name of each currency in a language, which is its plural."""
    names: dict[str, str] = {}
    for word, currency in vocabulary().currencies.items():
        if word.isascii() == (language == "en") and len(word) > 3 and word.replace(" ", "").isalpha():
            names[currency] = word
    return names


def _duration(written: str, language: Language) -> str | None:
    folded = fold(written)
    for unit, words in _units().two.items():
        if any(name in folded for name in words):
            return str(format_unit(2, f"duration-{unit}", locale=language))
    names = {word: unit for unit, words in _units().units.items() for word in words}
    named = next((names[word] for word in reversed(folded.split()) if word in names), None)
    number = _NUMBER.search(folded)
    count = float(number.group().replace(",", "")) if number else _in_words(folded)
    return str(format_unit(count, f"duration-{named}", locale=language)) if named and count else None


def _in_words(folded: str) -> float | None:
    for word in re.split(r"[\s-]+", folded):
        for form in (word, word[1:]):
            if form in vocabulary().numbers:
                return vocabulary().numbers[form]
    return None


def _date(written: str, language: Language) -> str | None:
    if clock := _CLOCK.search(written):
        return clock.group()
    spans = dates_in(written)
    return _day(spans[0], language) if len(spans) == 1 else None


def _day(span: DateSpan, language: Language) -> str | None:
    day = span.day
    if day.weekday:
        return str(get_day_names("wide", locale=language)[(day.weekday - 2) % 7])
    if day.month is None or day.day is None:
        return None
    if day.year is None:
        return str(format_skeleton("MMMMd", date(_LEAP_YEAR, day.month, day.day), locale=language))
    return str(format_date(date(day.year, day.month, day.day), "d MMMM y" if language == "en" else "long", language))
