"""Resolves a message's nouns ("the lease", "all reports") to documents, as the other ways of naming documents do."""

from __future__ import annotations

from collections.abc import Sequence

from core.graph.understanding.documents.records import (
    MOST_OFFERED,
    Ambiguous,
    Clause,
    NotThere,
    Reference,
    Resolution,
    VisibleDocument,
)
from core.graph.understanding.documents.referred import MOST_ALL, Referred, referred_in
from core.language.terms import content_terms

SCORE = 0.9
"""Certainty of a document that only a noun names."""
OWN_SUBJECT = 2
"""Minimum number of content words of a question that does not lean on the one before it."""
LAST_TURN = 2
"""Number of messages of the previous turn."""


def resolve_nouns(text: str, asked: Reference) -> Resolution:
    """Resolves the nouns of ``text``, the message without mentions. A comparison means all that it names; any other
    message means the documents that it reads, or else the first one."""
    clauses = asked.clauses if asked.action != "audit" and asked.clauses else [Clause(text)]
    previous = "\n".join(each.text for each in asked.past[-LAST_TURN:])
    found = referred_in(clauses, asked.documents, recent=asked.recent or asked.spoken_of[:1], previous=previous)
    if asked.action != "compare":
        found = [] if _asks_elsewhere(clauses, asked.documents) else _main(found)
    by_id = {each.id: each for each in asked.documents}
    resolution = Resolution()
    for each in found:
        resolution += _resolved(each, [by_id[identifier] for identifier in each.ids])
    return resolution


def _asks_elsewhere(clauses: Sequence[Clause], documents: Sequence[VisibleDocument]) -> bool:
    """Returns whether one of several questions refers to no document and has a subject of its own: then no document is
    meant for all of them."""
    asking = [each for each in clauses if each.asks]
    free = (each for each in asking if len(content_terms(each.text)) >= OWN_SUBJECT)
    return len(asking) > 1 and any(not referred_in([each], documents) for each in free)


def _main(found: Sequence[Referred]) -> list[Referred]:
    """Returns the references that matter if one is enough: other nouns are what the question asks about."""
    read = [each for each in found if each.read] or list(found)
    settled = [each for each in read if each.kind in ("one", "all")]
    if settled and (read[0] in settled or not read[0].read):
        return settled
    return read[:1]


def _resolved(referred: Referred, documents: Sequence[VisibleDocument]) -> Resolution:
    match referred.kind:
        case "one":
            return Resolution.of(documents, "fuzzy", SCORE)
        case "all":
            return Resolution.of(documents, "fuzzy", SCORE) if len(documents) <= MOST_ALL else Resolution()
        case "several":
            offered = tuple(documents[:MOST_OFFERED])
            return Resolution(ambiguous=(Ambiguous(referred.said, offered, len(documents)),))
    return Resolution(absent=(NotThere(referred.said, tuple(documents), dated=bool(documents)),))
