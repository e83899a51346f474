"""Parses what a question asks to do with figures: operation, search phrases, periods, a bound and the format."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Literal

from core.language.vocabulary import numbers_of, phrase_of
from core.question.periods import PeriodsAsked, periods_asked, without_signs
from core.question.rules import Operation, Relation, rules

_AVERAGE = phrase_of("answering/questions.operation.average")
Extreme = Literal["largest", "smallest"]
_BOUND = (
    r"\s*(?:us\$|[$€£₪])?\s*(?P<sign>-)?(?P<digits>\d[\d,]*(?:\.\d+)?)"
    rf"\s*(?P<percent>%|percent\b|{phrase_of('answering/questions.operation.percent')})?\s*(?P<scale>\w+)?"
)
LONGEST = 600
"""Maximum number of characters of a question that are parsed: questions about a figure are shorter, and patterns are
slow on long texts."""
_EDGE = re.compile(r"^[\s,;:'\"?.!-]+|[\s,;:'\"?.!-]+$")
_COUNTS = numbers_of("answering/questions.operation.digits")
_DIGITLESS = re.compile(r"\(\s*\)")
_TRAILING = re.compile(
    r"(?<![\s,;])(?:[\s,;]++|"
    r"\b(?:in|for|as of|as at|at|on|of|from|to|between|and|during|by|the|ended|ending|years?|fiscal|when|"
    r"comparing|compared)\b){0,40}$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Bound:
    """A bound such as "more than $50 million"; ``value`` is unscaled (50,000,000), or in per cent."""

    relation: Relation
    value: float
    scaled: bool = False
    percent: bool = False


@dataclass(frozen=True)
class AnswerFormat:
    """The requested format of the answer: the ``scale`` of the number, whether in ``percent``, and the number of
    ``decimals``."""

    scale: float | None = None
    percent: bool = False
    decimals: int | None = None


@dataclass(frozen=True)
class QuestionOperation:
    """A parsed question; ``phrases`` are the search phrases, two if two figures are compared; ``sides`` are, for each
    phrase, the periods named in it.

    ``each``: several values are requested ("respectively"); ``what`` is the word for the things to count, list or
    choose from; ``total`` and ``average``: the question contains this word, which may be an operation or part of a
    row's name; ``rising`` and ``falling``: the direction of a change; ``apart``: only the distance between two figures
    is requested; ``phrase`` is the whole request without periods and format; ``wordy``: the answer should be words, not
    a figure.
    """

    operation: Operation
    phrases: tuple[str, ...]
    periods: PeriodsAsked
    sides: tuple[tuple[str, ...], ...] = ()
    extreme: Extreme | None = None
    bound: Bound | None = None
    wish: AnswerFormat = field(default_factory=AnswerFormat)
    each: bool = False
    what: str = ""
    total: bool = False
    average: bool = False
    rising: bool = True
    falling: bool = False
    apart: bool = False
    phrase: str = ""
    wordy: bool = False


def read_question(text: str) -> QuestionOperation:
    """Parses ``text``; if no rule matches, the operation is to look up the value of the named figure."""
    periods = periods_asked(text[:LONGEST])
    bare = periods.text.rstrip("?؟ .")
    wish, bare = _wish(bare)
    bound, bare = _asked_bound(bare)
    going, has = rules().going, rules()
    falling = bool(going["down"].search(bare))
    asked = QuestionOperation(
        "value", (), periods, bound=bound, wish=wish, extreme=_extreme(bare), each=bool(has.each.search(bare)),
        total=bool(has.total.search(bare)), rising=not falling or bool(going["up"].search(bare)), falling=falling,
        wordy=bool(has.wordy.search(bare)), phrase=_phrase(has.each.sub(" ", bare)),
    )  # fmt: skip
    bare = rules().each.sub(" ", bare)
    for operation, pattern in rules().operations:
        found = pattern.search(bare)
        if found and (result := _completed_operation(replace(asked, operation=operation), found, bare)):
            return result
    return replace(asked, phrases=(_phrase(bare),))


def _completed_operation(asked: QuestionOperation, found: re.Match[str], text: str) -> QuestionOperation | None:
    """Returns ``asked`` with the search phrases from the rule's match; ``None`` if the rule's words mean something else
    in this question."""
    groups = found.groupdict()
    if asked.operation == "periods" and asked.bound:
        asked = replace(asked, operation="which period")
    if asked.operation == "count periods" and asked.bound is None:
        return None
    what = (groups.get("what") or "").strip()
    if asked.operation == "which part" and (not what or rules().words["time"].fullmatch(what)):
        return None
    apart = bool(rules().apart.search(found.group())) and "a" not in groups
    asked = replace(asked, apart=apart, what=what, average="average" in text.lower() or _AVERAGE in text)
    if groups.get("b"):
        sides = tuple(f"{groups['a']} {groups.get('of') or ''}" if key == "a" else groups["b"] for key in "ab")
        own = tuple(tuple(period.key for period in asked.periods.within(side)) for side in sides)
        before = text[: found.start("a")] if asked.operation in ("share", "ratio") else ""
        phrases = tuple(_phrase(side) for side in sides)
        if not all(phrases) or _is_frame(before):
            return None
        if phrases[0].lower() == phrases[1].lower() and asked.operation == "difference":
            return replace(asked, operation="change", phrases=phrases[:1])
        return replace(asked, phrases=phrases, sides=own)
    if "a" in groups:
        return replace(asked, phrases=(_phrase(_without_extreme(groups["a"] or "")),))
    rest = f"{text[: found.start()]} {text[found.end() :]}"
    if asked.operation == "which period":
        rest = _without_extreme(f"{text[: found.start()]} {found.group()} {text[found.end() :]}", times=True)
    return replace(asked, phrases=(_phrase(rest),))


def _is_frame(before: str) -> bool:
    """Returns whether "share of" is only the object of another operation ("the change in the share of ...")."""
    return any(
        pattern.search(before)
        for operation, pattern in rules().operations
        if operation in ("change", "percentage change", "average", "sum")
    )


def _without_extreme(text: str, times: bool = False) -> str:
    for pattern in rules().extremes.values():
        text = pattern.sub(" ", text)
    return rules().words["time"].sub(" ", text) if times else text


def _extreme(text: str) -> Extreme | None:
    found = [(match.start(), name) for name, pattern in rules().extremes.items() if (match := pattern.search(text))]
    return min(found)[1] if found else None


def _phrase(text: str) -> str:
    """Returns the search phrase without the placeholders for time periods and the prepositions before them."""
    plain = _DIGITLESS.sub(" ", without_signs(text))
    return _EDGE.sub("", _TRAILING.sub("", " ".join(plain.split())))


def _asked_bound(text: str) -> tuple[Bound | None, str]:
    for relation, pattern in rules().bounds.items():
        found = re.search(f"(?:{pattern.pattern}){_BOUND}", text, re.IGNORECASE)
        if found:
            scale = rules().scales.get((found["scale"] or "").lower())
            value = float(found["digits"].replace(",", "")) * (scale or 1.0) * (-1 if found["sign"] else 1)
            end = found.end() if scale or not found["scale"] else found.start("scale")
            bound = Bound(relation, value, scale is not None, found["percent"] is not None)
            return bound, f"{text[: found.start()]} {text[end:]}"
    return None, text


def _wish(text: str) -> tuple[AnswerFormat, str]:
    patterns = rules().wish
    scale, percent, decimals = (patterns[name].search(text) for name in ("scale", "percent", "decimals"))
    count = next((word for word in decimals.groups() if word), None) if decimals else None
    wish = AnswerFormat(
        rules().scales.get(scale["scale"].lower()) if scale else None,
        percent is not None,
        None if count is None else int(count) if count.isdigit() else int(_COUNTS[count.lower()]),
    )
    for name in ("decimals", "rest", "scale"):
        text = patterns[name].sub(" ", text)
    return wish, " ".join(text.split())


def without_average(text: str) -> str:
    """Returns the quantity to average if a question asks for the average of a change."""
    for operation, pattern in rules().operations:
        if operation == "average":
            text = pattern.sub(" ", text)
    return " ".join(text.split())
