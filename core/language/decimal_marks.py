"""Normalises decimal marks (``1.187,50`` or ``1,187.50``): returns the text with decimal points.

``1.200`` is twelve hundred in German and one and a fifth in English. Unambiguous numbers are parsed directly; for the
others, the text's language decides.
"""

from __future__ import annotations

import re
from functools import lru_cache

from core.language.cache_sizes import TEXTS
from core.language.vocabulary import words_of

_WORD = re.compile(r"[^\W\d_]+")
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_COMMA = frozenset(words_of("decimal_marks.comma"))
_POINT = frozenset(words_of("decimal_marks.point"))
_READ = 20_000
"""Number of characters used to detect the language."""
_LONG, _TELLING = 5, 2
"""Minimum evidence for a language, since a single short word may be a name or an abbreviation in another one."""
EASTERN = str.maketrans(
    {
        **{chr(start + digit): str(digit) for start in (0x0660, 0x06F0, 0x0966, 0xFF10) for digit in range(10)},
        "\u066b": ".", "\u066c": ",", "\u066a": "%",
    }
)  # fmt: skip
"""Maps Arabic, Persian, Indian and full-width digits and signs to European ones."""
_EASTERN = re.compile("[\u0660-\u066c\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]")
_FREE = r"(?<![\d.,'’\w])"
_BOTH = re.compile(rf"{_FREE}\d{{1,3}}(?:\.\d{{3}}){{1,5}}+,\d{{1,6}}(?![\d.,]*\d)")
_BY_LANGUAGE = re.compile(rf"{_FREE}(?:[1-9]\d{{0,2}}(?:\.\d{{3}}){{1,5}}+|\d{{1,9}},\d{{1,6}}+)(?![\d.,]*\d)")
_APOSTROPHES = re.compile(rf"{_FREE}\d{{1,3}}(?:['’]\d{{3}}){{1,5}}+(?![\d'’])")
_APOSTROPHE = re.compile("['’]")
_SWAPPED = str.maketrans(".,", ",.")


def writes_decimal_comma(text: str) -> bool:
    """Returns whether the words of ``text`` show a language with decimal commas."""
    read = text[:_READ]
    if not read.isascii() and 2 * len(_CYRILLIC.findall(read)) > sum(map(str.isalpha, read)):
        return True
    words = _WORD.findall(read.lower())
    comma = sum(_TELLING if len(word) >= _LONG else 1 for word in words if word in _COMMA)
    return comma >= _TELLING and comma > 2 * sum(word in _POINT for word in words)


@lru_cache(maxsize=TEXTS)
def with_decimal_points(text: str) -> str:
    """Returns ``text`` with digits and marks of numbers as in English; all positions stay the same.

    >>> with_decimal_points("Der Umsatz war 1.187,50 Euro bei 1.200 Stück")
    'Der Umsatz war 1,187.50 Euro bei 1,200 Stück'
    """
    if not text.isascii() and _EASTERN.search(text):
        text = text.translate(EASTERN)
    if _BY_LANGUAGE.search(text) and writes_decimal_comma(text):
        text = _BY_LANGUAGE.sub(_swapped, text)
    text = _BOTH.sub(_swapped, text)
    return _APOSTROPHES.sub(lambda found: _APOSTROPHE.sub(",", found.group()), text)


def _swapped(found: re.Match[str]) -> str:
    return found.group().translate(_SWAPPED)
