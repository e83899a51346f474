"""A question that leans on the one before it, said in full: question and last question → what is searched for.

What it leaves out of organisation, period and figure is taken over: by putting what is new into the last question ("and
in the year before?"), or by adding what is missing to the new one ("how much goodwill did it have?"). A question that
stands by itself takes over nothing, nor does one about all organisations together: the subject has changed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import cache
from typing import Literal, NamedTuple

from core.graph.state import LastAsked
from core.graph.understanding.documents.ambiguity import wants_all
from core.graph.understanding.mentions import mentions
from core.language.entities.periods import NamedPeriod, periods_in
from core.language.entities.relative_periods import relative_periods_in
from core.language.fields import named_figures, sought_figures
from core.language.hebrew import IN, LETTERS, OF, is_hebrew
from core.language.normalisation import fold
from core.language.vocabulary import Entry, WordSet, file_of
from core.records.subject_matter import ChipKind, Completed
from core.search.query.filenames import named_documents
from core.search.query.known_entities import (
    KnownDocument,
    by_organisation,
    of_the_same,
    organisation_of,
    organisations_in,
)
from core.search.query.rare_terms import rare_terms
from core.search.query.relative_periods import with_names

_WORD = re.compile(r"[^\W_]+")
_IT = re.compile(r"\b(?:it|they|this|that)\b", re.IGNORECASE)
_END = re.compile(r"(?:(?<!\s)\s++)?+(?:(?<![?؟.!])[?؟.!]++)?+(?:(?<!\s)\s++)?+$")


class _Lists(Entry):
    openers: list[str]
    pronouns: list[str]
    all: list[str]
    reports: list[str]
    empty: WordSet
    moving: WordSet


_lists = file_of("graph/query_rewriting", _Lists)


class _Span(NamedTuple):
    start: int
    end: int
    text: str


class _Parts(NamedTuple):
    """What a question names, each with its place."""

    organisations: list[_Span]
    periods: list[_Span]
    figures: list[_Span]


def complete(
    question: str, last: LastAsked | None, documents: Sequence[KnownDocument], today: date
) -> Completed | None:
    """``question`` with what it leaves to ``last``, and its relative periods named; ``None`` where it needs neither."""
    now = _message_parts(question, documents)
    text, carried, base = question, list[ChipKind](), list[NamedPeriod]()
    if last and _takes_over(question, now, documents):
        base = periods_in(last.text)
        text, carried = _said_in_full(question, now, last, documents)
    reports = _reports(text, documents)
    if len(by_organisation(reports)) > 1 and not carried:
        return None
    named = with_names(text, reports, today, periods_in(question) or base)
    if named.text == question and not carried:
        return None
    return Completed(text=named.text, carried=carried, relative=named.taken)


def depends_on_context(question: str) -> bool:
    """Whether ``question`` begins where another ended: "and for …?", "what about …?", in either language."""
    return bool(_pattern("openers").match(fold(question)))


def without_opener(question: str) -> str:
    """``question`` without what says that it begins where another ended."""
    opener = _pattern("openers").match(fold(question))
    return question[opener.end() :].strip(" ,") if opener and len(fold(question)) == len(question) else question


def leans_on_context(question: str) -> bool:
    """Whether it begins where another ended, or speaks of whom the other was about: "it", "their"."""
    return depends_on_context(question) or bool(_pattern("pronouns").search(fold(question)))


def is_about_all(question: str) -> bool:
    """Whether it asks about the documents, or organisations, together: "which company …", "compare all of them"."""
    return wants_all(question) or bool(_pattern("all").search(fold(question)))


def names_reports(question: str) -> bool:
    """Whether it speaks of reports in the plural: "the annual reports"."""
    return bool(_pattern("reports").search(fold(question)))


def kinds_taken_over(question: str, text: str, documents: Sequence[KnownDocument]) -> list[ChipKind]:
    """The kinds of things that ``text`` names and ``question``, which it says in full, does not."""
    kinds: tuple[ChipKind, ...] = ("organisation", "period", "metric")
    parts = zip(kinds, _message_parts(question, documents), _message_parts(text, documents), strict=True)
    return [kind for kind, before, now in parts if now and not before]


def _takes_over(question: str, now: _Parts, documents: Sequence[KnownDocument]) -> bool:
    if mentions(question) or is_about_all(question) or named_documents(question, documents).certain:
        return False
    if depends_on_context(question) or _tells_by_others(question):
        return True
    if now.organisations or rare_terms(question):
        return False
    spoken_of = bool(_pattern("pronouns").search(fold(question)))
    return spoken_of or _moves(question) or bool(now.figures or sought_figures(question).statements)


def _said_in_full(
    question: str, now: _Parts, last: LastAsked, documents: Sequence[KnownDocument]
) -> tuple[str, list[ChipKind]]:
    before = _message_parts(last.text, documents)
    bare = _is_bare(question, now)
    if bare and (not now.figures or len(before.figures) == 1):
        return _put_into(last.text, question, now, before, last, documents)
    return _added_to(question, now, before, last, documents)


def _put_into(
    text: str,
    question: str,
    now: _Parts,
    before: _Parts,
    last: LastAsked,
    documents: Sequence[KnownDocument],
) -> tuple[str, list[ChipKind]]:
    """The last question with what is new in the place of what it replaces."""
    relative = [_Span(each.start, each.end, question[each.start : each.end]) for each in relative_periods_in(question)]
    periods = now.periods or relative
    changes: list[tuple[_Span, str]] = []
    more: list[str] = []
    for new, old, joint in (
        (now.organisations, before.organisations, "for"),
        (periods, before.periods, "in"),
        (now.figures, before.figures, ""),
    ):
        if new and old:
            changes.append((old[0] if old is not before.periods else old[-1], new[0].text))
        elif new and joint:
            more.append(f"{joint} {new[0].text}")
    carried = _carried(now, before, bool(relative))
    if not now.organisations and not before.organisations and (name := _organisation(last, documents)):
        more.append(f"for {name}")
        carried.append("organisation")
    for old_span, words in sorted(changes, key=lambda each: -each[0].start):
        text = text[: old_span.start] + words + text[old_span.end :]
    return _with_more(text, more), carried


def _added_to(
    question: str, now: _Parts, before: _Parts, last: LastAsked, documents: Sequence[KnownDocument]
) -> tuple[str, list[ChipKind]]:
    """The new question with what it leaves out behind it."""
    carried: list[ChipKind] = []
    whose: list[str] = []
    if not now.organisations:
        names = [each.text for each in before.organisations] or [_organisation(last, documents)]
        whose = list(dict.fromkeys(name for name in names if name))
        carried += ["organisation"] if whose else []
    figure = before.figures[0].text if not now.figures and before.figures and _moves(question) else ""
    carried += ["metric"] if figure else []
    relative = [each for each in relative_periods_in(question) if not each.beside]
    periods = [] if now.periods or relative else list(dict.fromkeys(each.text for each in before.periods))
    carried += ["period"] if periods else []
    rest = without_opener(question)
    if figure:
        return _of_what_moved(rest, figure, whose, periods), carried
    more = [*whose, *periods]
    return (_with_more(rest, [f"({', '.join(more)})"]) if more else question), carried


def _of_what_moved(question: str, figure: str, whose: Sequence[str], periods: Sequence[str]) -> str:
    """ "How did it grow?" → "How did Nordwind's revenue grow in FY2030?": as a person would say it in full."""
    owner = " and ".join(whose)
    when = " and ".join(periods)
    if any(map(is_hebrew, _WORD.findall(question))):
        return _with_more(
            question, [figure, *([f"{OF} {owner}"] if owner else []), *([f"{IN}-{when}"] if when else [])]
        )
    ending = [f"in {when}"] if when else []
    if spoken_of := _IT.search(question):
        subject = f"{owner}'s {figure}" if owner else figure
        return _with_more(f"{question[: spoken_of.start()]}{subject}{question[spoken_of.end() :]}", ending)
    return _with_more(question, [f"in {figure}", *([f"of {owner}"] if owner else []), *ending])


def _carried(now: _Parts, before: _Parts, relative: bool) -> list[ChipKind]:
    found: list[ChipKind] = []
    if before.organisations and not now.organisations:
        found.append("organisation")
    if before.periods and not now.periods and not relative:
        found.append("period")
    if not now.figures:
        found.append("metric")
    return found


def _organisation(last: LastAsked, documents: Sequence[KnownDocument]) -> str:
    """Whose documents the last question was bound to, when they are one organisation's."""
    theirs = [each for each in documents if each.id in last.document_ids and each.reports]
    if not theirs or {each.id for each in of_the_same(theirs[:1], theirs)} != {each.id for each in theirs}:
        return ""
    return organisation_of(theirs)


