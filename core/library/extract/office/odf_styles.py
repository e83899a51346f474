"""Reads the styles of an OpenDocument file: which make text superscript, hidden, a heading, or a numbered list."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from odfdo import Document, Element

from core.library.extract.printed import Place

_TEXT, _PARAGRAPH = "style:text-properties", "style:paragraph-properties"
_MOST_ANCESTORS = 30
_HIDING = ("none", "condition")


@dataclass(frozen=True)
class OdfLook:
    """How a style displays its text; ``None`` if the style does not set it. ``list_style`` numbers its paragraphs."""

    place: Place | None = None
    hidden: bool | None = None
    bold: bool | None = None
    heading: int = 0
    list_style: str | None = None

    def over(self, other: OdfLook) -> OdfLook:
        """A copy of this object with missing values filled from ``other``."""
        return OdfLook(
            other.place if self.place is None else self.place,
            other.hidden if self.hidden is None else self.hidden,
            other.bold if self.bold is None else self.bold,
            self.heading or other.heading,
            self.list_style or other.list_style,
        )


_NOTHING = OdfLook()


class OdfStyles:
    """The styles of a document by family and name; those in its content take precedence."""

    def __init__(self, document: Document) -> None:
        self._own: dict[tuple[str, str], OdfLook] = {}
        self._parents: dict[tuple[str, str], str] = {}
        self._found: dict[tuple[str, str], OdfLook] = {}
        self._numbered: dict[tuple[str, int], bool] = {}
        self._hidden_pages: set[str] = set()
        for part in (document.styles, document.content):
            with suppress(KeyError):  # The part with styles is optional.
                for style in part.get_elements("//style:style"):
                    self._add(style)
                for style in part.get_elements("//text:list-style"):
                    self._add_list(style)

    def look(self, family: str, name: str | None) -> OdfLook:
        """The look of a style, including inherited values."""
        if not name:
            return _NOTHING
        key = (family, name)
        if key not in self._found:
            look, at, left = _NOTHING, key, _MOST_ANCESTORS
            while at in self._own and left:
                look = look.over(self._own[at])
                at, left = (family, self._parents.get(at, "")), left - 1
            self._found[key] = look
        return self._found[key]

    def is_numbered(self, list_style: str | None, level: int) -> bool:
        """Whether list items at ``level`` (from 1) have numbers instead of bullets."""
        return self._numbered.get((list_style or "", level), False)

    def is_hidden_page(self, name: str | None) -> bool:
        """Whether slides with this style are hidden."""
        return name in self._hidden_pages

    def _add(self, style: Element) -> None:
        attributes = style.attributes
        key = (attributes.get("style:family", ""), attributes.get("style:name", ""))
        self._parents[key] = attributes.get("style:parent-style-name", "")
        name = attributes.get("style:display-name", key[1]).replace("_20_", " ").lower()
        look = OdfLook(list_style=attributes.get("style:list-style-name") or None)
        if key[0] == "paragraph":
            look = replace(look, heading=_heading(name, attributes.get("style:default-outline-level", "")))
        for child in style.children:
            if child.tag == _TEXT:
                look = _text_look(child.attributes).over(look)
            elif child.attributes.get("presentation:visibility") == "hidden":
                self._hidden_pages.add(key[1])
        self._own[key] = look

    def _add_list(self, style: Element) -> None:
        name = style.attributes.get("style:name", "")
        for level in style.children:
            number = level.attributes.get("text:level", "")
            if number.isdigit() and level.tag == "text:list-level-style-number":
                self._numbered[name, int(number)] = bool(level.attributes.get("style:num-format"))


def _heading(name: str, level: str) -> int:
    if name == "title":
        return 1
    return min(int(level), 9) if level.isdigit() and len(level) < 3 else 0


def _text_look(attributes: dict[str, str]) -> OdfLook:
    display, weight = attributes.get("text:display"), attributes.get("fo:font-weight")
    position = (attributes.get("style:text-position") or "").split()
    return OdfLook(
        _place(position[0]) if position else None,
        None if display is None else display in _HIDING,
        None if weight is None else weight in ("bold", "600", "700", "800", "900"),
    )


def _place(position: str) -> Place:
    """The position from ``super``, ``sub`` or a baseline shift in percent."""
    shift = position.removesuffix("%")
    if position == "super" or (shift.strip("0.").isdigit() and shift.strip("0.")):
        return Place.RAISED
    return Place.LOWERED if position == "sub" or shift.startswith("-") else Place.PLAIN
