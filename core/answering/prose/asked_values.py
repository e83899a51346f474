"""Compares the values in a unit of a document with the kind of value that a question asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from core.answering.prose.actors import act_of, named_in, names_actor
from core.answering.prose.document_units import Unit
from core.answering.prose.question import ProseQuestion
from core.answering.prose.tokens import Token, term_matches, tokens
from core.answering.prose.values import LEGAL_FORMS, Value, values_in
from core.answering.prose.vocabulary import vocabulary
from core.language.cache_sizes import TEXTS
from core.language.hebrew import is_hebrew
from core.language.normalisation import fold
from core.language.vocabulary import phrase_of, words_of

MEASURE = "measure"
"""The kind of a question for a quantity with a unit ("what temperature")."""
VALUED = frozenset({"percent", "amount", "count", "duration", "frequency", "date", "person", "place", MEASURE})
SAID = 0.5
_NAME = re.compile(r"(?![a-z])[^\W\d_]{2,}(?![\w])")
"""Matches a text that starts with a word of letters that is not in lower case."""
_FORMS = frozenset(form.rstrip(".") for form in LEGAL_FORMS)
_COUNTED = 3
"""Number of words after a number among which the counted noun is."""
_EXPLAINED = re.compile(r"(?i)\bhow many (?:[\w-]+ ){1,3}\(([^()]{2,40})\)")
_FOR_EACH = frozenset(words_of("answering/prose.document.for_each"))
_SEVERAL = re.compile(r"who (?:are|were)\b")
_VERDICT = re.compile(phrase_of("answering/prose.document.verdict"), re.IGNORECASE)
_MEASURED = re.compile(phrase_of("answering/prose.document.measured"))
_WITH_UNIT = re.compile(phrase_of("answering/prose.document.with_unit"), re.IGNORECASE)


def asks_for_measure(prose: ProseQuestion) -> bool:
    """Returns whether a question asks for a quantity by its name."""
    return bool(_MEASURED.search(prose.plain))


def measure_match(text: str) -> float:
    """Returns 1 if a text has a number with a unit of measurement, 0.5 if it has another number, else 0."""
    if _WITH_UNIT.search(text):
        return 1.0
    return 0.5 if any(value.number is not None for value in values_of(text)) else 0.0


def value_match(prose: ProseQuestion, kind: str, unit: Unit) -> float:
    """Returns 1 if the unit contains the asked kind of value, -1 if it does not; 0 if no kind of value is asked, or if
    a text cannot tell."""
    if kind not in VALUED or unit.empty:
        return 0.0
    if kind == MEASURE:
        return measure_match(unit.words) or -1.0
    held = vocabulary().kinds[kind].held
    if held[:1] == ("name",):
        if is_verdict(unit.text):
            return -1.0
        if is_hebrew(unit.text):
            return 1.0 if kind == "person" and named_in(unit.text) else 0.0
        if unit.kind == "field":
            return 1.0 if _NAME.match(unit.text) else -1.0
    said = {fold(token.text) for token in _tokens(prose.text)}
    kinds = {value.kind for value in values_of(unit.words) if fold(unit.text[value.start : value.end]) not in said}
    # "The total time" asks for a duration in the words of an amount.
    partly = {*held, "duration"} if kind in ("amount", "count") else set(held)
    return 1.0 if kinds & set(held[:1]) else 0.5 if kinds & partly else -1.0


def is_verdict(text: str) -> bool:
    """Returns whether a text, or the value after its label, only says yes or no.

    >>> is_verdict("Second reader present: No")
    True
    """
    return _VERDICT.match(text.rpartition(":")[2]) is not None


def counted_match(prose: ProseQuestion, kind: str, unit: Unit) -> float:
    """Returns 1 if a number in the unit counts what the question asks to count."""
    if kind != "count":
        return 0.0
    nouns = prose.counted | _explained(prose.text)
    counted = [term for term in prose.terms if term.base in nouns]
    words = [token for token in _tokens(unit.words) if token.word]
    numbers = [place for place, token in enumerate(words) if is_number(token)]
    near = (other for place in numbers for other in _after(words, place))
    return max((max(term_matches(counted, other)) for other in near), default=0.0) if counted else 0.0


def _explained(question: str) -> frozenset[str]:
    """Returns the words in brackets that explain a counted noun: "groups" of "how many arms (groups) …"."""
    match = _EXPLAINED.search(question)
    return (
        frozenset(token.base for token in _tokens(match[1]) if token.word and not token.stop) if match else frozenset()
    )


def _after(words: Sequence[Token], place: int) -> Iterator[Token]:
    """Yields the words that a number may count: not those for each of which it counts ("34 people per arm")."""
    for other in words[place + 1 : place + 1 + _COUNTED]:
        if other.folded in _FOR_EACH:
            return
        yield other


def is_number(token: Token) -> bool:
    return token.text.isdigit() or token.folded in vocabulary().numbers


def actor_match(prose: ProseQuestion, kind: str, unit: Unit) -> float:
    """Returns 1 if the unit names someone next to the act that the question asks about."""
    act = act_of(prose) if kind == "person" else None
    return float(act is not None and names_actor(act, unit.line))


def organisations_named(prose: ProseQuestion, kind: str, unit: Unit) -> float:
    """Returns the share of two organisations that a unit names, if the question asks who several are; other names of
    several words count less."""
    if kind != "person" or not _SEVERAL.match(prose.plain):
        return 0.0
    names = {fold(unit.text[value.start : value.end]) for value in values_of(unit.words) if value.kind == "name"}
    found = sum(1.0 if _ends_as_organisation(name) else 0.25 * (" " in name) for name in names)
    return min(2.0, found) / 2


def _ends_as_organisation(name: str) -> bool:
    words = name.replace(",", " ").split()
    return len(words) > 1 and words[-1].rstrip(".") in _FORMS and words[-2] not in ("and", "&")


@lru_cache(maxsize=TEXTS)
def values_of(text: str) -> list[Value]:
    return values_in(text)


_tokens = lru_cache(maxsize=TEXTS)(tokens)
