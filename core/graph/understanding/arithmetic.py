"""Reads arithmetic that a message gives completely: "17.5 percent of 4,350", "12*7"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from core.language.entities.calendar_words import YEAR
from core.language.normalisation import fold
from core.language.vocabulary import Entry, WordSet, file_of
from core.tools.calculation import DIGITS as PRECISION
from core.tools.calculation import CalculationError, evaluate

LONGEST = 200
DIGITS = 10
"""Significant digits of a result that has no end."""
_TOKEN = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\*\*|[-+*/x×÷−–^()%=?!.]|[^\W\d_]+(?:['\"][^\W\d_]+)*")
_NUMBER = re.compile(r"\d")
_SIGNS = {"x": "*", "×": "*", "÷": "/", "−": "-", "–": "-", "^": "**"}
_DATE = re.compile(r"(?<!\d)\d+[/.-]\d+[/.-]\d+")
_YEARS = re.compile(rf"{YEAR}\s*[-–/]\s*(?:{YEAR}|\d\d)(?!\d)")
_ENDS = frozenset("=?!.")
_OPERATORS = frozenset({"+", "-", "*", "/", "**"})


class _Lists(Entry):
    around: WordSet
    asking: WordSet
    plus: WordSet
    minus: WordSet
    times: WordSet
    over: WordSet
    by: WordSet
    percent: WordSet
    of: WordSet


_lists = file_of("graph/arithmetic", _Lists)


@dataclass(frozen=True)
class Calculated:
    """An expression as it is shown, and its result; ``exact``: the result is not rounded."""

    shown: str
    result: str
    exact: bool


def calculated(message: str) -> Calculated | None:
    """Returns the calculation of a message that consists of one; ``None`` if it asks for anything else.

    >>> calculated("What is 17.5 percent of 4,350?").result
    '761.25'
    >>> calculated("How much is 12 pages?") is None
    True
    """
    expression = _expression(message)
    if expression is None:
        return None
    try:
        value = evaluate(expression, {}).value
    except CalculationError:
        return None
    if value.adjusted() >= PRECISION:
        return None
    rounded = value if len(value.as_tuple().digits) < PRECISION else Decimal(f"{value:.{DIGITS}g}")
    return Calculated(_shown(expression), f"{rounded.normalize():,f}", rounded == value)


def _expression(message: str) -> str | None:
    """Returns the expression; nothing if the message has another word, or could be a date or a range."""
    text = fold(message)
    if len(text) > LONGEST or _DATE.search(text) or _YEARS.search(text) or _TOKEN.sub("", text).strip(" ,:;\t\n"):
        return None
    lists, parts = _lists(), list[str]()
    asks = False
    for token in _TOKEN.findall(text):
        word = _SIGNS.get(token, token)
        if _NUMBER.match(word):
            number = word.replace(",", "")
            parts.append(number.lstrip("0") or "0" if number.isdigit() else number)
        elif word in _OPERATORS or word in "()%":
            # A Hebrew prefix may be joined to the number by a hyphen.
            parts += [] if word == "-" and parts[-1:] == ["of"] else [word]
        elif word in lists.percent:
            parts.append("%")
        elif sign := _sign(word, lists):
            parts.append(sign)
        elif word in lists.of and parts[-1:] == ["%"]:
            parts.append("of")
        elif word in lists.by and parts[-1:] in (["*"], ["/"]):
            continue
        elif word in lists.around or word in _ENDS:
            asks = asks or word in lists.asking or word in "=?"
        else:
            return None
    return _joined(parts, asks, text)


def _sign(word: str, lists: _Lists) -> str:
    signs = ((lists.plus, "+"), (lists.minus, "-"), (lists.times, "*"), (lists.over, "/"))
    return next((sign for words, sign in signs if word in words), "")


def _joined(parts: list[str], asks: bool, text: str) -> str | None:
    numbers = [each for each in parts if _NUMBER.match(each)]
    inner = [each for place, each in enumerate(parts) if each in _OPERATORS or each == "of" if place]
    if len(numbers) < 2 or not inner:
        return None
    if not asks and set(inner) <= {"-", "/"} and not re.search(r"\d\s+\D+\s+\d", text):
        # "12-15" may be a range, "3/4" a date.
        return None
    joined = " ".join(parts)
    joined = re.sub(r"(?<![\d.])([\d.]+) % of", r"\1 / 100 *", joined)
    return None if "%" in joined or "of" in joined else joined


def _shown(expression: str) -> str:
    spaced = re.sub(r"\d+(?:\.\d+)?", lambda found: f"{Decimal(found.group()):,f}", expression)
    spaced = spaced.replace("**", "^").replace("*", "×").replace(" - ", " − ")
    return spaced.replace("( ", "(").replace(" )", ")")
