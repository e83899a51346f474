"""Computes the numbers and bullets of DOCX list items, which the file stores as rules and not as text."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import Any

from docx.document import Document
from docx.oxml.ns import qn

from core.language.entities.roman_numerals import roman
from core.language.hebrew import NUMERALS, numeral

_VAL, _LEVEL = qn("w:val"), qn("w:ilvl")
_PLACE = re.compile(r"%(\d)")


@dataclass(frozen=True)
class _Level:
    format: str
    text: str
    start: int
    style: str | None


@cache
def _qualified(path: str) -> str:
    return "/".join(map(qn, path.split("/")))


def find(element: Any, path: str) -> Any:
    """The first element at a path such as ``"w:pPr/w:numPr"``, or ``None``."""
    return element.find(_qualified(path))


def value_at(element: Any, path: str) -> str | None:
    """The value of the first element at ``path``; ``None`` if there is none."""
    found = find(element, path)
    return found.get(_VAL) if found is not None else None


class Numbering:
    """Counts the items of every list of a document, in document order."""

    def __init__(self, document: Document) -> None:
        self._levels: dict[str, dict[int, _Level]] = {}
        self._list_of: dict[str, str] = {}
        self._overrides: dict[str, dict[int, int]] = {}
        self._counts: dict[str, dict[int, int]] = defaultdict(dict)
        self._seen: set[str] = set()
        try:
            root = document.part.numbering_part.element
        except (KeyError, NotImplementedError, AttributeError, ValueError, TypeError):
            return
        for abstract in root.iter(qn("w:abstractNum")):
            self._levels[abstract.get(qn("w:abstractNumId"))] = dict(map(_read_level, abstract.iter(qn("w:lvl"))))
        for num in root.iter(qn("w:num")):
            reference = num.find(qn("w:abstractNumId"))
            if reference is not None:
                self._list_of[num.get(qn("w:numId"))] = reference.get(_VAL)
                self._overrides[num.get(qn("w:numId"))] = _overrides(num)

    def next(self, numbered: Any, style: str | None) -> tuple[int, str] | None:
        """(depth, number or bullet) of the next item from its ``numPr`` element; ``None`` if numbering is off."""
        num_id = value_at(numbered, "w:numId")
        if num_id in (None, "0") or num_id not in self._list_of:
            return None
        abstract = self._list_of[num_id]
        levels = self._levels.get(abstract, {})
        depth = self._list_level(numbered, levels, style)
        level = levels.get(depth, _Level("bullet", "", 1, None))
        if level.format in ("bullet", "none"):
            return depth, "-"
        counts = self._counts[abstract]
        self._restart(num_id, counts)
        counts[depth] = counts.get(depth, level.start - 1) + 1
        for deeper in [other for other in counts if other > depth]:
            del counts[deeper]
        return depth, self._sign(level, levels, counts)

    def _list_level(self, numbered: Any, levels: dict[int, _Level], style: str | None) -> int:
        value = value_at(numbered, "w:ilvl")
        if value and value.isdigit():
            return min(int(value), 8)
        return next((depth for depth, level in levels.items() if style and level.style == style), 0)

    def _restart(self, num_id: str, counts: dict[int, int]) -> None:
        """Restart a list that overrides its start number, at its first item."""
        if num_id not in self._seen:
            self._seen.add(num_id)
            for depth, start in self._overrides[num_id].items():
                counts[depth] = start - 1

    def _sign(self, level: _Level, levels: dict[int, _Level], counts: dict[int, int]) -> str:
        def number(found: re.Match[str]) -> str:
            depth = int(found.group(1)) - 1
            rule = levels.get(depth)
            return printed_number(counts.get(depth, rule.start if rule else 1), rule.format if rule else "decimal")

        return _PLACE.sub(number, level.text) or "-"


def _read_level(element: Any) -> tuple[int, _Level]:
    start = value_at(element, "w:start") or "1"
    depth = element.get(_LEVEL) or "0"
    level = _Level(
        value_at(element, "w:numFmt") or "decimal",
        value_at(element, "w:lvlText") or "",
        int(start) if start.isdigit() else 1,
        value_at(element, "w:pStyle"),
    )
    return int(depth) if depth.isdigit() else 0, level


def _overrides(num: Any) -> dict[int, int]:
    result = {}
    for override in num.iter(qn("w:lvlOverride")):
        start = value_at(override, "w:startOverride") or ""
        depth = override.get(_LEVEL) or "0"
        if depth.isdigit() and start.isdigit():
            result[int(depth)] = int(start)
    return result


def printed_number(number: int, style: str) -> str:
    """``number`` in the digits, letters or numerals of Word's numbering ``style``."""
    number = max(0, min(number, 100_000))
    if style in ("lowerLetter", "upperLetter"):
        letter = chr(ord("a") + (number - 1) % 26) * min((number - 1) // 26 + 1, 5)
        return letter if style == "lowerLetter" else letter.upper()
    if style in ("lowerRoman", "upperRoman"):
        return roman(number).lower() if style == "lowerRoman" else roman(number)
    if style in ("hebrew1", "hebrew2") and 0 < number <= 400:
        return numeral(number) if style == "hebrew1" else NUMERALS[(number - 1) % 22]
    return str(number)
