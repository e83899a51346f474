"""Decodes letters whose font has no character map: the name of their glyph → text ("f_i", "uni00660069").

PDFium knows the names of single letters and of the old ligatures. For any other glyph it returns the raw code, which
only the font's own list of names explains.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_UNI = re.compile(r"uni((?:[0-9A-F]{4}){1,8})|u([0-9A-F]{4,6})")
_LETTER = re.compile(r"[A-Za-z]")
_LIGATURES = frozenset(["ff", "fi", "fl", "ffi", "ffl", "ft", "st", "ct", "fj", "Th", "tt", "fft", "ffj"])
_MOST_FORMS = 50
_NAMED = {
    "longs": "s", "dotlessi": "i", "hyphen": "-", "period": ".", "comma": ",", "space": " ", "zero": "0", "one": "1",
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
}  # fmt: skip


class GlyphNames:
    """The glyph names of a file's fonts; the file is opened only when a letter needs it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._reader: Any = None
        self._pages: dict[int, dict[str, dict[int, str]]] = {}

    def text(self, page: int, font: str, code: int) -> str:
        """The text of a code in the font with this name on the page with this index; empty if unknown."""
        if page not in self._pages:
            self._pages = {page: self._fonts(page)}
        return self._pages[page].get(font, {}).get(code, "")

    def _fonts(self, index: int) -> dict[str, dict[int, str]]:
        from pypdf import PdfReader  # slow to import, and rarely needed

        found: dict[str, dict[int, str]] = {}
        try:
            self._reader = self._reader or PdfReader(self._path)
            for font in _fonts_of(self._reader.pages[index].get("/Resources")):
                codes = found.setdefault(str(font.get("/BaseFont", "")).lstrip("/"), {})
                codes.update(_named_codes(_plain(font.get("/Encoding"))))
        except Exception:  # a damaged file, whose letters stay left out
            return found
        return found


def _plain(value: Any) -> Any:
    return value.get_object() if hasattr(value, "get_object") else value


def _fonts_of(resources: Any) -> Iterator[Any]:
    """The fonts of a page, and of the form objects drawn on it."""
    resources = _plain(resources) or {}
    yield from map(_plain, (_plain(resources.get("/Font")) or {}).values())
    forms = list((_plain(resources.get("/XObject")) or {}).values())[:_MOST_FORMS]
    for form in map(_plain, forms):
        inner = _plain(form.get("/Resources")) or {}
        yield from map(_plain, (_plain(inner.get("/Font")) or {}).values())


def _named_codes(encoding: Any) -> dict[int, str]:
    if not isinstance(encoding, Mapping):
        return {}
    codes: dict[int, str] = {}
    code = 0
    for entry in map(_plain, _plain(encoding.get("/Differences")) or []):
        if isinstance(entry, int):
            code = entry
            continue
        if text := text_of_name(str(entry).lstrip("/")):
            codes[code] = text
        code += 1
    return codes


def text_of_name(name: str) -> str:
    """The text that a glyph's name stands for; empty if one of its parts is unknown.

    >>> text_of_name("f_f_i.liga"), text_of_name("uni00660069"), text_of_name("g17")
    ('ffi', 'fi', '')
    """
    parts = [_text_of_part(part) for part in name.split(".", 1)[0].split("_")]
    return "".join(parts) if all(parts) else ""


def _text_of_part(part: str) -> str:
    if _LETTER.fullmatch(part) or part in _LIGATURES:
        return part
    found = _UNI.fullmatch(part)
    if not found:
        return _NAMED.get(part, "")
    digits = [found[2]] if found[2] else re.findall(".{4}", found[1])
    codes = [int(each, 16) for each in digits]
    return (
        "".join(map(chr, codes))
        if all(0x20 <= code < 0x110000 and not 0xD800 <= code < 0xE000 for code in codes)
        else ""
    )
