"""What a question is about, as far as the catalogue knows it: question and documents → organisations, periods, kinds.

What is named binds where an organisation reports on itself: of its documents those are searched that cover the period
asked about, under any of its names; without one of that period, those that look back on it. Names that a filter stands
for say nothing more within it, so they are taken out of what is looked for. The name of a party to a contract binds
nothing: a ledger or a memo of another speaks of it as well; nor does the day on which a memo was written.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from core.language.entities.periods import NamedPeriod, periods_in
from core.language.fields import NamedFigure, named_figures
from core.language.vocabulary import phrases
from core.records.subject_matter import chip_key
from core.search.query.focus import Focus, focus_of
from core.search.query.known_entities import (
    KnownDocument,
    OrganisationMention,
    by_organisation,
    of_the_same,
    organisation_of,
    organisations_in,
)
from core.search.query.period_match import EXACT, SEVERAL, UNKNOWN, WITHIN, matches_period, newest, of_period
from core.search.query.rare_terms import rare_terms

_phrase = phrases("search/query.subject")

MOST_PERIODS = 40
"""Mentions of periods that documents are compared with."""
_WORD = re.compile(r"[^\W_]+")
_REPORT = _phrase("report")
_KINDS = {
    "annual report": re.compile(rf"\b10-?K\b|\bannual report|{_REPORT} {_phrase('annual')}", re.IGNORECASE),
    "quarterly report": re.compile(rf"\b10-?Q\b|\bquarterly report|{_REPORT} {_phrase('quarterly')}", re.IGNORECASE),
    "current report": re.compile(
        rf"\b8-?K\b|\bcurrent report|(?:{_phrase('immediate_report')}|{_REPORT}) {_phrase('immediate')}",
        re.IGNORECASE,
    ),
    "earnings release": re.compile(
        rf"\bearnings (?:release|call|report)|\bpress release|{_phrase('release')}",
        re.IGNORECASE,
    ),
}
"""What people call the kinds of documents that companies file."""


@dataclass(frozen=True)
class Organisation:
    """One that a question names: how people call it, how the question says it, and its documents."""

    name: str
    phrase: str
    document_ids: tuple[str, ...]


@dataclass(frozen=True)
class Subject:
    """``document_ids`` are those that what is named binds to, empty when nothing is; ``organisations`` and ``periods``
    as the question has them, where they bind; ``focus`` is what is left to look for.

    ``newest`` are those of the latest year among them, where no period is asked about: the present is meant.
    ``named``, ``asked``, ``figures``, ``kinds`` (with the words that say it) and ``terms`` are all that is named,
    whether it binds or not.
    """

    focus: Focus
    organisations: tuple[str, ...] = ()
    periods: tuple[str, ...] = ()
    document_ids: tuple[str, ...] = ()
    newest: frozenset[str] = frozenset()
    named: tuple[Organisation, ...] = ()
    asked: tuple[NamedPeriod, ...] = ()
    figures: tuple[NamedFigure, ...] = ()
    kinds: tuple[tuple[str, str], ...] = ()
    terms: tuple[str, ...] = ()


def subject_of(question: str, documents: Sequence[KnownDocument], without: Collection[str] = ()) -> Subject:
    """The documents that the question names by organisation, period and kind; ``without`` are keys of chips that are
    left out of account, and of what is looked for."""
    text = without_chips(question, documents, without)
    focus = focus_of(text)
    organisations = organisations_in(text, documents)
    by_name = {name.document_id for name in organisations}
    theirs = of_the_same([each for each in documents if each.id in by_name], documents)
    asked = (periods_in(focus.asked) or periods_in(focus.framing))[:MOST_PERIODS]
    kinds = kinds_in(text)
    what = Subject(
        focus,
        named=_organisations(text, organisations, documents),
        asked=tuple(asked),
        figures=tuple(named_figures(focus.asked)),
        kinds=tuple(kinds.items()),
        terms=tuple(rare_terms(text, [text[name.start : name.end] for name in organisations])),
    )
    return _with_bound_documents(what, text, organisations, theirs, documents)


def _with_bound_documents(
    what: Subject,
    text: str,
    organisations: Sequence[OrganisationMention],
    theirs: Sequence[KnownDocument],
    documents: Sequence[KnownDocument],
) -> Subject:
    """``what`` with the documents that it binds to."""
    asked, focus = what.asked, what.focus
    reports = any(each.reports for each in theirs)
    kinds = {kind for kind, _ in what.kinds}
    bound = _of_kind(kinds, of_period(asked, theirs)) if reports else _without_name(asked, documents)
    if not bound:
        return what
    names = {text[name.start : name.end] for name in organisations} if reports else set()
    gone = _filtered_periods(asked, bound) if reports else []
    rest = without_words(focus.asked, [*names, *(focus.asked[each.start : each.end] for each in gone)])
    return replace(
        what,
        focus=Focus(rest if _WORD.search(rest) else focus.asked, focus.framing),
        organisations=tuple(sorted(names)),
        periods=tuple(dict.fromkeys(each.key for each in asked)),
        document_ids=tuple(each.id for each in bound),
        newest=frozenset() if asked else newest(bound),
    )


def kinds_in(question: str) -> dict[str, str]:
    """The kinds of reports that ``question`` names, each with the words that name it."""
    return {kind: match.group() for kind, pattern in _KINDS.items() if (match := pattern.search(question))}


def without_words(text: str, phrases: Iterable[str]) -> str:
    """``text`` without each of ``phrases`` where it stands as whole words."""
    for each in sorted(phrases, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(each)}(?:['’]s)?(?!\w)", " ", text)
    return " ".join(text.split())


def _organisations(
    text: str, organisations: Sequence[OrganisationMention], documents: Sequence[KnownDocument]
) -> tuple[Organisation, ...]:
    """Each organisation that is named, once, in the order of the question."""
    found = []
    for group in by_organisation(documents):
        ids = {each.id for each in group}
        first = next((name for name in organisations if name.document_id in ids), None)
        if first:
            name = Organisation(organisation_of(group), text[first.start : first.end], tuple(sorted(ids)))
            found.append((first.start, name))
    return tuple(name for _, name in sorted(found, key=lambda each: each[0]))


def without_chips(question: str, documents: Sequence[KnownDocument], without: Collection[str]) -> str:
    """``question`` without the words of the chips that were taken off; whole when nothing would be left."""
    if not without:
        return question
    organisations = organisations_in(question, documents)
    phrases = [
        each.phrase
        for each in _organisations(question, organisations, documents)
        if chip_key("organisation", each.name) in without
    ]
    periods = periods_in(question)
    phrases += [question[each.start : each.end] for each in periods if chip_key("period", each.key) in without]
    phrases += [words for kind, words in kinds_in(question).items() if chip_key("kind", kind) in without]
    phrases += [each.text for each in named_figures(question) if chip_key("metric", each.name) in without]
    phrases += [each for each in rare_terms(question, phrases) if chip_key("term", each) in without]
    left = without_words(question, phrases)
    return left if _WORD.search(left) else question


def _of_kind(kinds: Collection[str], documents: Sequence[KnownDocument]) -> list[KnownDocument]:
    suited = [each for each in documents if each.kind in kinds]
    return suited or list(documents)


def _without_name(asked: Sequence[NamedPeriod], documents: Sequence[KnownDocument]) -> list[KnownDocument]:
    """Where no organisation is named, a period leaves out reports on other periods, and nothing else."""
    scores = {each.id: matches_period(asked, each) for each in documents if each.reports} if asked else {}
    best = max(scores.values(), default=0.0)
    if best < EXACT - 0.5:
        return []
    enough = best - SEVERAL
    kept = [each for each in documents if scores.get(each.id, best) >= enough or scores[each.id] == UNKNOWN]
    return kept if len(kept) < len(documents) else []


def _filtered_periods(asked: Sequence[NamedPeriod], bound: Sequence[KnownDocument]) -> list[NamedPeriod]:
    """Periods that a filter stands for."""
    return [each for each in asked if any(matches_period([each], document) >= WITHIN for document in bound)]
