"""Whether the cell that a question names is what it asks for, and not a neighbour, a count or a person next to it."""

from __future__ import annotations

import re
from collections.abc import Collection

from core.answering.cells.words import AskedWords
from core.answering.tables.cell_values import Reading
from core.language.vocabulary import Entry, WordSet, file_of, words_of

_COUNTS = frozenset(words_of("answering/cells.counts"))
_PERSON = frozenset(words_of("answering/cells.leads.person"))
_TIME = frozenset(words_of("answering/cells.leads.time"))
_MANY = frozenset(("many", "much"))
_WHICH = frozenset(("which", "what"))
_LONG = frozenset(("long", "old", "far", "often"))
_DIGIT = re.compile(r"\d")
SHARES = frozenset(("share", "percentag", "percent", "proport", "part"))
"""Stems of the words that ask for a share; a cell in per cent is one."""
_FIRST = 3
"""Words at the beginning of a question that tell what is wanted."""


class Extremes(Entry):
    """Patterns of superlatives by language; ``measures`` nouns of an adjective; ``spans`` days of a unit of time with
    its names."""

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
    """Whether the question begins as one for yes or no, or for a reason."""
    first = vocabulary().leads["other"]
    return asked.tokens[0].text in first.get(asked.language, first["en"]).split()


def asks_for_another(asked: AskedWords, said: Collection[int]) -> bool:
    """Whether words of the question, but those at the places ``said``, ask for what comes before or after a cell, is
    like it, or is left without it."""
    relations = vocabulary().relations
    words = relations.get(asked.language, relations["en"])
    return any(token.text in words and place not in said for place, token in enumerate(asked.tokens))


def is_asked_for(
    asked: AskedWords, said: frozenset[int], of_column: frozenset[int], text: str, reading: Reading | None
) -> bool:
    """Whether ``text``, a cell with its ``reading``, is of the kind that is asked for.

    Args:
        said: places of the words that name row, column or the table.
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
    """The noun behind *how many* and *which* is that of the cell, also one that says little ("how many years")."""
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
