"""Reads a question about earlier conversations: its subject, who said it, when, and what kind of answer it expects."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from typing import Literal

from core.answering.prose.question import read_question
from core.answering.prose.tokens import Term, Token, term, tokens
from core.graph.memory.recollection.records import Speaker
from core.graph.memory.recollection.time_bounds import TimeBounds, time_bounds
from core.language.detection import detect
from core.language.entities.calendar_words import FULL_MONTH
from core.language.normalisation import fold
from core.language.terms import stem
from core.language.vocabulary import pattern_of, words_of
from core.models.expectations import Expectation

Order = Literal["", "decision", "state", "earliest"]

_KEY = "graph/recollection"
_MONTH = re.compile(rf"(?<![^\W_])(?:{FULL_MONTH})(?![^\W_])", re.IGNORECASE)


@cache
def pattern(name: str) -> re.Pattern[str]:
    """Returns a pattern of the vocabulary of such questions."""
    return pattern_of(f"{_KEY}.{name}")


@dataclass(frozen=True)
class RecallQuestion:
    """A question about what was said. ``subject`` is its text without words about remembering and times, ``terms`` are
    the words of it that carry meaning. ``speaker`` said what is asked for; ``None``: either. ``ever``: it asks whether
    something was said. ``order`` says whether it asks for a decision, for the present state or for the first statement.
    ``about_talk``: it speaks of talking itself, so that its time is the time of talking. ``about_user``: it asks for a
    fact about its author."""

    text: str
    subject: str
    terms: tuple[Term, ...]
    speaker: Speaker | None
    ever: bool
    order: Order
    about_talk: bool
    about_user: bool
    bounds: TimeBounds | None
    first_person: bool
    wants_reason: bool
    wants_advice: bool
    wants_report: bool
    values: frozenset[str]
    expectation: Expectation

    @property
    def wants_value(self) -> bool:
        """Whether it expects a particular kind of answer, such as a date, a number, a name or a reason."""
        return bool(self.values) or self.wants_reason

    @property
    def is_open(self) -> bool:
        """Whether it has no subject: "What did we talk about on Monday?"."""
        return not self.terms


def read_recall(text: str, today: date) -> RecallQuestion:
    """Reads a question about earlier conversations; ``today`` is the day of asking."""
    folded = fold(text)
    act = pattern("act").search(folded)
    found = time_bounds(folded, today)
    bounds = found if act else None
    subject = folded
    if bounds:
        subject = f"{folded[: bounds.start]} {folded[bounds.end :]}"
    stripped = pattern("act").sub(" ", subject)
    assistant, user = pattern("said_by_assistant").search(folded), pattern("said_by_user").search(folded)
    speaker: Speaker | None = "assistant" if assistant else "user" if user else None
    return RecallQuestion(
        text=text,
        subject=" ".join(stripped.split()),
        terms=_terms(text, stripped),
        speaker=speaker,
        ever=bool(pattern("ever").search(folded)),
        order=_order(folded),
        about_talk=bool(act),
        about_user=bool(pattern("about_user").search(folded)),
        bounds=bounds,
        first_person=bool(pattern("first_person").search(folded)),
        wants_reason=bool(pattern("asks_reason").search(folded)),
        wants_advice=bool(pattern("asks_advice").search(folded)),
        wants_report=speaker is None and bool(_says(stripped)),
        values=_values(text, folded, speaker),
        expectation=Expectation(text),
    )


_TYPED = frozenset({"amount", "count", "percent", "figure", "duration", "date", "frequency", "person"})
_NUMBERS = ("amount", "count", "percent")
_AS_VALUES = {"figure": _NUMBERS, "person": ("name",), "amount": ("amount", "count")}


def _values(text: str, folded: str, speaker: Speaker | None) -> frozenset[str]:
    """Returns the kinds of values that the answer may be; none if any text may answer."""
    kinds = [each for each in read_question(text, detect(text)).kinds if each in _TYPED]
    if kinds == ["date"] and speaker == "user":
        kinds = []  # It asks when something was said.
    found = {name for kind in kinds for name in _AS_VALUES.get(kind, (kind,))}
    if pattern("numeric").search(folded):
        found |= {*_NUMBERS}
    if pattern("named").search(folded):
        found.add("name")
    return frozenset(found)


def speaks_of_talk(text: str) -> bool:
    """Returns whether a message asks about earlier conversations or about what is known about its author.

    >>> speaks_of_talk("What did we discuss about lodging?"), speaks_of_talk("What is the lodging limit?")
    (True, False)
    """
    folded = fold(text)
    return not asks_of_library(text) and any(pattern(name).search(folded) for name in ("about_talk", "about_user"))


def is_personal(text: str) -> bool:
    """Returns whether a message speaks of its author, or to the assistant.

    >>> is_personal("Which boat did we choose?"), is_personal("Who made the boat?")
    (True, False)
    """
    return bool(pattern("personal").search(fold(text)))


def asks_of_library(text: str) -> bool:
    """Returns whether a message asks about the user's documents, not about what was said.

    >>> asks_of_library("What is in my library?"), asks_of_library("What did I say about my documents?")
    (True, False)
    """
    folded = fold(text)
    return bool(pattern("about_library").search(folded)) and not pattern("about_talk").search(folded)


def _says(text: str) -> bool:
    return bool(pattern("reports").search(text) or pattern("says").search(text))


def _order(folded: str) -> Order:
    if pattern("earliest").search(folded):
        return "earliest"
    if pattern("decision").search(folded):
        return "decision"
    return "state" if pattern("state").search(folded) else ""


def _terms(text: str, stripped: str) -> tuple[Term, ...]:
    """Returns the words of the subject, in the spelling of the question, since a capital marks a name."""
    kept = {token.folded for token in tokens(stripped) if token.word}
    found: dict[str, Term] = {}
    for place, token in enumerate(each for each in tokens(text) if each.word):
        if token.folded not in kept or _is_empty(token):
            continue
        found.setdefault(token.base, term(token, first=place == 0))
    return tuple(found.values())


def _is_empty(token: Token) -> bool:
    if _MONTH.fullmatch(token.text) and token.capital:
        return False
    if token.stop or (len(token.folded) < 2 and not token.folded.isdigit()):
        return True
    return token.folded in _empty() or token.base in _empty()


@cache
def _empty() -> frozenset[str]:
    words = words_of(f"{_KEY}.empty")
    return frozenset((*words, *map(stem, words)))


@lru_cache(maxsize=1024)
def words_said(text: str) -> tuple[Token, ...]:
    """Returns the words of an utterance, function words included."""
    return tuple(token for token in tokens(text) if token.word)
