"""Completes a follow-up question with parts of the previous one: takes both; returns the question to search for.

There are two ways to take over an organisation, a period or a figure. If the new question only names a part ("and in
the year before?"), this replaces its counterpart in the last question. If the new question lacks a part ("how much
goodwill did it have?"), the part is added to it. A complete question takes over nothing. Neither does a question about
all organisations, since its subject is different.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import cache
from typing import Literal, NamedTuple

from core.graph.state import LastAsked
from core.graph.understanding import wording
from core.graph.understanding.documents.ambiguity import wants_all
from core.graph.understanding.mentions import mentions
from core.language.entities.periods import NamedPeriod, periods_in
from core.language.entities.relative_periods import relative_periods_in
from core.language.fields import named_figures, sought_figures
from core.language.hebrew import IN, LETTERS, OF, is_hebrew
from core.language.normalisation import fold
from core.language.vocabulary import Entry, WordSet, file_of
from core.question.filenames import named_documents
from core.question.known_entities import (
    KnownDocument,
    by_organisation,
    of_the_same,
    organisation_of,
    organisations_in,
)
from core.question.rare_terms import rare_terms
from core.question.relative_periods import with_names
from core.records.subject_matter import ChipKind, Completed

_WORD = re.compile(r"[^\W_]+")
_IT = re.compile(r"\b(?:it|they|this|that)\b", re.IGNORECASE)
_END = re.compile(r"(?:(?<!\s)\s++)?+(?:(?<![?؟.!])[?؟.!]++)?+(?:(?<!\s)\s++)?+$")


class _Lists(Entry):
    asking: dict[str, str]
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
    """The parts that a question names, each with its position."""

    organisations: list[_Span]
    periods: list[_Span]
    figures: list[_Span]


def complete(
    question: str, last: LastAsked | None, documents: Sequence[KnownDocument], today: date
) -> Completed | None:
    """Returns ``question`` completed from ``last``, with relative periods replaced by names; ``None`` if neither is
    needed."""
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
    """Returns whether ``question`` starts like a continuation: "and for …?", "what about …?", in either language."""
    return bool(_pattern("openers").match(fold(question)))


def without_opener(question: str) -> str:
    """Returns ``question`` without its continuation phrase."""
    opener = _pattern("openers").match(fold(question))
    return question[opener.end() :].strip(" ,") if opener and len(fold(question)) == len(question) else question


def in_question_form(question: str) -> str:
    """Returns a continuation as a question of its own; an empty text for any other message.

    >>> in_question_form("And the capital of Peru?")
    'what is the capital of Peru?'
    """
    rest = without_opener(question)
    if rest == question or not rest:
        return ""
    if wording.lists().interrogative.search(fold(rest)):
        return rest
    return f"{_lists().asking['he' if any(map(is_hebrew, _WORD.findall(rest))) else 'en']} {rest}"


def leans_on_context(question: str) -> bool:
    """Returns whether it starts like a continuation, or uses a pronoun for the previous subject: "it", "their"."""
    return depends_on_context(question) or bool(_pattern("pronouns").search(fold(question)))


def is_about_all(question: str) -> bool:
    """Returns whether it is about all documents or organisations: "which company …", "compare all of them"."""
    return wants_all(question) or bool(_pattern("all").search(fold(question)))


def names_reports(question: str) -> bool:
    """Returns whether it mentions reports in the plural: "the annual reports"."""
    return bool(_pattern("reports").search(fold(question)))


def kinds_taken_over(question: str, text: str, documents: Sequence[KnownDocument]) -> list[ChipKind]:
    """Returns the kinds of parts that the completed ``text`` names and ``question`` does not."""
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
    """Returns the last question with its parts replaced by the new ones."""
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
    """Returns the new question with its missing parts added at the end."""
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
    """Rewrites a question about how "it" changed in full: "How did it grow?" becomes "How did Nordwind's revenue grow
    in FY2030?"."""
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
    """Returns the organisation of the last question's documents, if they have only one."""
    theirs = [each for each in documents if each.id in last.document_ids and each.reports]
    if not theirs or {each.id for each in of_the_same(theirs[:1], theirs)} != {each.id for each in theirs}:
        return ""
    return organisation_of(theirs)


def _is_bare(question: str, now: _Parts) -> bool:
    """Returns whether the question contains only an organisation, a period or a figure."""
    relative = [(each.start, each.end) for each in relative_periods_in(question)]
    spans = [*relative, *((each.start, each.end) for part in now for each in part)]
    left = [
        word.group()
        for word in _WORD.finditer(question)
        if not any(start <= word.start() < end for start, end in spans)
    ]
    return all(fold(word) in _lists().empty or (is_hebrew(word) and len(word) == 1) for word in left)


def _moves(question: str) -> bool:
    """Returns whether the question asks how "it" changes: it contains only words for a change, and for an organisation
    or a period."""
    spans = [(each.start, each.end) for each in relative_periods_in(question)]
    words = [match for match in _WORD.finditer(question) if not any(s <= match.start() < e for s, e in spans)]
    words_folded = [fold(word.group()) for word in words]
    return any(word in _lists().moving for word in words_folded) and all(
        word in _lists().moving | _lists().empty for word in words_folded
    )


def _tells_by_others(question: str) -> bool:
    return any(
        each.step in ("before", "after", "year ago") and not each.beside for each in relative_periods_in(question)
    )


def _message_parts(text: str, documents: Sequence[KnownDocument]) -> _Parts:
    places = dict.fromkeys((each.start, each.end) for each in organisations_in(text, documents))
    periods = dict.fromkeys((each.start, each.end) for each in periods_in(text))
    return _Parts(
        [_Span(start, end, text[start:end]) for start, end in places],
        [_Span(start, end, text[start:end]) for start, end in periods],
        [_Span(each.start, each.start + len(each.text), each.text) for each in named_figures(text)],
    )


def _reports(text: str, documents: Sequence[KnownDocument]) -> list[KnownDocument]:
    """Returns the reports from which relative periods are resolved: those of the organisation that ``text`` names, or
    else all reports."""
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
    """Compiles a pattern: openers match at the beginning, others as whole words anywhere."""
    entries: list[str] = getattr(_lists(), name)
    joined = "|".join(entries)
    if name == "openers":
        return re.compile(rf"(?:{joined})(?:(?![^\W_])|(?=[{LETTERS}\d-]))")
    return re.compile(rf"(?<![^\W_])(?:{joined})(?![^\W_])")
