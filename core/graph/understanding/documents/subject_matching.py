"""Resolves documents that a request describes by organisation, period and kind.

Titles are in one language, but names of organisations, periods and document kinds are understood in both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.graph.understanding.documents.fuzzy_matching import one_of
from core.graph.understanding.documents.name_words import DocumentNames
from core.graph.understanding.documents.records import MOST_OFFERED, Reference, Resolution
from core.language.entities.facts import facts
from core.language.entities.periods import periods_in, without_spans
from core.language.hebrew import is_hebrew, variants
from core.language.normalisation import fold
from core.language.terms import stem
from core.language.vocabulary import phrase_of
from core.library.identity.wording import words
from core.question.analysed import analysed
from core.question.known_entities import REPORTS, KnownDocument
from core.question.subject import subject_of
from core.review.polarity import base

_WORD = re.compile(r"[^\W_]+")
_BOTH = re.compile(phrase_of("graph/understanding.subject_matching.both"))
MOST_CHARACTERS = 4_000
"""Maximum characters of a text that are read for a count of documents."""
_SCORE = 0.8
"""Certainty of such a match: lower than that of a title match, but high enough to continue without asking."""
MOST_PERIODS = 8
"""Maximum number of periods in a question that are resolved separately."""


def by_subject(asked: Reference, known: Sequence[KnownDocument]) -> Resolution:
    """Returns nothing if the request names neither an organisation nor a kind with its year. If several documents
    match, a comparison uses all of them; for other actions the user chooses."""
    by_id = {each.id: each for each in asked.documents}
    named = _bound_documents(asked.text, known) or _of_kind_and_year(asked.text, known)
    if not named and asked.action == "compare":
        named = _all_of_kind(asked.text, known)
    bound = [by_id[each] for each in named if each in by_id]
    if not bound or len(bound) > MOST_OFFERED:
        return Resolution()
    if len(bound) == 1 or asked.action == "compare":
        return Resolution.of(bound, "inferred", _SCORE)
    whose = " ".join(subject_of(analysed(asked.text), known).organisations)
    return one_of(whose, [each.id for each in bound], DocumentNames(asked.documents))


def _bound_documents(text: str, known: Sequence[KnownDocument]) -> list[str]:
    """Resolves each of several periods separately, since one report may cover the years of another."""
    periods = periods_in(text)
    keys = list(dict.fromkeys(each.key for each in periods))[:MOST_PERIODS]
    texts = [without_spans(text, [(each.start, each.end) for each in periods if each.key != key]) for key in keys]
    subjects = [subject_of(analysed(each), known) for each in texts or [text]]
    return list(dict.fromkeys(found for each in subjects if each.organisations for found in each.document_ids))


def _of_kind_and_year(text: str, known: Sequence[KnownDocument]) -> list[str]:
    """Returns, for each named year, the only document of the named kind; returns none if a year has no document or
    several."""
    kinds = _kinds_in(text)
    years = dict.fromkeys(str(each.year) for each in periods_in(text))
    alike = [each for each in known if each.kind in kinds] if len(kinds) == 1 else []
    found = [[each.id for each in alike if any(key[:4] == year for key in each.periods)] for year in years]
    return [each[0] for each in found] if found and all(len(each) == 1 for each in found) else []


def _all_of_kind(text: str, known: Sequence[KnownDocument]) -> list[str]:
    """Returns all documents of the one kind that is named without years, but only if there are exactly as many as
    requested."""
    kinds = _kinds_in(text)
    alike = [each for each in known if each.kind in kinds] if len(kinds) == 1 and not periods_in(text) else []
    return [each.id for each in sorted(alike, key=lambda each: each.title)] if len(alike) in counts_in(text) else []


def counts_in(text: str) -> set[float]:
    """Returns the counts that the text mentions: "the three policies"."""
    plain = fold(text)[:MOST_CHARACTERS]
    counts = {each.value for each in facts(plain).numbers if not each.unit and 1 < each.value <= MOST_OFFERED}
    return counts | ({2.0} if _BOTH.search(plain) else set())


def _kinds_in(text: str) -> set[str]:
    """Returns the document kinds that the text names, except reports, with words that are used in filenames in both
    languages."""
    kinds = {
        form for word in _WORD.findall(fold(text)) for form in (variants(word) if is_hebrew(word) else (stem(word),))
    }
    called = {kind: set(map(base, of.filename)) for kind, of in words().kinds.items() if kind not in REPORTS}
    return {kind for kind, names in called.items() if kinds & names}
