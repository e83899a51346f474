"""Hebrew words and their forms."""

from __future__ import annotations

import re
from functools import lru_cache

from core.language.normalisation import fold

LETTERS = "א-ת"
"""What stands in a class of characters, together with others."""

LETTER = f"[{LETTERS}]"
NO_LETTER_BEFORE = f"(?<!{LETTER})"
NO_LETTER_AFTER = f"(?!{LETTER})"
"""Where a word begins and ends for patterns that go on with letters of any language."""

PREFIXES = "למבהושכ"
"""The one-letter words that Hebrew writes together with the next one."""

_LETTER = re.compile(LETTER)
_PREFIX_RUN = re.compile(f"^[{PREFIXES}]+")
_LEAST_STEM = 2
_LONGEST_RUN = 3
_LEAST_CONSTRUCT = 3
_LEAST_SHARED = 3
THE, AND, FROM, IN, TO, AS = "הומבלכ"
OF = "של"
MAQAF = "־"
"""The hyphen of Hebrew."""

FEMININE = "ה"
PLURAL_ENDINGS = ("ים", "ות", "י")
VOWEL_LETTERS = "אהוי"
NUMERALS = "אבגדהוזחטיכלמנסעפצקרשת"
"""The letters as numbers: one to nine, ten to ninety, a hundred to four hundred."""
GEMATRIA = dict(zip(NUMERALS, [*range(1, 10), *range(10, 100, 10), 100, 200, 300, 400], strict=True))

LIMITED = 'בע"מ'
"""The legal form that ends a company's name."""

TO_FINAL = str.maketrans("כמנפצ", "ךםןףץ")
FROM_FINAL = str.maketrans("ךםןףץ", "כמנפצ")
FINAL_FORMS = "םןץףך"
"""The five letters that are written otherwise at the end of a word."""


def is_hebrew(word: str) -> bool:
    """Whether ``word`` has a Hebrew letter."""
    return not word.isascii() and _LETTER.search(word) is not None


def numeral(number: int) -> str:
    """``number`` by letters; 15 and 16 are written as 9 and 6 or 7."""
    if number % 100 in (15, 16):
        return numeral(number - number % 100 + 9) + numeral(number % 100 - 9)
    text = ""
    for letter, value in reversed(GEMATRIA.items()):
        text, number = text + letter * (number // value), number % value
    return text


@lru_cache(maxsize=100_000)
def variants(word: str) -> tuple[str, ...]:
    """``word`` and the forms it may be an inflection of, itself first, the others by length.

    Up to three prefix letters come off while two letters remain; of each form the plural endings
    ``ים`` and ``ות`` too, and the construct ``י`` (``תלמידי`` gives ``תלמיד``, ``בתי`` gives ``בית``).
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
    """Of the forms of ``word`` those that leave its beginning as it is, and the absolute of a feminine construct
    (``צריכת`` gives ``צריכה``): what it may be where it is known that no prefix stands before it."""
    word = fold(word)
    own = {form for form in variants(word)[1:] if form[0] == word[0] and not word.endswith(form)}
    return frozenset({word, *own, *_absolute(word), *_borrowed(word)})


def _borrowed(word: str) -> list[str]:
    """The singular of a borrowed word, which keeps its last letter (``סטארטאפים`` gives ``סטארטאפ``)."""
    return [word[:-2]] if word.endswith(("ים", "ות")) and len(word) > 5 and word[-3] in "פכ" else []


def _absolute(word: str) -> list[str]:
    return (
        [word[:-1] + FEMININE] if word.endswith("ת") and not word.endswith("ות") and len(word) > _LEAST_SHARED else []
    )


_REFLEXIVE = re.compile(f"^(?:ל?ה|[אינמת])ת({LETTER}{{3,4}}?)(?:ו|ימ|ות|ת|תי|נו|ה)?$")
"""As its letters are within words: the last one of a word too."""
_AGENT = "ית"
_LEAST_AGENT = 6


def reflexive_root(word: str) -> str | None:
    """The root of what may be a verb that is done to oneself, without the letters that may be written for vowels: who
    is vaccinated (``מתחסנים``), was (``התחסנו``) and will be (``להתחסן``) is one."""
    found = _REFLEXIVE.match(fold(word).translate(FROM_FINAL))
    root = "".join(letter for letter in found[1] if letter not in "וי") if found else ""
    return root if len(root) >= _LEAST_SHARED else None


def masculine(word: str) -> str | None:
    """Of a woman who does something (``דיאטנית``) the man who does it (``דיאטן``)."""
    word = fold(word)
    return _with_final_letter(word[: -len(_AGENT)]) if word.endswith(_AGENT) and len(word) >= _LEAST_AGENT else None


def skeleton(word: str) -> str:
    """``word`` without the letters that may be written for vowels within it: full and defective spelling are one."""
    return word[:1] + "".join(letter for letter in word[1:] if letter not in "וי")


def _with_final_letter(stem: str) -> str:
    return stem[:-1] + stem[-1].translate(TO_FINAL)


def related(one: str, other: str) -> bool:
    """Whether the two words can be forms of one: one is among the other's forms, or they share one of three letters."""
    ones, others = variants(one), variants(other)
    if ones[0] in others or others[0] in ones:
        return True
    return any(len(form) >= _LEAST_SHARED and form in others for form in ones[1:])
