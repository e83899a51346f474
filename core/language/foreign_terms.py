"""Makes search terms for texts that are neither English nor Hebrew: word stems or, in languages written without spaces
between words, pairs of neighbouring characters.

Stems have a prefix (``~vertrag``), so that they only match texts in other languages than English and Hebrew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from threading import Lock
from typing import TYPE_CHECKING

from core.language.languages import TextLanguage, language_words, text_language

if TYPE_CHECKING:
    from snowballstemmer import Stemmer

_MARK = "~"
_STEMMERS: dict[TextLanguage, str] = {
    "de": "german", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese", "nl": "dutch",
    "ru": "russian", "ar": "arabic",
}  # fmt: skip
UNSPACED = "\u3041-\u309f\u30a0-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7a3\u0e01-\u0e4e"
"""Kana, Han, Hangul and Thai letters, for use inside a pattern's brackets."""
_UNSPACED_RUN = re.compile(f"[{UNSPACED}]+")
_HIRAGANA = re.compile("[\u3041-\u309f]+")
_WORD = re.compile(r"[^\W\d_]+")
_ARABIC = re.compile("[\u0621-\u064a]")
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_MARKS_OF_ARABIC = re.compile("[\u0640\u064b-\u0655\u0670]")
_ONE_SPELLING = str.maketrans("أإآٱىةی", "اااايهي")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_UMLAUT = re.compile("[äöüß]")
_stemming = Lock()


@cache
def _stemmer(name: str) -> Stemmer:
    import snowballstemmer

    return snowballstemmer.stemmer(name)


@lru_cache(maxsize=100_000)
def stem_in(word: str, language: TextLanguage) -> str:
    """Returns the Snowball stem of a lowercase word if the language has a stemmer; otherwise the word."""
    name = _STEMMERS.get(language)
    if name is None:
        return word
    word = arabic_spelling(word) if language == "ar" else word
    with _stemming:  # A stemmer stores its word, so it is not thread-safe.
        return str(_stemmer(name).stemWord(word)) or word


def arabic_spelling(text: str) -> str:
    """Returns ``text`` without vowel marks, and with one form of each Arabic letter that has several."""
    return _MARKS_OF_ARABIC.sub("", text).translate(_ONE_SPELLING)


def stem_by_script(word: str) -> str | None:
    """Returns the stem of a folded word whose letters show its language; ``None`` for others."""
    if word.isascii():
        return None
    if _ARABIC.search(word):
        return stem_in(word, "ar")
    return stem_in(word, "ru") if _CYRILLIC.search(word) else None


def foreign_stems(folded_text: str) -> list[str]:
    """Returns marked stems of a text's words if its language has a stemmer, with repetitions; otherwise none."""
    language = text_language(folded_text)
    if language not in _STEMMERS:
        return []
    stop = language_words()[language].words
    words = (word for word in _WORD.findall(folded_text) if word not in stop and len(word) > 1)
    return [_MARK + stem_in(word, language) for word in words]


def plain_spellings(folded_text: str) -> list[str]:
    """Returns the words with umlauts of a text that is not English or Hebrew, each in its spelling without umlauts
    (``mueller``, ``strasse``)."""
    if folded_text.isascii() or not _UMLAUT.search(folded_text) or text_language(folded_text) in ("en", "he"):
        return []
    return [word.translate(_UMLAUTS) for word in _WORD.findall(folded_text) if _UMLAUT.search(word)]


def without_elision(word: str, language: TextLanguage) -> str:
    """Returns a French or Italian word without its elided article (``l'usine``)."""
    return word.rpartition("'")[2] if language in ("fr", "it") else word


def is_unspaced(text: str) -> bool:
    """Returns whether part of the text is in a script without spaces between words."""
    return not text.isascii() and _UNSPACED_RUN.search(text) is not None


def word_count(text: str) -> int:
    """Returns the number of words in a text, estimated for text without spaces."""
    if not is_unspaced(text):
        return len(text.split())
    return len(without_unspaced(text).split()) + sum((len(run) + 1) // 2 for run in unspaced_runs(text))


def pairs_of(run: str) -> Iterator[str]:
    """Yields pairs of neighbouring characters; if there is only one character, yields that."""
    if len(run) == 1:
        yield run
    for start in range(len(run) - 1):
        yield run[start : start + 2]


def unspaced_runs(text: str) -> list[str]:
    return _UNSPACED_RUN.findall(text)


def without_unspaced(text: str) -> str:
    return _UNSPACED_RUN.sub(" ", text)


def telling_runs(text: str) -> list[str]:
    """Returns the parts of a text that carry meaning: without question words, function words and Japanese endings."""
    return [run for run in unspaced_runs(_joining().sub(" ", text)) if not _HIRAGANA.fullmatch(run)]


def without_joining(text: str) -> str:
    """Returns a question that is not English or Hebrew without its question and function words; unchanged if nothing
    else would remain."""
    known = language_words().get(text_language(text))
    if known is None:
        return text
    if is_unspaced(text):
        kept = _joining().sub(" ", text)
    else:
        kept = _WORD.sub(lambda word: "" if word.group().lower() in known.words else word.group(), text)
    return kept if any(map(str.isalnum, kept)) else text


def joining_spans(text: str) -> list[tuple[int, int]]:
    """Returns positions of question and function words in a text without spaces."""
    return [match.span() for match in _joining().finditer(text)]


@cache
def _joining() -> re.Pattern[str]:
    words = {word for language in ("zh", "ja", "ko") for word in language_words()[language].words}
    listed = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
    return re.compile(rf"{listed}|[\u3041-\u309f]+")
