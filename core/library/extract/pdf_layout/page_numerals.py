"""Parses printed page numbers: "35", "- 35 -", "page 3 of 10", "iv", "F-12" → their value and numbering series."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.language.entities.roman_numerals import roman, roman_value
from core.language.vocabulary import phrase_of

_LABEL = (
    r"(?P<label>(?P<prefix>(?:[A-Z]{1,2}|\d{1,2})\s?[-–—]\s?)?"
    r"(?:(?P<digits>\d{1,4})|(?P<roman>[ivxlcdm]{1,8}|[IVXLCDM]{1,8})))"
)
_FRAME = r"[\s|·•\-–—\[\](){}]*"
_WORD = rf"(?:page|pg\.?|p\.|seite|{phrase_of('library/extract.page_numerals.page')}|صفحة|صفحه)"
_OF = rf"(?:\s*(?:of|von|/|{phrase_of('library/extract.page_numerals.of')}|من|از)\s*\d{{1,5}})"
_BETWEEN = r"[\s|·•]+(?:[-–—]\s+)?"
_LONE = re.compile(rf"{_FRAME}{_LABEL}{_FRAME}")
_SAID = re.compile(rf"{_FRAME}(?:{_WORD}\s*{_LABEL}{_OF}?){_FRAME}", re.IGNORECASE)
_OF_ALL = re.compile(rf"{_FRAME}(?P<label>(?P<prefix>)(?P<digits>\d{{1,4}})(?P<roman>)){_OF}{_FRAME}", re.IGNORECASE)
_FIRST = re.compile(rf"{_FRAME}(?:{_WORD}\s*)?{_LABEL}{_OF}?{_BETWEEN}(?P<rest>\S.*)", re.IGNORECASE)
_LAST = re.compile(rf"(?P<rest>.*\S){_BETWEEN}(?:{_WORD}\s*)?{_LABEL}{_OF}?{_FRAME}", re.IGNORECASE)


@dataclass(frozen=True)
class Numeral:
    """A page number. ``series``: its numbering (``"F"``, Roman or Arabic); ``is_said``: it is labelled as a page
    number.

    ``rest`` is the remaining text, empty if there is none.
    """

    label: str
    value: int
    series: str
    rest: str = ""
    is_said: bool = False


def numerals(text: str) -> list[Numeral]:
    """The possible page numbers in ``text``: all of it, or its first or last word."""
    if len(text) > 200 or not text:
        return []
    for pattern, is_said in ((_SAID, True), (_OF_ALL, True), (_LONE, False)):
        found = pattern.fullmatch(text)
        if found and (numeral := _numeral(found, "", is_said)):
            return [numeral]
    edges = [found for pattern in (_FIRST, _LAST) if (found := pattern.fullmatch(text))]
    worded = [found for found in edges if any(map(str.isalpha, found["rest"]))]
    return [numeral for found in worded if (numeral := _numeral(found, found["rest"].strip(" |·•-–—"), False))]


def _numeral(found: re.Match[str], rest: str, is_said: bool) -> Numeral | None:
    prefix = (found["prefix"] or "").strip(" -–—").upper()
    if found["digits"]:
        value, kind = int(found["digits"]), "1"
    else:
        value, kind = _page_value(found["roman"]), "i"
    if not value:
        return None
    return Numeral("".join(found["label"].split()), value, f"{prefix}{kind}", rest, is_said)


def _page_value(sign: str) -> int:
    """The value of a valid Roman numeral below 1,000, otherwise 0."""
    value = roman_value(sign)
    return value if 0 < value < 1000 and roman(value) == sign.upper() else 0
