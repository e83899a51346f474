"""Reads reviewers' comments of a Word file, by the ids that its text refers to."""

from __future__ import annotations

from typing import Any

from docx.document import Document
from docx.oxml import parse_xml
from docx.oxml.ns import qn

from core.library.extract.office.comments import Comment, threads
from core.library.extract.office.word_text import P, WordText

_COMMENTS, _EXTENDED = "/comments", "/commentsExtended"
_PARAGRAPH_ID = "{http://schemas.microsoft.com/office/word/2010/wordml}paraId"
_IN_EXTENDED = "{http://schemas.microsoft.com/office/word/2012/wordml}"
_DAY = len("2026-05-04")


def comments_of(document: Document, text: WordText) -> dict[str, Comment]:
    """Comments by id, with replies inside the comment they answer; empty if the part cannot be read."""
    root, extended = _part(document, _COMMENTS), _part(document, _EXTENDED)
    if root is None:
        return {}
    found: list[tuple[str, Comment]] = []
    by_paragraph: dict[str, str] = {}
    for element in root.iter(qn("w:comment")):
        number = element.get(qn("w:id")) or ""
        paragraphs = list(element.iter(P))
        words = " ".join(filter(None, (text.of(p).strip() for p in paragraphs)))
        day = (element.get(qn("w:date")) or "")[:_DAY]
        found.append((number, Comment(element.get(qn("w:author")) or "", words, day)))
        if paragraphs:
            by_paragraph[paragraphs[-1].get(_PARAGRAPH_ID) or number] = number
    parents: dict[str, str] = {}
    for each in extended.iter(f"{_IN_EXTENDED}commentEx") if extended is not None else ():
        child = by_paragraph.get(each.get(f"{_IN_EXTENDED}paraId") or "")
        parent = by_paragraph.get(each.get(f"{_IN_EXTENDED}paraIdParent") or "")
        if child and parent:
            parents[child] = parent
    return threads(found, parents)


def _part(document: Document, ending: str) -> Any:
    """The root of the part with this relationship type; ``None`` if there is none."""
    for relation in document.part.rels.values():
        if not relation.is_external and relation.reltype.endswith(ending):
            try:
                return parse_xml(relation.target_part.blob)
            except (SyntaxError, ValueError):
                return None
    return None
