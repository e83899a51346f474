"""Reads DOCX files: headings, paragraphs, lists, tables, text boxes, comments and notes in document order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import docx
from docx.document import Document
from docx.oxml.ns import qn

from core.language.vocabulary import pattern_of
from core.library.extract import problems
from core.library.extract.numbering import Numbering, find, value_at
from core.library.extract.office.charts import CHARTS, UNREAD, ReadChart, chart_blocks, chart_tables
from core.library.extract.office.comments import Comment, comment_text
from core.library.extract.office.package import opened
from core.library.extract.office.word_comments import comments_of
from core.library.extract.office.word_notes import note_labels, note_texts
from core.library.extract.office.word_styles import Styles, outline_level, switch
from core.library.extract.office.word_text import BOX, FALLBACK, RUN, SKIPPED, TEXT, WordText
from core.library.extract.office.word_text import P as _P
from core.library.extract.table import lines_above, table_block
from core.library.extract.text import is_short_line, normalise, normalise_line
from core.library.extracted import Block, Extracted
from core.library.tables.grid import MOST_COLUMNS
from core.settings import Settings

MIME = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_TBL, _TR, _TC = qn("w:tbl"), qn("w:tr"), qn("w:tc")
_CHOICE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Choice"
_CLAUSE = re.compile(r"\(?\d{1,3}(?:\.\d{1,3})+[.)]?$")
_LONGEST_ITEM = 240
_CAPTION = pattern_of("library/extract.docx.caption")
_TWIPS_OF_LETTER = 200.0
_DEEPEST = 60
_MOST_SECTIONS = 50
_UNREADABLE = (LookupError, ValueError, AttributeError, TypeError, SyntaxError, NotImplementedError)


def extract_docx(path: Path, filename: str, settings: Settings) -> Extracted:
    """Extract the file. Raises ``PalimpsestError`` when the package or its main part is broken."""
    package = opened(path, "DOCX", filename, _opened)
    document = package.document
    limit = settings.limits.extracted_characters
    text = WordText(Styles(document), note_labels(document), settings.reading.hidden)
    reader = _Reader(text, Numbering(document), limit, comments_of(document, text), document.part.related_parts)
    reader.read(document.element.body)
    for step, part in ((reader.read_notes, "footnotes"), (reader.read_margins, "header")):
        try:
            step(document)
        except _UNREADABLE:
            package.broken.append(part)
    notes = [problems.only_characters(limit)] if reader.left <= 0 else []
    notes += package.notes()
    if text.hidden:
        notes.append(problems.hidden_text(text.hidden))
    if reader.unread_charts:
        notes.append(problems.charts_unread(reader.unread_charts))
    title, author, created = _properties(document)
    return Extracted(blocks=reader.finished(), mime=MIME, title=title, author=author, created=created, notes=notes)


def _opened(file: Any) -> Document:
    document = docx.Document(file)
    if document.element.body is None:
        raise ValueError("no body")
    return document


def _properties(document: Document) -> tuple[str | None, str | None, str | None]:
    """Returns (title, author, creation date), ``None`` for each that is missing."""
    try:
        properties = document.core_properties
        created = properties.created
        return (
            normalise_line(properties.title or "") or None,
            normalise_line(properties.author or "") or None,
            created.date().isoformat() if created else None,
        )
    except _UNREADABLE:
        return None, None, None


@dataclass
class _Reader:
    text: WordText
    numbering: Numbering
    left: int
    comments: dict[str, Comment] = field(default_factory=dict)
    parts: Mapping[str, Any] = field(default_factory=dict)
    """The parts that the main part refers to, by their ids."""
    charts: list[ReadChart] = field(default_factory=list)
    unread_charts: int = 0
    within: bool = False
    """Whether a table cell is being read; comments in cells are put after the table."""
    blocks: list[Block] = field(default_factory=list)
    items: list[str] = field(default_factory=list)

    def read(self, container: Any) -> None:
        """Read paragraphs and tables of ``container``, including those inside content controls and tracked
        insertions."""
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
        text = normalise(self.text.of(element))
        marker = self._marker(element)
        level = outline_level(element) or self.text.styles.heading_level(_style_of(element))
        heads = bool(level) or self._is_styled_heading(element, text, marker)
        if text and marker is not None and not heads and not _is_clause(text, marker[1]):
            depth, sign = marker
            self.items.append("  " * depth + f"{sign} {' '.join(text.split())}")
            self.left -= len(text)
        elif text:
            sign = f"{marker[1]} " if marker and marker[1] != "-" else ""
            self._add_block(Block(text=sign + text, kind="heading" if heads else None, level=level))
        for box in [box for box in element.iter(BOX) if _is_shown(box, element)]:
            self.read(box)
        self._add_charts(element)
        self._add_comments()

    def _add_charts(self, paragraph: Any) -> None:
        for chart in paragraph.iter(*CHARTS):
            if next(chart.iterancestors(FALLBACK), None) is not None:
                continue
            try:
                heading = next((block.text for block in reversed(self.blocks) if block.kind == "heading"), "")
                read = chart_tables(self.parts[chart.get(qn("r:id"))].blob, heading)
            except _UNREADABLE:
                read = UNREAD
            self.charts.append(read)
        self._flush_charts()

    def _flush_charts(self) -> None:
        """Put charts after their paragraph; those in table cells go after the table, so that their numbers do not mix
        with the table's."""
        if self.within:
            return
        for read in self.charts:
            self.unread_charts += not read.is_whole
            for block in chart_blocks(read):
                self._add_block(block)
        self.charts.clear()

    def _add_comments(self) -> None:
        """Put comments directly after their text; those in a list go after the list, those in table cells after the
        table."""
        anchors = self.text.anchors
        if not anchors.waiting or self.items or self.within:
            return
        for number in anchors.waiting:
            anchors.close(number)
            comment = self.comments.pop(number, None)
            if comment is not None and comment.text:
                comment.quoted = anchors.quoted.get(number, "")
                self._add_block(Block(text=comment_text(comment), kind="paragraph", is_comment=True))
        anchors.waiting.clear()

    def _is_styled_heading(self, element: Any, text: str, marker: tuple[int, str] | None) -> bool:
        """Whether a paragraph without a heading style looks like a heading: a short line in bold."""
        if not text or not is_short_line(text) or (marker is not None and marker[1] == "-"):
            return False
        return next(element.iterancestors(_TC, BOX), None) is None and _is_bold(element, self.text.styles)

    def _marker(self, element: Any) -> tuple[int, str] | None:
        """Returns (depth, bullet or number) if the paragraph is a list item, by its own settings or by its style."""
        numbered = find(element, "w:pPr/w:numPr")
        if numbered is None or numbered.find(qn("w:numId")) is None:
            numbered = self.text.styles.numbering(_style_of(element))
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
        self._flush_charts()
        self._add_comments()

    def _table_rows(self, table: Any) -> tuple[list[list[str]], int]:
        """Returns (cells with merged ones repeated, number of rows marked as headings)."""
        rows: list[list[str]] = []
        headings = 0
        for tr in _children(table, _TR):
            if self._is_left_out(tr):
                continue
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

    def _is_left_out(self, row: Any) -> bool:
        """Whether a row is hidden or was deleted as a tracked change."""
        if find(row, "w:trPr/w:del") is not None:
            return True
        hidden = bool(switch(find(row, "w:trPr/w:hidden"))) and not self.text.shows_hidden
        self.text.hidden += hidden
        return hidden

    def _cell_text(self, cell: Any) -> str:
        """All of a cell's text on one line, including inner lists and tables."""
        inner = _Reader(self.text, self.numbering, self.left, self.comments, self.parts, self.charts, within=True)
        if sum(1 for parent in cell.iterancestors(_TBL)) > _DEEPEST:
            return normalise_line(self.text.of(cell))
        inner.read(cell)
        return normalise_line(" ".join(_flat_text(block) for block in inner.finished()))

    def read_notes(self, document: Document) -> None:
        """Footnotes and endnotes, after the text, each with its comments; then comments on deleted text."""
        for text in note_texts(document, self.text):
            self._add_block(Block(text=text))
            self._add_comments()
        for number in list(self.comments):
            self.text.anchors.refer(number)
        self._close_list()
        self._add_comments()

    def read_margins(self, document: Document) -> None:
        """Adds page headers and footers, once, at the end: letterheads contain important names and numbers."""
        seen: set[str] = set()
        for section in list(document.sections)[:_MOST_SECTIONS]:
            for margin in (section.header, section.footer):
                try:
                    paragraphs = [] if margin.is_linked_to_previous else list(margin._element.iter(_P))
                except _UNREADABLE:
                    continue
                text = normalise(" ".join(self.text.of(p) for p in paragraphs))
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
            self._add_comments()


