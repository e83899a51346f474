"""Compiles the word lists for intent rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Annotated

from pydantic import BaseModel, BeforeValidator

from core.events import Action
from core.graph.records import Format
from core.graph.understanding.mentions import MARK
from core.language.hebrew import FEMININE, LETTER, LETTERS, NO_LETTER_AFTER, is_hebrew, own_forms, variants
from core.language.terms import stem
from core.language.vocabulary import Entry, file_of, phrases

_phrase = phrases("graph/understanding.wording")
_AND_THAT = _phrase("and_that")

_HEBREW = re.compile(LETTER)
_WORD = re.compile(r"[\w\"']+|" + MARK)
_FILED = re.compile(_phrase("filed"))
"""Matches reports that are named by form number ("10-K"), and others with a two-word name."""
_ENDING = r"\.(?:pdf|docx?|xlsx?|csv|html?|rtf|txt|md)\b"
_FILE = re.compile(rf"[\w.-]{_ENDING}")
_FILE_NAME = re.compile(rf"[\w.-]+{_ENDING}")


def _compiled(entries: Sequence[str]) -> re.Pattern[str]:
    """Compiles a whole-word pattern for all ``entries``; Hebrew words also match with the joined prefixes for "and",
    "that" and "when"."""
    return re.compile("|".join(map(_whole_words, entries)))


def _whole_words(entry: str) -> str:
    if not _HEBREW.search(entry):
        return rf"(?<![\w-])(?:{entry})(?:(?!\w)|(?<=\s))"
    return rf"(?<![{LETTERS}\"'])(?:{_AND_THAT})?(?:{entry})(?:{NO_LETTER_AFTER}|(?<=\s))"


_WholeWords = Annotated[re.Pattern[str], BeforeValidator(_compiled)]


class _FormatWords(BaseModel):
    kind: Format
    words: _WholeWords


class _Lists(Entry):
    document: list[str]
    orders: dict[Action, _WholeWords]
    asked: dict[Action, _WholeWords]
    checked: _WholeWords
    faults: _WholeWords
    own_text: _WholeWords
    topic: dict[str, _WholeWords]
    vague: dict[str, _WholeWords]
    again: dict[str, _WholeWords]
    interrogative: _WholeWords
    telling: _WholeWords
    naming: _WholeWords
    verbs: _WholeWords
    polite: _WholeWords
    formats: list[_FormatWords]
    web: dict[str, _WholeWords]
    books: _WholeWords


lists = file_of("graph/wording", _Lists)


@cache
def _document_words() -> frozenset[str]:
    words = {word for line in lists().document for word in line.split()}
    return frozenset(form for word in words for form in (word, stem(word)))


@lru_cache(maxsize=20_000)
def is_document_word(word: str) -> bool:
    """Returns whether ``word`` (folded) names a kind of document: "leases", in any form."""
    if word == MARK:
        return True
    forms = variants(word) if is_hebrew(word) else (word, stem(word))
    return any(form in _document_words() or form + FEMININE in _document_words() for form in forms)


@lru_cache(maxsize=20_000)
def is_document_noun(word: str) -> bool:
    """Returns whether ``word`` (folded) is itself such a noun, without a Hebrew prefix."""
    forms = own_forms(word) if is_hebrew(word) else (word, stem(word))
    return any(form in _document_words() for form in forms)


def names_document(folded: str) -> bool:
    """Returns whether the text mentions a document: by a word such as "lease", a mention, or a filename."""
    return bool(_FILE.search(folded) or _FILED.search(folded)) or any(
        is_document_word(word) for word in _WORD.findall(folded)
    )


def is_file_name(folded: str) -> bool:
    return bool(_FILE_NAME.fullmatch(folded.strip()))
