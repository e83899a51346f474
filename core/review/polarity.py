"""Analyses what a sentence states and negates, and whether it commands, allows or forbids; in English and Hebrew."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.language import hebrew
from core.language.cache_sizes import TEXTS
from core.language.entities.numerals import VALUES
from core.language.hebrew import FROM_FINAL, PREFIXES, is_hebrew
from core.language.normalisation import fold
from core.language.terms import is_stop_word, stem
from core.language.vocabulary import Entry, WordSet, file_of, phrase_of, words_of

_JOINED_LETTERS = words_of("grounding/patterns.polarity.prefixes")
_TOKEN = re.compile(r"[^\W_]+(?:[\"'][^\W_]+)*|[,;.:|]")


_FAILS = re.compile(r"\bfail(?:s|ed|ing|ure)? to\b ?")
""""Fail to" counts as a negation."""


class _Words(Entry):
    negators: WordSet
    forbids: WordSet
    limits: WordSet
    joins: WordSet
    reporting: WordSet
    universals: WordSet
    opposites: list[tuple[str, str]]


_DATA = file_of("polarity", _Words)()
REPORTING = _DATA.reporting
"""Words of an answer about the documents themselves, not about their content."""
_WITHIN = 8
"""Number of words after a negator in which a comparison may follow."""
_SCOPE = 3
"""Maximum number of words that a negator negates."""


@dataclass(frozen=True)
class Polarity:
    """The negations of a sentence.

    ``denied``: for each negation, the negated words as stems; ``limits``: comparisons and "only", and whether a negator
    reverses them; ``words``: all stems of the sentence; ``count``: all negators, including those of limits;
    ``universal``: it says all or always.
    """

    denied: tuple[frozenset[str], ...]
    limits: frozenset[tuple[str, bool]]
    words: frozenset[str]
    count: int
    universal: bool


def base(word: str) -> str:
    """Returns the form in which words of two sentences are compared: an English stem; Hebrew words unchanged."""
    return word if hebrew.is_hebrew(word) else stem(word)


def matches_any(one: str, others: frozenset[str]) -> bool:
    """Returns whether a form of ``one`` (a :func:`base`) is among ``others``."""
    if one in others:
        return True
    return _begins_hebrew(one) and any(_related(one, other) for other in others if _begins_hebrew(other))


def _begins_hebrew(word: str) -> bool:
    return is_hebrew(word[:1])


@lru_cache(maxsize=200_000)
def _related(one: str, other: str) -> bool:
    ours, theirs = known_name(one), known_name(other)
    return ours == theirs if ours or theirs else hebrew.related(one, other) or _same_root(one, other)


_NAMES = frozenset(phrase_of("names.hebrew").replace("-", " ").split())
_OF_VERBS = ("", *words_of("grounding/patterns.polarity.of_verbs"))
_ENDINGS = ("", *words_of("grounding/patterns.polarity.endings"))


def _same_root(one: str, other: str) -> bool:
    """Returns whether two Hebrew words share a three-letter root, such as "to pay" and "payment"."""
    ones, others = _roots(one), _roots(other)
    shared = {root for root, _ in ones} & {root for root, _ in others}
    return any((root, True) in ones or (root, True) in others for root in shared)


def known_name(word: str) -> str | None:
    """Returns the longest known name in ``word``, after up to two prefix letters."""
    cuts = (word[cut:] for cut in range(3) if all(letter in PREFIXES for letter in word[:cut]))
    return next((rest for rest in cuts if rest in _NAMES), None)


@lru_cache(maxsize=50_000)
def _roots(word: str) -> frozenset[tuple[str, bool]]:
    """Returns the possible roots of ``word``, and whether a verb or noun prefix was removed."""
    closed = word.translate(FROM_FINAL)
    found: set[tuple[str, bool]] = set()
    for prefix in _OF_VERBS:
        for ending in _ENDINGS:
            if closed.startswith(prefix) and closed.endswith(ending) and len(closed) - len(prefix) - len(ending) >= 3:
                bare = closed[len(prefix) : len(closed) - len(ending)]
                core = bare[0] + re.sub(phrase_of("grounding/patterns.polarity.vowels"), "", bare[1:])
                if len(core) == 3:
                    found.add((core, bool(prefix)))
    return frozenset(found)


@lru_cache(maxsize=TEXTS)
def polarity(text: str) -> Polarity:
    """Returns the negations of ``text``."""
    tokens = _TOKEN.findall(_FAILS.sub("not ", fold(text).replace("n't", " not").replace("cannot", "can not")))
    denied = [scope for place in range(len(tokens)) if (scope := _denied(tokens, place))]
    return Polarity(
        tuple(denied),
        _limits(tokens),
        frozenset(base(word) for word in tokens if word[0].isalnum()),
        sum(_without_prefixes(word) in _DATA.negators or _without_prefixes(word) in _DATA.forbids for word in tokens),
        not _DATA.universals.isdisjoint(map(_without_prefixes, tokens)),
    )


def _without_prefixes(word: str) -> str:
    """Returns a negator without joined Hebrew prefix letters."""
    rest = word[1:]
    known = rest in _DATA.negators or rest in _DATA.forbids or rest in _DATA.universals
    return rest if word[:1] in _JOINED_LETTERS and known and len(rest) > 1 else word


def _denied(tokens: list[str], place: int) -> frozenset[str] | None:
    word = tokens[place]
    bare = _without_prefixes(word)
    if bare in _DATA.forbids:
        around = tokens[max(0, place - 4) : place] + tokens[place + 1 : place + 1 + 4]
        return frozenset(base(each) for each in around if _content(each))
    if bare not in _DATA.negators:
        return None
    if _denied_limit(tokens, place) is not None:
        return None
    scope: list[str] = []
    for following in tokens[place + 1 : place + 8]:
        if following in _DATA.negators and not (scope or place):
            return frozenset({base(word)})  # "Nobody was not late": the second negator negates the first.
        if following in ",;.:|" or following in _DATA.negators or len(scope) == _SCOPE:
            break
        if _content(following):
            scope.append(base(following))
    return frozenset(scope or {base(tokens[place - 1])} if place else scope)


def _limits(tokens: Sequence[str]) -> frozenset[tuple[str, bool]]:
    negators = (place for place, word in enumerate(tokens) if _without_prefixes(word) in _DATA.negators)
    turned = {_denied_limit(tokens, place) for place in negators}
    return frozenset((word, place in turned) for place, word in enumerate(tokens) if word in _DATA.limits)


def _denied_limit(tokens: Sequence[str], place: int) -> int | None:
    """Returns the position of the limit that the negator at ``place`` reverses: not later, may not rise by *more* than
    3 %. Content words in between are negated instead: not paid for a trip of more than 3 days."""
    if place + 1 < len(tokens) and tokens[place + 1] in _DATA.limits:
        return place + 1
    if tokens[place] == "no":
        return None
    for at in range(place + 1, min(place + _WITHIN, len(tokens) - 1)):
        if tokens[at] in _DATA.joins:
            return None
        if tokens[at] in _DATA.limits or tokens[at][1:] in _DATA.limits:
            behind = tokens[at + 1 : at + 5]
            return at if any(word[0].isdigit() or word in VALUES for word in behind) else None
    return None


def _content(word: str) -> bool:
    return word[0].isalnum() and not is_stop_word(word) and word not in _DATA.negators


WHOLE = 0.9
"""Share of the evidence that a claim repeats from which both must have equally many negations."""


def conflict(claim: str, evidence: str) -> bool:
    """Returns whether one sentence negates what the other states, judged by their words.

    Every negation of the claim needs one in the evidence, and every negation in the evidence that is relevant to the
    claim's words needs one in the claim.

    >>> conflict("Sales rose in 2023.", "Sales fell in 2023.")
    True
    """
    ours, theirs = polarity(claim), polarity(evidence)
    if ours.count > theirs.count or (ours.count != theirs.count and _is_repetition(ours, theirs)):
        return True
    bearing = [scope for scope in theirs.denied if _covers(scope, ours.words)]
    alone = unpaired(ours.denied, theirs.denied)[0] or unpaired(bearing, ours.denied)[0]
    return bool(alone or opposites(ours.words, theirs.words))


def _is_repetition(ours: Polarity, theirs: Polarity) -> bool:
    words = [word for word in theirs.words if _content(word) and not word[0].isdecimal()]
    return sum(matches_any(word, ours.words) for word in words) >= WHOLE * len(words)


def unpaired(
    scopes: Sequence[frozenset[str]], others: Sequence[frozenset[str]]
) -> tuple[list[frozenset[str]], list[frozenset[str]]]:
    """Pairs each scope with one of the others that shares a word; returns the unpaired scopes and the remaining
    others."""
    alone, left = [], list(others)
    for scope in scopes:
        found = next((other for other in left if any(matches_any(word, other) for word in scope)), None)
        if found is None:
            alone.append(scope)
        else:
            left.remove(found)
    return alone, left


def _covers(scope: frozenset[str], words: frozenset[str]) -> bool:
    met = sum(matches_any(word, words) for word in scope)
    return met * 2 > len(scope)


@lru_cache(maxsize=1)
def _opposites() -> list[tuple[frozenset[str], frozenset[str]]]:
    return [
        (frozenset(base(word) for word in one.split()), frozenset(base(word) for word in other.split()))
        for one, other in _DATA.opposites
    ]


def opposites(ours: frozenset[str], theirs: frozenset[str]) -> tuple[str, str] | None:
    """Returns a word of ours whose opposite, and not itself, is in theirs."""
    for pair in _opposites():
        for one, other in (pair, pair[::-1]):
            mine, yours = ours & one, theirs & other
            if mine and yours and not ours & other and not theirs & one:
                return next(iter(mine)), next(iter(yours))
    return None
