"""What a language adds to a reader of texts: a list's name and a key → its words, or the pattern that finds them.

Files at the top are of the languages themselves; each room of readers has a folder of its own (``answering/``,
``library/``), so that code elsewhere is of no language. Under a key stands one pattern, or one for each language, of
which any may match; words of a key are parted by blanks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, TypeAdapter

from core.parsed_yaml import parse_yaml

_FILES = Path(__file__).parent

Content = TypeVar("Content")
Key = TypeVar("Key")
WordSet = Annotated[frozenset[str], BeforeValidator(lambda words: words.split() if isinstance(words, str) else words)]
"""Words that are parted by blanks, or a list of those that have one themselves."""
Pattern = Annotated[re.Pattern[str], BeforeValidator(lambda written: re.compile(written, re.IGNORECASE))]
"""A pattern that is found in any case."""


class Entry(BaseModel, extra="forbid", frozen=True):
    """What stands in a file, or under a key of one, as its reader declares it; anything else there is an error."""


def file_of(name: str, model: type[Content]) -> Callable[[], Content]:
    """A function that gives the content of ``NAME.yaml`` as ``model``; it is read and checked when first asked for."""
    return cache(lambda: TypeAdapter(model).validate_python(read_vocabulary(name)))


@cache
def read_vocabulary(name: str) -> object:
    """The content of ``NAME.yaml`` as it stands, for a reader that validates it; raises ``FileNotFoundError``."""
    return parse_yaml(vocabulary_file(name).read_text("utf-8"))


def vocabulary_file(name: str) -> Path:
    """Where it stands, for whoever needs its bytes."""
    return _FILES / f"{name}.yaml"


def vocabularies(folder: str) -> list[str]:
    """The names of all files in one folder here: ``"fields"`` → ``["fields/finance"]``."""
    return sorted(f"{folder}/{file.stem}" for file in (_FILES / folder).glob("*.yaml"))


def by_word(lists: Mapping[Key, str]) -> dict[str, Key]:
    """Words parted by blanks under several keys → the key of each word."""
    return {word: key for key, words in lists.items() for word in words.split()}


def phrase_of(key: str) -> str:
    """The pattern that stands under ``"answering/measures.columns.change"``: that of one language, or any of theirs.

    Raises ``KeyError`` for a pattern nobody wrote.
    """
    entry = _entry(key)
    patterns = list(entry.values()) if isinstance(entry, Mapping) else [entry]
    texts = [each for each in patterns if isinstance(each, str)]
    if len(texts) < len(patterns):
        raise KeyError(key)
    return "|".join(texts)


def phrases(section: str) -> Callable[[str], str]:
    """``phrase_of`` within ``section``, for whoever builds a pattern of several."""
    return lambda key: phrase_of(f"{section}.{key}")


def pattern_of(key: str) -> re.Pattern[str]:
    """``phrase_of``, compiled to be found in any case."""
    return re.compile(phrase_of(key), re.IGNORECASE)


def words_of(key: str) -> tuple[str, ...]:
    """The words that stand under ``key`` in every language, in the order of the file."""
    entry = _entry(key)
    lists = entry.values() if isinstance(entry, Mapping) else [entry]
    return tuple(word for each in lists for word in str(each).split())


def numbers_of(key: str) -> dict[str, float]:
    """Words that stand under ``key`` with what each counts."""
    entry = _entry(key)
    if not isinstance(entry, Mapping):
        raise KeyError(key)
    return {str(word): float(number) for word, number in entry.items()}


def _entry(key: str) -> object:
    name, *path = key.split(".")
    entry = read_vocabulary(name)
    for step in path:
        if not isinstance(entry, Mapping):
            raise KeyError(key)
        entry = entry[step]
    return entry
