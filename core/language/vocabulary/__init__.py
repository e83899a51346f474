"""Loads word lists and patterns by language from data files: takes a file name and a key; returns words or a pattern.

Files at the top level are about the languages themselves; each package that reads text has its own folder
(``answering/``, ``library/``), so that other code contains no language-specific words. A key holds one pattern, or one
for each language, of which any may match; a key's words are separated by spaces.
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
"""A string of words separated by spaces, or a list of strings if some of them contain spaces."""
Pattern = Annotated[re.Pattern[str], BeforeValidator(lambda written: re.compile(written, re.IGNORECASE))]
"""A case-insensitive pattern."""


class Entry(BaseModel, extra="forbid", frozen=True):
    """Base class for the content of a vocabulary file or of a key in it; content that is not declared is an error."""


def file_of(name: str, model: type[Content]) -> Callable[[], Content]:
    """Returns a function that loads ``NAME.yaml`` as ``model``; it is read and validated at the first call."""
    return cache(lambda: TypeAdapter(model).validate_python(read_vocabulary(name)))


@cache
def read_vocabulary(name: str) -> object:
    """Returns the unvalidated content of ``NAME.yaml``, for a caller that validates it; raises
    ``FileNotFoundError``."""
    return parse_yaml(vocabulary_file(name).read_text("utf-8"))


def vocabulary_file(name: str) -> Path:
    """Returns the file's path, for callers that need its bytes."""
    return _FILES / f"{name}.yaml"


def vocabularies(folder: str) -> list[str]:
    """Returns the names of all files in one folder here: ``"fields"`` → ``["fields/finance"]``."""
    return sorted(f"{folder}/{file.stem}" for file in (_FILES / folder).glob("*.yaml"))


def by_word(lists: Mapping[Key, str]) -> dict[str, Key]:
    """Inverts word lists (strings of words separated by spaces): maps each word to its key."""
    return {word: key for key, words in lists.items() for word in words.split()}


def phrase_of(key: str) -> str:
    """Returns the pattern under a key such as ``"answering/measures.columns.change"``: for one language, or for all of
    them together.

    Raises ``KeyError`` for a missing pattern.
    """
    entry = _entry(key)
    patterns = list(entry.values()) if isinstance(entry, Mapping) else [entry]
    texts = [each for each in patterns if isinstance(each, str)]
    if len(texts) < len(patterns):
        raise KeyError(key)
    return "|".join(texts)


def phrases(section: str) -> Callable[[str], str]:
    """Returns a function like ``phrase_of`` for the keys within ``section``, for patterns that are built from
    several."""
    return lambda key: phrase_of(f"{section}.{key}")


def pattern_of(key: str) -> re.Pattern[str]:
    """Returns ``phrase_of`` compiled as a case-insensitive pattern."""
    return re.compile(phrase_of(key), re.IGNORECASE)


def words_of(key: str) -> tuple[str, ...]:
    """Returns the words under ``key`` in all languages, in file order."""
    entry = _entry(key)
    lists = entry.values() if isinstance(entry, Mapping) else [entry]
    return tuple(word for each in lists for word in str(each).split())


def numbers_of(key: str) -> dict[str, float]:
    """Returns the words under ``key`` with their numeric values."""
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
