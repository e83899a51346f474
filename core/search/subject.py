"""What a question is about, as far as the catalogue knows it: question and documents → organisations, periods, kinds.

What is named binds where an organisation reports on itself: of its documents those are searched that cover the period
asked about, under any of its names; without one of that period, those that look back on it. Names that a filter stands
for say nothing more within it, so they are taken out of what is looked for. The name of a party to a contract binds
nothing: a ledger or a memo of another speaks of it as well; nor does the day on which a memo was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from core.language.normalisation import fold, normalise
from core.language.periods import NamedPeriod, covers, periods_in, same
from core.search.focus import Focus, focus_of

_WORD = re.compile(r"[^\W_]+(?:[&'’.][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s$")
_SHORT = 3
"""Letters up to which a name is only heard as it is written: "GE", "3M"."""
_LONGEST_NAME = 8
_YEARS = re.compile(r"\b[FQH][Y1-4]?\d*\b")
_YEAR, _DAY = len("2022"), len("2022-06-30")
_KEY = re.compile(r"\d{4}(?:-(?:Q[1-4]|H[12]|\d\d(?:-\d\d)?))?")

_EXACT, _SEVERAL, _NEAR, _LOOKS_BACK, _WITHIN, _LOOKS_AHEAD, _UNKNOWN = 3.0, 0.2, 2.0, 1.5, 1.0, 0.8, 0.5
_YEARS_BACK = 2
"""Reports show this many earlier years beside their own."""
_DAYS_AFTER = 10
"""What happens on a day is reported within as many."""

_KINDS = {
    "annual report": re.compile(r"\b10-?K\b|\bannual report|(?:דוח|דו\"ח) (?:שנתי|תקופתי)", re.IGNORECASE),
    "quarterly report": re.compile(r"\b10-?Q\b|\bquarterly report|(?:דוח|דו\"ח) רבעוני", re.IGNORECASE),
    "current report": re.compile(r"\b8-?K\b|\bcurrent report|דיווח מיידי", re.IGNORECASE),
    "earnings release": re.compile(r"\bearnings (?:release|call|report)|\bpress release|הודעה לעיתונות", re.IGNORECASE),
}
"""What people call the kinds of documents that companies file."""
_REPORTS = frozenset(_KINDS)


@dataclass(frozen=True)
class KnownDocument:
    """What the catalogue knows of a document: ``names`` of whom it is by, ``periods`` that it covers (keys, under all
    their names), the day it is ``dated`` (ISO) and ``kind``."""

    id: str
    filename: str
    title: str = ""
    names: tuple[str, ...] = ()
    periods: tuple[str, ...] = ()
    dated: str | None = None
    kind: str = "other"


@dataclass(frozen=True)
class Subject:
    """``document_ids`` are those that what is named binds to, empty when nothing is; ``organisations`` and ``periods``
    as the question has them; ``focus`` is what is left to look for.

    ``newest`` are those of the latest year among them, where no period is asked about: the present is meant.
    """

    focus: Focus
    organisations: tuple[str, ...] = ()
    periods: tuple[str, ...] = ()
    document_ids: tuple[str, ...] = ()
    newest: frozenset[str] = frozenset()


class _Name(NamedTuple):
    start: int
    end: int
    document_id: str


def subject_of(question: str, documents: Sequence[KnownDocument]) -> Subject:
    """The documents that the question names by organisation, period and kind."""
    focus = focus_of(question)
    named = _longest(_names_in(question, documents))
    by_name = {name.document_id for name in named}
    theirs = _of_the_same([each for each in documents if each.id in by_name], documents)
    asked = periods_in(focus.asked) or periods_in(focus.framing)
    reports = any(each.kind in _REPORTS for each in theirs)
    bound = _of_kind(question, _of_period(asked, theirs)) if reports else _without_name(asked, documents)
    if not bound:
        return Subject(focus)
    said = {question[name.start : name.end] for name in named} if reports else set()
    gone = _settled(asked, bound) if reports else []
    rest = _without(focus.asked, [*said, *(focus.asked[each.start : each.end] for each in gone)])
    return Subject(
        Focus(rest if _WORD.search(rest) else focus.asked, focus.framing),
        tuple(sorted(said)),
        tuple(dict.fromkeys(each.key for each in asked)),
        tuple(each.id for each in bound),
        frozenset() if asked else _newest(bound),
    )


def _names_in(question: str, documents: Iterable[KnownDocument]) -> list[_Name]:
    spoken = list(_WORD.finditer(question))
    lowered = not any(map(str.isupper, _YEARS.sub("", question)[1:]))
    table: dict[str, list[tuple[str, str]]] = {}
    for document in documents:
        for name in document.names:
            table.setdefault(_joined(name), []).append((name, document.id))
    found: list[_Name] = []
    for first in range(len(spoken)):
        for last in range(first, min(first + _LONGEST_NAME, len(spoken))):
            start, end = spoken[first].start(), spoken[last].end()
            text = _POSSESSIVE.sub("", question[start:end])
            for name, identifier in table.get(_joined(text), ()):
                if _is_heard(text, name, lowered):
                    found.append(_Name(start, start + len(text), identifier))
    return found


def _is_heard(text: str, name: str, lowered: bool) -> bool:
    """Short names as they are written; one word by its capital, in a question that has any."""
    if len(_joined(name)) <= _SHORT:
        return text == name or (lowered and any(map(str.isdigit, name)))
    return (
        lowered
        or " " in text
        or any(character.isupper() or character.isdigit() for character in text)
        or (not text.isascii())
    )


def _of_the_same(named: Sequence[KnownDocument], documents: Sequence[KnownDocument]) -> list[KnownDocument]:
    """The documents that share a name with those found: one may know its ticker, another not."""
    names = {_joined(name) for each in named for name in each.names}
    return [each for each in documents if any(_joined(name) in names for name in each.names)]


def _joined(text: str) -> str:
    """Letters and digits alone: "Foot Locker" is "footlocker"."""
    return "".join(filter(str.isalnum, fold(normalise(text))))


def _longest(found: Sequence[_Name]) -> list[_Name]:
    """Names that stand within no longer one."""
    return [
        each
        for each in found
        if not any(other.start <= each.start and each.end <= other.end and other[:2] != each[:2] for other in found)
    ]


def _of_period(asked: Sequence[NamedPeriod], documents: Sequence[KnownDocument]) -> list[KnownDocument]:
    """The documents that suit the period best; all of them when none is asked about or none suits."""
    if not asked:
        return list(documents)
    scores = {each.id: _suits(asked, each) for each in documents}
    best = max(scores.values())
    if best <= 0:
        return list(documents)
    return [each for each in documents if scores[each.id] >= best - (_SEVERAL if best >= _EXACT else 0.0)]


def _suits(asked: Sequence[NamedPeriod], document: KnownDocument) -> float:
    """How well a document suits what is asked: the latest period counts most, for a report shows those before it."""
    keys = [key for key in (*document.periods, document.dated or "") if _KEY.fullmatch(key)]
    if not keys:
        return _UNKNOWN
    latest = max(asked, key=lambda each: (each.key[:4], len(each.key), each.key))
    exact = [each for each in asked if any(each.key == key or same(each, key) for key in keys)]
    if latest in exact or any(each.key == latest.key for each in exact):
        return _EXACT + _SEVERAL * (len({each.key for each in exact}) > 1)
    if exact:
        return _EXACT - 0.5
    if latest.day and any(0 <= _days(latest.key, key) <= _DAYS_AFTER for key in keys if len(key) == _DAY):
        return _NEAR
    if any(covers(key, latest) or covers(latest.key, key) for key in keys):
        return _WITHIN
    later = {int(key) - latest.year for key in keys if len(key) == _YEAR}
    back = max((_LOOKS_BACK - 0.1 * step for step in later if 0 < step <= _YEARS_BACK), default=0.0)
    return back or (_LOOKS_AHEAD if -1 in later else 0.0)


def _days(first: str, then: str) -> int:
    return (date.fromisoformat(then) - date.fromisoformat(first)).days


def _of_kind(question: str, documents: Sequence[KnownDocument]) -> list[KnownDocument]:
    kinds = {kind for kind, pattern in _KINDS.items() if pattern.search(question)}
    suited = [each for each in documents if each.kind in kinds]
    return suited or list(documents)


def _without_name(asked: Sequence[NamedPeriod], documents: Sequence[KnownDocument]) -> list[KnownDocument]:
    """Where no organisation is named, a period leaves out reports on other periods, and nothing else."""
    scores = {each.id: _suits(asked, each) for each in documents if each.kind in _REPORTS} if asked else {}
    best = max(scores.values(), default=0.0)
    if best < _EXACT - 0.5:
        return []
    enough = best - _SEVERAL
    kept = [each for each in documents if scores.get(each.id, best) >= enough or scores[each.id] == _UNKNOWN]
    return kept if len(kept) < len(documents) else []


def _newest(documents: Sequence[KnownDocument]) -> frozenset[str]:
    """The annual reports that cover the latest year, else all that do; none when that tells none apart."""
    annual = [each for each in documents if each.kind == "annual report"]
    years = {
        each.id: max((key[:_YEAR] for key in (*each.periods, each.dated or "")), default="")
        for each in annual or documents
    }
    latest = max(years.values(), default="")
    newest = frozenset(id for id, year in years.items() if year == latest)
    return newest if len(newest) < len(documents) else frozenset()


def _settled(asked: Sequence[NamedPeriod], bound: Sequence[KnownDocument]) -> list[NamedPeriod]:
    """Periods that a filter stands for."""
    return [each for each in asked if any(_suits([each], document) >= _WITHIN for document in bound)]


def _without(text: str, said: Iterable[str]) -> str:
    for each in sorted(said, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(each)}(?:['’]s)?(?!\w)", " ", text)
    return " ".join(text.split())
