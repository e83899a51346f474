"""Stage one of chunking: splits blocks into paragraphs and determines each paragraph's type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from core.language.hebrew import is_hebrew
from core.language.vocabulary import phrase_of
from core.library.extracted import Block, BlockKind, table_numbers
from core.library.structure.labels import label_of
from core.store.items import ContentType, SectionRole

_BLANK_LINES = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
_FENCE = re.compile(r"^[^\S\n]*(```|~~~)", re.MULTILINE)
_FENCED = re.compile(r"(```|~~~)[^\n]*\n.*?(?:\n[^\S\n]*\1[^\S\n]*(?=\n|$)|\Z)", re.DOTALL)
_MARKDOWN_HEADING = re.compile(r"^(#{1,6})[^\S\n]+(\S[^\n]*)$", re.MULTILINE)
_BOLD_LINE = re.compile(r"^(\*\*|__)(?=\S)([^*_\n]+)(?<=\S)\1:?$")
_NUMBERED = re.compile(r"^((?:\d{1,3}\.)*\d{1,3})[.)]?\s+(\S[^\n]*)$")
BULLET = re.compile(phrase_of("library/chunking.paragraphs.bullet"))
_MARKDOWN_RULE = re.compile(r"^\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?$")
_CITATION = re.compile(
    r"^\[\d{1,3}\]\s+\S|^\S[^\n]{0,200}\(\d{4}[a-z]?\)\.?\s.{0,400}(?:doi|https?:|\bpp?\.|\bVol\b|\d\(\d+\))", re.DOTALL
)
_CLAUSE = re.compile(phrase_of("library/chunking.paragraphs.clause"), re.MULTILINE)
_INNER_LABEL = re.compile(r"(?<=\w)\s+(?=(?:Item|ITEM|Article|ARTICLE|Chapter|CHAPTER)\s+\d{1,3}[A-Z]?\.?\s+[A-Z])")
_CODE_LINE = re.compile(
    r"^\s*(?:def \w+\(|class \w+[:({]|import [\w.]+$|from [\w.]+ import |#include\b|"
    r"(?:public|private|static) .*[({]|function \w*\(|"
    r"(?:const|let|var) \w+ ?=|return\b.*;$|(?:if|for|while) ?\(.*\{$|SELECT\s.+\sFROM\s)|[;{}]\s*$",
)
_SENTENCE_END = re.compile(r"[.!?…:;,،؟؛۔。！？：；，、׃\u2013\u2014-][\"'”״»」』）)\]]*$")
_WORD = re.compile(r"[^\W\d_][\w'’\"״׳-]*")

_WHOLE: dict[BlockKind | None, ContentType] = {
    "table": "table", "code": "paragraph", "heading": "heading", "list": "list",
}  # fmt: skip
"""A block whose type the format gives is one paragraph, whatever it contains."""

_LONGEST_HEADING = 160
_LONGEST_NAMED = 18
_LONGEST_RUN = 3
"""If more short lines than this follow one another, they are a list, verse or form labels, not headings."""


@dataclass(frozen=True)
class Paragraph:
    """A paragraph. ``text[...]`` is the document's ``start:end``; ``header`` (a table's column headings) is not part of
    it.

    ``guessed`` marks a heading that is recognised only by its shape; ``level`` is a heading's level in the file format,
    0 if not given. ``table`` is the number of the document's table that it holds. ``path`` are the titles of the
    sections around it, ``place`` is the number of the innermost section (-1: none); both are set by
    ``core.library.structure.sections``, and so is ``role``.
    """

    text: str
    start: int
    end: int
    kind: ContentType
    page: int | None = None
    sheet: str | None = None
    header: str | None = None
    has_code: bool = False
    guessed: bool = False
    level: int = 0
    table: int | None = None
    role: SectionRole = "body"
    path: tuple[str, ...] = ()
    place: int = -1

    @property
    def section(self) -> str | None:
        """The title of the innermost section."""
        return self.path[-1] if self.path else None


def paragraphs(blocks: Sequence[Block]) -> list[Paragraph]:
    """The document's paragraphs in order, still without their sections."""
    found: list[Paragraph] = []
    offset = 0
    for block, number in zip(blocks, table_numbers(blocks), strict=True):
        found.extend(
            replace(each, table=number, role=block.role, sheet=block.sheet) for each in _of_block(block, offset)
        )
        offset += len(block.text) + 2
    return _reconsidered(found)