def _is_bare(question: str, now: _Parts) -> bool:
    """Whether nothing is said beside organisation, period and figure."""
    relative = [(each.start, each.end) for each in relative_periods_in(question)]
    spans = [*relative, *((each.start, each.end) for part in now for each in part)]
    left = [
        word.group()
        for word in _WORD.finditer(question)
        if not any(start <= word.start() < end for start, end in spans)
    ]
    return all(fold(word) in _lists().empty or (is_hebrew(word) and len(word) == 1) for word in left)


def _moves(question: str) -> bool:
    """Whether it asks how "it" moves: only words for a change, and what tells of whom or when, stand in it."""
    spans = [(each.start, each.end) for each in relative_periods_in(question)]
    words = [match for match in _WORD.finditer(question) if not any(s <= match.start() < e for s, e in spans)]
    words_folded = [fold(word.group()) for word in words]
    return any(word in _lists().moving for word in words_folded) and all(
        word in _lists().moving | _lists().empty for word in words_folded
    )


def _tells_by_others(question: str) -> bool:
    return any(each.step in ("before", "after") and not each.beside for each in relative_periods_in(question))


def _message_parts(text: str, documents: Sequence[KnownDocument]) -> _Parts:
    places = dict.fromkeys((each.start, each.end) for each in organisations_in(text, documents))
    periods = dict.fromkeys((each.start, each.end) for each in periods_in(text))
    return _Parts(
        [_Span(start, end, text[start:end]) for start, end in places],
        [_Span(start, end, text[start:end]) for start, end in periods],
        [_Span(each.start, each.start + len(each.text), each.text) for each in named_figures(text)],
    )


def _reports(text: str, documents: Sequence[KnownDocument]) -> list[KnownDocument]:
    """By those relative periods are told: of the one organisation that is named, or the only one that reports."""
    by_name = {each.document_id for each in organisations_in(text, documents)}
    theirs = of_the_same([each for each in documents if each.id in by_name], documents)
    return [each for each in theirs or documents if each.reports]


def _with_more(text: str, more: Sequence[str]) -> str:
    if not more:
        return text
    end = _END.search(text)
    cut = end.start() if end else len(text)
    return f"{text[:cut]} {' '.join(more)}{text[cut:].strip() or '?'}"


@cache
def _pattern(name: Literal["openers", "pronouns", "all", "reports"]) -> re.Pattern[str]:
    """Openers at the beginning, the others as whole words anywhere."""
    entries: list[str] = getattr(_lists(), name)
    joined = "|".join(entries)
    if name == "openers":
        return re.compile(rf"(?:{joined})(?:(?![^\W_])|(?=[{LETTERS}\d-]))")
    return re.compile(rf"(?<![^\W_])(?:{joined})(?![^\W_])")
