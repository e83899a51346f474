"""Reads the text of slides as displayed: superscript separated, formulas in reading order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pptx.oxml.ns import qn

from core.library.extract.office.formulas import FORMULA, formula_text
from core.library.extract.printed import Place, Printed, spaced
from core.library.extract.text import normalise, normalise_line

_P, _RUN, _FIELD, _BREAK, _TEXT = qn("a:p"), qn("a:r"), qn("a:fld"), qn("a:br"), qn("a:t")
_PROPERTIES = qn("a:rPr")
_COMPATIBLE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
ALTERNATIVES, CHOICE, FALLBACK = (_COMPATIBLE + name for name in ("AlternateContent", "Choice", "Fallback"))
_DEEPEST = 40


def paragraphs_of(body: Any) -> Iterator[tuple[int, str]]:
    """Yields (level, text) of each non-empty paragraph of a text body, with its line breaks."""
    for paragraph in body.iterchildren(_P):
        if text := normalise(paragraph_text(paragraph)):
            level = paragraph.find(qn("a:pPr"))
            value = level.get("lvl") if level is not None else None
            yield int(value) if value and value.isdigit() and len(value) == 1 else 0, text


def line_of(body: Any) -> str:
    """All of a text body on one line, as in a cell."""
    return normalise_line("\n".join(paragraph_text(paragraph) for paragraph in body.iterchildren(_P)))


def paragraph_text(paragraph: Any) -> str:
    """The text of an ``a:p``."""
    line = Printed()
    _add(paragraph, line, 0)
    return line.text()


def _add(element: Any, line: Printed, depth: int) -> None:
    for child in element:
        tag = child.tag
        if tag in (_RUN, _FIELD):
            line.add("".join(text.text or "" for text in child.iterchildren(_TEXT)), _place(child))
        elif tag == _BREAK:
            line.add("\n")
        elif tag == FORMULA:
            line.add(spaced(line.last(), formula_text(child)))
        elif isinstance(tag, str) and tag != FALLBACK and depth < _DEEPEST and len(child):
            _add(child, line, depth + 1)


def _place(run: Any) -> Place:
    """The position from the baseline shift, in thousandths of a percent of the type size."""
    properties = run.find(_PROPERTIES)
    shift = (properties.get("baseline") or "0").removesuffix("%") if properties is not None else "0"
    if shift.strip("-0") == "":
        return Place.PLAIN
    return Place.LOWERED if shift.startswith("-") else Place.RAISED
