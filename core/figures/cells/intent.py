"""Checks whether the named cell is what is wanted and not, for example, the cell before it, a count or a person."""

from __future__ import annotations

import re
from collections.abc import Collection

from core.figures.cells.words import AskedWords
from core.figures.tables.cell_values import Reading
from core.language.vocabulary import Entry, WordSet, file_of, words_of

_COUNTS = frozenset(words_of("answering/cells.counts"))
_PERSON = frozenset(words_of("answering/cells.leads.person"))
_TIME = frozenset(words_of("answering/cells.leads.time"))
_MANY = frozenset(("many", "much"))
_WHICH = frozenset(("which", "what"))
_LONG = frozenset(("long", "old", "far", "often"))
_DIGIT = re.compile(r"\d")
SHARES = frozenset(("share", "percentag", "percent", "proport", "part"))
"""Stems of words that ask for a share; a percentage answers them."""
_FIRST = 3
"""Number of words at the start of a question that show what kind of answer is wanted."""


class Extremes(Entry):
    """Superlative patterns by language; ``measures`` are nouns for an adjective; ``spans`` are the days of a time unit
    with its names."""

    largest: dict[str, str]
    smallest: dict[str, str]
    measures: dict[str, str]
    spans: list[tuple[float, str]]


class CellVocabulary(Entry):
    units: dict[str, object]
    neutral: dict[str, str]
    leads: dict[str, dict[str, str]]
    relations: dict[str, WordSet]
    counts: dict[str, str]
    orders: dict[str, str]
    priced: dict[str, str]
    prices: dict[str, str]
    extremes: Extremes


vocabulary = file_of("answering/cells", CellVocabulary)


def asks_for_no_cell(asked: AskedWords) -> bool:
    """Returns whether the question starts as a yes/no question or asks for a reason."""
    first = vocabulary().leads["other"]
    return asked.tokens[0].text in first.get(asked.language, first["en"]).split()


def asks_for_another(asked: AskedWords, said: Collection[int]) -> bool:
    """Returns whether other words than those at the positions ``said`` ask for something before, after, similar to or
    without the cell."""
    relations = vocabulary().relations
    words = relations.get(asked.language, relations["en"])
    return any(token.text in words and place not in said for place, token in enumerate(asked.tokens))


def is_asked_for(
    asked: AskedWords, said: frozenset[int], of_column: frozenset[int], text: str, reading: Reading | None
) -> bool:
    """Returns whether ``text``, a cell with its ``reading``, is of the requested kind.

    Args:
        said: positions of the words that name the row, column or table.
        of_column: those of them that name the column.
    """
    words = [token.text for token in asked.tokens]
    if asks_for_another(asked, said):
        return False
    first = set(words[:_FIRST])
    has_digits = reading is not None or _DIGIT.search(text) is not None
    if (first & _MANY or (set(words) & _COUNTS and "count" not in text)) and not has_digits:
        return False
    if first & _PERSON and has_digits:
        return False
    if first & _TIME and not has_digits:
        return False
    return _is_of_its_noun(asked, words, said, of_column, reading)


def _is_of_its_noun(
    asked: AskedWords, words: list[str], said: frozenset[int], of_column: frozenset[int], reading: Reading | None
) -> bool:
    """Returns whether the noun after *how many* or *which* is the noun for the cell, even if it is a common word ("how
    many years")."""
    for place, word in enumerate(words[:-1]):
        behind = place + 1
        if word in _MANY and behind not in said and not asked.tokens[behind].is_glue:
            return reading is not None and (reading.unit or "").removesuffix("s") == words[behind].removesuffix("s")
        if word in _LONG and place and words[place - 1] == "how":
            return reading is not None and reading.unit is not None
        if word in _WHICH and reading is not None and reading.unit == "%" and asked.tokens[behind].forms & SHARES:
            continue
        if word in _WHICH and not asked.tokens[behind].is_glue and behind not in of_column:
            return False
    return True