def _is_clause(text: str, sign: str) -> bool:
    """Whether a numbered paragraph is a contract clause and not a list item: "5.1", or several sentences."""
    return bool(_CLAUSE.match(sign)) or (sign != "-" and len(text) > _LONGEST_ITEM)


def _is_bold(element: Any, styles: Styles) -> bool:
    """Whether all words of a paragraph are bold, by their own formatting or by its style."""
    runs = [run for run in element.iter(RUN) if any((text.text or "").strip() for text in run.iter(TEXT))]
    by_style = styles.is_bold(_style_of(element))
    marks = [switch(find(run, "w:rPr/w:b")) for run in runs]
    return bool(runs) and all(by_style if mark is None else mark for mark in marks)


def _flat_text(block: Block) -> str:
    text = f"{block.header} {block.text}" if block.header else block.text
    return text.replace(" | ", " ") if block.kind == "table" else text


def _is_shown(box: Any, paragraph: Any) -> bool:
    parent = box.getparent()
    while parent is not None and parent is not paragraph:
        if parent.tag == BOX:
            return False
        if parent.tag == FALLBACK and any(child.tag == _CHOICE for child in parent.getparent()):
            return False
        parent = parent.getparent()
    return True


def _children(element: Any, tag: str) -> Iterator[Any]:
    """Rows or cells, including those inside content controls, but not those of inner tables."""
    return _within(element, (tag,), closed=frozenset((_TBL, _TR, _TC, _P)))


def _within(root: Any, tags: Sequence[str], closed: frozenset[str] = frozenset()) -> Iterator[Any]:
    """The elements with these tags in order, without nested ones, and without those in ``closed`` elements or hidden
    ones."""
    closed |= SKIPPED
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
    """Indentation of the row's first paragraph, in letter widths."""
    found = row.find(f".//{qn('w:pPr')}/{qn('w:ind')}")
    value = (found.get(qn("w:start")) or found.get(qn("w:left")) or "") if found is not None else ""
    return int(value) / _TWIPS_OF_LETTER if value.isdigit() else 0.0


def _style_of(element: Any) -> str | None:
    return value_at(element, "w:pPr/w:pStyle")


def _number_attribute(element: Any, path: str) -> int:
    value = value_at(element, path)
    return int(value) if value and value.isdigit() and len(value) < 6 else 0
