"""Reads slides: *a slide* → its shapes in reading order, as blocks; an unreadable slide does not affect the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pptx.oxml import parse_xml
from pptx.oxml.ns import qn

from core.language.detection import detect
from core.library.extract.office.charts import CHARTS, chart_blocks, chart_tables
from core.library.extract.office.comments import comment_text
from core.library.extract.office.slide_comments import comments_of
from core.library.extract.office.slide_text import ALTERNATIVES, CHOICE, FALLBACK, line_of, paragraphs_of
from core.library.extract.table import table_block
from core.library.extract.text import normalise_line
from core.library.extracted import Block
from core.messages import message

UNREADABLE = (LookupError, ValueError, AttributeError, TypeError, SyntaxError, NotImplementedError, ArithmeticError)
"""Errors of the library for unexpected shapes; it looks up parts and attributes lazily."""
_DEEPEST = 20
_BAND = 457_200
"""Half an inch in EMU: shapes whose tops differ by less are next to each other."""
_DIAGRAM = "/diagramData"
_SHAPES = tuple(qn(f"p:{name}") for name in ("sp", "grpSp", "graphicFrame", "pic", "cxnSp"))
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_OFF = (None, "0", "false")


@dataclass
class Slides:
    """Reads the slides of a deck; collects the numbers of slides with hidden or unreadable content."""

    authors: dict[str, str]
    shows_hidden: bool = False
    hidden_on: set[int] = field(default_factory=set)
    unread_on: set[int] = field(default_factory=set)
    charts_on: set[int] = field(default_factory=set)

    def blocks(self, slide: Any, number: int) -> Iterator[Block]:
        """The slide's content, then its comments, then the speaker notes."""
        _choose_alternatives(slide._element)
        title = slide.shapes.title
        is_shown = title is not None and self._is_shown(title, number)
        name = " ".join(line_of(title._element.txBody).split()) if is_shown and title.has_text_frame else ""
        if name:
            yield Block(text=name, kind="heading", level=1, page=number)
        for shape in _in_order(slide.shapes):
            if title is None or shape.shape_id != title.shape_id:
                yield from self._shape(shape, number, 0, name)
        for each in (self._diagrams, self._comments, self._notes):
            try:
                yield from each(slide, number)
            except UNREADABLE:
                self.unread_on.add(number)

    def _is_shown(self, shape: Any, number: int) -> bool:
        named = next(shape._element.iter(qn("p:cNvPr")), None)
        if self.shows_hidden or named is None or named.get("hidden") in _OFF:
            return True
        self.hidden_on.add(number)
        return False

    def _shape(self, shape: Any, number: int, depth: int, heading: str) -> Iterator[Block]:
        try:
            if not self._is_shown(shape, number):
                return
            if hasattr(shape, "shapes"):
                inner = _in_order(shape.shapes) if depth < _DEEPEST else []
            else:
                yield from list(self._blocks_of(shape, number, heading))
                return
        except UNREADABLE:
            self.unread_on.add(number)
            return
        for each in inner:
            yield from self._shape(each, number, depth + 1, heading)

    def _blocks_of(self, shape: Any, number: int, heading: str) -> Iterator[Block]:
        if getattr(shape, "has_table", False):
            merged = any(cell.is_merge_origin for cell in shape.table.iter_cells())
            heads = 1 if shape.table.first_row else 0
            block = table_block(_table_rows(shape.table), heads, page=number, spans=merged)
            if block:
                yield block
        elif (chart := next(shape._element.iter(*CHARTS), None)) is not None:
            yield from self._chart(shape, chart.get(_RELATION), number, heading)
        elif getattr(shape, "has_text_frame", False):
            yield from _text_blocks(shape, number)

    def _chart(self, shape: Any, relation: str | None, number: int, heading: str) -> Iterator[Block]:
        try:
            xml: bytes = shape.part.related_part(relation).blob
        except UNREADABLE:
            self.charts_on.add(number)
            return
        read = chart_tables(xml, heading)
        if not read.is_whole:
            self.charts_on.add(number)
        yield from chart_blocks(read, number)

    def _diagrams(self, slide: Any, number: int) -> Iterator[Block]:
        """The texts in a diagram's boxes (SmartArt), which the library ignores."""
        for relation in slide.part.rels.values():
            if relation.is_external or not relation.reltype.endswith(_DIAGRAM):
                continue
            tree: Any = parse_xml(relation.target_part.blob)
            lines = [line for body in tree.iter("{*}t") if len(body) and (line := line_of(body))]
            if lines:
                yield Block(text="\n".join(f"- {line}" for line in lines), kind="list", page=number)

    def _comments(self, slide: Any, number: int) -> Iterator[Block]:
        shapes = {
            named.get("id") or "": line_of(body)
            for shape in slide._element.iter(qn("p:sp"))
            if (named := next(shape.iter(qn("p:cNvPr")), None)) is not None
            and (body := shape.find(qn("p:txBody"))) is not None
        }
        for comment in comments_of(slide, self.authors, shapes):
            yield Block(text=comment_text(comment), kind="paragraph", is_comment=True, page=number)

    def _notes(self, slide: Any, number: int) -> Iterator[Block]:
        """Speaker notes, marked as such because the audience does not see them."""
        if not slide.has_notes_slide or slide.notes_slide.notes_text_frame is None:
            return
        for _, text in paragraphs_of(slide.notes_slide.notes_text_frame._txBody):
            words = message("library.inserted.speaker_notes", text=text).to(detect(text))
            yield Block(text=words, kind="paragraph", page=number)


