"""Decides whether a period belongs to the word before it, in languages other than English and Hebrew."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.language.languages import LanguageWords, language_words
from core.language.normalisation import fold

_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]{1,4}")
_ORDINAL = re.compile(r"\d{1,3}")
_ROMAN = re.compile(r"[IVXLC]{2,6}")
_OPENING = "\"'\u201c\u201e\u2018\u201a\u00ab\u00bb([{*_¿¡-"
_LONGEST_UNIT = 2


def runs_on(words: Sequence[str], following: str, language: str, bracketed: bool) -> bool:
    """Returns whether the sentence continues after the period that follows the last of ``words``; ``following`` is the
    next word; ``bracketed``: that word is in brackets. Raises ``KeyError`` for an unknown language."""
    known = language_words()[language]
    word = words[-1].lstrip(_OPENING)
    before = fold(words[-2]).strip(_OPENING) if len(words) > 1 else ""
    bare = fold(word).rstrip("'")
    tail = re.split("['-]", bare)[-1]  # "l'art. 5", "dell'ing. Neri", "Dipl.-Ing. Schmidt"
    next_word = following.casefold()
    if known.before_ordinal and (_ORDINAL.fullmatch(bare) or _ROMAN.fullmatch(word)):
        return _is_ordinal(word, before, next_word, known)
    for form in (bare, tail):
        if form in known.numbered and following[:1].isdigit():
            return True
        if form in known.closing:
            is_unit = len(form) > _LONGEST_UNIT or before[-1:].isdigit() or form not in known.running
            return not (is_unit and _begins(following, next_word, known))
        if form in known.running:
            return True
    if _INITIALS.fullmatch(bare):
        return bracketed or not _begins(following, next_word, known, sure=True)
    if following[:1].isdigit() and any(bare.endswith(ending) for ending in known.compounds):
        return True
    return len(tail) == 1 and tail.isalpha() and (word[-1:].isupper() or tail not in known.words)


def _begins(following: str, next_word: str, known: LanguageWords, sure: bool = False) -> bool:
    """Returns whether a word can start a sentence. With ``sure``, only if it usually starts one: a capital is not
    enough, since names have one too."""
    if (known.capital_nouns or sure) and known.beginning:
        return next_word in known.beginning
    return following[:1].isalpha() and not following[:1].islower()


def _is_ordinal(word: str, before: str, next_word: str, known: LanguageWords) -> bool:
    """Returns whether a number with a period is an ordinal ("am 30. September", "im 2. Quartal", "Ludwig XIV.
    regierte")."""
    if next_word in known.after_ordinal:
        return True
    if next_word in known.beginning:
        return False
    return not before or before in known.before_ordinal or not word[0].isdigit()
