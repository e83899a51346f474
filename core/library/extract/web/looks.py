"""Determines how a page's elements are displayed: hidden, bold, superscript or subscript."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from core.library.extract.printed import Place

_SKIPPED = frozenset((
    "head", "script", "style", "noscript", "template", "nav", "iframe", "object", "embed", "svg", "canvas", "video",
    "audio", "map", "button", "select", "input", "textarea", "datalist", "dialog", "annotation", "annotation-xml",
    "footer",
))  # fmt: skip
_ROLES = frozenset(("navigation", "search", "banner", "contentinfo"))
_BOLD = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.IGNORECASE)
_FURNITURE = re.compile(
    r"(?<![\w-])(mw-editsection|noprint|navbox|catlinks|printfooter|mw-portlet|vector-dropdown|mw-cite-backlink|"
    r"cookie-banner|breadcrumbs?|sr-only|skip-link)(?![\w-])"
)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_PLACED = re.compile(r"(?:vertical-align|font-variant-position)\s*:\s*(super|sub)(?![\w-])", re.IGNORECASE)
_SHIFTED = re.compile(
    r"(?P<rise>vertical-align)\s*:\s*(?P<by>-?\d{0,3}(?:\.\d{1,4})?)(?P<in>px|pt|em|ex|rem|%)"
    r"|(?<![\w-])(?P<top>top|bottom)\s*:\s*(?P<from>-?\d{0,3}(?:\.\d{1,4})?)(?P<unit>px|pt|em|ex|rem|%)",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"position\s*:\s*relative", re.IGNORECASE)
_LEAST = {"px": 2.0, "pt": 1.5, "%": 15.0}
"""Smallest baseline shift that counts, by unit; a smaller shift only aligns letters. For other units it is
``_LEAST_PART``, relative to the type size."""
_LEAST_PART = 0.15
_RULE = re.compile(r"([^{}]{1,500})\{([^{}]{0,4000})\}")
_CLASS = re.compile(r"(?:^|[\s,>])[a-z0-9]{0,20}\.([\w-]{1,80})\s*(?=,|$)", re.IGNORECASE)
_MOST_STYLES = 500_000
_PLACES = {"sup": Place.RAISED, "sub": Place.LOWERED, "super": Place.RAISED}


@dataclass(frozen=True)
class Look:
    """How an element is displayed. ``place`` is ``None`` if it is printed like the text around it."""

    left_out: bool = False
    strong: bool = False
    place: Place | None = None


_LEFT_OUT, _PLAIN = Look(left_out=True), Look()


@dataclass
class Looks:
    """The display of a page's elements, from their tags, attributes and the classes of its own style sheets.

    ``hidden`` are the elements whose text is not visible.
    """

    shows_hidden: bool = False
    classes: dict[str, Place] = field(default_factory=dict)
    hidden: set[int] = field(default_factory=set)

    def of(self, node: LexborNode) -> Look:
        tag = node.tag or ""
        if tag in _SKIPPED:
            return _LEFT_OUT
        attributes = node.attributes
        place, strong = _PLACES.get(tag), tag in ("b", "strong")
        if not attributes:
            return Look(strong=strong, place=place) if strong or place is not None else _PLAIN
        style, classes = attributes.get("style") or "", attributes.get("class") or ""
        if attributes.get("role") in _ROLES or (classes and _FURNITURE.search(classes)):
            return _LEFT_OUT
        if self._is_hidden(node, attributes, style):
            return _LEFT_OUT
        if style:
            strong = strong or bool(_BOLD.search(style))
            place = place if (shown := _place_of(style)) is None else shown
        if place is None and classes and self.classes:
            place = next((self.classes[name] for name in classes.split() if name in self.classes), None)
        return Look(strong=strong, place=place) if strong or place is not None else _PLAIN

    def _is_hidden(self, node: LexborNode, attributes: dict[str, str | None], style: str) -> bool:
        """Whether the element is invisible to people; hidden formulas are kept, because the page shows an image of
        them."""
        if attributes.get("aria-hidden") == "true":
            return True
        if "hidden" not in attributes and not (style and _HIDDEN.search(style)):
            return False
        if self.shows_hidden or node.css_first("math") is not None:
            return False
        if any(map(str.isalnum, node.text())):
            self.hidden.add(node.mem_id)
        return True


def looks_of(page: LexborHTMLParser, shows_hidden: bool) -> Looks:
    """The looks of a page with its inline style sheets."""
    classes: dict[str, Place] = {}
    left = _MOST_STYLES
    for sheet in page.css("style"):
        text = sheet.text()[:left]
        left -= len(text)
        if "vertical-align" not in text and "position" not in text:
            continue
        for selectors, rules in _RULE.findall(text):
            if (place := _place_of(rules)) is not None:
                classes.update(dict.fromkeys(_CLASS.findall(selectors), place))
    return Looks(shows_hidden, classes)


def _place_of(style: str) -> Place | None:
    """The vertical position from a style, by name or by the baseline shift."""
    if found := _PLACED.search(style):
        return _PLACES[found.group(1).lower()]
    for found in _SHIFTED.finditer(style):
        number, unit = found["by"] or found["from"], (found["in"] or found["unit"]).lower()
        if number in ("", "-", None) or (found["top"] and not _RELATIVE.search(style)):
            continue
        up = -float(number) if (found["top"] or "").lower() == "top" else float(number)
        if abs(up) >= _LEAST.get(unit, _LEAST_PART):
            return Place.RAISED if up > 0 else Place.LOWERED
    return None
