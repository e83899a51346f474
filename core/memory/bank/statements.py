"""Parses a short statement: its subject, its predicate, and its numbers, dates, names and negations.

Two statements are compared by these parts and not only by their words, because "likes tea" and "likes coffee" share as
many words as "likes tea" and "enjoys tea".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Annotated, Literal

from pydantic import BeforeValidator

from core.language import hebrew
from core.language.entities.calendar_words import MONTHS, NAMES
from core.language.hebrew import AS, FROM, IN, TO
from core.language.normalisation import normalise, strip_nikud
from core.language.places import find_place
from core.language.terms import stem
from core.language.vocabulary import Entry, file_of, phrase_of, words_of

Part = Literal["word", "name", "number", "date"]
Role = Literal["single", "multi", "attribute"]

SELF = "@self"
"""Term key for the user who owns the bank ("I", "me", "the user")."""
LONGEST_PHRASE = 3
"""Maximum number of words in a phrase of the word lists."""

_TOKEN = re.compile(
    r"(?P<number>\d+(?:[:./-]\d+)+|\d+(?:,\d{3})+(?:\.\d+)?|\d+)(?P<unit>k\b|K\b|%|(?:st|nd|rd|th)\b)?|"
    r"(?P<word>[A-Za-z][^\W\d]{0,100}\d\w*|[^\W\d_]+(?:['\"][^\W\d_]+)*)|(?P<mark>[:;]|[.!?]+(?=\s|$))"
)
_SUFFIX = re.compile(r"'(?:s|m|re|ve|ll|d)$")
_PREPOSITIONS = {
    **dict.fromkeys(["in", "at", "to", "from", "near", "into"], "in"),
    **{word: word for word in words_of("memory/bank.statements.prepositions")},
}
_HEBREW_PREPOSITIONS = {IN: "?in", TO: "?in", FROM: "?in", AS: "?as"}
"""Keys begin with "?" because these Hebrew letters may be prepositions or part of the word."""
_ENDING = re.compile(phrase_of("memory/bank.statements.ending"))
_LEAST_FORM = 3


_Phrases = Annotated[
    frozenset[str],
    BeforeValidator(lambda text: [" ".join(phrase.split()) for phrase in text.split(",") if phrase.strip()]),
]


class _Lists(Entry):
    stop: _Phrases
    self: _Phrases
    negation: _Phrases
    copula: _Phrases
    being: _Phrases
    attribute: _Phrases
    adjective: _Phrases
    unit: _Phrases
    names: _Phrases
    single: dict[str, _Phrases]
    multi: dict[str, _Phrases]
    same: dict[str, _Phrases]
    opposite: dict[str, _Phrases]
    plain: dict[str, _Phrases]
    numbers: dict[str, _Phrases]
    dates: dict[str, _Phrases]


_lists = file_of("memory/statements", _Lists)


@dataclass(frozen=True)
class _Meaning:
    """Meaning of a word or phrase, from the word lists."""

    key: str
    part: Part = "word"
    role: Role | None = None
    negates: bool = False
    stops: bool = False


_NO_MONTHS = frozenset({"may", "mar"})
"""Month names that are also common words ("may"); they count as a month only if the word before shows it."""


@cache
def _meanings() -> dict[str, _Meaning]:
    """Maps each word or phrase to its meaning; later entries override earlier ones."""
    lists = _lists()
    found = {word: _Meaning(word, part="name") for word in lists.names}
    found |= {word: _Meaning(word) for word in lists.adjective | lists.unit}
    found |= {word: _Meaning(word, role="attribute") for word in lists.attribute}
    named = [(word, name) for name, words in lists.same.items() for word in words]
    found |= {word: _Meaning(name, role="attribute" if word in lists.attribute else None) for word, name in named}
    found |= {word: _Meaning(name, role="multi") for name, words in lists.multi.items() for word in words}
    found |= {word: _Meaning(name, role="single") for name, words in lists.single.items() for word in words}
    found |= {word: _Meaning(name) for name, words in lists.plain.items() for word in words}
    found |= {word: _Meaning(name, negates=True) for name, words in lists.opposite.items() for word in words}
    found |= {word: _Meaning(name, part="number") for name, words in lists.numbers.items() for word in words}
    found |= {word: _Meaning(NAMES[month - 1], part="date") for word, month in MONTHS.items() if word not in _NO_MONTHS}
    found |= {word: _Meaning(name, part="date") for name, words in lists.dates.items() for word in words}
    found |= {word: _Meaning("", stops=True) for word in lists.stop}
    found |= {word: _Meaning(SELF) for word in lists.self}
    found |= {word: _Meaning("", stops=True, negates=True) for word in lists.negation}
    return found


@cache
def _stems() -> dict[str, _Meaning]:
    """Maps the stem of each single English word to its meaning; if words share a stem, the first one counts."""
    found: dict[str, _Meaning] = {}
    for word, meaning in _meanings().items():
        if word.isascii() and word.isalpha() and not meaning.stops:
            found.setdefault(stem(word), meaning)
    return found


@dataclass(frozen=True)
class Term:
    """A term of a statement. ``key`` is the same for words with one meaning; ``value``: the term is in the predicate;
    ``preposition`` is the one before it (all prepositions of place count as one)."""

    key: str
    part: Part
    role: Role | None
    value: bool
    preposition: str
    order: int


@dataclass(frozen=True)
class Statement:
    """A parsed statement. ``sentences`` is the number of sentences: a text with several is not a single statement.
    ``subject`` has the terms before "is"; it is empty if there is no "is"."""

    text: str
    terms: tuple[Term, ...]
    negated: bool
    sentences: int
    subject: tuple[Term, ...]

    def of(self, *parts: Part) -> list[Term]:
        return [term for term in self.terms if term.part in parts]


@lru_cache(maxsize=4096)
def parse(text: str) -> Statement:
    """``text`` as a parsed statement."""
    return _Parser(strip_nikud(normalise(text))).parsed()


@dataclass
class _Parser:
    text: str
    terms: list[Term] = field(default_factory=list)
    denied: bool = False
    turned: bool = False
    stated: bool = False
    preposition: str = ""
    sentences: int = 1
    before: int = 0

    def parsed(self) -> Statement:
        tokens = list(_TOKEN.finditer(self.text))
        at = 0
        while at < len(tokens):
            at += self._take_term(tokens, at)
        terms = self.terms if self.stated else _without_predicate(self.terms)
        # "The report to Dana is ...": what looked like a verb was not one.
        terms = [replace(term, value=False) if term.order < self.before else term for term in terms]
        denied = self.denied != self.turned
        return Statement(self.text, tuple(terms), denied, self.sentences, tuple(terms[: self.before]))

    def _take_term(self, tokens: list[re.Match[str]], at: int) -> int:
        """Process the term that begins at ``at``; returns its number of tokens."""
        token = tokens[at]
        if token["mark"]:
            if token["mark"] == ":" and not self.stated:
                self.stated, self.before = True, len(self.terms)
            self.sentences += token["mark"][0] in ".!?;" and at + 1 < len(tokens)
            return 1
        if token["number"]:
            self._add_term(_normalised_number(token["number"], token["unit"] or ""), "number", None)
            return 1
        for size in range(min(LONGEST_PHRASE, len(tokens) - at), 0, -1):
            run = tokens[at : at + size]
            if any(each["word"] is None for each in run):
                continue
            phrase = " ".join(each["word"].lower() for each in run)
            meaning = _meaning(phrase, size, name=at > 0 and run[0]["word"][0].isupper())
            if meaning is not None:
                self._mean(phrase, meaning, first=at == 0)
                return size
        return self._take_unknown(tokens, at)

    def _mean(self, phrase: str, meaning: _Meaning, *, first: bool) -> None:
        if meaning.negates:
            self.denied, self.turned = self.denied or meaning.stops, self.turned != (not meaning.stops)
        if phrase in _lists().copula and self.terms:
            self.stated = True
            if phrase in _lists().being and not self.before:
                self.before = len(self.terms)
        if meaning.stops:
            self.preposition = _PREPOSITIONS.get(phrase, self.preposition)
            return
        self._add_term(meaning.key, meaning.part, meaning.role, phrase)
        # In "My job is ..." the verb comes later; in "works at" it does not.
        if meaning.role in ("single", "multi") and not first:
            self.stated = True

    def _take_unknown(self, tokens: list[re.Match[str]], at: int) -> int:
        """Process a name with all its words, or a word that is not in the lists."""
        word: str = tokens[at]["word"]
        if word[0].isupper() or (hebrew.is_hebrew(self.text) and not hebrew.is_hebrew(word)):
            size = 1
            while at + size < len(tokens) and _continues_name(tokens[at + size - 1], tokens[at + size]):
                size += 1
            name = " ".join(_without_suffix(each["word"]) for each in tokens[at : at + size])
            self._add_term(_place_key(name) or name, "name", None)
            return size
        bare = _without_suffix(word)
        place = _place_key(bare)
        key = place or (bare if hebrew.is_hebrew(bare) else stem(bare))
        self._add_term(key, "name" if place else "word", None, bare)
        return 1

    def _add_term(self, key: str, part: Part, role: Role | None, word: str = "") -> None:
        preposition = self.preposition
        if hebrew.is_hebrew(word) and not preposition:
            preposition = _HEBREW_PREPOSITIONS.get(word[0], "")
        self.terms.append(Term(key, part, role, self.stated, preposition, len(self.terms)))
        self.preposition = ""


def _without_predicate(terms: list[Term]) -> list[Term]:
    """Used when the verb is unknown: the part after a name counts as the predicate; without a name, the statement's
    end."""
    if terms and (terms[0].part == "name" or terms[0].key == SELF):
        return [replace(term, value=term.order > 1) for term in terms]
    end = len(terms) - 1
    if end > 1 and terms[end].key in _lists().unit:
        end -= 1
    return [replace(term, value=term.order >= end > 0) for term in terms]


def _continues_name(before: re.Match[str], after: re.Match[str]) -> bool:
    """Whether the next word belongs to the same name."""
    if after["word"] is None or before["word"].endswith("'s"):
        return False
    word = after["word"]
    return word[0].isupper() and word.isascii() and _meaning(word.lower(), 1) is None


def _meaning(phrase: str, size: int, *, name: bool = False) -> _Meaning | None:
    """The meaning in the lists; a ``name`` is not treated as an inflected word."""
    meanings = _meanings()
    if phrase in meanings:
        return meanings[phrase]
    if size == 1 and phrase.endswith("n't"):
        return _Meaning("", stops=True, negates=True)
    bare = _without_suffix(phrase)
    if size == 1 and bare.isascii():
        return meanings.get(bare) or (None if name else _stems().get(stem(bare)))
    return _hebrew_meaning(phrase)


def _hebrew_meaning(phrase: str) -> _Meaning | None:
    """Meaning of ``phrase`` without its first word's prefixes; a place name is also looked up with them."""
    head, _, rest = phrase.partition(" ")
    for form in hebrew.variants(head):
        whole = f"{form} {rest}" if rest else form
        if not head.endswith(form):
            continue
        if len(form) > 1 and whole in _meanings() and not (_meanings()[whole].stops and form != head):
            return _meanings()[whole]
        place = _place_key(whole)
        if place is not None:
            return _Meaning(place, part="name")
    return None


def _place_key(name: str) -> str | None:
    found = find_place(name)
    return found.key if found else None


def _without_suffix(word: str) -> str:
    return _SUFFIX.sub("", word.lower())


def _normalised_number(digits: str, unit: str) -> str:
    plain = digits.replace(",", "")
    if unit in ("k", "K") and plain.isdigit():
        return f"{plain}000"
    return plain.removesuffix(":00") + ("%" if unit == "%" else "")


def are_same_term(one: Term, other: Term) -> bool:
    """Whether two terms mean the same. Hebrew words match in any form, unless the word lists distinguish them."""
    if one.key == other.key:
        return one.part == other.part or {one.part, other.part} <= {"word", "name"}
    if one.part != "word" or other.part != "word" or not (hebrew.is_hebrew(one.key) and hebrew.is_hebrew(other.key)):
        return False
    return not _stem_forms(one.key).isdisjoint(_stem_forms(other.key))


@lru_cache(maxsize=16_384)
def _stem_forms(word: str) -> frozenset[str]:
    forms = set(hebrew.variants(word))
    forms |= {_ENDING.sub("", form) for form in forms}
    return frozenset(form for form in forms if len(form) >= _LEAST_FORM)
