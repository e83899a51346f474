"""Reads cells of an OpenDocument sheet: *an element* → its displayed text, and its comment."""

from __future__ import annotations

import re
from datetime import datetime

from core.library.extract.text import normalise_line
from core.library.extract.workbooks.date_formats import iso
from core.library.extract.workbooks.number_formats import general
from core.library.extract.workbooks.ods_styles import OdsStyles, attribute
from core.library.extract.workbooks.rich_text import set_off
from core.library.extract.workbooks.workbook_parts import Element, local

_DIGITS = re.compile(r"\d[\d.,'’ \u00a0\u202f]*")
_LEFT_OUT = frozenset(("annotation", "frame", "custom-shape", "g", "note", "ruby-text", "detective", "shapes"))
_MOST_BLANKS = 100
_DEEPEST = 20
_LONGEST_RAISED = 3
_DURATION = re.compile(r"(-?)PT(\d{1,9})H(\d{1,2})M(\d{1,2})(?:[.,]\d{1,12})?S")


def cell_text(cell: Element, styles: OdsStyles, style: str, with_hidden: bool) -> str:
    """The displayed text, or the value if the file has no displayed text."""
    lines = [child for child in cell if local(child.tag) == "p"]
    shown = normalise_line(" ".join(displayed(line, styles) for line in lines))
    kind, value = attribute(cell, "value-type"), attribute(cell, "value")
    if kind == "date" and (shown or not lines) and (date := _whole_date(cell, styles.date_parts(style))):
        return date
    if not lines or (with_hidden and not shown) or (kind == "boolean" and shown):
        shown = _bare_value(cell, kind, value)
    elif kind in ("float", "percentage", "currency"):
        shown = _with_english_signs(shown, _number(value))
    alignment = styles.alignments.get(style)
    if alignment and (kind == "string" or len(shown) <= _LONGEST_RAISED):
        return set_off(shown, alignment)
    return shown


def displayed(element: Element, styles: OdsStyles, depth: int = 0) -> str:
    """The text of a paragraph with superscript and subscript separated; drawings are left out."""
    parts = [element.text or ""]
    for child in element:
        name = local(child.tag)
        if name == "s":
            count = attribute(child, "c")
            parts.append(" " * min(int(count) if count.isdecimal() else 1, _MOST_BLANKS))
        elif name in ("tab", "line-break"):
            parts.append(" ")
        elif name and name not in _LEFT_OUT and depth < _DEEPEST:
            text = displayed(child, styles, depth + 1)
            parts.append(
                set_off(text, styles.alignments.get(attribute(child, "style-name"))) if name == "span" else text
            )
        parts.append(child.tail or "")
    return "".join(parts)


def note_on(cell: Element, styles: OdsStyles) -> tuple[str, str] | None:
    """Returns (author, text) of a cell's comment."""
    for child in cell:
        if local(child.tag) == "annotation":
            author = next((each.text or "" for each in child if local(each.tag) == "creator"), "")
            lines = [displayed(each, styles) for each in child.iter("{*}p")]
            text = normalise_line(" ".join(lines))
            return (normalise_line(author), text) if text else None
    return None


def _bare_value(cell: Element, kind: str, value: str) -> str:
    number = _number(value)
    if kind == "percentage" and number is not None:
        return f"{general(number * 100)}%"
    if kind == "currency" and number is not None:
        return f"{general(number)} {attribute(cell, 'currency')}".strip()
    if kind == "float" and number is not None:
        return general(number)
    if kind == "boolean":
        return attribute(cell, "boolean-value").upper()
    if kind == "time":
        return _hours(attribute(cell, "time-value"))
    return normalise_line(attribute(cell, "string-value"))


def _number(value: str) -> int | float | None:
    try:
        return int(value) if value.lstrip("-").isdecimal() and len(value) < 16 else float(value)
    except ValueError:
        return None


def _whole_date(cell: Element, parts: frozenset[str] | None) -> str:
    """The ISO date of a cell that shows day and month, which is also assumed for an unknown style."""
    if parts is not None and not {"day", "month"} <= parts:
        return ""
    value = attribute(cell, "date-value")
    try:
        return iso(datetime.fromisoformat(value[:19] if parts is None or "hours" in parts else value[:10]))
    except ValueError:
        return ""


def _hours(duration: str) -> str:
    found = _DURATION.fullmatch(duration)
    return f"{found[1]}{int(found[2]):02d}:{int(found[3]):02d}" if found else duration


def _with_english_signs(shown: str, value: float | None) -> str:
    """A number displayed with another country's separators, ``1.234,50``, in English notation: ``1,234.50``.

    Only the stored value can decide: the digits must give that value after rounding, possibly as a percentage.
    """
    found = list(_DIGITS.finditer(shown))
    if value is None or len(found) != 1 or not any(sign in found[0].group() for sign in ".,'’\u00a0\u202f "):
        return shown
    printed = found[0].group().rstrip(" \u00a0\u202f")
    whole, point, part = printed.rpartition(",")
    grouped = re.sub(r"[.'’ \u00a0\u202f]", ",", whole if point else printed)
    foreign = grouped + (f".{part}" if point else "")
    if _means(printed, value) or not _means(foreign, value):
        return shown
    start = found[0].start()
    return f"{shown[:start]}{foreign}{shown[start + len(printed) :]}"


def _means(printed: str, value: float) -> bool:
    """Whether English digits give a value to within the rounding of their last decimal."""
    plain = printed.replace(",", "")
    try:
        number = float(plain)
    except ValueError:
        return False
    if any(len(group) != 3 for group in printed.partition(".")[0].split(",")[1:]):
        return False
    slack = 0.5000001 * 10 ** -len(plain.partition(".")[2])
    return any(abs(number - abs(meant)) <= slack for meant in (value, value * 100))
