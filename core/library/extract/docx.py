"""DOCX: headings, paragraphs, lists, tables, text boxes and notes in document order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import docx
from docx.document import Document
from docx.opc.exceptions import PackageNotFoundError
from docx.oxml.ns import qn

from core.language.vocabulary import pattern_of
from core.library.extract import problems
from core.library.extract.numbering import Numbering, find, value_at
from core.library.extract.table import lines_above, table_block
from core.library.extract.text import is_short_line, normalise, normalise_line
from core.library.extracted import Block, Extracted
from core.library.tables.grid import MOST_COLUMNS
from core.settings import Settings

MIME = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_P, _TBL, _TR, _TC = qn("w:p"), qn("w:tbl"), qn("w:tr"), qn("w:tc")
_TEXT, _MATH_TEXT = qn("w:t"), qn("m:t")
_SPACES = {qn("w:tab"): "\t", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-", qn("w:ptab"): "\t"}
_BOX = qn("w:txbxContent")
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_CHOICE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Choice"
_SKIPPED = frozenset((qn("w:del"), qn("w:moveFrom"), qn("w:pPr"), qn("w:rPr"), qn("w:instrText"), qn("w:sdtPr")))
_RUN = qn("w:r")
_CLAUSE = re.compile(r"\(?\d{1,3}(?:\.\d{1,3})+[.)]?$")
_LONGEST_ITEM = 240
_CAPTION = pattern_of("library/extract.docx.caption")
_TWIPS_OF_LETTER = 200.0
_DEEPEST = 60


def extract_docx(path: Path, filename: str, settings: Settings) -> Extracted:
    """Raises ``PalimpsestError`` when the package or its main part is broken."""
    try:
        document = docx.Document(str(path))
    except (PackageNotFoundError, BadZipFile, KeyError, ValueError, SyntaxError, AttributeError, OSError) as error:
        raise problems.corrupt(filename, "DOCX") from error
    reader = _Reader(_Styles(document), Numbering(document), settings.limits.extracted_characters)
    reader.read(document.element.body)
    reader.read_notes(document)
    reader.read_margins(document)
    properties = document.core_properties
    created = properties.created
    return Extracted(
        blocks=reader.finished(),
        mime=MIME,
        title=normalise_line(properties.title or "") or None,
        author=normalise_line(properties.author or "") or None,
        created=created.date().isoformat() if created else None,
        notes=[problems.only_characters(settings.limits.extracted_characters)] if reader.left <= 0 else [],
    )


class _Styles:
    """What a paragraph's style says, looked up through its ancestors."""

    def __init__(self, document: Document) -> None:
        self._styles = {style.style_id: style for style in document.styles}
        self._levels: dict[str, int] = {}

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
        """The ``numPr`` element of the style or of an ancestor."""
        found = (find(style.element, "w:pPr/w:numPr") for style in self.ancestors(style_id))
        return next((each for each in found if each is not None), None)

    def is_bold(self, style_id: str | None) -> bool:
        marks = (_switch(find(style.element, "w:rPr/w:b")) for style in self.ancestors(style_id))
        return next((mark for mark in marks if mark is not None), False)

    def ancestors(self, style_id: str | None) -> Iterator[Any]:
        seen: set[str] = set()
        while style_id and style_id not in seen and style_id in self._styles:
            seen.add(style_id)
            style = self._styles[style_id]
            yield style
            style_id = value_at(style.element, "w:basedOn")


def outline_level(element: Any) -> int:
    """1-9 when the element's paragraph properties put it into the outline, else 0."""
    value = value_at(element, "w:pPr/w:outlineLvl")
    return int(value) + 1 if value and value.isdigit() and int(value) < 9 else 0


