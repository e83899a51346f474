"""Finds what a sentence says of two names in it, in the sentence's own words: "acquired", "is a subsidiary of", "in".

Only the words between the two are read, and only if they are one light phrase, so that the reason can be quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from core.knowledge.extraction.gazetteer import country_names
from core.knowledge.extraction.heads import head_kind, heads
from core.knowledge.extraction.lexicon import terms
from core.knowledge.extraction.patterns import Span
from core.knowledge.records import EntityKind
from core.language.normalisation import fold
from core.language.vocabulary import phrase_of

FIGURE = "#figure"
"""The reason of a link from a measure to what is measured; it is shown in the reader's language."""
MOST_WORDS = 7
MOST_LETTERS = 80


@dataclass(frozen=True)
class Statement:
    """What a sentence says of two things, from ``one`` to ``other``."""

    one: Span
    other: Span
    reason: str


_ARTICLES = r"(?: (?:the|an?|its|their|his|her|our|this|these|all|several|certain))*"
_PLAIN = re.compile(r" (?P<reason>of|in|at|from|under|by|for|near|within|on behalf of)(?: the| an?)? ")
_ROLE = re.compile(
    r", (?:the |an? )?(?P<reason>[A-Za-z][\w-]{1,20}(?: [\w&-]{1,20}){0,4})(?P<to>,| of| at| for)(?: the)? "
)
_KIN = re.compile(r",? (?:which is |who is )?(?P<reason>an? (?:[\w-]{2,20} ){1,4}(?:of|in|for|by|from|with))(?: the)? ")
_VERBAL = re.compile(
    r"(?P<noun>(?: [a-z-]{3,20})?)(?:,? (?:which|who|that))?(?P<reason>(?: [a-z'-]{1,20}){1,6}?)" + _ARTICLES + " "
)
_GOES_ON = re.compile(rf"(?:'s?)? (?!(?:{'|'.join(sorted(heads().after))}|\w{{2,20}}ed|\w{{2,20}}ing)\b)[A-Za-z0-9]")
_FOUNDED = re.compile(r" ((?:[a-z]{3,12} ){0,3}(?:corporation|company|partnership|association))\b")
_LISTS = re.compile(r",? (?:and|or) |, [A-Z]")
_BEFORE = re.compile(
    r"\b(?:of|in|by|for|with|from|to|at|on|and|or|than|under|between|as|about|through|into|per|via)(?: the| an?)? $",
    re.I,
)
_STATES_AMOUNT = re.compile(phrase_of("knowledge/extraction.metrics.states_amount"))
_OWNERS: frozenset[EntityKind] = frozenset(["company", "organisation", "product"])
_NOT_AFTER: frozenset[EntityKind] = frozenset(["date", "sum"])
_WHERE: frozenset[EntityKind] = frozenset(["person", "company", "organisation", "place", "event"])
_ENDS: frozenset[EntityKind] = frozenset(["metric", "event"])


def statements_in(text: str, spans: Sequence[Span]) -> Iterator[Statement]:
    """Statements on neighbouring things among ``spans``, which are in order and do not overlap."""
    for one, other in pairwise(sorted(spans, key=lambda span: span.start)):
        if one.key != other.key and (found := _statement(text, one, other)):
            yield found


def _statement(text: str, one: Span, other: Span) -> Statement | None:
    between = text[one.end : other.start]
    if len(between) > MOST_LETTERS or "|" in between or "\n" in between:
        return None
    if between in ("'s ", "' ", "s' "):
        return Statement(other, one, "of") if other.kind not in _NOT_AFTER else None
    if other.kind == "place" and between in (", ", ", a ", ", an "):
        return _at_place(text, one, other, between)
    if one.kind in _NOT_AFTER or (_GOES_ON.match(text[other.end :]) and other.kind != "metric"):
        return None  # the second may only be part of what follows
    return _phrase(one, other, between) or _verbal(text, one, other, between)


