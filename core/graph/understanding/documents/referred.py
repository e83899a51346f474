"""Decides which documents a message refers to by nouns: one, all of several, several that must be chosen from, or one
that is not there."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.answering.prose.cross_language import cross_language_similarity
from core.graph.understanding.documents.document_dates import (
    asks_for_newest,
    dates_in,
    dates_of,
    latest_of,
)
from core.graph.understanding.documents.document_nouns import DocumentNouns, spoken_keys
from core.graph.understanding.documents.document_references import DocumentReference, references_in
from core.graph.understanding.documents.name_words import DocumentNames, stem_of
from core.graph.understanding.documents.records import Clause, VisibleDocument
from core.graph.understanding.documents.subject_matching import counts_in
from core.language.hebrew import is_hebrew, variants
from core.language.normalisation import fold
from core.language.terms import is_stop_word

_DESIGNATOR = re.compile(r"(?<![^\W_])([^\W\d_]{2,}) (\d{1,3}|[^\W\d_])(?![^\W_])")
"""Matches a word with its number or letter: "unit 7"."""
_LETTERS = re.compile(r"[^\W\d_]{2,}")
MOST_ALL = 40
"""Maximum number of documents to which "all reports" limits a search."""


@dataclass(frozen=True)
class Referred:
    """What one reference means: its ``ids``, and whether these are to be used or chosen from. ``said`` is the phrase;
    ``read``: the message reads the document ("according to the lease"). *absent*: no document of such a name or date is
    there; then ``ids`` are those of its kind."""

    kind: Literal["one", "all", "several", "absent"]
    said: str
    ids: tuple[str, ...] = ()
    read: bool = False


def referred_in(
    message: Sequence[Clause], documents: Sequence[VisibleDocument], *, recent: Collection[str] = (), previous: str = ""
) -> list[Referred]:
    """Returns what the references in ``message`` mean.

    Args:
        message: its clauses; only those that ask count, and those that read a document.
        documents: all documents that may be meant, the newest first.
        recent: ids of the documents of the last answer.
        previous: the text of the previous turn; of several documents, the one that it names is meant.
    """
    nouns = DocumentNouns(documents)
    asking = [each.text for each in message if each.asks]
    found = [
        _meant(reference, "\n".join(dict.fromkeys([*asking, clause.text])), nouns, recent, previous)
        for clause in message
        for reference in references_in(clause.text, nouns)
        if clause.asks or reference.read or not asking
    ]
    return [each for each in found if each is not None]


def newest_first(identifiers: Collection[str], documents: Sequence[VisibleDocument]) -> list[str]:
    """Sorts documents by the dates in their names; those without a date keep their order, after the others."""
    of_those = [each for each in documents if each.id in identifiers]
    return [each.id for each in sorted(of_those, key=latest_of, reverse=True)]


def _meant(
    reference: DocumentReference, message: str, nouns: DocumentNouns, recent: Collection[str], previous: str
) -> Referred | None:
    called = nouns.called(reference.noun)
    alike = called or nouns.of_kind(reference.noun)
    if not alike:
        return Referred("absent", reference.said, read=True) if reference.read else None
    wider = called | nouns.of_kind(reference.noun)
    fitting = _of_named(message, reference, alike, wider, nouns.names)
    dated = _of_dates(message, fitting, nouns.names)
    if not dated and dates_in(" ".join((*reference.modifiers, reference.said))):
        others = newest_first(fitting, list(nouns.names.documents.values()))
        return Referred("absent", reference.said, tuple(others), reference.read)
    # A date outside the phrase may be what the question asks about.
    return _one_or_several(reference, dated or fitting, message, nouns.names, recent, previous)


def _one_or_several(
    reference: DocumentReference,
    fitting: frozenset[str],
    message: str,
    names: DocumentNames,
    recent: Collection[str],
    previous: str,
) -> Referred:
    documents = [names.documents[each] for each in fitting]
    ordered = tuple(newest_first(fitting, list(names.documents.values())))
    meant = Referred("several", reference.said, ordered, reference.read)
    if len(fitting) == 1:
        return replace(meant, kind="one")
    if _has_date_of_each(message, fitting, names):
        return replace(meant, kind="all", ids=ordered[::-1])
    if reference.plural:
        # "The two offers" of three leave open which.
        return meant if counts_in(message) - {float(len(fitting))} else replace(meant, kind="all", ids=ordered[::-1])
    if asks_for_newest(message):
        newest = [each.id for each in documents if latest_of(each) == latest_of(names.documents[ordered[0]])]
        if len(newest) == 1 and latest_of(names.documents[newest[0]]).year:
            return replace(meant, kind="one", ids=tuple(newest))
    spoken_of = fitting & set(recent) or _named_before(previous, fitting, names)
    if len(spoken_of) == 1:
        return replace(meant, kind="one", ids=tuple(spoken_of))
    return meant


def _of_named(
    message: str,
    reference: DocumentReference,
    alike: frozenset[str],
    wider: frozenset[str],
    names: DocumentNames,
) -> frozenset[str]:
    """Returns the documents whose names share the most of the message's words, without those that all share and the
    noun itself."""
    family = DocumentNames([names.documents[each] for each in names.documents if each in wider])
    nouns = spoken_keys(reference.noun)
    keys = [
        key for key, word in family.named_words(message).items() if not (key.isdigit() or nouns & spoken_keys(word))
    ]
    by_word = [*map(family.holders, keys), *_designated(message, family), *_translated(message, nouns, family)]
    for candidates in (alike, wider):
        telling = [holders & candidates for holders in by_word if holders & candidates < wider]
        counts = {each: sum(each in holders for holders in telling) for each in candidates}
        most = max(counts.values(), default=0)
        if most:
            return frozenset(each for each, count in counts.items() if count == most)
    return alike


def _designated(message: str, family: DocumentNames) -> list[frozenset[str]]:
    """Returns, for each designator such as "unit 7" and "ward B" in the message, the documents that have it in their
    names."""
    spoken = set(_DESIGNATOR.findall(fold(message)))
    own = {
        each.id: set(_DESIGNATOR.findall(fold(f"{each.title} {stem_of(each.filename)}")))
        for each in family.documents.values()
    }
    return [frozenset(each for each, designators in own.items() if pair in designators) for pair in spoken]


def _translated(message: str, nouns: frozenset[str], family: DocumentNames) -> list[frozenset[str]]:
    """Returns, for each word of the message but the ``nouns``, the documents that have it in their names in the other
    language."""
    spoken = {
        word for word in _LETTERS.findall(fold(message)) if not is_stop_word(word) and not nouns & spoken_keys(word)
    }
    titles = {each.id: set(_LETTERS.findall(fold(each.title))) for each in family.documents.values()}
    return [
        frozenset(each for each, words in titles.items() if any(_means_same(word, other) for other in words))
        for word in spoken
    ]


def _means_same(word: str, other: str) -> bool:
    """Returns whether two words of different scripts are translations of each other."""
    if is_hebrew(word) == is_hebrew(other):
        return False
    ours, theirs = (word, other) if is_hebrew(word) else (other, word)
    return cross_language_similarity(ours, theirs, False) > 0


def _of_dates(message: str, fitting: frozenset[str], names: DocumentNames) -> frozenset[str]:
    """Returns the documents whose dates fit those in the message; all if it names none, or if a document has no
    date."""
    asked = dates_in(message)
    if not asked:
        return fitting
    dates = {each: dates_of(names.documents[each]) for each in fitting}
    fit = {each for each, own in dates.items() if any(date.fits(wanted) for date in own for wanted in asked)}
    undated = {each for each, own in dates.items() if not own}
    return frozenset(fit or undated)


def _has_date_of_each(message: str, fitting: frozenset[str], names: DocumentNames) -> bool:
    """Returns whether the message names the date of each document: "the 2024 and the 2025 policy"."""
    asked = dates_in(message)
    named = [
        [each for each in fitting if any(own.fits(date) for own in dates_of(names.documents[each]))] for date in asked
    ]
    return all(len(each) == 1 for each in named) and {each[0] for each in named} == fitting


def _named_before(previous: str, fitting: frozenset[str], names: DocumentNames) -> frozenset[str]:
    """Returns the documents that the previous turn names by words or dates that not all of them have."""
    if not previous:
        return frozenset()
    family = DocumentNames([names.documents[each] for each in fitting])
    telling = [
        family.holders(key)
        for key, word in family.named_words(previous).items()
        if not key.isdigit() and (not is_hebrew(word) or key in variants(word))
    ]
    telling += _designated(previous, family)
    asked = dates_in(previous)
    telling += [
        frozenset(each for each in fitting if any(own.fits(wanted) for own in dates_of(names.documents[each])))
        for wanted in asked
    ]
    counts = {each: sum(each in holders for holders in telling if len(holders) < len(fitting)) for each in fitting}
    most = max(counts.values(), default=0)
    return frozenset(each for each, count in counts.items() if most and count == most)
