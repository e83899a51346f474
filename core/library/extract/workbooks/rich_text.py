"""Reads texts of cells with superscript and subscript runs, and the shared texts of an XLSX file."""

from __future__ import annotations

from core.library.extract.raised import lowered, raised
from core.library.extract.text import normalise_line
from core.library.extract.workbooks.workbook_parts import Element, WorkbookParts, children, local, unescaped


def rich_text(element: Element) -> str:
    """The text of a shared string, inline string or comment on one line, without phonetic hints."""
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
    """``text`` in superscript or subscript characters if it is printed so."""
    if alignment == "superscript":
        return raised(text)
    return lowered(text) if alignment == "subscript" else text


def shared_texts(book: WorkbookParts) -> list[str]:
    """The texts that cells refer to by number; fewer if the part is damaged."""
    places = book.related(book.main, "sharedStrings")
    tree = book.tree(places[0]) if places else None
    return [rich_text(each) for each in children(tree, "si")]
