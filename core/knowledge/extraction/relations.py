"""Decides which entities in a sentence are related; returns them as pairs.

Entities that are only listed next to each other are not related: "offices in Leeds, Lyon and Graz" relates none of the
three. Neither are entities that are far apart or in different clauses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from core.knowledge.extraction.patterns import Span, blanked
from core.knowledge.records import EntityKind
from core.language.vocabulary import phrase_of

_REACH: Mapping[frozenset[EntityKind], int] = {
    frozenset(["date", "term"]): 3,
    frozenset(["person", "place"]): 3,
    frozenset(["metric", "place"]): 4,
    frozenset(["metric", "term"]): 6,
    frozenset(["term"]): 6,
    frozenset(["organisation", "place"]): 5,
    frozenset(["law", "place"]): 3,
    frozenset(["law", "term"]): 8,
    frozenset(["date", "metric"]): 10,
    frozenset(["date", "organisation"]): 8,
}
"""Maximum number of words between two related entities, by their kinds."""
_FAR = 10
_LIKE: Mapping[EntityKind, EntityKind] = {"company": "organisation", "programme": "term", "event": "term"}
"""Kinds that are read like another one."""
_CLAUSE = re.compile(
    r";|:\s|,\s(?:while|whereas|although|but|however|unless|which|who)\b|\.\s(?=[A-Z])"
    r"|\([ivx]+\)|\([a-z0-9]\)|\),|\b(?:respectively|compared (?:to|with))\b"
)
_LISTED = re.compile(phrase_of("knowledge/extraction.relations.listed"))
_REFERS = re.compile(
    r"incorporated (?:herein )?by reference|proxy statement|exhibit|form \d|pursuant to the requirements", re.IGNORECASE
)
"""Pattern of a sentence that only refers to another text."""
_ALIKE: frozenset[EntityKind] = frozenset(["date", "place", "metric", "law", "person", "product"])
"""Kinds of entities that are usually only listed, compared or added when two of one kind are in a sentence, so that
they are not related."""
_JOINS = re.compile(r"\b(?:and|or)\b|^\W*$")
"""Words that only list something next to a place: "Alder and makers from Malta"."""
_NEAREST: frozenset[EntityKind] = frozenset(["place", "date"])
_BRACKETS = re.compile(r"\([^()]*\)")
_APART: tuple[frozenset[EntityKind], ...] = (
    frozenset(["date", "law"]), frozenset(["date", "place"]), frozenset(["law", "metric"]),
    frozenset(["place", "term"]),
)  # fmt: skip


def related(text: str, spans: Sequence[Span]) -> Iterator[tuple[Span, Span]]:
    """Pairs among ``spans``, which are in order and do not overlap."""
    if _REFERS.search(text):
        return
    for one, other in combinations(spans, 2):
        if one.key != other.key and _is_related(text, spans, one, other):
            yield one, other


def _is_related(text: str, spans: Sequence[Span], one: Span, other: Span) -> bool:
    between = text[one.end : other.start]
    kinds: frozenset[EntityKind] = frozenset([_LIKE.get(one.kind, one.kind), _LIKE.get(other.kind, other.kind)])
    if kinds in _APART or _CLAUSE.search(between) or len(between.split()) > _REACH.get(kinds, _FAR):
        return False
    if one.kind == other.kind and one.kind in _ALIKE:
        return False
    if len(kinds) == 1 or kinds == frozenset(["organisation", "product"]):
        beside = blanked(text, spans, " ")[one.end : other.start]
        return not _LISTED.fullmatch(_BRACKETS.sub(" ", beside))
    if one.kind == "place" and between.lstrip().startswith(","):
        return False  # the place belongs to the clause before
    if "place" in kinds and _JOINS.search(between):
        return False
    if kinds & _NEAREST:
        return not _is_nearer(spans, one, other)
    return True


def _is_nearer(spans: Sequence[Span], one: Span, other: Span) -> bool:
    """Whether something of the same kind is between a place (or a period) and the entity that it might belong to. A
    place belongs to the nearest entity, unless places or periods are listed."""
    owner = other if one.kind in _NEAREST else one
    return any(one.end <= span.start < other.start and span.kind == owner.kind for span in spans)