def _phrase(one: Span, other: Span, between: str) -> Statement | None:
    """A preposition, an office or a noun that joins the two."""
    if other.kind in _NOT_AFTER and one.kind not in _ENDS:
        return None
    if match := _PLAIN.fullmatch(between):
        return _plain(one, other, match["reason"])
    if one.kind == "person" and (match := _ROLE.fullmatch(between)) and _is_role(match["reason"]):
        return Statement(one, other, match["reason"] + (match["to"] if match["to"] != "," else " at"))
    if (match := _KIN.fullmatch(between)) and not _has_stop(match["reason"]):
        return Statement(one, other, f"is {match['reason']}")
    return None


def _at_place(text: str, one: Span, other: Span, between: str) -> Statement | None:
    """ "Jakarta, Indonesia", or "Alder, a Delaware corporation"."""
    if between == ", ":
        return Statement(one, other, "in") if one.kind in _WHERE and _is_within(text, one, other) else None
    founded = _FOUNDED.match(text[other.end :])
    return Statement(one, other, f"is a {founded[1]} of") if founded else None


def _is_within(text: str, one: Span, other: Span) -> bool:
    """Whether a comma says where something is ("Jakarta, Indonesia"), and does not only list two places."""
    if one.kind != "place":
        return True
    listed = _LISTS.match(text[other.end :]) or text[: one.start].endswith(", ")
    return not listed and (other.key in country_names() or other.key in heads().regions)


def _plain(one: Span, other: Span, reason: str) -> Statement | None:
    """A preposition directly between the two: it joins them, unless the second only says when or how."""
    if reason in ("in", "near", "within", "at", "from") and other.kind not in (*_WHERE, "date"):
        return None
    if reason in ("for", "by") and one.kind in ("person", "place", "company", "organisation"):
        return None
    return Statement(one, other, reason)


def _is_role(reason: str) -> bool:
    return any(head_kind(word) == "person" for word in reason.split())


def _verbal(text: str, one: Span, other: Span, between: str) -> Statement | None:
    match = _VERBAL.fullmatch(between)
    if match is None or len(between.split()) > MOST_WORDS:
        return None
    reason = f"{match['noun']} {match['reason']}".split()
    noun = bool(match["noun"]) and not _is_verb(reason[0])
    verbs = reason[1:] if noun else reason
    if not verbs or not _is_verb(verbs[0]) or _has_stop(" ".join(verbs)):
        return None
    if all(word in heads().auxiliaries for word in verbs):
        return None
    if noun and not (verbs[0].endswith("ed") and verbs[-1] in ("by", "in", "at", "from", "for", "with", "to", "on")):
        return None  # the noun is the subject, not the name before it
    if _BEFORE.search(text[max(0, one.start - 16) : one.start]) and not noun and verbs[-1] != "by":
        return None  # the name before the verb belongs to another phrase
    return Statement(one, other, " ".join(verbs))


def _has_stop(reason: str) -> bool:
    return any(word in heads().stops for word in reason.split())


def _is_verb(word: str) -> bool:
    folded = fold(word)
    if folded in heads().auxiliaries or folded in _verbs():
        return True
    return len(folded) > 4 and folded.endswith("ed")


@cache
def _verbs() -> frozenset[str]:
    return terms().inflected | terms().irregular


def figures_of(text: str, spans: Sequence[Span], issuer: Span | None) -> Iterator[tuple[Span, Span]]:
    """Each measure with the one company in the sentence, or with the document's issuer if the sentence has none."""
    metrics = [span for span in spans if span.kind == "metric"]
    if not metrics or not _STATES_AMOUNT.search(text):
        return
    owners = {span.key: span for span in spans if span.kind in _OWNERS}
    if len(owners) > 1:
        return
    owner = next(iter(owners.values()), issuer)
    if owner is not None:
        yield from ((metric, owner) for metric in metrics)
