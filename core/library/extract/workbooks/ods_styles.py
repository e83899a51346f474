"""Reads the styles of an OpenDocument sheet: how tables, dates and text runs are displayed."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.library.extract.workbooks.workbook_parts import Element, local


@dataclass
class OdsStyles:
    """Information by style name: hidden tables, columns and rows without size; the data styles of cells, and the parts
    that date styles show; runs and cells with superscript or subscript text."""

    unseen_tables: set[str] = field(default_factory=set)
    unseen_sizes: set[str] = field(default_factory=set)
    data_styles: dict[str, str] = field(default_factory=dict)
    dates: dict[str, frozenset[str]] = field(default_factory=dict)
    alignments: dict[str, str] = field(default_factory=dict)

    def add(self, style: Element) -> None:
        """Add a style from the content or the document."""
        name = attribute(style, "name")
        if local(style.tag) == "date-style":
            self.dates[name] = frozenset(local(part.tag) for part in style)
            return
        parent = attribute(style, "parent-style-name")
        if data := attribute(style, "data-style-name") or self.data_styles.get(parent, ""):
            self.data_styles[name] = data
        for properties in style:
            kind = local(properties.tag)
            if kind == "table-properties" and attribute(properties, "display") == "false":
                self.unseen_tables.add(name)
            elif kind in ("table-column-properties", "table-row-properties"):
                size = attribute(properties, "column-width") or attribute(properties, "row-height")
                if size and not size.strip("0.cmintpx%") and size[:1] == "0":
                    self.unseen_sizes.add(name)
            elif kind == "text-properties" and (alignment := _alignment(attribute(properties, "text-position"))):
                self.alignments[name] = alignment

    def date_parts(self, cell_style: str) -> frozenset[str] | None:
        """The date parts that a cell style shows: ``day``, ``month``, ``hours`` …; ``None`` if unknown."""
        return self.dates.get(self.data_styles.get(cell_style, ""))


def attribute(element: Element, name: str) -> str:
    """An attribute by its name without a namespace; empty if it is missing."""
    for key, value in element.attrib.items():
        if key.rpartition("}")[2] == name:
            return str(value)
    return ""


def _alignment(position: str) -> str | None:
    """The alignment from ``super 58%`` or ``-33% 58%``: the first word is the position, or a percentage of the line
    height."""
    where = position.split(" ")[0] if position else ""
    if where in ("super", "sub"):
        return "superscript" if where == "super" else "subscript"
    share = where.removesuffix("%")
    if not share.lstrip("-").replace(".", "", 1).isdigit() or not float(share):
        return None
    return "subscript" if share.startswith("-") else "superscript"
