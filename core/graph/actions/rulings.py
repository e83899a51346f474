"""Whether a policy's statement allows what a clause says, by rule: numbers and limits, dates, what is forbidden."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.graph.actions.records import Statement
from core.grounding.overlap import bases, words
from core.grounding.polarity import base, meets, opposites, polarity
from core.language.entities.facts import Facts, Number, facts, prepared
from core.language.entities.numerals import IN_DAYS
from core.words import Words

Verdict = Literal["complies", "conflicts", "not_covered"]
Severity = Literal["high", "medium", "low"]

FAR = 0.25
"""Beyond a limit by more than this share is a serious breach."""
_AROUND = 60
_BANS = re.compile(
    r"\b(?:must|shall|never|prohibited|forbidden|not allowed|may not|required|only)\b|"
    r"(?<![א-ת])[ושה]?(?:חייב\w*|חובה|אסור\w*|אין|רק|בלבד|אינו רשאי|אינה רשאית|מחייב\w*)(?![א-ת])",
    re.IGNORECASE,
)
_UNLESS = re.compile(
    r"\b(?:without|unless|except|until|before|only if|only with)\b(?P<en>.*)|"
    r"(?<![א-ת])(?:ללא|בלי|אלא|למעט|לפני|טרם)(?![א-ת])(?P<he>.*)",
    re.IGNORECASE,
)
_CEILING = re.compile(r"\b(?:limit|maximum|most|ceiling|cap)\b|תקרה|מגבלה|מקסימום|לכל היותר", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_IS = re.compile(r"\b(?:is|are|will be|shall be)\b|(?<![א-ת])(?:הוא|היא|יהיה|תהיה)(?![א-ת])")


@dataclass(frozen=True)
class Breach:
    """``reason`` says what the policy asks and what the clause says."""

    severity: Severity
    reason: Words


def breach(clause: str, statement: Statement) -> Breach | None:
    """In what ``clause`` breaks ``statement``; ``None`` when it does not, as far as rules can tell."""
    ours, theirs = facts(clause), facts(statement.text)
    return (
        _number_breach(clause, statement, ours, theirs)
        or _date_breach(ours, theirs)
        or _polarity_breach(clause, statement.text)
        or _name_breach(clause, ours, theirs)
    )


def _number_breach(clause: str, statement: Statement, ours: Facts, theirs: Facts) -> Breach | None:
    held = _in_force(clause, statement, theirs.numbers)
    for number in ours.numbers:
        against = _counterpart(clause, number, statement.text, held)
        if against is not None and not _allowed(number, against, statement):
            return _measured(number, against, statement)
    return None


def _counterpart(clause: str, number: Number, statement: str, theirs: Sequence[Number]) -> Number | None:
    """The number of the policy that measures the same thing: of the same unit, in the likest company."""
    same = [other for other in theirs if _comparable(number, other)]
    ours = _company(clause, number)
    return max(same, key=lambda other: (len(ours & _company(statement, other)), -other.start), default=None)


def _in_force(clause: str, statement: Statement, theirs: Sequence[Number]) -> Sequence[Number]:
    """Of a row whose columns are years, the numbers of the year that the clause names, or of the latest."""
    if statement.quote.columns is None:
        return theirs
    heads = [_YEAR.search(head) for head in statement.quote.columns.text.split("|")]
    years = {place: head.group() for place, head in enumerate(heads) if head}
    if len(set(years.values())) < 2:
        return theirs
    named = [year for year in years.values() if year in clause]
    wanted = named[0] if len(named) == 1 else max(years.values())
    text = prepared(statement.text)
    kept = [each for each in theirs if years.get(text[: each.start].count("|"), wanted) == wanted]
    return kept or theirs


def _comparable(one: Number, other: Number) -> bool:
    if one.unit != other.unit:
        return one.unit in IN_DAYS and other.unit in IN_DAYS
    if one.unit:
        return True
    return bool(one.thing) and meets(base(one.thing), frozenset({base(other.thing)}))


def _company(text: str, number: Number) -> frozenset[str]:
    text = prepared(text)
    near = text[max(0, number.start - _AROUND) : number.start + _AROUND]
    return frozenset(map(base, words(near)))


def _allowed(number: Number, against: Number, statement: Statement) -> bool:
    """Whether ``number`` of the clause keeps to ``against`` of the policy."""
    value, bound = _value(number, against)
    limit = against.limit or ("most" if _is_ceiling(statement) else None)
    if limit == "most":
        return value <= bound + 1e-9
    if limit == "least":
        return value >= bound - 1e-9
    if number.limit == "most" and against.unit in IN_DAYS:
        return value <= bound + 1e-9
    return abs(value - bound) < 1e-9


def _value(number: Number, against: Number) -> tuple[float, float]:
    if number.unit == against.unit:
        return number.value, against.value
    return number.value * IN_DAYS[number.unit], against.value * IN_DAYS[against.unit]


def _is_ceiling(statement: Statement) -> bool:
    columns = statement.quote.columns.text if statement.quote.columns else ""
    return bool(_CEILING.search(columns)) or (bool(columns) and bool(_CEILING.search(statement.section)))


def _measured(number: Number, against: Number, statement: Statement) -> Breach:
    value, bound = _value(number, against)
    far = abs(value - bound) > FAR * max(abs(bound), 1e-9)
    limit = against.limit or ("most" if _is_ceiling(statement) else "exactly")
    allowed = _LIMITS[limit]
    severity: Severity = "high" if far else "medium"
    asked, said = shown(against), shown(number)
    return Breach(
        severity,
        Words(
            en=f"The policy says {allowed.en}{asked.en}; the text says {said.en}.",
            he=f"המדיניות קובעת {allowed.he}{asked.he}; בטקסט כתוב {said.he}.",
        ),
    )


_LIMITS = {
    "most": Words(en="at most ", he="לכל היותר "),
    "least": Words(en="at least ", he="לפחות "),
    "exactly": Words(en="", he=""),
}


def shown(number: Number) -> Words:
    """A number with its unit, to be read."""
    value = f"{number.value:,.2f}".rstrip("0").rstrip(".")
    if not number.unit:
        return Words(en=f"{value} {number.thing}".strip(), he=f"{value} {number.thing}".strip())
    one, many, hebrew_one, hebrew_many = _UNITS.get(number.unit, (number.unit,) * 4)
    single = number.value == 1
    return Words(en=f"{value} {one if single else many}", he=f"{value} {hebrew_one if single else hebrew_many}")


_UNITS = {
    "second": ("second", "seconds", "שנייה", "שניות"),
    "minute": ("minute", "minutes", "דקה", "דקות"),
    "hour": ("hour", "hours", "שעה", "שעות"),
    "day": ("day", "days", "יום", "ימים"),
    "working day": ("working day", "working days", "יום עבודה", "ימי עבודה"),
    "night": ("night", "nights", "לילה", "לילות"),
    "week": ("week", "weeks", "שבוע", "שבועות"),
    "month": ("month", "months", "חודש", "חודשים"),
    "year": ("year", "years", "שנה", "שנים"),
    "percent": ("per cent", "per cent", "אחוז", "אחוזים"),
    "kilometre": ("kilometre", "kilometres", "קילומטר", "קילומטרים"),
    "metre": ("metre", "metres", "מטר", "מטרים"),
    "degree": ("degree", "degrees", "מעלה", "מעלות"),
    "character": ("character", "characters", "תו", "תווים"),
    "ILS": ("ILS", "ILS", 'ש"ח', 'ש"ח'),
}


def _date_breach(ours: Facts, theirs: Facts) -> Breach | None:
    told = {day for day in ours.days if day.day or day.weekday}
    asked = {day for day in theirs.days if day.day or day.weekday}
    if (told and asked and not any(day.within(frozenset(asked), theirs.years) for day in told)) or (
        ours.clocks and theirs.clocks and not ours.clocks <= theirs.clocks
    ):
        return Breach(
            "medium", Words(en="The policy names another date or time.", he="המדיניות נוקבת בתאריך או בשעה אחרים.")
        )
    return None


def _polarity_breach(clause: str, statement: str) -> Breach | None:
    ours, theirs = polarity(clause), polarity(statement)
    forbidden = any(
        _said(scope, ours.words) and not _echoed(scope, ours.denied) for scope in theirs.denied
    ) and not _condition_met(clause, statement)
    refused = any(_said(scope, theirs.words) and not _echoed(scope, theirs.denied) for scope in ours.denied)
    if not forbidden and not refused and not opposites(ours.words, theirs.words):
        return None
    severity: Severity = "high" if _BANS.search(statement) else "medium"
    if refused and not forbidden:
        return Breach(
            severity, Words(en="The text denies what the policy asks for.", he="הטקסט שולל את מה שהמדיניות דורשת.")
        )
    return Breach(severity, Words(en="The policy does not allow this.", he="המדיניות אינה מתירה זאת."))


def _said(scope: frozenset[str], held: frozenset[str]) -> bool:
    met = sum(meets(word, held) for word in scope)
    return met > 0 and met * 2 >= len(scope)


def _echoed(scope: frozenset[str], denied: Sequence[frozenset[str]]) -> bool:
    return any(meets(word, each) for each in denied for word in scope)


def _condition_met(clause: str, statement: str) -> bool:
    """Whether what the policy forbids *without* something is meant with it: "without consent" and "with consent"."""
    found = _UNLESS.search(statement)
    if not found:
        return False
    asked = [base(word) for word in words(found["en"] or found["he"] or "")[:3]]
    held = bases(clause)
    met = [word for word in asked if meets(word, held)]
    return bool(met) and not _echoed(frozenset(met), polarity(clause).denied)


def _name_breach(clause: str, ours: Facts, theirs: Facts) -> Breach | None:
    """Someone else is named for the same office."""
    if not (ours.names and theirs.names and _IS.search(clause)) or ours.names & theirs.names:
        return None
    return Breach("medium", Words(en="The policy names someone else.", he="המדיניות נוקבת בשם אחר."))
