"""Resolves a reference to a part of the last answer, such as "the second figure" or "the last row"."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from core.language.normalisation import fold
from core.language.sentences import split_sentences
from core.language.vocabulary import Entry, file_of
from core.records.answer import CITATION
from core.review.figure_support import amounts_in

LONGEST = 240
"""Maximum characters of the part that are added to a question."""
_LIST_LINE = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s+(?P<text>\S.*)")
_TABLE_RULE = re.compile(r"[\s|:-]+")
_EMPHASIS = re.compile(r"\*\*|__|`")


class _Items(Entry):
    ordinals: dict[str, int]
    numbers: list[str]
    parts: list[str]
    forms: list[str]


_items = file_of("graph/answer_items", _Items)


class ItemReference(NamedTuple):
    """A reference: ``place`` counts from 0, negative from the end; ``numbers``: numbers are counted, and not lines."""

    start: int
    end: int
    place: int
    numbers: bool


def item_reference(question: str) -> ItemReference | None:
    """Returns the first reference to a part of an answer in ``question``."""
    folded = fold(question)
    found = _pattern().search(folded)
    if found is None or len(folded) != len(question):
        return None
    named = next(name for name in found.groupdict() if name.startswith("o") and found[name])
    number = next(bool(found[name]) for name in found.groupdict() if name == f"n{named[1:]}")
    place = next(place for word, place in _items().ordinals.items() if re.fullmatch(word, found[named]))
    return ItemReference(found.start(), found.end(), place, number)


def with_item(question: str, answer: str) -> str | None:
    """Returns ``question`` with the part of ``answer`` that it refers to, or ``None`` if there is no such part."""
    reference = item_reference(question)
    if reference is None:
        return None
    parts = _numbers_in(answer) if reference.numbers else _lines_of(answer)
    if not -len(parts) <= reference.place < len(parts):
        return None
    part = " ".join(parts[reference.place].split()).strip(" .:")[:LONGEST]
    return f"{question[: reference.end]} ({part}){question[reference.end :]}"


def without_reference(question: str) -> str:
    """Returns ``question`` without its reference to a part of an answer."""
    reference = item_reference(question)
    return f"{question[: reference.start]} {question[reference.end :]}" if reference else question


def _numbers_in(answer: str) -> list[str]:
    """Returns for each number of the answer its sentence, or its row and column; a number that is repeated counts
    once."""
    found: dict[float, str] = {}
    heads: list[str] = []
    for line in _plain(answer).split("\n"):
        if "|" not in line:
            heads = []
            for sentence in split_sentences(line):
                for amount in amounts_in(sentence.text):
                    found.setdefault(amount.value, sentence.text)
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not heads:
            heads = cells
        elif not _TABLE_RULE.fullmatch(line):
            for head, cell in list(zip(heads, cells, strict=False))[1:]:
                for amount in amounts_in(cell):
                    found.setdefault(amount.value, f"{cells[0]} {head} {cell}")
    return list(found.values())


def _lines_of(answer: str) -> list[str]:
    """Returns the lines of lists and tables, or the sentences if there are none."""
    lines = _plain(answer).split("\n")
    rows = [line for line in lines if "|" in line and not _TABLE_RULE.fullmatch(line)][1:]
    listed = [match["text"] for line in lines if (match := _LIST_LINE.fullmatch(line))]
    plain = [sentence.text for line in lines for sentence in split_sentences(line)]
    return [row.strip("| ").replace("|", " ") for row in rows] or listed or plain


def _plain(text: str) -> str:
    return CITATION.sub("", _EMPHASIS.sub("", text))


@cache
def _pattern() -> re.Pattern[str]:
    """Compiles the forms of a reference; each has its own groups: o0 and n0 for the first form."""
    items = _items()
    ordinals, numbers, parts = "|".join(items.ordinals), "|".join(items.numbers), "|".join(items.parts)
    forms = [
        form.replace("ORDINAL", f"(?P<o{index}>{ordinals})").replace("ITEM", f"(?:(?P<n{index}>{numbers})|(?:{parts}))")
        for index, form in enumerate(items.forms)
    ]
    return re.compile("|".join(forms))