@dataclass
class _Reader:
    styles: _Styles
    numbering: Numbering
    left: int
    blocks: list[Block] = field(default_factory=list)
    items: list[str] = field(default_factory=list)

    def read(self, container: Any) -> None:
        """Paragraphs and tables of ``container``, also inside content controls and tracked insertions."""
        for element in _within(container, (_P, _TBL)):
            if self.left <= 0:
                return
            if element.tag == _P:
                self._paragraph(element)
            else:
                self._add_table(element)

    def finished(self) -> list[Block]:
        self._close_list()
        return self.blocks

    def _paragraph(self, element: Any) -> None:
        text = normalise(paragraph_text(element))
        marker = self._marker(element)
        level = outline_level(element) or self.styles.heading_level(_style_of(element))
        heads = bool(level) or self._is_styled_heading(element, text, marker)
        if text and marker is not None and not heads and not _is_clause(text, marker[1]):
            depth, sign = marker
            self.items.append("  " * depth + f"{sign} {' '.join(text.split())}")
            self.left -= len(text)
        elif text:
            sign = f"{marker[1]} " if marker and marker[1] != "-" else ""
            self._add_block(Block(text=sign + text, kind="heading" if heads else None, level=level))
        for box in [box for box in element.iter(_BOX) if _is_shown(box, element)]:
            self.read(box)

    def _is_styled_heading(self, element: Any, text: str, marker: tuple[int, str] | None) -> bool:
        """Whether a paragraph without a heading style is set as one: a short line, all of it bold."""
        if not text or not is_short_line(text) or (marker is not None and marker[1] == "-"):
            return False
        return next(element.iterancestors(_TC, _BOX), None) is None and _is_bold(element, self.styles)

    def _marker(self, element: Any) -> tuple[int, str] | None:
        """(depth, sign) when the paragraph is a list item, by itself or by its style."""
        numbered = find(element, "w:pPr/w:numPr")
        if numbered is None or numbered.find(qn("w:numId")) is None:
            numbered = self.styles.numbering(_style_of(element))
        return self.numbering.next(numbered, _style_of(element)) if numbered is not None else None

    def _add_table(self, element: Any) -> None:
        rows, headings = self._table_rows(element)
        above = lines_above(self.blocks)
        block = table_block(
            rows,
            headings or None,
            cautious=True,
            caption=above[-1] if above and _CAPTION.match(above[-1]) else None,
            above=above,
            indents=[_indent(row) for row in _children(element, _TR)],
            spans=element.find(f".//{qn('w:gridSpan')}") is not None,
        )
        if block:
            self._add_block(block)

    def _table_rows(self, table: Any) -> tuple[list[list[str]], int]:
        """(cells with merged ones repeated, number of rows marked as headings)."""
        rows: list[list[str]] = []
        headings = 0
        for tr in _children(table, _TR):
            row = [""] * min(_number_attribute(tr, "w:trPr/w:gridBefore"), MOST_COLUMNS)
            for tc in _children(tr, _TC):
                merge = find(tc, "w:tcPr/w:vMerge")
                continues = merge is not None and merge.get(qn("w:val")) in (None, "continue")
                above = rows[-1][len(row)] if continues and rows and len(row) < len(rows[-1]) else ""
                text = above or self._cell_text(tc)
                span = max(1, _number_attribute(tc, "w:tcPr/w:gridSpan"))
                row += [text] * min(span, MOST_COLUMNS - len(row))
            headings += find(tr, "w:trPr/w:tblHeader") is not None and headings == len(rows)
            rows.append(row)
        return rows, headings

    def _cell_text(self, cell: Any) -> str:
        """Everything in a cell on one line, inner lists and tables too."""
        inner = _Reader(self.styles, self.numbering, self.left)
        if sum(1 for parent in cell.iterancestors(_TBL)) > _DEEPEST:
            return normalise_line(paragraph_text(cell))
        inner.read(cell)
        return normalise_line(" ".join(_flat_text(block) for block in inner.finished()))

    def read_notes(self, document: Document) -> None:
        """Foot- and endnotes, after the text."""
        for part in document.part.package.iter_parts():
            if str(part.partname) in ("/word/footnotes.xml", "/word/endnotes.xml"):
                self._read_notes(part)

    def _read_notes(self, part: Any) -> None:
        root = docx.oxml.parse_xml(part.blob)  # type: ignore[attr-defined]
        for note in root:
            if isinstance(note.tag, str) and note.get(qn("w:type")) in (None, "normal"):
                text = " ".join(normalise_line(paragraph_text(p)) for p in note.iter(_P)).strip()
                if text:
                    self._add_block(Block(text=f"[{note.get(qn('w:id'))}] {text}"))

    def read_margins(self, document: Document) -> None:
        """Page headers and footers once, at the end: letterheads hold names and numbers that matter."""
        seen: set[str] = set()
        for section in list(document.sections)[:50]:
            for margin in (section.header, section.footer):
                if margin.is_linked_to_previous:
                    continue
                text = normalise(" ".join(paragraph_text(p) for p in margin._element.iter(_P)))
                if sum(map(str.isalpha, text)) > 5 and text not in seen:
                    seen.add(text)
                    self._add_block(Block(text=text))

    def _add_block(self, block: Block) -> None:
        self._close_list()
        self.left -= len(block.text)
        self.blocks.append(block)

    def _close_list(self) -> None:
        if self.items:
            self.blocks.append(Block(text="\n".join(self.items), kind="list"))
            self.items.clear()


