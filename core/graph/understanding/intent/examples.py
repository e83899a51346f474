"""Loads training examples for intents: takes the data files' template lines; returns texts with their intents.
Placeholders in the lines are filled with words, and some texts get a remark (aside) that does not affect the intent."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from pydantic import TypeAdapter

from core.language.normalisation import normalise
from core.language.vocabulary import vocabularies, vocabulary_file
from core.parsed_yaml import parse_yaml

Wish = Literal["inquire", "summarize", "compare", "audit", "remember", "forget", "recall", "open"]
WISHES: tuple[Wish, ...] = get_args(Wish)
VARIANTS = 2
"""Number of texts made from one template line, with different words for its subject, so that the wording is learned and
not the subject. One more text has an aside (a remark)."""

_SLOT = re.compile(r"\{(\w+)\}")
_SAME = {"doc2": "doc"}
_STOP = {True: ".", False: ""}


@dataclass(frozen=True)
class Example:
    """A training text; ``line`` is the template line, which is the same for texts that differ only in the words filled
    in."""

    text: str
    wish: Wish
    line: str


@cache
def examples() -> tuple[Example, ...]:
    """Returns all examples in both languages, in file order; the same at every call."""
    return tuple(each for file in files() for each in _of_file(file))


def files() -> list[Path]:
    """Returns the data files, one for each language."""
    return [vocabulary_file(name) for name in vocabularies("intents")]


def digest() -> str:
    """Returns a hash of the examples that the weights were trained on."""
    found = hashlib.sha256()
    for file in files():
        found.update(file.read_bytes())
    return found.hexdigest()


def _of_file(file: Path) -> Iterator[Example]:
    lists = TypeAdapter(dict[str, dict[str, list[str]] | list[str]]).validate_python(
        parse_yaml(file.read_text(encoding="utf-8"))
    )
    fillings = lists["fillings"]
    assert isinstance(fillings, dict)
    for wish in WISHES:
        for line in lists[wish]:
            for text in (*filled_lines(line, fillings), with_aside(line, fillings)):
                yield Example(text, wish, f"{file.name}: {line}")


def with_aside(line: str, fillings: Mapping[str, Sequence[str]]) -> str:
    """Adds an aside before or after ``line`` that does not affect the intent."""
    start = _start(line)
    text = filled_lines(line, fillings)[-1]
    where = ("before", "after", "before")[start % 3]
    aside = fillings[where][start % len(fillings[where])]
    return normalise(f"{aside} {text}" if where == "before" else f"{text}{_STOP[text[-1:].isalnum()]} {aside}")


def _start(line: str) -> int:
    """Returns the index of the first filling for a line; it is the same at every call."""
    return int.from_bytes(hashlib.sha256(line.encode()).digest()[:4], "big")


def filled_lines(line: str, fillings: Mapping[str, Sequence[str]], variants: int = VARIANTS) -> list[str]:
    """Fills the placeholders of ``line`` with different words, without repetition; returns only the line itself if it
    has none."""
    if not _SLOT.search(line):
        return [normalise(line)]
    start = _start(line)
    found = []
    for variant in range(variants):
        taken = iter(range(100))

        def fill(slot: re.Match[str], variant: int = variant, taken: Iterator[int] = taken) -> str:
            choice = fillings[_SAME.get(slot[1], slot[1])]
            return choice[(start + 7 * variant + 5 * next(taken)) % len(choice)]

        found.append(normalise(_SLOT.sub(fill, line)))
    return list(dict.fromkeys(found))
