"""Determines a question's subject from the catalogue: its organisations, periods and document kinds.

A named organisation limits the search if it has published reports on itself. Then its documents for the requested
period are searched (under any name of the period), or else those that show it as an earlier period. Names that became a
filter add nothing to the search, so they are removed from the search text. The name of a party to a contract does not
limit the search, since other documents, such as a ledger or a memo, may mention that party as well. For the same
reason, the date of a memo does not limit the search either.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from core.language.entities.periods import NamedPeriod, periods_in
from core.language.fields import NamedFigure, named_figures
from core.question.analysed import AnalysedQuestion, analysed_as
from core.question.focus import Focus
from core.question.kinds import kinds_in
from core.question.known_entities import (
    KnownDocument,
    OrganisationMention,
    by_organisation,
    of_the_same,
    organisation_of,
    organisations_in,
)
from core.question.period_match import EXACT, SEVERAL, UNKNOWN, WITHIN, matches_period, newest, of_period
from core.question.rare_terms import rare_terms
from core.records.subject_matter import chip_key

MOST_PERIODS = 40
"""Maximum number of period mentions compared with documents."""
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Organisation:
    """A named organisation: its common name, its wording in the question, and its documents."""

    name: str
    phrase: str
    document_ids: tuple[str, ...]


@dataclass(frozen=True)
class Subject:
    """The subject of a question.

    ``document_ids`` are the documents that the search is limited to, empty if it is not limited. ``organisations`` (as
    worded in the question) and ``periods`` (keys) are the filters that limit it; ``focus`` is the search text without
    their words. ``newest`` are the ids of documents of the latest year, if the question names no period.

    The other fields hold what the question names, whether or not it limits the search: ``named`` organisations,
    ``asked`` periods, ``figures``, report ``kinds`` (each with the words that name it) and other ``terms``.
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


def subject_of(
    question: AnalysedQuestion, documents: Sequence[KnownDocument], without: Collection[str] = ()
) -> Subject:
    """Returns the subject of a question, with the documents selected by organisation, period and kind; ``without`` are
    keys of removed chips, whose words are ignored here and in the search text."""
    question = analysed_as(question, without_chips(question.text, documents, without), question.language)
    text = question.text
    organisations = organisations_in(text, documents)
    by_name = {name.document_id for name in organisations}
    theirs = of_the_same([each for each in documents if each.id in by_name], documents)
    what = Subject(
        question.parts,
        named=_organisations(text, organisations, documents),
        asked=question.named_periods[:MOST_PERIODS],
        figures=question.figures,
        kinds=tuple(question.kinds.items()),
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
    """Returns the subject ``what`` with its filters: the documents to search, and the search text without the words of
    the filters."""
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


def without_words(text: str, phrases: Iterable[str]) -> str:
    """Returns ``text`` without each of ``phrases`` as whole words."""
    for each in sorted(phrases, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(each)}(?:['’]s)?(?!\w)", " ", text)
    return " ".join(text.split())


def _organisations(
    text: str, organisations: Sequence[OrganisationMention], documents: Sequence[KnownDocument]
) -> tuple[Organisation, ...]:
    """Returns each named organisation once, in the order of the question."""
    found = []
    for group in by_organisation(documents):
        ids = {each.id for each in group}
        first = next((name for name in organisations if name.document_id in ids), None)
        if first:
            name = Organisation(organisation_of(group), text[first.start : first.end], tuple(sorted(ids)))
            found.append((first.start, name))
    return tuple(name for _, name in sorted(found, key=lambda each: each[0]))


def without_chips(question: str, documents: Sequence[KnownDocument], without: Collection[str]) -> str:
    """Returns ``question`` without the words of removed chips; unchanged if nothing would remain."""
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
    """Returns the documents to search if no organisation is named; a period then only excludes reports on other
    periods."""
    scores = {each.id: matches_period(asked, each) for each in documents if each.reports} if asked else {}
    best = max(scores.values(), default=0.0)
    if best < EXACT - 0.5:
        return []
    enough = best - SEVERAL
    kept = [each for each in documents if scores.get(each.id, best) >= enough or scores[each.id] == UNKNOWN]
    return kept if len(kept) < len(documents) else []


def _filtered_periods(asked: Sequence[NamedPeriod], bound: Sequence[KnownDocument]) -> list[NamedPeriod]:
    """Returns those of the question's periods that limit the search."""
    return [each for each in asked if any(matches_period([each], document) >= WITHIN for document in bound)]
