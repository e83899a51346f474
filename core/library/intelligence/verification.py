"""Checks a model's findings against the text: *a finding, its passages* → the exact wording and the supporting passage.

A quote must appear word for word. A statement must name a supporting passage that contains most of its words and all
its numbers and names, and the rules that check answers must find no contradiction in that passage.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.language.detection import detect
from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.library.contextual.prompt import Suspicious, plain
from core.library.intelligence.prompt import Entry
from core.store.items import MemoryItem

Refuted = Callable[[str, str, str], bool]
"""Maps a statement, its cited passage and the document's title to whether the statement is contradicted."""

SHORTEST_QUOTE, LONGEST_QUOTE = 5, 90
"""Length limits in words."""
LETTERS = 0.6
"""Smallest share of letters among a quote's characters; a row of numbers is not a useful quote."""
LONGEST_STATEMENT = 400
"""Maximum length of a statement in characters."""
BORNE_OUT = 0.5
"""Smallest share of a statement's words that its passage must contain."""
LONGEST_TERM = 6
"""Length limits in words."""

_MARKS = str.maketrans("\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019\u201a\u2010\u2011\u2013\u2014", '"""""\'\'\'----')
"""Replaces one character by one character, so that positions stay the same."""
_AROUND = " \t\n\"'\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019"
_FIGURE = re.compile(r"\d(?:[\d.,]*\d)?")
_NAME = re.compile(r"(?<=[a-z,;)%\d] )[A-Z][A-Za-z&'’-]+")
"""Matches a capital letter within a sentence."""


@dataclass(frozen=True)
class Borne:
    """A supported finding: ``text`` as it is stored, and the supporting passage."""

    text: str
    passage: MemoryItem


def quoted(entry: Entry, passages: Sequence[MemoryItem], suspicious: Suspicious) -> Borne | None:
    """The quote in the text's own spelling, from the passage that the model names or else from any other; ``None`` if
    no passage contains it."""
    wanted = entry.text.strip(_AROUND)
    long_enough = SHORTEST_QUOTE <= len(wanted.split()) <= LONGEST_QUOTE
    if not long_enough or not _is_running_text(wanted) or suspicious(wanted):
        return None
    return _first_writing(wanted, entry, passages)


def _first_writing(
    wanted: str, entry: Entry, passages: Sequence[MemoryItem], *, whatever_capitals: bool = False
) -> Borne | None:
    """The spelling of ``wanted`` in the first of ``passages`` that contains it; the passages named by the model come
    first."""
    for passage in _in_order(entry, passages):
        if found := words_of(wanted, passage.text, whatever_capitals=whatever_capitals):
            return Borne(found, passage)
    return None


def words_of(wanted: str, text: str, *, whatever_capitals: bool = False) -> str | None:
    """``wanted`` as spelled in ``text``, as whole words with single spaces; ``None`` if it is not there."""
    line, sought = " ".join(text.split()), " ".join(wanted.split())
    pattern = rf"(?<!\w){re.escape(sought.translate(_MARKS))}(?!\w)"
    found = re.search(pattern, line.translate(_MARKS), re.IGNORECASE if whatever_capitals else 0)
    return line[found.start() : found.end()] if found else None


def _is_running_text(text: str) -> bool:
    dense = [character for character in text if not character.isspace()]
    return sum(character.isalpha() for character in dense) >= LETTERS * len(dense)


def _in_order(entry: Entry, passages: Sequence[MemoryItem]) -> Iterator[MemoryItem]:
    """All passages, with the ones named by the model first."""
    named = [passages[place] for place in entry.places if place < len(passages)]
    yield from named
    yield from (each for each in passages if each not in named)


def stated(
    entry: Entry,
    passages: Sequence[MemoryItem],
    suspicious: Suspicious,
    refuted: Refuted,
    *,
    longest: int = LONGEST_STATEMENT,
    anywhere: bool = False,
) -> Borne | None:
    """The statement on one line, with the first supporting passage among those it names (with ``anywhere``, among all);
    ``None`` if there is none."""
    text = plain(entry.text, longest, suspicious)
    if not text:
        return None
    named = [passages[place] for place in entry.places if place < len(passages)]
    searched = _in_order(entry, passages) if anywhere else iter(named)
    return next((Borne(text, each) for each in searched if is_borne_out(text, each, refuted)), None)


def termed(entry: Entry, passages: Sequence[MemoryItem], suspicious: Suspicious) -> Borne | None:
    """The term in the text's own spelling, ignoring case; ``None`` if the text does not contain it."""
    wanted = entry.text.strip(_AROUND)
    if not content_terms(wanted) or len(wanted.split()) > LONGEST_TERM or suspicious(wanted):
        return None
    return _first_writing(wanted, entry, passages, whatever_capitals=True)


def is_borne_out(statement: str, passage: MemoryItem, refuted: Refuted) -> bool:
    """Whether the passage contains most words and all numbers and names of ``statement``, and nothing contradicts
    it."""
    book = passage.source.book
    title = book.title if book else ""
    if detect(statement) != detect(passage.text):
        return False
    said = fold(f"{passage.text} {' '.join(book.path) if book else ''} {title}")
    terms = content_terms(statement)
    held = sum(covers(term, said) for term in terms)
    return (
        held > 0
        and held >= BORNE_OUT * len(terms)
        and _figures(statement) <= _figures(said)
        and all(covers(fold(name), said) for name in _NAME.findall(statement))
        and not refuted(statement, passage.text, title)
    )


def _figures(text: str) -> set[str]:
    return {figure.replace(",", "") for figure in _FIGURE.findall(text)}
