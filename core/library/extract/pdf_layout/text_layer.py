"""Checks whether the text layer of a PDF page is usable: the page may be a scan, or its letters may be no language.

Fonts without a character map give meaningless letters: private codes, "(cid:12)", signs, or wrong letters. The check
uses no dictionary, so it works for every language: in all languages in Latin script the same few letters make up half
of a text, and no script has mostly signs, or mostly accented letters.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import pypdfium2.raw as pdfium

_SCAN_TEXT = 8
_SCAN_TEXT_WITH_PICTURE = 150
_OUTLINED_TEXT = 100
_MOST_OBJECTS = 20_000
_UNREADABLE = 0.3
_SAMPLE = 400
_LARGE_SAMPLE = 4_000
_FREQUENT = frozenset("eainotrs")
"""Share of the text that the frequent letters have: 65 per cent in English, German, French, Spanish and Finnish, 50 in
Polish, Czech and Turkish, but 31 in random letters."""
_DOUBTFUL_SHARE = 0.48
_LEAST_SHARE = 0.42
_END_OF_LATIN = 0x250
_MOST_ACCENTS = 0.5
_LEAST_LETTERS = 0.5
_ENOUGH_LETTERS = 150
_LEADERS = frozenset("._-–—·…|•")
_CID = re.compile(r"\(?cid:\d{1,6}\)?")
_MOST_CIDS = 0.3


def is_scan(page: Any, textpage: Any) -> bool:
    """Whether the page's image contains the text: the page has almost no letters of its own, or unreadable ones."""
    count = textpage.count_chars()
    if count > _SCAN_TEXT_WITH_PICTURE:
        return is_broken(textpage)
    text = "".join(sample(textpage, count).split())
    covered, shapes = _pictured(page)
    return covered > 0.05 or shapes > _OUTLINED_TEXT if len(text) <= _SCAN_TEXT else covered > 0.6


def is_broken(textpage: Any) -> bool:
    """Whether there is text, but in no language."""
    if textpage.count_chars() <= _SCAN_TEXT_WITH_PICTURE:
        return False
    some = sample(textpage, _SAMPLE)
    if sum(map(_is_unreadable, some)) > _UNREADABLE * len(some):
        return True
    return _is_doubtful(some) and is_no_language(sample(textpage, _LARGE_SAMPLE))


def sample(textpage: Any, most: int) -> str:
    """At most ``most`` characters, evenly spread over the page."""
    count = textpage.count_chars()
    places = range(0, count, max(1, -(-count // max(1, most))))
    codes = (pdfium.FPDFText_GetUnicode(textpage.raw, place) for place in places)
    return "".join(chr(code) for code in codes if code <= 0x10FFFF)


def is_no_language(text: str) -> bool:
    """Whether the letters and signs of ``text`` are distributed unlike any language; a few words are never enough."""
    signs = [character for character in text if not character.isspace() and character not in _LEADERS]
    if len(signs) < _ENOUGH_LETTERS:
        return False
    if sum(len(found.group()) for found in _CID.finditer(text)) > _MOST_CIDS * len(signs):
        return True
    if sum(unicodedata.category(character)[0] in "LNM" for character in signs) < _LEAST_LETTERS * len(signs):
        return True
    letters, accents = _latin_letters(signs)
    if len(letters) < max(_ENOUGH_LETTERS, 0.5 * sum(map(str.isalpha, signs))):
        return False
    if accents > _MOST_ACCENTS * len(letters):
        return True
    return sum(letter in _FREQUENT for letter in letters) < _LEAST_SHARE * len(letters)


def _is_doubtful(text: str) -> bool:
    """Whether a sample is suspicious; this cheap check is enough for most pages."""
    letters = [letter for letter in text if letter.isascii() and letter.isalpha()]
    frequent = sum(letter in _FREQUENT for letter in map(str.lower, letters))
    plain = sum(character.isascii() and character.isalnum() for character in text)
    signs = sum(not character.isspace() and character not in _LEADERS for character in text)
    return 2 * plain < signs or frequent < _DOUBTFUL_SHARE * len(letters) or "cid" in text


def _latin_letters(signs: list[str]) -> tuple[list[str], int]:
    """Small Latin letters without accents, and the number of accented ones."""
    letters: list[str] = []
    accents = 0
    for sign in signs:
        if sign.isascii():
            if sign.isalpha():
                letters.append(sign.lower())
            continue
        if not (ord(sign) < _END_OF_LATIN or 0x1E00 <= ord(sign) < 0x1F00) or not sign.isalpha():
            continue
        letters.append(unicodedata.normalize("NFD", sign)[0].lower())
        accents += 1
    return letters, accents


def _is_unreadable(character: str) -> bool:
    return character == "\ufffd" or "\ue000" <= character <= "\uf8ff" or (character < " " and character not in "\r\n\t")


def _pictured(page: Any) -> tuple[float, int]:
    """Returns (share of the page covered by its largest image, number of drawn shapes)."""
    width, height = page.get_size()
    covered, shapes = 0.0, 0
    for count, part in enumerate(page.get_objects(max_depth=4)):
        if part.type == pdfium.FPDF_PAGEOBJ_IMAGE:
            left, bottom, right, top = part.get_bounds()
            covered = max(covered, (right - left) * (top - bottom) / max(width * height, 1.0))
        shapes += part.type == pdfium.FPDF_PAGEOBJ_PATH
        if count > _MOST_OBJECTS:
            break
    return covered, shapes
