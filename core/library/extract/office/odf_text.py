"""Reads the text of an OpenDocument file: *paragraphs, lists, tables, frames* → blocks, with its notes and comments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from odfdo import Document, Element

from core.library.extract.office.comments import Comment, comment_text
from core.library.extract.office.odf_objects import OdfObject, object_at
from core.library.extract.office.odf_styles import OdfLook, OdfStyles
from core.library.extract.office.odf_tables import table_rows
from core.library.extract.printed import Place, Printed, note_mark, spaced
from core.library.extract.table import lines_above, table_block
from core.library.extract.text import is_short_line, normalise, normalise_line
from core.library.extracted import Block
from core.library.tables.grid import has_merged

_DEEPEST = 100
_MOST_SPACES = 1_000
_DAY = len("2026-05-04")
_SKIPPED = frozenset((
    "text:tracked-changes", "svg:title", "svg:desc", "office:forms", "office:script", "text:sequence-decls",
    "text:variable-decls", "text:user-field-decls", "office:annotation-end", "text:note-citation", "text:note-body",
    "text:ruby-text", "text:hidden-paragraph", "text:index-title-template", "text:table-of-content-source",
))  # fmt: skip
_BLANKS = frozenset(("text:s", "text:tab", "text:line-break"))
_MARKS = frozenset(("text:note", "office:annotation", "office:annotation-end", "text:hidden-text"))
_FRAMES = frozenset((
    "draw:frame", "draw:custom-shape", "draw:rect", "draw:ellipse", "draw:circle", "draw:line", "draw:polygon",
    "draw:path", "draw:polyline", "draw:connector", "draw:g", "draw:caption", "draw:regular-polygon",
))  # fmt: skip


@dataclass
class OdfText:
    """Collects the blocks of a document; ``page`` is the slide number, ``hidden`` counts what was left out."""

    document: Document
    styles: OdfStyles
    left: int
    shows_hidden: bool = False
    page: int | None = None
    hidden: int = 0
    unread: int = 0
    blocks: list[Block] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    within: bool = False
    """Whether a cell or note is being read; its comments are put after the table or note."""
    _comments: list[Comment] = field(default_factory=list)
    _ranges: dict[str, list[str]] = field(default_factory=dict)
    _frames: list[Element] = field(default_factory=list)

    def read(self, container: Element, depth: int = 0) -> None:
        """Read everything in a body, section, frame or shape, in order."""
        for element in container.children if depth < _DEEPEST else ():
            if self.left <= 0:
                return
            tag = element.tag
            if tag in ("text:p", "text:h"):
                self._paragraph(element, depth)
            elif tag == "text:list":
                self._list(element, depth)
            elif tag == "table:table":
                self._table(element, depth)
            elif tag in _FRAMES:
                self.frame(element, depth + 1)
            elif tag == "office:annotation":
                self._annotation(element)
                self._add_comments()
            elif tag == "text:section" and self._is_hidden_section(element):
                self.hidden += 1
            elif tag not in _SKIPPED:
                self.read(element, depth + 1)

    def read_shape(self, shape: Element) -> None:
        """Read one shape of a slide, or a comment on it."""
        if shape.tag == "office:annotation":
            self._annotation(shape)
        elif shape.tag == "draw:g":
            self.read(shape)
        else:
            self.frame(shape, 1)
        self._add_comments()

    def frame(self, element: Element, depth: int) -> None:
        """Read the text, table, chart or formula of a frame or shape."""
        for child in element.children:
            if child.tag == "draw:object":
                self._add_object(child)
                return
            if child.tag in ("draw:text-box", "draw:g"):
                self.read(child, depth + 1)
            elif child.tag in ("table:table", "text:p", "text:h", "text:list"):
                self.read(element, depth + 1)
                return
            elif child.tag in _FRAMES and element.tag == "draw:g" and depth < _DEEPEST:
                self.frame(child, depth + 1)

    def _add_object(self, element: Element) -> None:
        found = object_at(self.document, element.attributes.get("xlink:href", ""))
        if found is None:
            self.unread += 1
            return
        if found.title or found.formula:
            self.add(Block(text=found.title or found.formula, kind="paragraph", page=self.page))
        caption = found.title or None
        block = table_block(found.rows, 1, page=self.page, caption=caption) if len(found.rows) > 1 else None
        if block:
            self.add(block)
        elif not found.formula:
            self.unread += 1

    def line(self, element: Element, look: OdfLook | None = None) -> str:
        """The text of a paragraph, without its frames."""
        line = Printed()
        own = self.styles.look("paragraph", element.attributes.get("text:style-name"))
        before = self.hidden
        self._inline(element, line, look.over(own) if look else own, 0)
        self.hidden = min(self.hidden, before + 1)
        return line.text()

    def _inline(self, element: Element, line: Printed, look: OdfLook, depth: int) -> None:
        self._add_text(line, element.text, look)
        for child in element.children:
            self._inline_part(child, line, look, depth)
            self._add_text(line, child.tail, look)

    def _add_text(self, line: Printed, text: str | None, look: OdfLook) -> None:
        if not text:
            return
        if look.hidden and not self.shows_hidden:
            self.hidden += bool(text.strip())
            return
        text = " ".join(text.split("\n"))
        line.add(text, look.place or Place.PLAIN)
        for parts in self._ranges.values():
            parts.append(text)

    def _inline_part(self, child: Element, line: Printed, look: OdfLook, depth: int) -> None:
        tag = child.tag
        if tag in _BLANKS:
            line.add(_blank(child))
        elif tag in _MARKS:
            self._mark(child, line)
        elif tag in _FRAMES:
            found = self._formula(child)
            if found is not None:
                line.add(spaced(line.last(), found.formula))
            else:
                self._frames.append(child)
        elif tag not in _SKIPPED:
            if tag == "text:span":
                look = self.styles.look("text", child.attributes.get("text:style-name")).over(look)
            if depth < _DEEPEST:
                self._inline(child, line, look, depth + 1)
            else:
                self._add_text(line, child.text_recursive, look)

    def _mark(self, child: Element, line: Printed) -> None:
        """Handle a note, a comment or a field that may be hidden."""
        if child.tag == "text:note":
            self._note(child, line)
        elif child.tag == "office:annotation":
            self._annotation(child)
        elif child.tag == "office:annotation-end":
            self._close_range(child.attributes.get("office:name", ""))
        else:
            self._hidden_field(child.attributes, line)

    def _formula(self, frame: Element) -> OdfObject | None:
        """The formula of a frame inside a line, if it contains one."""
        held = next((child for child in frame.children if child.tag == "draw:object"), None)
        found = object_at(self.document, held.attributes.get("xlink:href", "")) if held is not None else None
        return found if found is not None and found.formula else None

    def _hidden_field(self, attributes: dict[str, str], line: Printed) -> None:
        if attributes.get("text:is-hidden") == "true" and not self.shows_hidden:
            self.hidden += 1
        else:
            line.add(attributes.get("text:string-value", ""))

    def _note(self, element: Element, line: Printed) -> None:
        citation = next((child.text for child in element.children if child.tag == "text:note-citation"), "") or ""
        body = next((child for child in element.children if child.tag == "text:note-body"), None)
        line.add(note_mark(citation))
        text = self.flat(body) if body is not None else ""
        if text:
            self.notes.append(f"[{citation}] {text}" if citation else text)

    def _annotation(self, element: Element) -> None:
        comment = Comment("", "")
        texts: list[str] = []
        for child in element.children:
            if child.tag == "dc:creator":
                comment.author = child.text or ""
            elif child.tag == "dc:date":
                comment.day = (child.text or "")[:_DAY]
            elif child.tag in ("text:p", "text:list"):
                texts.append(normalise_line(child.text_recursive))
        comment.text = " ".join(filter(None, texts))
        name = element.attributes.get("office:name", "")
        if name:
            self._ranges[name] = []
        comment.quoted = name
        self._comments.append(comment)

    def _close_range(self, name: str) -> None:
        parts = self._ranges.pop(name, None)
        for comment in self._comments:
            if name and comment.quoted == name:
                comment.quoted = "".join(parts or [])

    def _add_comments(self) -> None:
        if self.within:
            return
        self._end_ranges()
        for comment in self._comments:
            if comment.text:
                self.add(Block(text=comment_text(comment), kind="paragraph", is_comment=True, page=self.page))
        self._comments.clear()

    def _end_ranges(self) -> None:
        """End the texts that comments refer to; for comments on more than one paragraph, no text is quoted."""
        for comment in self._comments:
            if comment.quoted in self._ranges:
                comment.quoted = ""
        self._ranges.clear()

    def _paragraph(self, element: Element, depth: int) -> None:
        if not self.shows_hidden and any(
            child.tag == "text:hidden-paragraph" and child.attributes.get("text:is-hidden") == "true"
            for child in element.children
        ):
            self.hidden += 1
            return
        look = self.styles.look("paragraph", element.attributes.get("text:style-name"))
        text = normalise(self.line(element))
        level = element.attributes.get("text:outline-level", "1") if element.tag == "text:h" else ""
        heading = min(int(level), 9) if level.isdigit() and len(level) < 3 else look.heading
        heads = bool(heading) or (bool(look.bold) and self.page is None and bool(text) and is_short_line(text))
        if text:
            self.add(Block(text=text, kind="heading" if heads else None, level=heading, page=self.page))
        self._add_frames(depth)
        self._add_comments()

    def _add_frames(self, depth: int) -> None:
        frames, self._frames = self._frames, []
        for frame in frames:
            self.frame(frame, depth + 1)

    def _list(self, element: Element, depth: int) -> None:
        """A list as one block; headings and tables inside become separate blocks."""
        lines = list(self._lines(element, 1, None, depth))
        if lines:
            self.add(Block(text="\n".join(lines), kind="list", page=self.page))
        self._add_frames(depth)
        self._add_comments()

    def _lines(self, element: Element, level: int, style: str | None, depth: int) -> Iterator[str]:
        style = element.attributes.get("text:style-name") or style
        number = 0
        for item in element.children if depth < _DEEPEST else ():
            if item.tag not in ("text:list-item", "text:list-header"):
                continue
            texts: list[str] = []
            inner: list[str] = []
            for child in item.children:
                if child.tag == "text:h":
                    self._paragraph(child, depth)
                elif child.tag == "text:p":
                    style = style or self.styles.look("paragraph", child.attributes.get("text:style-name")).list_style
                    texts.append(normalise_line(self.line(child)))
                elif child.tag == "text:list":
                    inner += self._lines(child, level + 1, style, depth + 1)
                elif child.tag == "table:table":
                    self._table(child, depth + 1)
            text = " ".join(filter(None, texts))
            if text:
                number += item.tag == "text:list-item"
                sign = f"{number}." if self.styles.is_numbered(style, level) else "-"
                yield "  " * min(level - 1, 8) + f"{sign} {text}"
            yield from inner

    def _table(self, element: Element, depth: int) -> None:
        rows, headings = table_rows(element, self.flat if depth < _DEEPEST else lambda cell: cell.text_recursive)
        above = [] if self.page else lines_above(self.blocks)
        merged = has_merged(rows)
        block = table_block(rows, headings or None, page=self.page, cautious=True, above=above, spans=merged)
        if block:
            self.add(block)
        self._add_comments()

    def flat(self, element: Element) -> str:
        """All text in a cell or note on one line, including inner lists and tables."""
        inner = OdfText(self.document, self.styles, self.left, self.shows_hidden, within=True)
        inner.read(element, 1)
        inner._end_ranges()
        self.hidden += inner.hidden
        self.unread += inner.unread
        self._comments += inner._comments
        self.notes += inner.notes
        return normalise_line(" ".join(_flat_block(block) for block in inner.blocks))

    def _is_hidden_section(self, element: Element) -> bool:
        attributes = element.attributes
        if self.shows_hidden:
            return False
        display = attributes.get("text:display")
        return display == "none" or (display == "condition" and attributes.get("text:is-hidden", "true") == "true")

    def add(self, block: Block) -> None:
        self.left -= len(block.text)
        self.blocks.append(block)


def _blank(element: Element) -> str:
    if element.tag == "text:s":
        count = element.attributes.get("text:c", "1")
        return " " * min(int(count) if count.isdigit() else 1, _MOST_SPACES)
    return "\t" if element.tag == "text:tab" else "\n"


def _flat_block(block: Block) -> str:
    text = f"{block.header} {block.text}" if block.header else block.text
    return text.replace(" | ", " ") if block.kind == "table" else text
