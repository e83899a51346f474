"""Converts Markdown to a Word document (the bytes of a .docx). Only headings, paragraphs, lists, quotations, code and
tables are supported.

Text from documents or models is written only as plain text: no links, no pictures, no fields.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence

import docx
from docx.document import Document as Written
from docx.oxml import OxmlElement
from docx.text.paragraph import Paragraph
from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.words import Language

_parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table"]).disable("image")
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that XML cannot contain."""

_STYLES = {"bullet_list": "List Bullet", "ordered_list": "List Number", "blockquote": "Quote"}
"""The style of a paragraph inside a block."""


def to_word(markdown: str, language: Language) -> bytes:
    """``language`` determines the direction of paragraphs and tables."""
    document = docx.Document()
    tokens = _parser.parse(markdown)
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if token.type == "table_open":
            end = next(at for at in range(place, len(tokens)) if tokens[at].type == "table_close")
            _write_table(document, list(_row_cells(tokens[place:end])), language)
            place = end
        elif token.type == "inline":
            _write_inline(_paragraph(document, tokens, place, language), token)
        elif token.type in ("fence", "code_block"):
            _directed(document.add_paragraph(_FORBIDDEN.sub("", token.content.rstrip())), language)
        place += 1
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def _paragraph(document: Written, tokens: Sequence[Token], place: int, language: Language) -> Paragraph:
    before = tokens[place - 1]
    if before.type == "heading_open":
        return _directed(document.add_heading(level=min(4, int(before.tag[1:]))), language)
    opened = [each.type.removesuffix("_open") for each in tokens[:place] if each.type.endswith("_open")]
    closed = [each.type.removesuffix("_close") for each in tokens[:place] if each.type.endswith("_close")]
    style = next((name for block, name in _STYLES.items() if opened.count(block) > closed.count(block)), None)
    return _directed(document.add_paragraph(style=style), language)


def _write_inline(paragraph: Paragraph, inline: Token) -> None:
    bold = italic = False
    for child in inline.children or []:
        if child.type in ("strong_open", "strong_close"):
            bold = child.type == "strong_open"
        elif child.type in ("em_open", "em_close"):
            italic = child.type == "em_open"
        elif child.type in ("softbreak", "hardbreak"):
            paragraph.add_run(" ")
        elif child.content:
            run = paragraph.add_run(_FORBIDDEN.sub("", child.content))
            run.bold, run.italic = bold or None, italic or None


def _row_cells(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    row: list[Token] = []
    for token in tokens:
        if token.type == "tr_open":
            row = []
        elif token.type == "inline":
            row.append(token)
        elif token.type == "tr_close":
            yield row


def _write_table(document: Written, rows: Sequence[Sequence[Token]], language: Language) -> None:
    table = document.add_table(rows=0, cols=max(map(len, rows), default=1))
    table.style = "Table Grid"
    if language == "he":
        table._tbl.tblPr.append(OxmlElement("w:bidiVisual"))
    for number, row in enumerate(rows):
        cells = table.add_row().cells
        for cell, inline in zip(cells, row, strict=False):
            paragraph = _directed(cell.paragraphs[0], language)
            _write_inline(paragraph, inline)
            for run in paragraph.runs if number == 0 else ():
                run.bold = True
    document.add_paragraph()


def _directed(paragraph: Paragraph, language: Language) -> Paragraph:
    if language == "he":
        paragraph._p.get_or_add_pPr().append(OxmlElement("w:bidi"))
    return paragraph