def _of_block(block: Block, offset: int) -> Iterator[Paragraph]:
    if block.kind in _WHOLE:
        yield from _block_paragraph(block, offset, _WHOLE[block.kind])
    else:
        for start, end, fenced in _pieces(block.text):
            for begin, stop in [(start, end)] if fenced else _clause_spans(block.text, start, end):
                yield _typed(block, begin, stop, offset, fenced)


def _block_paragraph(block: Block, offset: int, kind: ContentType) -> Iterator[Paragraph]:
    start, end = _trim(block.text, 0, len(block.text))
    if start < end or block.header:
        yield Paragraph(
            block.text[start:end],
            offset + start,
            offset + end,
            kind,
            block.page,
            header=block.header,
            has_code=block.kind == "code",
            level=block.level if kind == "heading" else 0,
        )


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    begin = start + len(piece) - len(piece.lstrip())
    return begin, max(begin, start + len(piece.rstrip()))


def _pieces(text: str) -> Iterator[tuple[int, int, bool]]:
    """Start, end and whether it is fenced code, for each part between blank lines, fences and Markdown headings."""
    position = 0
    for fence in _FENCED.finditer(text) if _FENCE.search(text) else ():
        yield from _unfenced(text, position, fence.start())
        yield fence.start(), fence.end(), True
        position = fence.end()
    yield from _unfenced(text, position, len(text))


def _unfenced(text: str, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    for opened, closed in spans_between(_BLANK_LINES, text, start, end):
        position = opened
        for heading in _MARKDOWN_HEADING.finditer(text, opened, closed):
            yield from _spans(text, (position, heading.start()), heading.span())
            position = heading.end()
        yield from _spans(text, (position, closed))


def _clause_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans of numbered clauses on consecutive lines ("5. Fees", "5.1 The client pays …")."""
    position = start
    first = label_of(text[start : min(end, start + _LONGEST_HEADING)])
    divider = _INNER_LABEL if first and first.scheme == "part" and end - start < 2 * _LONGEST_HEADING else _CLAUSE
    for found in divider.finditer(text, start, end):
        if found.start() > position:
            yield _trim(text, position, found.start())
        position = found.start()
    yield _trim(text, position, end)


def spans_between(divider: re.Pattern[str], text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The non-empty spans of ``text[start:end]`` between matches of ``divider``."""
    for gap in divider.finditer(text, start, end):
        if gap.start() > start:
            yield start, gap.start()
        start = gap.end()
    if start < end:
        yield start, end


def _spans(text: str, *spans: tuple[int, int]) -> Iterator[tuple[int, int, bool]]:
    for span in spans:
        start, end = _trim(text, *span)
        if start < end:
            yield start, end, False


def _typed(block: Block, start: int, end: int, offset: int, fenced: bool) -> Paragraph:
    text = block.text[start:end]
    paragraph = Paragraph(text, offset + start, offset + end, "paragraph", block.page)
    if fenced:
        return replace(paragraph, has_code=True)
    if _is_table(text):
        return _markdown_table(paragraph)
    if _CITATION.match(text):
        return replace(paragraph, kind="citation")
    if block.kind is None and is_heading(text):
        marks = _MARKDOWN_HEADING.match(text)
        level = len(marks[1]) if marks else 0
        return replace(paragraph, kind="heading", guessed=not _declared(text), level=level)
    if BULLET.match(text):
        return replace(paragraph, kind="list")
    return replace(paragraph, has_code=looks_like_code(text))


def _is_table(text: str) -> bool:
    lines = text.split("\n")
    if len(lines) < 2:
        return False
    if all(line.strip().startswith("|") for line in lines):
        return True
    return bool(_MARKDOWN_RULE.match(lines[1].strip())) and "|" in lines[0] and "|" in lines[1]


def _markdown_table(paragraph: Paragraph) -> Paragraph:
    lines = paragraph.text.split("\n")
    if len(lines) < 3 or not _MARKDOWN_RULE.match(lines[1].strip()):
        return replace(paragraph, kind="table")
    headings = "\n".join(lines[:2])
    start = paragraph.start + len(headings) + 1
    return replace(paragraph, kind="table", header=headings, text="\n".join(lines[2:]), start=start)


def looks_like_code(text: str) -> bool:
    """Whether most lines of ``text`` are lines of a programming language."""
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) > 1 and 2 * sum(bool(_CODE_LINE.search(line)) for line in lines) > len(lines)


