"""Detects a text's language from its script, its function words, and then its letters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Literal

from core.language.cache_sizes import TEXTS
from core.language.letter_costs import letter_costs
from core.language.vocabulary import Entry, WordSet, file_of

TextLanguage = Literal["en", "he", "de", "fr", "es", "it", "pt", "nl", "ru", "ar", "zh", "ja", "ko", "other"]
"""A language code; ``"other"`` is any language for which this package has no rules."""

FUNCTION_WORDS: tuple[TextLanguage, ...] = ("de", "fr", "es", "it", "pt", "nl")
"""Latin-script languages with a list of function words."""
_READ = 4_000
"""Number of characters used for detection."""
_LEAST_WORDS = 2
"""Minimum number of different function words that the text must contain; each has two letters or more."""
_TELLING_LENGTH = 3
"""Minimum length in letters of at least one of these function words, since codes also contain pairs of letters."""
_LEAST_SHARE = 0.12
"""Minimum share of function words among all words; in running text it is a third or more."""
_LEAD = 1.4
"""Minimum ratio of a language's function words to English ones in the text."""
_OTHERS = (
    "pl", "cs", "sk", "sl", "hr", "hu", "ro", "sq", "tr", "sv", "da", "no", "fi", "et", "lt", "lv", "vi", "id", "ca",
    "af",
)  # fmt: skip
"""Latin-script languages that are detected only by their letters, not by function words."""
_CLOSER = 0.35
"""Minimum bits per letter by which a text must fit another language better than the languages for which there are
rules."""
_LEAST_LETTERS = 60
_WORD = re.compile(r"(?<![\w.])[^\W\d_]+(?:['’][^\W\d_]+)*(?![\w(])")
_LETTER = re.compile(r"[^\W\d_]")
_HEBREW = re.compile("[\u05d0-\u05ea]")
_SCRIPTS: dict[TextLanguage, re.Pattern[str]] = {
    "ru": re.compile("[\u0400-\u052f]"),
    "ar": re.compile("[\u0620-\u06ff\ufe70-\ufefc]"),
    "ko": re.compile("[\uac00-\ud7a3]"),
    "ja": re.compile("[\u3041-\u30fa]"),
    "zh": re.compile("[\u3400-\u9fff]"),
}
_LATIN = re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
_OF_RUSSIAN = re.compile("[ыэъё]", re.IGNORECASE)
_NOT_RUSSIAN = re.compile("[іїєґђјљњћџѓќѕў]", re.IGNORECASE)
_NOT_ARABIC = re.compile("[پچژگکیےٹڈڑ]")
_KANA_SHARE = 0.05
_HEBREW_SHARE = 0.10


class LanguageWords(Entry):
    """Word lists of a language, as explained in ``languages.yaml``."""

    words: WordSet
    capital_nouns: bool = False
    running: WordSet = frozenset()
    numbered: WordSet = frozenset()
    closing: WordSet = frozenset()
    compounds: WordSet = frozenset()
    beginning: WordSet = frozenset()
    before_ordinal: WordSet = frozenset()
    after_ordinal: WordSet = frozenset()


class _English(Entry):
    english: WordSet
    english_domain: WordSet
    hebrew: WordSet
    hebrew_domain: WordSet
    weak: WordSet


language_words = file_of("languages", dict[str, LanguageWords])
"""The word lists of each language except English and Hebrew."""
_english = file_of("stopwords", _English)


@lru_cache(maxsize=TEXTS)
def text_language(text: str) -> TextLanguage:
    """Returns the language of most of ``text``; "en" if its letters are Latin and no other language is detected."""
    text = text[:_READ]
    if not text.isascii() and (written := _by_script(text)):
        return written
    return _by_function_words(text)


@lru_cache(maxsize=TEXTS)
def whole_language(text: str) -> TextLanguage:
    """Returns ``text_language`` for a whole document. Its letters also show languages for which there are no function
    words here."""
    found = text_language(text)
    return "other" if found == "en" and _is_of_others(text[:_READ], FUNCTION_WORDS) else found


def _by_script(text: str) -> TextLanguage | None:
    """Returns the language by script if most letters are not Latin; otherwise ``None``."""
    letters = len(_LETTER.findall(text))
    if not letters:
        return "en"
    if len(_HEBREW.findall(text)) > _HEBREW_SHARE * letters:
        return "he"
    if 2 * len(_LATIN.findall(text)) >= letters:
        return None
    counts = {language: len(script.findall(text)) for language, script in _SCRIPTS.items()}
    if counts["ja"] >= _KANA_SHARE * letters:  # Chinese text has no Kana, so the text is Japanese.
        counts["ja"] += counts.pop("zh")
    best = max(counts, key=lambda language: counts[language])
    if 2 * counts[best] < letters:
        return "other"
    if best == "ru" and len(_NOT_RUSSIAN.findall(text)) > len(_OF_RUSSIAN.findall(text)):
        return "other"
    if best == "ar" and 20 * len(_NOT_ARABIC.findall(text)) > letters:
        return "other"
    return best


def _by_function_words(text: str) -> TextLanguage:
    words = Counter(" ".join(_WORD.findall(text)).lower().replace("’", "'").split(" "))
    english = sum(words[word] for word in words.keys() & _english().english)
    found: dict[TextLanguage, list[str]] = {language: [] for language in FUNCTION_WORDS}
    for word in words.keys() & _told_by().keys():
        for language in _told_by()[word]:
            found[language].append(word)
    counts = {language: sum(words[word] for word in own) for language, own in found.items()}
    most = max(counts.values())
    if most < max(_LEAST_WORDS, _LEAD * english, _LEAST_SHARE * words.total()):
        return "en"
    best = [
        language
        for language, own in found.items()
        if counts[language] >= 0.8 * most and len(own) >= _LEAST_WORDS and max(map(len, own)) >= _TELLING_LENGTH
    ]
    if not best:
        return "en"
    closest = best[0] if len(best) == 1 else min(best, key=lambda language: _bits(text, language))
    return "other" if _is_of_others(text, (closest,)) else closest


@cache
def _told_by() -> dict[str, tuple[TextLanguage, ...]]:
    """Maps each function word of two letters or more that English does not have to its languages."""
    words = {word for language in FUNCTION_WORDS for word in _telling(language) if len(word) > 1}
    return {word: tuple(each for each in FUNCTION_WORDS if word in _telling(each)) for word in words}


@cache
def _telling(language: str) -> frozenset[str]:
    """Returns the function words of a language that English does not have."""
    return language_words()[language].words - _english().english - _english().weak


def _is_of_others(text: str, known: Sequence[TextLanguage]) -> bool:
    """Returns whether the text's letters are clearly those of a language that is neither ``known`` nor English."""
    letters = len(_LATIN.findall(text))
    if letters < _LEAST_LETTERS:
        return False
    own = min(_bits(text, language) for language in ("en", *known))
    return own - min(_bits(text, language) for language in _OTHERS) > _CLOSER * letters


def _bits(text: str, language: str) -> float:
    costs = letter_costs(language)
    plain = f" {' '.join(_WORD.findall(text.lower()))} "
    return sum(count * costs.of(pair) for pair, count in Counter(map("".join, pairwise(plain))).items())
