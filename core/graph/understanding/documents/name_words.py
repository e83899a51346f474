"""Finds words of document names in a text."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from rapidfuzz import fuzz, process

from core.graph.understanding.documents.records import VisibleDocument
from core.graph.understanding.wording import is_document_word
from core.language.hebrew import LETTER, NO_LETTER_AFTER, is_hebrew, related, variants
from core.language.normalisation import fold, normalise, strip_nikud
from core.language.terms import is_stop_word, stem
from core.language.vocabulary import phrase_of, words_of

TYPO = 88.0
"""Similarity from which a word counts as a misspelling of another."""
_LEAST_TYPO = 6
_LEAST_FORM = 3
_LONGEST_INITIALS = 5
NAMES_KEPT = 20_000
"""Number of names whose words are cached: each question is compared with all document names."""

_WORD = re.compile(r"[^\W_]+(?:[\"'][^\W_]+)*")
_PART = re.compile(phrase_of("graph/understanding.name_words.part"))
_SUFFIX = re.compile(r"'s$|s'$|'$")
_CAPITALS = re.compile(r"(?<![\w.])(?:[A-Z]\.?){2,6}(?!\w)")
_GERSHAYIM = re.compile(rf"{LETTER}{{1,5}}\"{LETTER}{NO_LETTER_AFTER}")
_SMALL = frozenset(words_of("graph/understanding.name_words.small"))


@lru_cache(NAMES_KEPT)
def name_words(name: str) -> frozenset[str]:
    """Returns the significant words of a title or filename, case-folded, English ones stemmed."""
    return frozenset(_word_key(word) for word in _folded_words(name) if not is_stop_word(word))


def stem_of(filename: str) -> str:
    """Returns a filename as words, without its extension."""
    return re.sub(r"[_\-\s]+", " ", filename.rsplit(".", 1)[0]).strip()


class DocumentNames:
    """An index of documents by the words of their names."""

    def __init__(self, documents: Sequence[VisibleDocument]) -> None:
        self.documents = {each.id: each for each in documents}
        self.words: dict[str, frozenset[str]] = {
            each.id: name_words(each.title) | name_words(stem_of(each.filename)) for each in documents
        }
        self._holders: dict[str, set[str]] = defaultdict(set)
        self._forms: dict[str, set[str]] = defaultdict(set)
        self._initials: dict[str, set[str]] = defaultdict(set)
        for identifier, words in self.words.items():
            for word in words:
                self._holders[word].add(identifier)
        for word in self._holders:
            for form in variants(word) if is_hebrew(word) else ():
                self._forms[form].add(word)
        for each in documents:
            for initials in _initials(each.title):
                self._initials[initials].add(each.id)

    def holders(self, word: str) -> frozenset[str]:
        """Returns the documents whose name has ``word``, a key of :meth:`named_words`."""
        known, key = (self._initials, word[1:]) if word.startswith("~") else (self._holders, word)
        return frozenset(known.get(key, ()))

    def weight(self, word: str) -> float:
        """How well ``word`` distinguishes the documents: 0 if every name has it, highest if no name does."""
        return math.log(len(self.documents) / max(1, len(self.holders(word)))) if self.documents else 0.0

    def named_words(self, text: str) -> dict[str, str]:
        """Returns the name words in ``text``, and how they are written there; "~mwa" marks initials."""
        found: dict[str, str] = {}
        for word in _folded_words(text):
            for known in self._known_keys(word):
                found.setdefault(known, word)
        for initials in _abbreviations(text):
            if initials in self._initials:
                found.setdefault(f"~{initials}", initials)
        return found

    def as_said(self, text: str, keys: Collection[str]) -> str:
        """Returns the words of ``text``, as written, that match ``keys`` of :meth:`named_words`."""
        said = [
            written
            for written, word in _spoken_words(text)
            if f"~{word}" in keys or not set(keys).isdisjoint(self._known_keys(word))
        ]
        return " ".join(dict.fromkeys(said)) or " ".join(sorted(key.removeprefix("~") for key in keys))

    def matches(self, keys: Iterable[str]) -> dict[str, frozenset[str]]:
        """Maps documents to those of the words ``keys`` that are in their names; a number without another word matches
        nothing."""
        found: dict[str, set[str]] = defaultdict(set)
        for word in keys:
            for identifier in sorted(self.holders(word)):
                found[identifier].add(word)
        return {each: frozenset(words) for each, words in found.items() if not all(map(str.isdigit, words))}

    def distinctiveness(self, identifier: str) -> float:
        """Returns how distinctive the rarest word of a document's name is."""
        return max((self.weight(word) for word in self.words[identifier]), default=0.0)

    def _known_keys(self, word: str) -> list[str]:
        key = _word_key(word)
        if key in self._holders:
            return [key]
        if is_hebrew(word):
            forms = {key, *(form for form in variants(word) if len(form) >= _LEAST_FORM)}
            near = {known for form in forms for known in self._forms.get(form, ())}
            return [known for known in near if related(word, known)]
        if len(word) >= _LEAST_TYPO and not is_stop_word(word) and not is_document_word(word):
            close = process.extractOne(key, self._holders.keys(), scorer=fuzz.ratio, score_cutoff=TYPO)
            return [close[0]] if close and not close[0].isdigit() else []
        return []


def _folded_words(text: str) -> Iterator[str]:
    return (folded for _, folded in _spoken_words(text))


def _spoken_words(text: str) -> Iterator[tuple[str, str]]:
    """Yields the words of ``text``, as written and folded, and splits joined ones: "BankNegara2024" gives three."""
    for match in _WORD.finditer(strip_nikud(normalise(text))):
        word = _SUFFIX.sub("", match.group())
        parts = _PART.findall(word)
        for part in parts if len(parts) > 1 and not word.isupper() else [word]:
            folded = fold(part).strip("'\"")
            if len(folded) > 1:
                yield part.strip("'\""), folded


def _word_key(word: str) -> str:
    return stem(word) if word.isascii() else word


@lru_cache(NAMES_KEPT)
def _initials(title: str) -> frozenset[str]:
    """Returns the initials of every run of two to five capitalised or Hebrew words."""
    words = [word for word in re.findall(r"[^\W_]+", normalise(title)) if word.lower() not in _SMALL]
    found = set()
    for start in range(len(words)):
        for end in range(start + 2, min(len(words), start + _LONGEST_INITIALS) + 1):
            run = words[start:end]
            if all(word[0].isupper() for word in run) or all(is_hebrew(word) for word in run):
                found.add("".join(word[0] for word in run).lower())
    return frozenset(found)


def _abbreviations(text: str) -> Iterator[str]:
    plain = normalise(text)
    for match in _CAPITALS.finditer(plain):
        yield match.group().replace(".", "").lower()
    for match in _GERSHAYIM.finditer(strip_nikud(plain)):
        whole = match.group().replace('"', "")
        yield whole
        if len(whole) > 2:  # The first letter may be a joined Hebrew prefix.
            yield whole[1:]
