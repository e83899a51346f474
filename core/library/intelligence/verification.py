"""What of a model's words the text bears out: *an entry, its passages* → words of the text and where they stand.

A quote must stand there word for word. A statement must rest on a passage that it names: most of its words are the
passage's, all its figures and names are, and the rules that judge answers find nothing in the passage against it.
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
"""A statement, the passage that it is said to rest on and the title of its document → whether it is refuted."""

SHORTEST_QUOTE, LONGEST_QUOTE = 5, 90
"""Words."""
LETTERS = 0.6
"""Share of a quote's characters that are letters: a row of figures is nothing to quote."""
LONGEST_STATEMENT = 400
"""Characters."""
BORNE_OUT = 0.5
"""Share of a statement's words that its passage says."""
LONGEST_TERM = 6
"""Words."""

_MARKS = str.maketrans("\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019\u201a\u2010\u2011\u2013\u2014", '"""""\'\'\'----')
"""One character for one: places stay."""
_AROUND = " \t\n\"'\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019"
_FIGURE = re.compile(r"\d(?:[\d.,]*\d)?")
_NAME = re.compile(r"(?<=[a-z,;)%\d] )[A-Z][A-Za-z&'’-]+")
"""A capital within a sentence."""


@dataclass(frozen=True)
class Borne:
    """``text`` as it is kept, and the passage that bears it out."""

    text: str
    passage: MemoryItem


def quoted(entry: Entry, passages: Sequence[MemoryItem], suspicious: Suspicious) -> Borne | None:
    """The quote as the text has it, in the passage that it names or else in any other; ``None`` where it stands in
    none."""
    wanted = entry.text.strip(_AROUND)
    long_enough = SHORTEST_QUOTE <= len(wanted.split()) <= LONGEST_QUOTE
    if not long_enough or not _is_running_text(wanted) or suspicious(wanted):
        return None
    return _first_writing(wanted, entry, passages)


def _first_writing(
    wanted: str, entry: Entry, passages: Sequence[MemoryItem], *, whatever_capitals: bool = False
) -> Borne | None:
    """``wanted`` as the first of ``passages`` writes it that does, those that the entry names before all others."""
    for passage in _in_order(entry, passages):
        if found := words_of(wanted, passage.text, whatever_capitals=whatever_capitals):
            return Borne(found, passage)
    return None


def words_of(wanted: str, text: str, *, whatever_capitals: bool = False) -> str | None:
    """``wanted`` as ``text`` writes it, whole words, each run of whitespace one space; ``None`` when it does not."""
    line, sought = " ".join(text.split()), " ".join(wanted.split())
    pattern = rf"(?<!\w){re.escape(sought.translate(_MARKS))}(?!\w)"
    found = re.search(pattern, line.translate(_MARKS), re.IGNORECASE if whatever_capitals else 0)
    return line[found.start() : found.end()] if found else None


def _is_running_text(text: str) -> bool:
    dense = [character for character in text if not character.isspace()]
    return sum(character.isalpha() for character in dense) >= LETTERS * len(dense)


def _in_order(entry: Entry, passages: Sequence[MemoryItem]) -> Iterator[MemoryItem]:
    """Those that the entry names first."""
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
    """The statement as one line, with the first of the passages it names (or of all, ``anywhere``) that bears it out;
    ``None`` without one."""
    text = plain(entry.text, longest, suspicious)
    if not text:
        return None
    named = [passages[place] for place in entry.places if place < len(passages)]
    searched = _in_order(entry, passages) if anywhere else iter(named)
    return next((Borne(text, each) for each in searched if is_borne_out(text, each, refuted)), None)


def termed(entry: Entry, passages: Sequence[MemoryItem], suspicious: Suspicious) -> Borne | None:
    """The term as the text writes it, whatever its capitals; ``None`` where it stands nowhere."""
    wanted = entry.text.strip(_AROUND)
    if not content_terms(wanted) or len(wanted.split()) > LONGEST_TERM or suspicious(wanted):
        return None
    return _first_writing(wanted, entry, passages, whatever_capitals=True)


def is_borne_out(statement: str, passage: MemoryItem, refuted: Refuted) -> bool:
    """Most words, all figures and all names of ``statement`` are the passage's, and nothing there is against it."""
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
