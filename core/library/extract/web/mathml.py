"""Converts formulas of web pages (MathML) to one line of text."""

from __future__ import annotations

from collections.abc import Callable

from selectolax.lexbor import LexborNode

from core.library.extract.office.formulas import index, power, root
from core.library.extract.printed import fraction, spaced
from core.library.extract.text import normalise_line

_DEEPEST = 40
_LEFT_OUT = frozenset(("annotation", "annotation-xml", "mphantom", "maligngroup", "malignmark"))
_INVISIBLE = str.maketrans(dict.fromkeys("\u2061\u2062\u2063\u2064"))
"""Invisible operators: function application, times, separator and plus."""


def math_text(node: LexborNode, depth: int = 0) -> str:
    """A formula's text in reading order; if it is nested absurdly deep, its letters in sequence."""
    if depth > _DEEPEST:
        return normalise_line(node.text())
    text = ""
    for child in node.iter(include_text=True):
        piece = _part_text(child, depth + 1)
        text += spaced(text, piece)
    return text


def _part_text(node: LexborNode, depth: int) -> str:
    if node.is_text_node:
        return normalise_line(node.text_content or "").translate(_INVISIBLE)
    tag = node.tag or ""
    if not node.is_element_node or tag in _LEFT_OUT:
        return ""
    reader = _READERS.get(tag)
    if reader:
        parts = [_part_text(child, depth + 1) if depth < _DEEPEST else child.text() for child in node.iter()]
        return reader(parts)
    if tag == "mtable":
        return "; ".join(filter(None, (math_text(row, depth) for row in node.iter())))
    if tag == "mtr":
        return ", ".join(math_text(cell, depth) for cell in node.iter())
    return f" {math_text(node, depth)} " if tag == "mtext" else math_text(node, depth)


def _at(parts: list[str], place: int) -> str:
    return parts[place].strip() if place < len(parts) else ""


_READERS: dict[str, Callable[[list[str]], str]] = {
    "mfrac": lambda parts: fraction(_at(parts, 0), _at(parts, 1)),
    "msup": lambda parts: power(_at(parts, 0), _at(parts, 1)),
    "msub": lambda parts: index(_at(parts, 0), _at(parts, 1)),
    "msubsup": lambda parts: power(index(_at(parts, 0), _at(parts, 1)), _at(parts, 2)),
    "munder": lambda parts: index(_at(parts, 0), _at(parts, 1)),
    "mover": lambda parts: _at(parts, 0),
    "munderover": lambda parts: power(index(_at(parts, 0), _at(parts, 1)), _at(parts, 2)),
    "msqrt": lambda parts: root("".join(parts).strip(), ""),
    "mroot": lambda parts: root(_at(parts, 0), _at(parts, 1)),
    "mfenced": lambda parts: f"({', '.join(part.strip() for part in parts)})",
    "semantics": lambda parts: _at(parts, 0),
}