def _choose_alternatives(root: Any) -> None:
    """Shapes that only newer programs show, or their replacements, moved to where the library looks for shapes."""
    for alternatives in list(root.iter(ALTERNATIVES)):
        parent = alternatives.getparent()
        if parent is None or parent.tag not in (qn("p:spTree"), qn("p:grpSp")):
            continue
        chosen = [
            shapes
            for tag in (CHOICE, FALLBACK)
            for branch in alternatives.iterchildren(tag)
            if (shapes := [child for child in branch if child.tag in _SHAPES])
        ]
        for shape in chosen[0] if chosen else ():
            alternatives.addprevious(shape)
        parent.remove(alternatives)


def _in_order(shapes: Iterable[Any]) -> list[Any]:
    """The shapes from top to bottom; those next to each other from left to right."""
    return sorted(shapes, key=_place)


def _place(shape: Any) -> tuple[int, int]:
    """The shape's position; a placeholder inherits it from a layout, which may be missing."""
    try:
        return (shape.top or 0) // _BAND, shape.left or 0
    except UNREADABLE:
        return 0, 0


def _text_blocks(shape: Any, number: int) -> Iterator[Block]:
    """A body with several paragraphs is a list, as displayed on slides; text boxes are paragraphs."""
    found = list(paragraphs_of(shape.text_frame._txBody))
    if shape.is_placeholder and len(found) > 1:
        lines = ("  " * min(level, 8) + f"- {' '.join(text.split())}" for level, text in found)
        yield Block(text="\n".join(lines), kind="list", page=number)
        return
    for _, text in found:
        yield Block(text=text, kind="paragraph", page=number)


def _table_rows(table: Any) -> list[list[str]]:
    """Cells with merged ones filled."""
    rows = [
        [line_of(cell._tc.txBody) if cell._tc.txBody is not None else "" for cell in row.cells] for row in table.rows
    ]
    for r, row in enumerate(table.rows):
        for c, cell in enumerate(row.cells):
            if cell.is_merge_origin:
                for down in range(r, min(r + cell.span_height, len(rows))):
                    for across in range(c, min(c + cell.span_width, len(rows[down]))):
                        rows[down][across] = rows[r][c]
    return rows


def given_title(text: str | None) -> str | None:
    """The title, unless it is the program's default name for a new presentation."""
    title = normalise_line(text or "")
    return title if title.lower() not in ("", "powerpoint presentation", "presentation") else None
