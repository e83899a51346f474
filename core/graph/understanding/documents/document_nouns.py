"""Learns from titles and kinds which nouns a library's documents are called by: "minutes", "lease", "budget"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cache

from rapidfuzz.distance import DamerauLevenshtein

from core.graph.understanding.documents.name_words import DocumentNames, stem_of
from core.graph.understanding.documents.records import VisibleDocument
from core.graph.understanding.wording import is_document_noun, is_document_word
from core.language.hebrew import is_hebrew, own_forms, variants
from core.language.normalisation import fold
from core.language.terms import is_stop_word, stem
from core.language.vocabulary import words_of
from core.library.identity.wording import words

LEAST_TYPO = 5
"""Minimum letters of a stem that may be misspelled by one letter."""
SIBLINGS = 0.5
"""Minimum share of the words of two names that both have, for the names to differ only in what tells them apart."""
_WORD = re.compile(r"[^\W\d_]+(?:[\"'][^\W\d_]+)*")
_GENERIC = frozenset(words_of("graph/document_references.generic"))


def is_generic(word: str) -> bool:
    """Returns whether any document is called by ``word``: "file"."""
    return any(form in _GENERIC for form in (variants(word) if is_hebrew(word) else (word,)))


def is_kind_noun(word: str) -> bool:
    """Returns whether ``word`` (folded, with or without Hebrew prefixes) names a kind of document."""
    return is_document_word(word) or is_document_noun(word)


class DocumentNouns:
    """The nouns of some documents. A document is called by the document words in its name, by the other words for its
    kind ("contract" for a lease), or by the noun that its name shares with a sibling's ("budget 2023", "budget 2024").

    >>> nouns = DocumentNouns([VisibleDocument("a", "Budget 2023"), VisibleDocument("b", "Budget 2024")])
    >>> sorted(nouns.called("budget"))
    ['a', 'b']
    """

    def __init__(self, documents: Sequence[VisibleDocument]) -> None:
        self.names = DocumentNames(documents)
        self._by_name: dict[str, set[str]] = defaultdict(set)
        self._by_kind: dict[str, set[str]] = defaultdict(set)
        self._written: dict[str, set[str]] = defaultdict(set)
        plain: list[VisibleDocument] = []
        for each in documents:
            said = _words_of(each)
            own = [word for word in said if is_kind_noun(word) and not is_generic(word)]
            for word in own:
                self._add(word, each.id)
            if not own:
                plain.append(each)
            for kind in {each.document_kind} | {kind for word in said for kind in kinds_called(word)}:
                for word in kind_nouns().get(kind, ()):
                    self._by_kind[word].add(each.id)
        self._learn(plain)

    def called(self, word: str) -> frozenset[str]:
        """Returns the documents whose name holds ``word`` (folded) as a noun, in any form."""
        return frozenset(found for key in spoken_keys(word) for found in self._by_name.get(key, ()))

    def of_kind(self, word: str) -> frozenset[str]:
        """Returns the documents of a kind that is called by ``word``."""
        return frozenset(found for key in spoken_keys(word) for found in self._by_kind.get(key, ()))

    def knows(self, word: str) -> bool:
        """Returns whether ``word`` (folded, without a prefix) is a noun of a name or of a kind."""
        return any(key in self._by_name or key in self._by_kind for key in keys_of(word))

    def misspelled(self, word: str) -> str:
        """Returns the noun of a name of which ``word`` is a misspelling by one letter, or an empty text."""
        key = stem(word)
        if is_hebrew(word) or is_stop_word(word) or len(key) < LEAST_TYPO:
            return ""
        near = (known for known in self._by_name if len(known) >= LEAST_TYPO and known[0] == key[0])
        return next((known for known in near if DamerauLevenshtein.distance(known, key) == 1), "")

    def is_written(self, word: str, identifiers: frozenset[str]) -> bool:
        """Returns whether a name of one of the documents has exactly this form: one document is "the minutes"."""
        return any(word in self._written[each] for each in identifiers)

    def _add(self, word: str, identifier: str) -> None:
        for key in keys_of(word):
            self._by_name[key].add(identifier)
        self._written[identifier].add(word)

    def _learn(self, documents: Sequence[VisibleDocument]) -> None:
        """Learns the nouns of names without a document word from the words that siblings share at their beginning."""
        runs = {each.id: _title_words(each) for each in documents}
        for place, one in enumerate(documents):
            for other in documents[place + 1 :]:
                shared = _common_beginning(runs[one.id], runs[other.id])
                most = max(len(runs[one.id]), len(runs[other.id]))
                if shared and len(shared) >= SIBLINGS * most:
                    noun = shared[0] if is_hebrew(shared[0]) else shared[-1]
                    self._add(noun, one.id)
                    self._add(noun, other.id)


def keys_of(word: str) -> frozenset[str]:
    """Returns the forms of a noun in a name: its stem, or its Hebrew singular."""
    return own_forms(word) if is_hebrew(word) else frozenset({stem(word)})


def spoken_keys(word: str) -> frozenset[str]:
    """Returns the nouns that a word of a message may be a form of; a Hebrew word may have prefixes."""
    if not is_hebrew(word):
        return frozenset({stem(word)})
    return frozenset(form for each in variants(word) if len(each) > 2 for form in own_forms(each))


@cache
def kind_nouns() -> dict[str, frozenset[str]]:
    """Returns the one-word names of each kind of document that the library knows."""
    found: dict[str, frozenset[str]] = {}
    for kind, of in words().kinds.items():
        single = {fold(word) for word in (*of.title, *of.filename) if _WORD.fullmatch(word)}
        found[kind] = frozenset(key for word in single if is_document_word(word) for key in keys_of(word))
    return found


@cache
def kinds_called(word: str) -> frozenset[str]:
    """Returns the kinds that are called by ``word`` (folded)."""
    if not is_document_word(word):
        return frozenset()
    keys = keys_of(word)
    return frozenset(kind for kind, nouns in kind_nouns().items() if keys & nouns)


def _words_of(document: VisibleDocument) -> list[str]:
    return [fold(each) for each in _WORD.findall(f"{document.title} {stem_of(document.filename)}")]


def _title_words(document: VisibleDocument) -> list[str]:
    return [word for word in map(fold, _WORD.findall(document.title)) if not is_stop_word(word)]


def _common_beginning(one: Sequence[str], other: Sequence[str]) -> list[str]:
    shared = []
    for first, second in zip(one, other, strict=False):
        if first != second:
            break
        shared.append(first)
    return shared
