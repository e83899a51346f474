"""Handles Hebrew letters, words and inflected forms."""

from __future__ import annotations

import re
from functools import lru_cache

from core.language.normalisation import fold

LETTERS = "א-ת"
"""Hebrew letters for use inside a character class."""

LETTER = f"[{LETTERS}]"
NO_LETTER_BEFORE = f"(?<!{LETTER})"
NO_LETTER_AFTER = f"(?!{LETTER})"
"""Matches a word boundary next to letters of any language; for use in patterns."""

PREFIXES = "למבהושכ"
"""Letters that are words in themselves (such as "and") and that Hebrew joins to the next word."""

_LETTER = re.compile(LETTER)
_PREFIX_RUN = re.compile(f"^[{PREFIXES}]+")
_LEAST_STEM = 2
_LONGEST_RUN = 3
_LEAST_CONSTRUCT = 3
_LEAST_SHARED = 3
THE, AND, FROM, IN, TO, AS = "הומבלכ"
OF = "של"
MAQAF = "־"
"""The Hebrew hyphen."""

FEMININE = "ה"
PLURAL_ENDINGS = ("ים", "ות", "י")
VOWEL_LETTERS = "אהוי"
NUMERALS = "אבגדהוזחטיכלמנסעפצקרשת"
"""Letters used as numbers: one to nine, ten to ninety, a hundred to four hundred."""
GEMATRIA = dict(zip(NUMERALS, [*range(1, 10), *range(10, 100, 10), 100, 200, 300, 400], strict=True))

LIMITED = 'בע"מ'
"""The legal form at the end of a company's name."""

TO_FINAL = str.maketrans("כמנפצ", "ךםןףץ")
FROM_FINAL = str.maketrans("ךםןףץ", "כמנפצ")
FINAL_FORMS = "םןץףך"
"""The five letters with a different form at the end of a word."""


def is_hebrew(word: str) -> bool:
    """Returns whether ``word`` has a Hebrew letter."""
    return not word.isascii() and _LETTER.search(word) is not None


def numeral(number: int) -> str:
    """Returns ``number`` in letters; 15 and 16 are written as 9 and 6 or 7."""
    if number % 100 in (15, 16):
        return numeral(number - number % 100 + 9) + numeral(number % 100 - 9)
    text = ""
    for letter, value in reversed(GEMATRIA.items()):
        text, number = text + letter * (number // value), number % value
    return text


@lru_cache(maxsize=100_000)
def variants(word: str) -> tuple[str, ...]:
    """Returns ``word`` and the forms from which it may be inflected; ``word`` is first, the others are sorted by
    length.

    Removes up to three prefix letters as long as two letters remain; from each form, also removes the plural endings
    ``ים`` and ``ות``, and the construct ``י`` (``תלמידי`` gives ``תלמיד``, ``בתי`` gives ``בית``).
    """
    word = fold(word)
    run = _PREFIX_RUN.match(word)
    longest = min(len(run.group()), _LONGEST_RUN, len(word) - _LEAST_STEM) if run else 0
    forms = {form for cut in range(longest + 1) for form in (word[cut:], *_singulars(word[cut:]))}
    return (word, *sorted(forms - {word}, key=lambda form: (-len(form), form)))


def _singulars(word: str) -> list[str]:
    if len(word) - 2 >= _LEAST_STEM:
        if word.endswith("ים"):
            return [_with_final_letter(word[:-2])]
        if word.endswith("ות"):
            return [_with_final_letter(word[:-2]), word[:-2] + "ה"]
    if word.endswith("תי") and len(word) == 3:
        return [word[0] + "ית"]
    if word.endswith("י") and len(word) - 1 >= _LEAST_CONSTRUCT:
        return [_with_final_letter(word[:-1])]
    return []


def own_forms(word: str) -> frozenset[str]:
    """Returns the possible base forms of a ``word`` that has no prefix: forms with the same beginning, and the absolute
    form of a feminine construct (``צריכת`` gives ``צריכה``)."""
    word = fold(word)
    own = {form for form in variants(word)[1:] if form[0] == word[0] and not word.endswith(form)}
    return frozenset({word, *own, *_absolute(word), *_borrowed(word)})


def _borrowed(word: str) -> list[str]:
    """Returns the singular of a loanword, which keeps its last letter (``סטארטאפים`` gives ``סטארטאפ``)."""
    return [word[:-2]] if word.endswith(("ים", "ות")) and len(word) > 5 and word[-3] in "פכ" else []


def _absolute(word: str) -> list[str]:
    return (
        [word[:-1] + FEMININE] if word.endswith("ת") and not word.endswith("ות") and len(word) > _LEAST_SHARED else []
    )


_REFLEXIVE = re.compile(f"^(?:ל?ה|[אינמת])ת({LETTER}{{3,4}}?)(?:ו|ימ|ות|ת|תי|נו|ה)?$")
"""Matches a possible reflexive verb; its last letter must also be in the form that is used inside words."""
_AGENT = "ית"
_LEAST_AGENT = 6


def reflexive_root(word: str) -> str | None:
    """Returns the root of a possible reflexive verb, without vowel letters. All its tenses have the same root: someone
    is vaccinated (``מתחסנים``), was (``התחסנו``) or will be (``להתחסן``)."""
    found = _REFLEXIVE.match(fold(word).translate(FROM_FINAL))
    root = "".join(letter for letter in found[1] if letter not in "וי") if found else ""
    return root if len(root) >= _LEAST_SHARED else None


def masculine(word: str) -> str | None:
    """Returns the masculine form of a female occupation (``דיאטנית`` gives ``דיאטן``)."""
    word = fold(word)
    return _with_final_letter(word[: -len(_AGENT)]) if word.endswith(_AGENT) and len(word) >= _LEAST_AGENT else None


def skeleton(word: str) -> str:
    """Returns ``word`` without inner vowel letters, so that spellings with and without them (full and defective) are
    equal."""
    return word[:1] + "".join(letter for letter in word[1:] if letter not in "וי")


def _with_final_letter(stem: str) -> str:
    return stem[:-1] + stem[-1].translate(TO_FINAL)


def related(one: str, other: str) -> bool:
    """Returns whether two words can be forms of the same word: one is among the other's forms, or both have a common
    form of at least three letters."""
    ones, others = variants(one), variants(other)
    if ones[0] in others or others[0] in ones:
        return True
    return any(len(form) >= _LEAST_SHARED and form in others for form in ones[1:])
