"""Parses a question: its kinds of answer, its weighted words, numbers, names and periods."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from core.answering.prose.tokens import Term, Token, term, tokens
from core.answering.prose.vocabulary import asking_words, vocabulary
from core.language.entities.periods import periods_in
from core.language.normalisation import fold
from core.language.vocabulary import phrase_of
from core.words import Language

_RESPECTIVELY = phrase_of("answering/prose.question.respectively")
_COUNTED = re.compile(phrase_of("answering/prose.question.counted"))
_QUOTED = re.compile(r"[\"“”„״«]([^\"“”„״«»]{2,60})[\"“”״»]")
_EACH_HAS_ONE = ("percent", "amount", "figure", "count", "duration", "frequency", "date", "list", "what")
_ACTS = ("reason", "method", "condition", "purpose", "contents")


@dataclass(frozen=True)
class ProseQuestion:
    """A parsed question; ``kinds`` by name, most likely first; ``terms`` in question order; ``counted`` are the counted
    words ("how many employees"); ``plain`` is the folded question."""

    text: str
    language: Language
    plain: str
    kinds: tuple[str, ...]
    terms: tuple[Term, ...]
    counted: frozenset[str]
    periods: tuple[str, ...]
    several: bool
    """Whether several things are asked for: one for each period, or with "respectively"."""

    @property
    def main(self) -> str:
        return self.kinds[0]


@lru_cache(maxsize=512)
def read_question(text: str, language: Language) -> ProseQuestion:
    plain = fold(text)
    words = [token for token in tokens(text) if token.word]
    kinds, terms, counted = _kinds(text, plain), _question_terms(words), _counted_nouns(plain)
    periods = tuple(dict.fromkeys(period.key for period in periods_in(text)))
    respectively = any(word in plain for word in ("respectively", _RESPECTIVELY, "respective "))
    several = respectively and len(periods) > 1 and kinds[0] in _EACH_HAS_ONE
    return ProseQuestion(text, language, plain, kinds, terms, counted, periods, several)


def _kinds(text: str, plain: str) -> tuple[str, ...]:
    """Returns the kinds in the order of their words; questions about an event ("why did the amount fall") before
    figures."""
    places: dict[str, int] = {}
    for name, kind in vocabulary().kinds.items():
        starts = [match.start() for each in kind.asked if (match := each.search(plain))]
        if starts:
            places[name] = min(starts)
    if "duration" in places and "count" in places and not places["count"] < places["duration"]:
        del places["count"]
    if any(map(str.isdigit, plain)):
        places.pop("definition" if "figure" in places or "amount" in places else "", None)
    order = list(vocabulary().kinds)
    found = sorted(places, key=lambda name: (_kind_rank(name, places), places[name], order.index(name)))
    return tuple(found or ["what"])


def _kind_rank(name: str, places: dict[str, int]) -> int:
    if name == "yesno":
        return 0
    if name in _ACTS:
        return 1
    return 3 if name in ("what", "list", "figure") else 2


def _question_terms(words: list[Token]) -> tuple[Term, ...]:
    kept: dict[str, Term] = {}
    for place, token in enumerate(words):
        if token.stop or token.folded in asking_words() or (len(token.folded) < 2 and not token.folded.isdigit()):
            continue
        kept.setdefault(token.base, term(token, first=place == 0))
    return tuple(kept.values())


def _counted_nouns(plain: str) -> frozenset[str]:
    match = _COUNTED.search(plain)
    if match is None:
        return frozenset()
    return frozenset(token.base for token in tokens(match.group(1) or match.group(2)) if not token.stop)