def _is_clause(text: str, sign: str) -> bool:
    """Whether a numbered paragraph is a clause of a contract and no item of a list: "5.1", or several sentences."""
    return bool(_CLAUSE.match(sign)) or (sign != "-" and len(text) > _LONGEST_ITEM)


def _is_bold(element: Any, styles: _Styles) -> bool:
    """Whether all words of a paragraph are bold, by themselves or by its style."""
    runs = [run for run in element.iter(_RUN) if any((text.text or "").strip() for text in run.iter(_TEXT))]
    by_style = styles.is_bold(_style_of(element))
    marks = [_switch(find(run, "w:rPr/w:b")) for run in runs]
    return bool(runs) and all(by_style if mark is None else mark for mark in marks)


def _switch(mark: Any) -> bool | None:
    """What an on/off property says; ``None`` when it is not there."""
    return None if mark is None else mark.get(qn("w:val")) not in ("0", "false", "off")


def _flat_text(block: Block) -> str:
    text = f"{block.header} {block.text}" if block.header else block.text
    return text.replace(" | ", " ") if block.kind == "table" else text


def paragraph_text(root: Any) -> str:
    """Text of a paragraph as it is shown: insertions in, deletions out, text boxes apart."""
    parts: list[str] = []
    stack = [root]
    while stack:
        element = stack.pop()
        tag = element.tag
        if tag in (_TEXT, _MATH_TEXT):
            parts.append(element.text or "")
        elif tag in _SPACES:
            parts.append(_SPACES[tag])
        elif element is root or not (tag in _SKIPPED or tag in (_BOX, _FALLBACK) or not isinstance(tag, str)):
            if tag == _P and element is not root:
                parts.append("\n")
            stack.extend(reversed(element))
    return "".join(parts)


def _is_shown(box: Any, paragraph: Any) -> bool:
    parent = box.getparent()
    while parent is not None and parent is not paragraph:
        if parent.tag == _BOX:
            return False
        if parent.tag == _FALLBACK and any(child.tag == _CHOICE for child in parent.getparent()):
            return False
        parent = parent.getparent()
    return True


def _children(element: Any, tag: str) -> Iterator[Any]:
    """Rows or cells, also those inside content controls, but not those of inner tables."""
    return _within(element, (tag,), closed=frozenset((_TBL, _TR, _TC, _P)))


def _within(root: Any, tags: Sequence[str], closed: frozenset[str] = frozenset()) -> Iterator[Any]:
    """The elements of these tags in order, none of them in another, nor in what is ``closed`` or not shown."""
    closed |= _SKIPPED
    stack = [iter(root)]
    while stack:
        element = next(stack[-1], None)
        if element is None:
            stack.pop()
        elif element.tag in tags:
            yield element
        elif element.tag not in closed and len(stack) < _DEEPEST and isinstance(element.tag, str):
            stack.append(iter(element))


def _indent(row: Any) -> float:
    """How far the first paragraph of a row is set in, in letters."""
    found = row.find(f".//{qn('w:pPr')}/{qn('w:ind')}")
    value = (found.get(qn("w:start")) or found.get(qn("w:left")) or "") if found is not None else ""
    return int(value) / _TWIPS_OF_LETTER if value.isdigit() else 0.0


def _style_of(element: Any) -> str | None:
    return value_at(element, "w:pPr/w:pStyle")


def _number_attribute(element: Any, path: str) -> int:
    value = value_at(element, path)
    return int(value) if value and value.isdigit() and len(value) < 6 else 0
