"""Builds the cover of a document: *blocks* → its first lines, together with the file's own properties."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from core.language.normalisation import normalise
from core.library.chunking.paragraphs import heading_title, is_heading
from core.library.extracted import Block, CoverLine, Extracted

_PAGES = 3
_CHARACTERS = 7_000
_EARLY = 60_000
"""Number of characters, from the first one, in which names are counted and definitions are searched for."""

_PDF = "application/pdf"
_WORKBOOK = re.compile(r"spreadsheet|excel|csv|tab-separated|parquet", re.IGNORECASE)
_SLIDES = re.compile(r"presentation|powerpoint", re.IGNORECASE)
_MAIL = re.compile(r"rfc822|outlook|mbox", re.IGNORECASE)
_DATED = re.compile(r"rfc822|outlook|mbox|html|markdown", re.IGNORECASE)
_WRITTEN = re.compile(r"rfc822|outlook|mbox|html|markdown|text/plain|rst|epub|ipynb", re.IGNORECASE)
"""Formats whose title and date properties are written by the text's author."""
_FIGURE = re.compile(r"[\W\d]*\d[\d.,\s]*[\W\d]*(?<!:\d\d)")
_RULE = re.compile(r"^[\s_*=.\-–—·•|]+$")
_MARKED = re.compile(r"\s*(#{1,6})\s")
_SEPARATOR = re.compile(r"[_.+]+|(?<=\w)-(?=\w)")
_BOX = re.compile(r"^[☐☒☑■□✓✔¨þý\s]+")
"""Matches a form's checkbox, ticked or not."""
_FILE_HEAD = re.compile(r"^(?:\S{1,40} ){0,4}\S{1,60}\.(?:html?|txt|pdf|docx?)\s+(?=\S)", re.IGNORECASE)
"""Matches lines that archives print above a document: its number and its file name."""
_LEADER = re.compile(r"(?:(?<!\s)\s++)?+(?<!\.)(?<!\.\s)(?:\.\s?){4,}\s*\d*+$")


@dataclass(frozen=True)
class Line:
    """A line of the cover. ``level`` is a heading's level: 1 is the highest, 0 is unknown; ``None`` for other lines.
    ``in_table``: it is a table row."""

    text: str
    level: int | None = None
    page: int | None = None
    in_table: bool = False


@dataclass(frozen=True)
class Cover:
    """The cover of a document. ``text`` are the lines joined by newlines; ``early`` is the part of the document in
    which names are counted, and ``last`` is its end. ``stem`` is the filename with spaces for separators. ``typed``
    are the lines of the first page with their typography, if the format gives it. ``own_date`` is the date given by
    formats that have one (mail, web pages), never the file's creation date. ``cells`` is the share of its text in
    tables.
    """

    lines: list[Line]
    text: str
    early: str
    last: str
    stem: str
    filename: str
    own_title: str
    own_author: str
    mime: str = ""
    typed: Sequence[CoverLine] = ()
    are_slides: bool = False
    own_date: str = ""
    cells: float = 0.0
    sheets: int = 0

    @property
    def is_pdf(self) -> bool:
        return self.mime == _PDF

    @property
    def is_workbook(self) -> bool:
        """Whether the document consists of rows of cells without running text."""
        return bool(_WORKBOOK.search(self.mime))

    @property
    def is_written(self) -> bool:
        """Whether the file's title property was written by the text's author and not set by a program."""
        return bool(_WRITTEN.search(self.mime))

    @property
    def is_mail(self) -> bool:
        return bool(_MAIL.search(self.mime))


def cover_of(extracted: Extracted, filename: str) -> Cover:
    """The first pages of a document as lines, without separator lines and contents entries."""
    lines = list(_cover_lines(extracted.blocks))
    early, length = [], 0
    for block in extracted.blocks:
        early.append(block.text[:_EARLY])
        length += len(block.text)
        if length > _EARLY:
            break
    return Cover(
        lines=lines,
        text="\n".join(line.text for line in lines),
        early="\n".join(_normal(text) for text in early)[:_EARLY],
        last="\n".join(_normal(block.text[-_EARLY:]) for block in extracted.blocks[-400:])[-_EARLY:],
        stem=words_of_filename(filename),
        filename=_bare_name(filename),
        own_title=normalise(extracted.title or ""),
        own_author=normalise(extracted.author or ""),
        mime=extracted.mime,
        typed=[line for line in extracted.cover_lines if not _LEADER.search(line.text)],
        are_slides=extracted.are_slides or bool(_SLIDES.search(extracted.mime)),
        sheets=len({block.sheet for block in extracted.blocks if block.sheet}),
        cells=_share_of_tables(extracted.blocks),
        own_date=written_date(extracted),
    )


def written_date(extracted: Extracted) -> str:
    """The date in the file's properties, if the text's author wrote it in the text too; empty for a mere creation
    date."""
    return (extracted.created or "") if _DATED.search(extracted.mime) else ""


def _share_of_tables(blocks: list[Block]) -> float:
    """The share of the text in tables whose cells are mostly numbers."""
    total = sum(len(block.text) for block in blocks)
    tables = [block.text for block in blocks if block.kind == "table"]
    cells = [cell for text in tables for cell in re.split(r"\s\|\s|\n", text[:_EARLY]) if cell.strip(" |")]
    if sum(bool(_FIGURE.fullmatch(cell.strip(" |"))) for cell in cells) * 2 < len(cells) or not total:
        return 0.0
    return sum(map(len, tables)) / total


def words_of_filename(filename: str) -> str:
    """The file name without folder and extension, with spaces for separators."""
    name = PurePath(_bare_name(filename))
    stem = name.stem if name.suffix[1:].isalnum() else name.name
    return " ".join(_SEPARATOR.sub(" ", normalise(stem)).split())


def _bare_name(filename: str) -> str:
    return PurePath(filename.replace("\\", "/")).name


def _cover_lines(blocks: list[Block]) -> Iterator[Line]:
    left = _CHARACTERS
    for block in blocks:
        if (block.page or 0) > _PAGES or left <= 0:
            return
        for line in _of_block(block):
            left -= len(line.text)
            yield line


def _of_block(block: Block) -> Iterator[Line]:
    text = f"{block.header}\n{block.text[:_EARLY]}" if block.header else block.text[:_EARLY]
    parts = text.split("\n")
    for part in parts:
        clean = _FILE_HEAD.sub("", _BOX.sub("", normalise(heading_title(part[:_CHARACTERS]))).strip("_ "))
        if not clean or _RULE.match(clean) or _LEADER.search(clean):
            continue
        yield Line(clean, _level(block, part, len(parts)), block.page, block.kind == "table")


def _level(block: Block, part: str, count: int) -> int | None:
    if block.kind == "heading":
        return block.level
    if marks := _MARKED.match(part):
        return len(marks[1])
    return 0 if block.kind is None and count < 4 and is_heading(part[:_CHARACTERS].strip()) else None


def _normal(text: str) -> str:
    return "\n".join(normalise(line) for line in text.split("\n"))
