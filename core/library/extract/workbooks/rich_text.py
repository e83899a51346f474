"""Texts of cells with raised and lowered runs, and those that the cells of an XLSX file share."""

from __future__ import annotations

from core.library.extract.raised import lowered, raised
from core.library.extract.text import normalise_line
from core.library.extract.workbooks.workbook_parts import Element, WorkbookParts, children, local, unescaped


def rich_text(element: Element) -> str:
    """The text of a shared, inline or comment text on one line; how it is pronounced is left out."""
    parts: list[str] = []
    for each in element:
        name = local(each.tag)
        if name == "t":
            parts.append(each.text or "")
        elif name == "r":
            parts.append(_run(each))
    return normalise_line(unescaped("".join(parts)))


def _run(run: Element) -> str:
    text = "".join(each.text or "" for each in children(run, "t"))
    for properties in children(run, "rPr"):
        for each in children(properties, "vertAlign"):
            return set_off(text, each.get("val"))
    return text


def set_off(text: str, alignment: str | None) -> str:
    """``text`` in raised or lowered characters where it is printed so."""
    if alignment == "superscript":
        return raised(text)
    return lowered(text) if alignment == "subscript" else text


def shared_texts(book: WorkbookParts) -> list[str]:
    """The texts that cells refer to by their number; fewer where the part is damaged."""
    places = book.related(book.main, "sharedStrings")
    tree = book.tree(places[0]) if places else None
    return [rich_text(each) for each in children(tree, "si")]
