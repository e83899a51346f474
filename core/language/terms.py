"""Makes the search terms (keywords) by which a text is indexed and found.

Three kinds of terms share one index without overlapping:

* ``report``: the stem of a word in English text;
* ``#כלכל``: four consecutive characters of Hebrew text, including spaces and other scripts; these find more Hebrew
  paragraphs than words, prefixes or stems do;
* ``@report``: the stem of a Latin word or a number in Hebrew text.

Text in other languages has its own kinds (``foreign_terms``).

So a Hebrew question matches Hebrew text only by characters, and it still finds names and numbers in English text by
their stems. An English question finds names and numbers in Hebrew text by the third kind.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import chain
from threading import Lock
from typing import TYPE_CHECKING

from core.language import hebrew
from core.language.cache_sizes import TEXTS
from core.language.foreign_terms import (
    arabic_spelling,
    foreign_stems,
    is_unspaced,
    pairs_of,
    plain_spellings,
    stem_in,
    telling_runs,
    unspaced_runs,
    without_elision,
    without_joining,
    without_unspaced,
)
from core.language.languages import TextLanguage, language_words, text_language
from core.language.normalisation import fold, normalise, strip_nikud
from core.language.vocabulary import Entry, WordSet, file_of
from core.words import Language

if TYPE_CHECKING:
    from snowballstemmer import Stemmer

GRAM = 4
_GRAM_MARK = "#"
_FOREIGN_MARK = "@"

_WORD = re.compile(r"\d+(?:\.\d+)+|[^\W_א-ת]+(?:[_'][^\W_א-ת]+)*")
_TERM = re.compile(r"[^\W_]+(?:[\"'][^\W_]+)*'?")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\dA-Za-z_]+")
_HEBREW_RUN = re.compile(r"[א-ת](?:[א-ת\"' -]*[א-ת'])?")
_HEBREW = re.compile("[א-ת]")
_ACCENTS = re.compile("[\u0300-\u036f]")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_SHORTEST_TERM = 3


class _StopWords(Entry):
    english: WordSet
    english_domain: WordSet
    hebrew: WordSet
    hebrew_domain: WordSet
    weak: WordSet


_stop_words = file_of("stopwords", _StopWords)
_stemming = Lock()


@cache
def _stemmer() -> Stemmer:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Returns the Snowball (Porter 2) stem of a lowercase English word; other scripts and numbers unchanged."""
    if not word.isascii() or not word.isalpha():
        return word
    with _stemming:  # A stemmer stores its word, so it is not thread-safe.
        return str(_stemmer().stemWord(word))


def index_terms(text: str, language: Language) -> list[str]:
    """Returns the terms under which ``text`` is indexed, with repetitions, in no particular order."""
    foreign = _foreign(text, language)
    text = _prepared(text)
    if language == "he":
        return [*_grams(_running(text)), *(_FOREIGN_MARK + word for word in _stems(text))]
    return [*_stems(text), *foreign] if text.isascii() else [*_stems(text), *_hebrew_grams(text), *foreign]


def query_terms(text: str, language: Language) -> list[str]:
    """Returns the terms with which ``text`` searches, with repetitions.

    Question words carry no information for a search, so Hebrew stop words are left out here; the index keeps them
    because the character n-grams span them.
    """
    foreign = _foreign(text, language)
    text = _prepared(without_joining(normalise(text)))
    stems = _stems(text)
    if language == "he":
        words = _running(text).split()
        stop = _stop_words().hebrew
        running = " ".join(word for word in words if word not in stop) or " ".join(words)
        return [*_grams(running), *stems]
    return [*stems, *(_FOREIGN_MARK + word for word in stems), *_hebrew_grams(text), *foreign]


def _foreign(text: str, language: Language) -> list[str]:
    if language == "he":
        return []
    text = fold(text)
    return [*foreign_stems(text), *map(stem, plain_spellings(text))]


