"""In which language a text is written: by the script of its letters, its function words, and then its letters."""

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
"""``"other"``: any that no rule here knows."""

FUNCTION_WORDS: tuple[TextLanguage, ...] = ("de", "fr", "es", "it", "pt", "nl")
"""Languages with Latin letters whose function words are listed."""
_READ = 4_000
"""Characters that tell the language."""
_LEAST_WORDS = 2
"""Different function words, of two letters or more."""
_TELLING_LENGTH = 3
"""Letters of one of them: pairs of letters are in codes too."""
_LEAST_SHARE = 0.12
"""Of all words; in running text it is a third and more."""
_LEAD = 1.4
"""A language needs so many times the function words that English has there."""
_OTHERS = (
    "pl", "cs", "sk", "sl", "hr", "hu", "ro", "sq", "tr", "sv", "da", "no", "fi", "et", "lt", "lv", "vi", "id", "ca",
    "af",
)  # fmt: skip
"""Languages with Latin letters that only their letters show."""
_CLOSER = 0.35
"""Bits a letter that a text is closer to another language than to those known here."""
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
    """As ``languages.yaml`` explains them."""

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
"""What is known of the words of each language but English and Hebrew."""
_english = file_of("stopwords", _English)


@lru_cache(maxsize=TEXTS)
def text_language(text: str) -> TextLanguage:
    """The language of most of ``text``; "en" where its letters are Latin and no other language shows."""
    text = text[:_READ]
    if not text.isascii() and (written := _by_script(text)):
        return written
    return _by_function_words(text)


@lru_cache(maxsize=TEXTS)
def whole_language(text: str) -> TextLanguage:
    """``text_language`` of a whole document, where letters tell languages apart that have no function words here."""
    found = text_language(text)
    return "other" if found == "en" and _is_of_others(text[:_READ], FUNCTION_WORDS) else found


def _by_script(text: str) -> TextLanguage | None:
    """Where most letters are not Latin; None where they are."""
    letters = len(_LETTER.findall(text))
    if not letters:
        return "en"
    if len(_HEBREW.findall(text)) > _HEBREW_SHARE * letters:
        return "he"
    if 2 * len(_LATIN.findall(text)) >= letters:
        return None
    counts = {language: len(script.findall(text)) for language, script in _SCRIPTS.items()}
    if counts["ja"] >= _KANA_SHARE * letters:  # Chinese has none
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
    words = Counter(word.lower().replace("’", "'") for word in _WORD.findall(text))
    english = sum(count for word, count in words.items() if word in _english().english)
    found = {
        language: [word for word in words if word in _telling(language) and len(word) > 1]
        for language in FUNCTION_WORDS
    }
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
def _telling(language: str) -> frozenset[str]:
    """Function words that English does not have."""
    return language_words()[language].words - _english().english - _english().weak


def _is_of_others(text: str, known: Sequence[TextLanguage]) -> bool:
    """Whether its letters are clearly those of a language that is not ``known``, nor English."""
    letters = len(_LATIN.findall(text))
    if letters < _LEAST_LETTERS:
        return False
    own = min(_bits(text, language) for language in ("en", *known))
    return own - min(_bits(text, language) for language in _OTHERS) > _CLOSER * letters


def _bits(text: str, language: str) -> float:
    costs = letter_costs(language)
    plain = f" {' '.join(_WORD.findall(text.lower()))} "
    return sum(count * costs.of(pair) for pair, count in Counter(map("".join, pairwise(plain))).items())
