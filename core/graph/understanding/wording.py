"""The word lists of intents, compiled."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from pydantic import BaseModel

from core.events import Action
from core.graph.records import Format
from core.graph.understanding.mentions import MARK
from core.language.hebrew import FEMININE, LETTER, LETTERS, NO_LETTER_AFTER, is_hebrew, variants
from core.language.terms import stem
from core.language.vocabulary import phrases, read_vocabulary

_phrase = phrases("graph/understanding.wording")
_AND_THAT = _phrase("and_that")

_HEBREW = re.compile(LETTER)
_WORD = re.compile(r"[\w\"']+|" + MARK)
_FILED = re.compile(_phrase("filed"))
"""Reports by the number of their form, and others whose name is two words."""
_FILE = re.compile(r"[\w.-]+\.(?:pdf|docx?|xlsx?|csv|html?|rtf|txt|md)\b")


class _FormatWords(BaseModel):
    kind: Format
    words: list[str]


class _Lists(BaseModel, extra="forbid", frozen=True):
    document: list[str]
    orders: dict[Action, list[str]]
    asked: dict[Action, list[str]]
    own_text: list[str]
    topic: dict[str, list[str]]
    vague: dict[str, list[str]]
    again: dict[str, list[str]]
    interrogative: list[str]
    telling: list[str]
    naming: list[str]
    verbs: list[str]
    polite: list[str]
    formats: list[_FormatWords]
    web: dict[str, list[str]]
    books: list[str]


@cache
def lists() -> _Lists:
    """As they are written."""
    return _Lists.model_validate(read_vocabulary("graph/wording"))


def compiled(entries: Sequence[str]) -> re.Pattern[str]:
    """One pattern for whole words; Hebrew ones also behind "and", "that" and "when"."""
    return re.compile("|".join(_whole_words(each) for each in entries))


def _whole_words(entry: str) -> str:
    if not _HEBREW.search(entry):
        return rf"(?<![\w-])(?:{entry})(?:(?!\w)|(?<=\s))"
    return rf"(?<![{LETTERS}\"'])(?:{_AND_THAT})?(?:{entry})(?:{NO_LETTER_AFTER}|(?<=\s))"


@cache
def orders() -> dict[Action, re.Pattern[str]]:
    return {action: compiled(entries) for action, entries in lists().orders.items()}


@cache
def asked() -> dict[Action, re.Pattern[str]]:
    return {action: compiled(entries) for action, entries in lists().asked.items()}


@cache
def formats() -> list[tuple[Format, re.Pattern[str]]]:
    return [(each.kind, compiled(each.words)) for each in lists().formats]


@cache
def pattern(group: str, name: str = "") -> re.Pattern[str]:
    """The pattern of a list by its group and its name there."""
    entries = getattr(lists(), group)
    return compiled(entries[name] if name else entries)


@cache
def _document_words() -> frozenset[str]:
    words = {word for line in lists().document for word in line.split()}
    return frozenset(form for word in words for form in (word, stem(word)))


@lru_cache(maxsize=20_000)
def is_document_word(word: str) -> bool:
    """Whether ``word`` (folded) says that a document is meant: "leases", in any form."""
    if word == MARK:
        return True
    forms = variants(word) if is_hebrew(word) else (word, stem(word))
    return any(form in _document_words() or form + FEMININE in _document_words() for form in forms)


def names_document(folded: str) -> bool:
    """Whether a document is spoken of: by a word for one, a mention, or a filename."""
    return bool(_FILE.search(folded) or _FILED.search(folded)) or any(
        is_document_word(word) for word in _WORD.findall(folded)
    )


def is_file_name(folded: str) -> bool:
    return bool(_FILE.fullmatch(folded.strip()))
