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

from core.parsed_yaml import parse_yaml

_FILES = Path(__file__).parent


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