def _prepared(text: str) -> str:
    text = strip_nikud(normalise(text))
    if not text.isascii():
        unspaced = is_unspaced(text)
        text = arabic_spelling(text)
        text = _ACCENTS.sub("", unicodedata.normalize("NFD", text))
        text = unicodedata.normalize("NFC", text) if unspaced else text
    return _THOUSANDS.sub("", text)


def _running(text: str) -> str:
    return " ".join(match.group() for match in _TERM.finditer(text.lower()))


def _grams(running: str) -> Iterator[str]:
    padded = f" {running} "
    if running:
        for start in range(max(len(padded) - GRAM, 0) + 1):
            yield _GRAM_MARK + padded[start : start + GRAM]


def _hebrew_grams(text: str) -> Iterator[str]:
    for run in _HEBREW_RUN.finditer(text):
        yield from _grams(_running(run.group()))


def _stems(text: str) -> list[str]:
    """Returns stems of the non-Hebrew words; for an identifier also those of its parts."""
    return list(chain.from_iterable(map(_stems_of_word, _WORD.findall(text))))


@lru_cache(maxsize=65_536)
def _stems_of_word(word: str) -> tuple[str, ...]:
    if is_unspaced(word):
        pairs = [pair for run in unspaced_runs(word) for pair in pairs_of(run)]
        return (*chain.from_iterable(map(_stems_of_word, _WORD.findall(without_unspaced(word)))), *pairs)
    stop = _stop_words().english
    word = word.removesuffix("'s")
    lower = word.lower()
    if lower in stop:
        return ()
    parts = _PART.findall(word)
    inner = [stem(part) for part in map(str.lower, parts) if part not in stop] if len(parts) > 1 else []
    return (stem(lower), *inner)


def content_terms(text: str) -> list[str]:
    """Returns words of three characters or more, folded, without stop words and duplicates."""
    text = fold(text)
    kept = [word for word in _words_in(text) if len(word) >= _SHORTEST_TERM and not is_stop_word(word)]
    language = text_language(text)
    if (known := language_words().get(language)) is not None:
        kept = [without_elision(word, language) for word in kept if word not in known.words]
        kept = [word for word in kept if word not in known.words]
    if is_unspaced(text):
        runs = telling_runs(text)
        kept = [word for word in kept if not is_unspaced(word)] + [pair for run in runs for pair in pairs_of(run)]
    return list(dict.fromkeys(kept))


def _words_in(folded_text: str) -> Iterator[str]:
    return (word.removesuffix("'s").strip("'\"") for word in _TERM.findall(folded_text))


def is_stop_word(word: str) -> bool:
    """Returns whether ``word`` (folded) is a stop word, which says nothing about a text's subject."""
    stop = _stop_words()
    return word in stop.english or word in stop.english_domain or word in stop.hebrew or word in stop.hebrew_domain


def weak_words() -> frozenset[str]:
    """Returns words of both languages that can be searched for but are not keywords: times, quantities, everyday
    verbs."""
    return _stop_words().weak


def covers(term: str, folded_text: str) -> bool:
    """Returns whether the word ``term`` is in ``folded_text`` (both folded): English words match by stem, Hebrew ones
    in any form."""
    words, stems, in_hebrew, language = _folded_words(folded_text)
    if term in words:
        return True
    if not _HEBREW.search(term):
        return stem(term) in stems or stem_in(term, language) in stems
    return any(hebrew.related(term, word) for word in in_hebrew)


@lru_cache(maxsize=2 * TEXTS)
def _folded_words(folded_text: str) -> tuple[frozenset[str], frozenset[str], tuple[str, ...], TextLanguage]:
    """Returns a text's words, their stems, the Hebrew ones, and the language."""
    words = frozenset(_words_in(folded_text))
    stems = frozenset(map(stem, words))
    if is_unspaced(folded_text):
        words |= {pair for run in unspaced_runs(folded_text) for pair in pairs_of(run)}
    if (language := text_language(folded_text)) not in ("en", "he", "other"):
        words |= {without_elision(word, language) for word in words}
        stems |= {stem_in(word, language) for word in words}
    in_hebrew = () if folded_text.isascii() else tuple(word for word in words if _HEBREW.search(word))
    return words, stems, in_hebrew, language