def _declared(text: str) -> bool:
    return bool(_MARKDOWN_HEADING.match(text) or _BOLD_LINE.match(text)) or _is_named_label(text)


def _is_named_label(text: str) -> bool:
    """Whether a line is a named label with at most a title: "Chapter 3: Methods", "Item 7A"."""
    label = label_of(text)
    if label is None or not label.is_named or len(text) > _LONGEST_HEADING:
        return False
    return not _SENTENCE_END.search(text) or len(text.split()) <= _LONGEST_NAMED


def is_heading(text: str) -> bool:
    """Whether a paragraph, judged without its neighbours, is a heading: Markdown, bold, numbered, all capitals, title
    case, or a short line of Hebrew without punctuation."""
    if "\n" in text:
        return False
    if _declared(text):
        return True
    words = _WORD.findall(text)
    if not words or len(text) >= 100 or _SENTENCE_END.search(text):
        return False
    if numbered := _NUMBERED.match(text):
        return len(words) <= 10 and not numbered[2][0].islower()
    if BULLET.match(text):
        return False
    return _has_shape(text, words)


def _has_shape(text: str, words: list[str]) -> bool:
    if text.isupper():
        return len(words) <= 10
    if len(words) > 8:
        return False
    if is_hebrew(text):
        return not re.search(r"[.!?;|]|\d{5,}", text)
    return words[0][0].isupper() and sum(word[0].isupper() for word in words) >= 0.6 * len(text.split())


def heading_title(text: str) -> str:
    """The words of a heading without Markdown marks."""
    if markdown := _MARKDOWN_HEADING.match(text):
        text = markdown[2].rstrip("# ")
    return " ".join(text.strip("*_ \n").split())


def _reconsidered(found: list[Paragraph]) -> list[Paragraph]:
    """Withdraws headings that their neighbours disprove: consecutive numbers, and long runs of short lines."""
    kept = [_renumbered(found, place) for place in range(len(found))]
    result: list[Paragraph] = []
    for guessed, run in groupby(kept, key=lambda paragraph: paragraph.guessed):
        lines = list(run)
        if guessed and len(lines) > _LONGEST_RUN:
            lines = [replace(line, kind="paragraph", guessed=False) for line in lines]
        result.extend(lines)
    return result


def _renumbered(found: list[Paragraph], place: int) -> Paragraph:
    paragraph = found[place]
    number = _heading_number(paragraph)
    if number is None or not paragraph.guessed:
        return paragraph
    neighbours = [_heading_number(found[other]) for other in (place - 1, place + 1) if 0 <= other < len(found)]
    steps = ((*number[:-1], number[-1] - 1), (*number[:-1], number[-1] + 1))
    if any(neighbour in steps for neighbour in neighbours):
        return replace(paragraph, kind="list", guessed=False)
    return paragraph


def _heading_number(paragraph: Paragraph) -> tuple[int, ...] | None:
    if paragraph.kind not in ("heading", "list"):
        return None
    numbered = _NUMBERED.match(paragraph.text)
    return tuple(map(int, numbered[1].split("."))) if numbered else None
