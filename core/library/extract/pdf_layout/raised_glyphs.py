"""Marks superscript and subscript glyphs of a page: footnote marks, exponents, fractions drawn with small digits.

Size and position decide: a glyph that is smaller than its neighbour and above its baseline is superscript. The
neighbour is looked for on the page and not in the file, because the file may store all marks of a table after its
numbers.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.library.extract.pdf_layout.glyphs import Glyph
from core.library.extract.raised import lowered, raised

_SMALLER = 0.9
_SAME_SIZE = 0.03
_RISE = 0.15
"""From this height above the previous glyph's baseline on, a glyph is raised; in ems of that glyph."""
_DROP = 0.08
_DESCENT = 0.22
"""How far a glyph's box extends below its baseline in common fonts, in ems."""
_HIGHEST = 0.85
_GAP = 0.5
_GAP_WITHIN = 0.35
_OVERLAP = 0.2
_TIGHT = 0.12
_BUCKET = 24.0
_LIKE_MARK = re.compile(r"[0-9*†‡§,()\[\]+\-\u2212=]{1,7}|[(\[]?[a-zA-Z][)\]]?,?")
_LONG_NUMBER = re.compile(r"\d{4}|\d,\d{3}|[a-zA-Z]\d|\d[a-zA-Z]{2}")
_LONGEST = 7
_SLASH = re.compile(r"/\d{0,3}")
"""PDFium's fraction slash, possibly in one word with the digits after it."""
_IN_BRACKETS = re.compile(r"[(\[].{1,5}[)\]]")
_PRICE = re.compile(r"[$€£¥₪]?\d{1,4}")
_CURRENCY = frozenset("$€£¥₪")
_LEAST_CENTS = 50
"""From this number on, two raised digits after an amount are cents, because no table has so many notes."""


def mark_raised(glyphs: Sequence[Glyph]) -> None:
    """Give superscript and subscript glyphs, upright and on one page, their special characters."""
    if not glyphs or min(glyph.size for glyph in glyphs) > _SMALLER * max(glyph.size for glyph in glyphs):
        return
    page = _Neighbours(glyphs)
    for group in _groups(glyphs, page):
        _respell(group, page)


@dataclass(slots=True)
class _Group:
    """Adjacent small glyphs; ``base`` is the larger glyph they belong to, ``None`` at the beginning of a line."""

    glyphs: list[Glyph]
    base: Glyph | None
    is_raised: bool
    text: str = field(default="")


