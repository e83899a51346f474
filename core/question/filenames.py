"""Finds the documents whose filenames a question mentions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from core.language.hebrew import is_hebrew, variants
from core.language.normalisation import fold
from core.language.terms import content_terms, is_stop_word
from core.language.vocabulary import words_of

DOCUMENT_WORDS = frozenset(words_of("search/query.filenames.document_words"))
"""Words by which a question shows that a name is a document's. Not the Hebrew *book*, which is also in the Hebrew word
for school."""

_WRITTEN = re.compile(
    r"\([^()\n]{1,120}\.[A-Za-z]{2,4}\)|(?<!\S)[^\s()/]{1,80}\.(?:pdf|docx?|xlsx?|pptx?|csv|html?|md|txt)(?!\w)",
    re.IGNORECASE,
)
"""Matches filenames with their extension, and those in brackets with spaces."""
_IDENTIFIER = re.compile(r"(?=.*[^\W\d_])(?:\D*\d){6,}\D*")
"""Matches a registration or case number: letters and at least six digits, as no year and no quarter has."""
_SEPARATORS = re.compile(r"[_\-.,?!\s]+")


class FiledDocument(Protocol):
    """The document data that filename matching needs."""

    @property
    def id(self) -> str: ...
    @property
    def filename(self) -> str: ...


@dataclass(frozen=True)
class NamedByFilename:
    """The documents that match by filename; ``certain``: the question clearly means a document ("the Probst paper"), so
    the match is certain."""

    document_ids: list[str]
    certain: bool = False


def without_filenames(text: str) -> str:
    """Returns the text without filenames such as "(Report 2031.pdf)"; unchanged if nothing else is left.

    >>> without_filenames("Is the duty mutual? (agreement.pdf)")
    'Is the duty mutual?'
    """
    left = " ".join(_WRITTEN.sub(" ", text).split())
    return left if content_terms(left) else text


def filename_tokens(filename: str) -> set[str]:
    """Returns the words of a filename without its extension."""
    stem = filename.rsplit(".", 1)[0]
    return {token for token in _SEPARATORS.split(fold(stem)) if len(token) > 2}


def named_documents(question: str, known: Sequence[FiledDocument]) -> NamedByFilename:
    """Returns documents whose filename a question mentions: "the Probst paper", "travel policy 2025".

    A name counts if it covers the whole filename, or half of it with at least two words, or if the question says that
    it means a document. A registration number such as NCT06145295 counts, whatever else the filename holds. A number
    without other words names nothing, but decides between "policy 2024" and "policy 2025". A word that most filenames
    contain decides nothing. Without these limits, every question about a vendor would only search the vendor's
    contract.
    """
    spoken = {*content_terms(question), *filename_tokens(question)}
    words = {form for word in spoken for form in (variants(word) if is_hebrew(word) else [word])}
    certain = bool(words & DOCUMENT_WORDS)
    scores = {document.id: _name_match_score(words, filename_tokens(document.filename), certain) for document in known}
    most = max(scores.values(), default=0)
    named = [identifier for identifier, score in scores.items() if score == most]
    return NamedByFilename([]) if most == 0 or len(named) * 2 > len(known) > 1 else NamedByFilename(named, certain)


def is_written_out(question: str, filename: str) -> bool:
    """Returns whether a question names a file by its whole name, or by two words that are half of it.

    >>> is_written_out("net amount in outdoor orders", "outdoor_orders.xlsx")
    True
    >>> is_written_out("net sales in 2022", "sales.csv")
    False
    """
    if fold(filename) in fold(question):
        return True
    spoken = {*content_terms(question), *filename_tokens(question)}
    asked = {form for word in spoken for form in (variants(word) if is_hebrew(word) else [word])}
    words = {token for token in filename_tokens(filename) if not token.isdigit() and not is_stop_word(token)}
    common = words & asked
    is_whole = bool(words) and common == words and bool(asked & DOCUMENT_WORDS)
    return is_whole or (len(common) > 1 and len(common) * 2 >= len(words))


def _name_match_score(asked_words: set[str], tokens: set[str], certain: bool) -> int:
    words = {token for token in tokens if not token.isdigit() and not is_stop_word(token)}
    common = words & asked_words
    enough = certain or common == words or (len(common) > 1 and len(common) * 2 >= len(words))
    enough = enough or any(_IDENTIFIER.fullmatch(word) for word in common)
    return len(common) + len(tokens & asked_words - words) if common and enough else 0
