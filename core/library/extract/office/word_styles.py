"""Reads the styles of a Word file: the formatting of a paragraph or run, including inherited values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from docx.document import Document
from docx.oxml.ns import qn

from core.library.extract.numbering import find, value_at
from core.library.extract.printed import Place

_VERTICAL, _POSITION = qn("w:vertAlign"), qn("w:position")
_VANISH = (qn("w:vanish"), qn("w:specVanish"))
_STYLE, _VAL = qn("w:rStyle"), qn("w:val")
_PLACES = {"superscript": Place.RAISED, "subscript": Place.LOWERED, "baseline": Place.PLAIN}
_LEAST_SHIFT = 4
"""Smallest baseline shift that counts, in half points; a smaller one only aligns letters."""


@dataclass(frozen=True)
class RunLook:
    """A run's vertical position and whether it is hidden; ``None`` if not set."""

    place: Place | None = None
    hidden: bool | None = None

    def over(self, other: RunLook) -> RunLook:
        """A copy of this object with missing values filled from ``other``."""
        return RunLook(
            other.place if self.place is None else self.place, other.hidden if self.hidden is None else self.hidden
        )


_NOTHING = RunLook()


class Styles:
    """The styles of one document; empty if their part could not be read."""

    def __init__(self, document: Document) -> None:
        try:
            self._styles = {style.style_id: style for style in document.styles}
        except (KeyError, ValueError, AttributeError, TypeError, NotImplementedError):
            self._styles = {}
        self._levels: dict[str, int] = {}
        self._looks: dict[str, RunLook] = {}

    def heading_level(self, style_id: str | None) -> int:
        """1-9 for a heading, 0 for anything else; the document's title is 1."""
        if not style_id:
            return 0
        if style_id not in self._levels:
            self._levels[style_id] = self._level(style_id)
        return self._levels[style_id]

    def _level(self, style_id: str) -> int:
        for style in self.ancestors(style_id):
            name = (style.name or "").lower()
            if name == "title":
                return 1
            if name.startswith("heading ") and name[8:].isdigit():
                return min(int(name[8:]), 9)
            level = outline_level(style.element)
            if level:
                return level
        return 0

    def numbering(self, style_id: str | None) -> Any:
        """The ``numPr`` element of the style or of a parent style."""
        found = (find(style.element, "w:pPr/w:numPr") for style in self.ancestors(style_id))
        return next((each for each in found if each is not None), None)

    def is_bold(self, style_id: str | None) -> bool:
        marks = (switch(find(style.element, "w:rPr/w:b")) for style in self.ancestors(style_id))
        return next((mark for mark in marks if mark is not None), False)

    def look(self, style_id: str | None) -> RunLook:
        """How the style displays its text, including inherited values."""
        if not style_id:
            return _NOTHING
        if style_id not in self._looks:
            look = _NOTHING
            for style in self.ancestors(style_id):
                properties = find(style.element, "w:rPr")
                look = look.over(own_look(properties)) if properties is not None else look
            self._looks[style_id] = look
        return self._looks[style_id]

    def run_look(self, properties: Any, of_paragraph: RunLook) -> RunLook:
        """How a run is displayed, by its properties, its style and its paragraph's style."""
        look, style_id = _NOTHING, None
        for each in properties:
            if each.tag == _STYLE:
                style_id = each.get(_VAL)
            else:
                look = look.over(_property(each))
        return look.over(self.look(style_id)).over(of_paragraph)

    def ancestors(self, style_id: str | None) -> Iterator[Any]:
        seen: set[str] = set()
        while style_id and style_id not in seen and style_id in self._styles:
            seen.add(style_id)
            style = self._styles[style_id]
            yield style
            style_id = value_at(style.element, "w:basedOn")


def own_look(properties: Any) -> RunLook:
    """The values set in the run properties themselves."""
    look = _NOTHING
    for each in properties:
        look = look.over(_property(each))
    return look


def _property(element: Any) -> RunLook:
    tag = element.tag
    if tag == _VERTICAL:
        return RunLook(place=_PLACES.get(element.get(_VAL) or ""))
    if tag == _POSITION:
        return RunLook(place=_shifted(element.get(_VAL) or ""))
    if tag in _VANISH:
        return RunLook(hidden=switch(element))
    return _NOTHING


def _shifted(value: str) -> Place | None:
    shift = int(value) if value.removeprefix("-").isdecimal() and len(value) < 6 else 0
    if abs(shift) < _LEAST_SHIFT:
        return None
    return Place.RAISED if shift > 0 else Place.LOWERED


def outline_level(element: Any) -> int:
    """1-9 if the element's paragraph properties put it into the outline, otherwise 0."""
    value = value_at(element, "w:pPr/w:outlineLvl")
    return int(value) + 1 if value and value.isdigit() and int(value) < 9 else 0


def switch(mark: Any) -> bool | None:
    """The value of an on/off property; ``None`` if it is missing."""
    return None if mark is None else mark.get(_VAL) not in ("0", "false", "off")