class _Neighbours:
    """Index of a page's glyphs by the grid squares in which they begin and end."""

    def __init__(self, glyphs: Sequence[Glyph]) -> None:
        self._by_right: dict[tuple[int, int], list[Glyph]] = defaultdict(list)
        self._by_left: dict[tuple[int, int], list[Glyph]] = defaultdict(list)
        for glyph in glyphs:
            if glyph.text != " ":
                level = int((glyph.bottom + glyph.top) / 2 // _BUCKET)
                self._by_right[int(glyph.x1 // _BUCKET), level].append(glyph)
                self._by_left[int(glyph.x0 // _BUCKET), level].append(glyph)

    def before(self, glyph: Glyph) -> Glyph | None:
        """The nearest glyph that ends where ``glyph`` begins, or slightly before."""
        near = self._near(self._by_right, glyph.x0, glyph)
        found = [other for other in near if _is_beside(other, glyph, glyph.x0 - other.x1)]
        return min(found, key=lambda other: abs(glyph.x0 - other.x1), default=None)

    def behind(self, glyph: Glyph) -> Glyph | None:
        """The nearest glyph that begins where ``glyph`` ends, or slightly after."""
        near = self._near(self._by_left, glyph.x1, glyph)
        found = [other for other in near if _is_beside(other, glyph, other.x0 - glyph.x1)]
        return min(found, key=lambda other: abs(other.x0 - glyph.x1), default=None)

    def _near(self, squares: dict[tuple[int, int], list[Glyph]], x: float, glyph: Glyph) -> Iterator[Glyph]:
        column, level = int(x // _BUCKET), int((glyph.bottom + glyph.top) / 2 // _BUCKET)
        for at in (column - 1, column, column + 1):
            for row in (level - 1, level, level + 1):
                for other in squares.get((at, row), ()):
                    if other is not glyph:
                        yield other


def _is_beside(other: Glyph, glyph: Glyph, gap: float) -> bool:
    larger = max(other.size, glyph.size)
    if not -_OVERLAP * larger <= gap <= _GAP * larger:
        return False
    return min(other.top, glyph.top) - max(other.bottom, glyph.bottom) > _OVERLAP * min(other.size, glyph.size)


def _rise(glyph: Glyph, base: Glyph) -> float:
    """How far the baseline of ``glyph`` is above that of ``base``, in ems of ``base``."""
    return (glyph.bottom - base.bottom - _DESCENT * (base.size - glyph.size)) / base.size


def _runs_on(glyph: Glyph, other: Glyph) -> bool:
    """Whether both have the same size and baseline."""
    size = max(glyph.size, other.size)
    return abs(glyph.size - other.size) <= _SAME_SIZE * size and abs(glyph.bottom - other.bottom) <= 0.1 * size


def _groups(glyphs: Sequence[Glyph], page: _Neighbours) -> list[_Group]:
    largest = max(glyph.size for glyph in glyphs)
    small = [glyph for glyph in glyphs if glyph.size <= _SMALLER * largest and _LIKE_MARK.fullmatch(glyph.text)]
    groups: list[_Group] = []
    of: dict[int, _Group] = {}
    for glyph in sorted(small, key=lambda glyph: glyph.x0):
        before = page.before(glyph)
        if before is not None and _runs_on(before, glyph):
            group = of.get(id(before))
            if group is not None and glyph.x0 - before.x1 <= _GAP_WITHIN * glyph.size:
                group.glyphs.append(glyph)
                of[id(glyph)] = group
            continue
        if found := _begun(glyph, before, page):
            groups.append(found)
            of[id(glyph)] = found
    return [group for group in groups if _is_mark(group, page)]


def _begun(glyph: Glyph, before: Glyph | None, page: _Neighbours) -> _Group | None:
    base = before if before is not None and glyph.size <= _SMALLER * before.size else None
    if base is None:
        if before is not None and not _is_slash(before):
            return None
        base = page.behind(glyph) if before is None else None
        last = glyph
        while base is not None and _runs_on(base, last) and base.x0 > last.x0:
            last, base = base, page.behind(base)
        if base is None or glyph.size > _SMALLER * base.size or _is_slash(base):
            return _Group([glyph], None, True) if base is not None and _is_slash(base) else None
        return _Group([glyph], None, True) if _RISE <= _rise(glyph, base) <= _HIGHEST else None
    rise = _rise(glyph, base)
    if _RISE <= rise <= _HIGHEST:
        return _Group([glyph], base, True)
    is_tight = glyph.x0 - base.x1 <= _TIGHT * base.size
    if rise <= -_DROP and is_tight and glyph.text.isdigit() and base.text[-1:].isalpha():
        return _Group([glyph], base, False)
    return None


def _is_slash(glyph: Glyph) -> bool:
    return bool(_SLASH.fullmatch(glyph.text))


def _is_mark(group: _Group, page: _Neighbours) -> bool:
    """Whether it is short and not the beginning of a line of small type next to large type."""
    group.text = "".join(glyph.text for glyph in group.glyphs)
    if len(group.text) > _LONGEST or _LONG_NUMBER.search(group.text):
        return False
    last = group.glyphs[-1]
    behind = page.behind(last)
    return behind is None or not _runs_on(behind, last) or _is_slash(behind)


def _respell(group: _Group, page: _Neighbours) -> None:
    behind = page.behind(group.glyphs[-1])
    _join(group, behind)
    if not group.is_raised:
        _set(group, lowered(group.text))
        return
    if group.text.isdigit() and behind is not None and _is_fraction(group, behind, page):
        first = group.glyphs[0]
        if group.base is not None and group.base.text[-1:].isdigit():
            first.text = f" {first.text}"
        if _is_slash(behind):
            behind.parted = False
        else:
            group.glyphs[-1].text += "/"
        return
    if _is_cents(group, page):
        group.glyphs[0].text = f".{group.glyphs[0].text}"
    elif _IN_BRACKETS.fullmatch(group.text):
        # Its brackets identify it as a mark, both in labels and in numbers.
        if group.base is not None:
            group.glyphs[0].text = f" {group.glyphs[0].text}"
    else:
        _set(group, raised(group.text))
        if group.base is None and group.text.isdigit():
            group.glyphs[-1].text += " "


def _join(group: _Group, behind: Glyph | None) -> None:
    """Decides by the gaps whether the group is part of a word; PDFium sets a word boundary at every baseline change."""
    first, last = group.glyphs[0], group.glyphs[-1]
    if group.base is not None and first.x0 - group.base.x1 <= _TIGHT * group.base.size:
        first.parted = False
    if behind is None or group.base is None or abs(behind.bottom - group.base.bottom) > 0.1 * group.base.size:
        return
    if abs(behind.x0 - last.x1) <= 0.5 * _TIGHT * behind.size:
        behind.parted = False


def _set(group: _Group, text: str) -> None:
    """Set ``text``, which has as many characters as the group."""
    at = 0
    for glyph in group.glyphs:
        length = len(glyph.text)
        glyph.text = text[at : at + length]
        at += length


def _is_fraction(group: _Group, behind: Glyph, page: _Neighbours) -> bool:
    """Whether small digits that are not raised follow a slash or the raised digits."""
    last = group.glyphs[-1]
    if len(behind.text) > 1 and _is_slash(behind):
        return True
    if _is_slash(behind):
        below = page.behind(behind)
        return below is not None and below.text.isdigit() and below.bottom < last.bottom - _RISE * last.size
    follows_figure = group.base is None or group.base.text[-1:].isdigit()
    is_small = behind.text.isdigit() and abs(behind.size - last.size) <= 0.1 * last.size
    return follows_figure and is_small and behind.bottom < last.bottom - 0.3 * last.size


def _is_cents(group: _Group, page: _Neighbours) -> bool:
    """Whether two raised digits after a price without cents cannot be a footnote mark."""
    base = group.base
    if base is None or len(group.text) != 2 or not group.text.isdigit():
        return False
    first = base
    while not first.text.startswith(tuple(_CURRENCY)):
        before = page.before(first)
        if before is None or not first.text.isdigit() or before.x0 >= first.x0:
            return False
        if before.text in _CURRENCY and before.size <= _SMALLER * first.size:
            return True
        first = before
    bare = base.text if base is first else f"{first.text}{base.text}"
    return bool(_PRICE.fullmatch(bare)) and (group.text[0] == "0" or int(group.text) >= _LEAST_CENTS)
