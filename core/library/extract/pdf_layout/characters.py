"""Reads a page's text from PDFium as glyphs with positions.

Each call to PDFium costs about a microsecond, and a page has four thousand characters. On a page without right-to-left
letters, a word that was drawn in one operation is therefore read as a whole: its first and last letters give its
position, type and rotation.
"""

from __future__ import annotations

import ctypes
import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import pypdfium2.raw as pdfium

from core.library.extract.pdf_layout.bidi import direction_of
from core.library.extract.pdf_layout.glyphs import HYPHEN, Box, Glyph, PageText, upright
from core.library.extract.pdf_layout.page_objects.dropped_letters import DroppedLetters

MOST_CHARACTERS = 60_000
_BOLD = 600
_EM_OF_BOX = 0.85
_WIDEST = 1.3
"""Letter width in ems above which a word was not drawn in one operation."""
_NEAR_EDGE = 0.1
"""How far in ems a space may begin after an italic letter if PDFium dropped the letter between them."""
_BOLD_FONT = re.compile(rb"Bold|Black|Heavy|Demi|Medi\b|-Bd|BX\d", re.IGNORECASE)
_ITALIC_FONT = re.compile(rb"Italic|Oblique|-It\b|BI\d|TI\d", re.IGNORECASE)
_ITALIC_FLAG = 0x40
_SYMBOL_FONT = re.compile(rb"Wingdings|Dingbats|Webdings")
# Wingdings codes, which forms use for checkboxes and lists for bullets.
_SYMBOLS = {
    0x6E: "■", 0x6F: "☐", 0x71: "☐", 0x72: "☐", 0x76: "❖", 0x78: "☒", 0xA7: "▪", 0xA8: "☐",
    0xD8: "➢", 0xE0: "→", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_DOUBLED_IN_LIGATURES = "flt"
_HYPHEN_CODES = (0x02, 0xFFFE)
_BREAKS = (0x09, 0x0A, 0x0D)
_OWN_CODES = 0x110000
"""Codes from here on stand for letters that are known by their glyph names."""
_LOST = 0x01
_FRACTION_SLASH = 0x2044
_INNER_DIGIT = re.compile(r"[^\W\d](\d)[^\W\d]|\d/(\d)|(\d)[^\w\s]{1,3}$|^[$€£¥₪](\d)\d")
"""Digits inside a word that may be superscript or subscript even if both ends of the word are not."""
_SPACE_CODES = frozenset({0x20, 0x09, 0xA0, 0x3000, *range(0x2000, 0x200B)})


Named = Callable[[str, int], str]
"""Maps a letter's font and code to its text, or to nothing."""


def _unnamed(font: str, code: int) -> str:
    return ""


def read_glyphs(textpage: Any, name: Named = _unnamed) -> PageText | None:
    """The glyphs of a pypdfium2 text page; ``None`` if there are too many to lay out in bounded time.

    Args:
        name: returns a letter's text by its font and code, if the font has no character map.
    """
    count = textpage.count_chars()
    if count > MOST_CHARACTERS:
        return None
    reader = _Reader(textpage)
    codes = [pdfium.FPDFText_GetUnicode(textpage.raw, index) for index in range(count)]
    lost = reader.name_unmapped(codes, name)
    by_letters = any(0x590 <= code <= 0x8FF or 0xFB1D <= code <= 0xFEFC for code in codes)
    groups: dict[int, list[Glyph]] = defaultdict(list)
    for quarter, glyph in reader.letters(codes) if by_letters else reader.words(codes):
        groups[quarter].append(glyph)
    if not groups:
        return PageText([], lost=lost)
    sizes = {quarter: sum(len(glyph.text) for glyph in glyphs) for quarter, glyphs in groups.items()}
    order = sorted(groups, key=lambda quarter: sizes[quarter], reverse=True)
    return PageText(groups[order[0]], [groups[quarter] for quarter in order[1:]], order[0], lost)


class _Reader:
    """PDFium's per-character calls, with output parameters allocated once."""

    def __init__(self, textpage: Any) -> None:
        self._raw = textpage.raw
        self._dropped = DroppedLetters(textpage)
        self._rect = pdfium.FS_RECTF()
        self._tight = [ctypes.c_double() for _ in range(4)]
        self._name = ctypes.create_string_buffer(96)
        self._flags = ctypes.c_int()
        self._matrix = pdfium.FS_MATRIX()
        self._fonts: dict[bytes, tuple[bool, bool, bool]] = {}
        self._order = 0
        self._named: dict[int, str] = {}

    def name_unmapped(self, codes: list[int], name: Named) -> int:
        """Assign our own code to each letter that has no character map but a glyph name; returns how many letters
        inside words have neither."""
        lost = 0
        for index, code in enumerate(codes):
            if code >= 0x20 or code in _BREAKS or pdfium.FPDFText_HasUnicodeMapError(self._raw, index) != 1:
                continue
            self._font(index)
            if text := name(self._name.value.decode("latin-1"), code):
                codes[index] = _OWN_CODES + len(self._named)
                self._named[codes[index]] = text
            else:
                codes[index] = _LOST
                around = codes[max(0, index - 1) : index] + codes[index + 1 : index + 2]
                lost += any(_OWN_CODES > other > 0x40 and chr(other).isalpha() for other in around)
        return lost

    def words(self, codes: list[int]) -> Iterator[tuple[int, Glyph]]:
        """Yields (quarter turns, word or part of one) for a left-to-right page, in file order."""
        goes_on = False
        for start, end, text, parted in _word_runs(codes, self._named):
            word = self._word(start, end, text)
            parts = [word] if word else self._letters_of(start, end, codes)
            parted, goes_on = parted and not goes_on, bool(parts) and self._restore_letter(parts[-1], end, codes)
            for place, (quarter, glyph) in enumerate(parts):
                glyph.parted = parted and place == 0
                glyph.order = self._order
                self._order += 1
                glyph.trailed = place == len(parts) - 1 and self._is_drawn_space(codes, end)
                yield quarter, glyph

    def letters(self, codes: list[int]) -> Iterator[tuple[int, Glyph]]:
        """Yields (quarter turns, letter, ligature or drawn space) for any page, in file order."""
        place: Box = (0.0, 0.0, 0.0, 0.0)
        last: Glyph | None = None
        parted = False
        for index, code in enumerate(codes):
            text = self._character(index, code)
            if not text or (text != HYPHEN and pdfium.FPDFText_IsGenerated(self._raw, index) == 1):
                parted = True
                continue
            box, quarter, glyph = self._glyph(index, text)
            if text == " ":
                parted = True
                if glyph.x1 - glyph.x0 < 0.01:
                    continue  # A space that PDFium inferred; its flag for inferred spaces is not always set.
            elif last is not None and box == place and last.text != " ":
                _join_ligature(last, text)
                continue
            else:
                glyph.parted, parted = parted, False
                self._order += 1
            glyph.order = self._order
            place, last = box, glyph
            yield quarter, glyph

    def _word(self, start: int, end: int, text: str) -> tuple[int, Glyph] | None:
        """A word drawn in one operation; ``None`` if its letters are not in one line of one type."""
        first = self._loose_box(start)
        last = first if end == start + 1 else self._loose_box(end - 1)
        size, quarter, mirrored = self._size_and_turn(start)
        x0, x1, bottom, top = upright(first, quarter)
        if end > start + 1:
            left, right, low, high = upright(last, quarter)
            size = size or max(_EM_OF_BOX * (top - bottom), 0.1)
            level = abs(low - bottom) < 0.02 * size and abs(high - top) < 0.02 * size
            if mirrored or not level or not 0 <= left - x0 <= _WIDEST * size * (end - start):
                return None
            if (
                not text.isalpha()
                and len(text) == end - start
                and not self._has_level_digits(start, text, (bottom, top), quarter, size)
            ):
                return None
            x1 = max(right, x1)
        bold, italic, is_symbol = self._font(start)
        if is_symbol:
            text = "".join(_SYMBOLS.get(ord(letter) & 0xFF, "•") for letter in text)
        size = size or max(_EM_OF_BOX * (top - bottom), 0.1)
        return quarter, Glyph(text, x0, x1, bottom, top, size, bold, mirrored, italic=italic)

    def _has_level_digits(self, start: int, text: str, edges: tuple[float, float], quarter: int, size: float) -> bool:
        """Whether the digits inside the word have the same height as its first letter."""
        for found in _INNER_DIGIT.finditer(text):
            _, _, bottom, top = upright(self._loose_box(start + found.start(found.lastindex or 0)), quarter)
            if abs(bottom - edges[0]) > 0.02 * size or abs(top - edges[1]) > 0.02 * size:
                return False
        return True

    def _letters_of(self, start: int, end: int, codes: list[int]) -> list[tuple[int, Glyph]]:
        found: list[tuple[int, Glyph]] = []
        for index in range(start, end):
            text = self._character(index, codes[index])
            if text:
                _, quarter, glyph = self._glyph(index, text)
                found.append((quarter, glyph))
        return found

    def _restore_letter(self, part: tuple[int, Glyph], end: int, codes: list[int]) -> bool:
        """Appends the letter that PDFium dropped before the space at ``end``, if it did; returns whether the word
        goes on after that space.

        Only italic letters overlap enough. PDFium infers a space where the dropped letter was, near the right edge of
        the wide letter before it.
        """
        quarter, glyph = part
        if quarter or not glyph.italic or end + 1 >= len(codes) or codes[end] != 0x20 or not glyph.text[-1].isalpha():
            return False
        left, right, _, _ = self._loose_box(end)
        if not left == right < glyph.x1 + _NEAR_EDGE * glyph.size:
            return False
        dropped = self._dropped.after(end - 1, end + 1, glyph.size)
        if dropped is None:
            return False
        glyph.text += glyph.text[-1]
        glyph.x1 = dropped.right
        return dropped.is_inside

    def _is_drawn_space(self, codes: list[int], index: int) -> bool:
        return (
            index < len(codes)
            and codes[index] in _SPACE_CODES
            and pdfium.FPDFText_IsGenerated(self._raw, index) != 1
            and self._loose_box_is_wide(index)
        )

    def _loose_box_is_wide(self, index: int) -> bool:
        left, right, bottom, top = self._loose_box(index)
        return max(right - left, top - bottom if right - left < 0.01 and top - bottom < 0.01 else 0.0) >= 0.01

    def _character(self, index: int, code: int) -> str:
        if code in _HYPHEN_CODES or (code == 0x2D and pdfium.FPDFText_IsHyphen(self._raw, index) == 1):
            return HYPHEN
        return self._named.get(code) or _character_of(code)

    def _loose_box(self, index: int) -> Box:
        rect = self._rect
        pdfium.FPDFText_GetLooseCharBox(self._raw, index, rect)
        return rect.left, rect.right, rect.bottom, rect.top

    def _glyph(self, index: int, text: str) -> tuple[Box, int, Glyph]:
        """Returns (position as drawn, quarter turns, the upright glyph)."""
        box = self._loose_box(index)
        size, quarter, mirrored = self._size_and_turn(index)
        if unicodedata.category(text[0]) == "Mn":
            left, right, bottom, top = self._tight
            pdfium.FPDFText_GetCharBox(self._raw, index, left, right, bottom, top)
            box = (left.value, right.value, box[2], box[3])
        x0, x1, low, high = upright(box, quarter)
        bold, italic, is_symbol = self._font(index)
        if is_symbol and text != " ":
            text = _SYMBOLS.get(ord(text[0]) & 0xFF, "•")
        size = size or max(_EM_OF_BOX * (high - low), 0.1)
        return box, quarter, Glyph(text, x0, x1, low, high, size, bold, mirrored, italic=italic)

    def _size_and_turn(self, index: int) -> tuple[float, int, bool]:
        """Returns (size in points, quarter turns that make the letter upright, whether it is mirrored), from the text's
        matrix.

        The rotation is that of the letter's upward axis, because OCR layers mirror the other axis for right-to-left
        words.
        """
        matrix = self._matrix
        if not pdfium.FPDFText_GetMatrix(self._raw, index, matrix):
            return 0.0, 0, False
        b, c, d = matrix.b, matrix.c, matrix.d
        size = float(pdfium.FPDFText_GetFontSize(self._raw, index))
        if c == 0 and b == 0 and d > 0:
            return d * size, 0, matrix.a < 0
        turn = round(math.atan2(c, d) / (math.pi / 2)) % 4
        return math.hypot(c, d) * size, turn, matrix.a * d - b * c < 0

    def _font(self, index: int) -> tuple[bool, bool, bool]:
        """Returns (bold, italic, a symbol font); cached by font name."""
        pdfium.FPDFText_GetFontInfo(self._raw, index, self._name, len(self._name), self._flags)
        name = self._name.value
        known = self._fonts.get(name)
        if known is None:
            bold = bool(_BOLD_FONT.search(name)) or pdfium.FPDFText_GetFontWeight(self._raw, index) >= _BOLD
            italic = bool(_ITALIC_FONT.search(name)) or bool(self._flags.value & _ITALIC_FLAG)
            known = self._fonts[name] = (bold, italic, bool(_SYMBOL_FONT.search(name)))
        return known


def _word_runs(codes: list[int], named: dict[int, str]) -> Iterator[tuple[int, int, str, bool]]:
    """Yields (start, end, text, whether a word boundary precedes it) of sequences without space, line break or
    line-end hyphen."""
    start, text, parted = 0, "", True
    for index, code in enumerate(codes):
        if 0x20 < code < 0x7F:
            text += chr(code)
            if len(text) == 1:
                start = index
            continue
        if code in _HYPHEN_CODES:
            start = start if text else index
            yield start, index + 1, text + HYPHEN, parted
            text, parted = "", True
            continue
        letter = "" if code in _SPACE_CODES else named.get(code) or _character_of(code)
        if letter:
            start = start if text else index
            text += letter
            continue
        if text:
            yield start, index, text, parted
            text, parted = "", False
        parted = parted or code in _SPACE_CODES or code in (0x0A, 0x0D)
    if text:
        yield start, len(codes), text, parted


def _character_of(code: int) -> str:
    """The character of a code; a plain space for any space, empty for an unreadable one."""
    if code in _SPACE_CODES:
        return " "
    if code == _FRACTION_SLASH:
        return "/"
    if code < 0x20 or 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:
        return ""
    return chr(code)


def _join_ligature(glyph: Glyph, text: str) -> None:
    """Corrects the order of letters in a right-to-left ligature, which PDFium reverses together with the rest of the
    line."""
    if text == glyph.text and text not in _DOUBLED_IN_LIGATURES:
        return
    glyph.text = text + glyph.text if direction_of(text[0]) == "R" else glyph.text + text
