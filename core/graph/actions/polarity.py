"""What a sentence affirms and what it denies, and whether it commands, allows or forbids; English and Hebrew."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from pydantic import BaseModel, ConfigDict, field_validator

from core.graph.actions.data import read
from core.language import hebrew
from core.language.normalisation import fold
from core.language.terms import is_stop_word, stem

_TOKEN = re.compile(r"[^\W_]+(?:[\"'][^\W_]+)*|[,;.:|]")


class _Words(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    negators: frozenset[str]
    forbids: frozenset[str]
    limits: frozenset[str]
    reporting: frozenset[str]
    opposites: list[tuple[str, str]]

    @field_validator("negators", "forbids", "limits", "reporting", mode="before")
    @classmethod
    def _split(cls, words: str) -> list[str]:
        return words.split()


_DATA = _Words.model_validate(read("polarity.yaml"))
REPORTING = _DATA.reporting
"""Words of an answer that speak about the documents, and not about what they say."""
_SCOPE = 3
"""Words that a negator denies at most."""


@dataclass(frozen=True)
class Polarity:
    """``denied``: for each negation the words it denies, as stems; ``words``: all stems of the sentence."""

    denied: tuple[frozenset[str], ...]
    words: frozenset[str]


def base(word: str) -> str:
    """The form in which words of two sentences are compared: an English stem; Hebrew as it is."""
    return word if hebrew.is_hebrew(word) else stem(word)


def meets(one: str, others: frozenset[str]) -> bool:
    """Whether a form of ``one`` (a :func:`base`) is among ``others``."""
    if one in others:
        return True
    return hebrew.is_hebrew(one) and any(
        hebrew.related(one, other) or _same_root(one, other) for other in others if hebrew.is_hebrew(other)
    )


_WEAK_LETTERS = re.compile("[אהויתנמ]")


@lru_cache(maxsize=50_000)
def _root(word: str) -> str:
    closed = word.translate(str.maketrans("ךםןףץ", "כמנפצ"))
    return _WEAK_LETTERS.sub("", closed[:2]) + _WEAK_LETTERS.sub("", closed[2:])


def _same_root(one: str, other: str) -> bool:
    """Whether two Hebrew words share three strong letters, as forms of one verb do (שולם, ישולמו)."""
    root = _root(one)
    return len(root) >= 3 and root == _root(other)


@lru_cache(maxsize=20_000)
def polarity(text: str) -> Polarity:
    """What ``text`` denies."""
    tokens = _TOKEN.findall(fold(text).replace("n't", " not").replace("cannot", "can not"))
    denied = [scope for place in range(len(tokens)) if (scope := _denied(tokens, place))]
    return Polarity(tuple(denied), frozenset(base(word) for word in tokens if word[0].isalnum()))


def _denied(tokens: list[str], place: int) -> frozenset[str] | None:
    word = tokens[place]
    bare = word[1:] if word[:1] in "ושה" and word[1:] in _DATA.negators and len(word) > 2 else word
    if bare in _DATA.forbids:
        around = tokens[max(0, place - 4) : place] + tokens[place + 1 : place + 1 + 4]
        return frozenset(base(each) for each in around if _content(each))
    if bare not in _DATA.negators:
        return None
    if place + 1 < len(tokens) and tokens[place + 1] in _DATA.limits:
        return None
    scope: list[str] = []
    for following in tokens[place + 1 : place + 8]:
        if following in ",;.:|" or following in _DATA.negators or len(scope) == _SCOPE:
            break
        if _content(following):
            scope.append(base(following))
    return frozenset(scope or {base(tokens[place - 1])} if place else scope)


def _content(word: str) -> bool:
    return word[0].isalnum() and not is_stop_word(word) and word not in _DATA.negators


def conflict(claim: str, evidence: str) -> bool:
    """Whether one sentence denies what the other affirms, as far as their words tell."""
    ours, theirs = polarity(claim), polarity(evidence)
    return (
        any(not _echoed(scope, theirs) for scope in ours.denied)
        or any(not _echoed(scope, ours) for scope in theirs.denied if _said(scope, ours.words))
        or bool(opposites(ours.words, theirs.words))
    )


def _said(scope: frozenset[str], words: frozenset[str]) -> bool:
    met = sum(meets(word, words) for word in scope)
    return met * 2 > len(scope)


def _echoed(scope: frozenset[str], other: Polarity) -> bool:
    return any(meets(word, denied) for denied in other.denied for word in scope)


@lru_cache(maxsize=1)
def _opposites() -> list[tuple[frozenset[str], frozenset[str]]]:
    return [
        (frozenset(base(word) for word in one.split()), frozenset(base(word) for word in other.split()))
        for one, other in _DATA.opposites
    ]


def opposites(ours: frozenset[str], theirs: frozenset[str]) -> tuple[str, str] | None:
    """A word of ours whose opposite, and not itself, is theirs."""
    for pair in _opposites():
        for one, other in (pair, pair[::-1]):
            mine, yours = ours & one, theirs & other
            if mine and yours and not ours & other and not theirs & one:
                return next(iter(mine)), next(iter(yours))
    return None
